"""The picture of the page: newest only, in its place, in every size, and nothing left of it afterwards."""

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from app.domain.commands import ResizePanel
from app.domain.ids import TabId
from app.domain.pages import Frame
from app.domain.passing import PanelChanged
from app.ui.panel_decoder import FrameDecoder
from app.ui.panel_geometry import placing
from app.ui.theme import installed_theme
from tests.ui.panel_stage import PAGE_HEIGHT, PAGE_WIDTH, Stage, drives, frame, is_like, jpeg, opened, settle, tab


@pytest.fixture
def stage(qtbot: QtBot) -> Iterator[Stage]:
    yield from opened(qtbot)


def colour_at(stage: Stage, x: float, y: float) -> QColor:
    return stage.canvas.grab().toImage().pixelColor(stage.point(x, y))


def resizes(stage: Stage) -> list[ResizePanel]:
    return stage.engine.sizes


def test_of_many_frames_only_the_newest_is_shown(stage: Stage) -> None:
    stage.open_page()
    drawn: list[object] = []
    stage.panel.decoder.decoded.connect(lambda: drawn.append(1))
    frames = [frame(f"#{n * 4:02x}0000") for n in range(60)]
    for one in frames:
        stage.engine.show_frame(one)
    stage.qtbot.waitUntil(lambda: is_like(colour_at(stage, 300, 200), f"#{59 * 4:02x}0000"))
    assert len(drawn) <= 2


def test_the_decoder_drops_what_was_not_taken_in_time(qtbot: QtBot) -> None:
    decoder = FrameDecoder()
    pictures = []
    decoder.decoded.connect(lambda: pictures.append(decoder.take()))
    try:
        for n in range(50):
            decoder.offer(frame(width=40 + n, height=40), QSize())
        qtbot.waitUntil(lambda: bool(pictures) and pictures[-1].viewport_width == 89)
        assert len(pictures) <= 2
    finally:
        decoder.stop()


def test_bytes_that_are_no_picture_leave_the_last_one_standing(stage: Stage) -> None:
    stage.open_page()
    stage.engine.show_frame(Frame(TabId(1), b"\xff\xd8 no picture", PAGE_WIDTH, PAGE_HEIGHT))
    stage.show_frame(frame("#00a000"))
    assert is_like(colour_at(stage, 300, 200), "#00a000")


def test_the_last_frame_is_painted_again_after_the_window_was_hidden(stage: Stage) -> None:
    stage.open_page()
    stage.panel.hide()
    stage.panel.show()
    settle()
    assert is_like(colour_at(stage, 300, 200), "#2060c0")


def test_a_still_page_is_decoded_anew_for_another_size(stage: Stage) -> None:
    stage.open_page()
    stage.panel.resize(1_000, 900)

    def fits() -> bool:
        picture = stage.canvas.picture
        return picture is not None and picture.image.size() == stage.canvas.pixels_for(PAGE_WIDTH, PAGE_HEIGHT)

    stage.qtbot.waitUntil(fits)
    assert is_like(colour_at(stage, 300, 200), "#2060c0")


def test_the_page_is_centred_and_the_rest_stays_calm(stage: Stage) -> None:
    stage.open_page()
    stage.show_frame(Frame(TabId(1), jpeg("#c02020", 640, 480, right="#20c020"), 640, 480))
    assert is_like(colour_at(stage, 310, 240), "#c02020")
    assert is_like(colour_at(stage, 330, 240), "#20c020")
    corner = stage.canvas.grab().toImage().pixelColor(2, stage.canvas.height() // 2)
    assert corner == installed_theme().colour("raised")


@pytest.mark.parametrize(
    ("canvas", "page", "point", "expected"),
    [
        ((640, 480), (640, 480), (10, 20), (10, 20)),
        ((1280, 960), (640, 480), (10, 20), (5, 10)),
        ((320, 240), (640, 480), (10, 20), (20, 40)),
        ((840, 480), (640, 480), (110, 20), (10, 20)),
        ((640, 680), (640, 480), (10, 120), (10, 20)),
        ((500, 500), (1000, 500), (250, 250), (500, 250)),
        ((500, 500), (375, 667), (250, 250), (187.5, 333.5)),
    ],
)
def test_points_of_the_canvas_are_points_of_the_page(
    canvas: tuple[int, int], page: tuple[int, int], point: tuple[int, int], expected: tuple[float, float]
) -> None:
    place = placing(*canvas, *page)
    assert place is not None
    assert place.holds(QPointF(*point))
    assert place.to_page(QPointF(*point)) == pytest.approx(expected, abs=0.01)
    back = place.to_canvas(*expected, 0, 0)
    assert (back.x(), back.y()) == pytest.approx(point, abs=0.01)


def test_a_point_beside_the_page_is_not_on_it_and_clamps_to_its_edge() -> None:
    place = placing(840, 480, 640, 480)
    assert place is not None
    assert not place.holds(QPointF(50, 100))
    assert place.to_page(QPointF(50, 100)) == (0, 100)
    assert place.to_page(QPointF(839, 500)) == (639, 479)


@pytest.mark.parametrize("sizes", [(0, 480, 640, 480), (640, 480, 0, 0)])
def test_nothing_is_placed_without_a_size(sizes: tuple[int, int, int, int]) -> None:
    assert placing(*sizes) is None


def test_a_frame_of_another_tab_is_not_shown(stage: Stage) -> None:
    stage.open_page()
    stage.engine.show_frame(frame("#00a000", tab=2))
    settle()
    stage.tell(PanelChanged((tab(1, active=False), tab(2))))
    stage.qtbot.waitUntil(lambda: is_like(colour_at(stage, 300, 200), "#00a000"))


def test_choosing_another_tab_takes_the_old_picture_away_at_once(stage: Stage) -> None:
    stage.open_page()
    stage.tell(PanelChanged((tab(1, active=False), tab(2))))
    assert stage.canvas.picture is None
    assert not is_like(colour_at(stage, 300, 200), "#2060c0")
    stage.click()
    assert stage.inputs == []


def test_a_picture_that_is_ready_only_after_the_tab_has_changed_is_not_shown(stage: Stage) -> None:
    stage.open_page()
    with stage.qtbot.waitSignal(stage.panel.decoder.decoded):
        stage.engine.show_frame(frame("#00a000"))
        stage.bridge.frame_arrived.emit()
        stage.panel.on_event(PanelChanged((tab(1, active=False), tab(2))))
    settle()
    assert stage.canvas.picture is None


def test_without_a_browser_the_panel_says_so_and_sends_nothing(stage: Stage) -> None:
    stage.open_page()
    stage.tell(PanelChanged(()))
    stage.forget()
    stage.click()
    assert stage.canvas.picture is None
    assert stage.sent == []


def test_a_new_size_is_told_once_the_dragging_ends(stage: Stage) -> None:
    stage.open_page()
    stage.qtbot.waitUntil(lambda: not stage.panel.is_settling_size)
    stage.forget()
    for width in range(830, 930, 10):
        stage.panel.resize(width, 720)
    stage.qtbot.waitUntil(lambda: bool(resizes(stage)))
    assert resizes(stage) == [ResizePanel(stage.canvas.width(), stage.canvas.height())]
    assert stage.canvas.width() == 920


def test_a_tiny_panel_asks_for_a_page_that_can_still_be_read(stage: Stage) -> None:
    stage.open_page()
    stage.panel.setMinimumSize(0, 0)
    stage.canvas.setFixedSize(200, 150)
    stage.qtbot.waitUntil(lambda: ResizePanel(320, 240) in resizes(stage))


def test_a_new_browser_is_told_the_size(stage: Stage) -> None:
    stage.qtbot.waitUntil(lambda: bool(resizes(stage)))
    stage.forget()
    stage.tell(PanelChanged((tab(),)))
    stage.qtbot.waitUntil(lambda: bool(resizes(stage)))


def test_no_thread_is_left_after_the_panel_has_stopped(qtbot: QtBot) -> None:
    before = set(threading.enumerate())
    made = Stage(qtbot)
    made.open_page()
    mine = [one.name for one in set(threading.enumerate()) - before]
    made.close()
    assert mine == ["panel-decoder"]
    assert set(threading.enumerate()) <= before


def test_frames_that_come_after_the_stop_do_no_harm(stage: Stage) -> None:
    stage.open_page()
    stage.panel.stop()
    stage.engine.show_frame(frame("#00a000"))
    stage.tell(drives("agent"))
    assert is_like(colour_at(stage, 300, 200), "#2060c0")
