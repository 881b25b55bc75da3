"""Mouse and wheel on the page: who drives decides, clicks take over, nothing stays pressed."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.domain.acts import MouseInput, WheelInput
from app.domain.commands import GoInHistory, HandBack, SendInput, TakeOver
from app.domain.passing import Driver, PanelChanged
from app.ui.panel_gate import PATIENCE_MS
from tests.ui.panel_stage import Stage, asks, drives, opened, settle, tab

LEFT, RIGHT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton, Qt.MouseButton.MiddleButton
PRESS, DOUBLE = QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick
NO_PIXELS = QPoint()
NONE, SHIFT, CTRL = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
)


@pytest.fixture
def stage(qtbot: QtBot) -> Iterator[Stage]:
    yield from opened(qtbot)


def mouse_of(stage: Stage, *kinds: str) -> list[MouseInput]:
    return [one for one in stage.inputs if isinstance(one, MouseInput) and one.kind in (kinds or ("press", "release"))]


def turn(stage: Stage, angle: QPoint, pixels: QPoint = NO_PIXELS, modifiers: Qt.KeyboardModifier = NONE) -> None:
    at = QPointF(stage.point(100, 100))
    event = QWheelEvent(
        at,
        stage.canvas.mapToGlobal(at),
        pixels,
        angle,
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(stage.canvas, event)


def wheels(stage: Stage) -> list[WheelInput]:
    stage.qtbot.waitUntil(lambda: any(isinstance(one, WheelInput) for one in stage.inputs))
    return [one for one in stage.inputs if isinstance(one, WheelInput)]


@pytest.mark.parametrize(("button", "name", "bit"), [(LEFT, "left", 1), (RIGHT, "right", 2), (MIDDLE, "middle", 4)])
def test_a_click_reaches_the_page_at_its_own_point(stage: Stage, button: Qt.MouseButton, name: str, bit: int) -> None:
    stage.open_page()
    stage.click(200, 150, button)
    press, release = mouse_of(stage)
    assert (press.kind, press.button, press.buttons, press.click_count) == ("press", name, bit, 1)
    assert (release.kind, release.button, release.buttons, release.click_count) == ("release", name, 0, 1)
    assert (press.x, press.y) == pytest.approx((200, 150), abs=1)


def test_modifiers_and_several_buttons_are_told(stage: Stage) -> None:
    stage.open_page()
    at = stage.point(100, 100)
    QTest.mousePress(stage.canvas, LEFT, SHIFT | CTRL, at)
    QTest.mousePress(stage.canvas, RIGHT, NONE, at)
    assert [(one.buttons, one.modifiers) for one in mouse_of(stage)] == [(1, 8 | 2), (3, 0)]
    QTest.mouseRelease(stage.canvas, RIGHT, NONE, at)
    QTest.mouseRelease(stage.canvas, LEFT, NONE, at)
    assert [one.buttons for one in mouse_of(stage, "release")] == [1, 0]


def click_at(stage: Stage, when_ms: int, x: float = 100, kind: QEvent.Type = QEvent.Type.MouseButtonPress) -> None:
    """A press and its release at a time of the system's clock."""
    at = QPointF(stage.point(x, 100))
    for one, held in ((kind, LEFT), (QEvent.Type.MouseButtonRelease, Qt.MouseButton.NoButton)):
        event = QMouseEvent(one, at, stage.canvas.mapToGlobal(at), LEFT, held, NONE)
        event.setTimestamp(when_ms)
        QApplication.sendEvent(stage.canvas, event)


@pytest.mark.parametrize(
    ("clicks", "counts"),
    [
        ([(1_000, 100, PRESS), (1_200, 100, DOUBLE), (1_400, 100, PRESS), (1_600, 100, DOUBLE)], [1, 2, 3, 4]),
        ([(1_000, 100, PRESS), (1_200, 101, DOUBLE), (1_400, 101, PRESS)], [1, 2, 3]),
        ([(1_000, 100, PRESS), (3_000, 100, PRESS)], [1, 1]),
        ([(1_000, 100, PRESS), (1_200, 300, PRESS)], [1, 1]),
        ([(1_000, 100, PRESS), (1_200, 100, DOUBLE), (3_000, 100, PRESS)], [1, 2, 1]),
    ],
    ids=["quick", "a trembling hand", "slow", "elsewhere", "later"],
)
def test_clicks_in_quick_succession_are_counted(
    stage: Stage, clicks: list[tuple[int, float, QEvent.Type]], counts: list[int]
) -> None:
    stage.open_page()
    for when_ms, x, kind in clicks:
        click_at(stage, when_ms, x, kind)
    assert [one.click_count for one in mouse_of(stage, "press")] == counts
    assert [one.click_count for one in mouse_of(stage, "release")] == counts


def test_of_many_moves_few_are_sent_and_the_last_is_among_them(stage: Stage) -> None:
    stage.open_page()
    for x in range(100, 300):
        QTest.mouseMove(stage.canvas, stage.point(x, 120))
    stage.qtbot.waitUntil(lambda: bool(mouse_of(stage, "move")) and mouse_of(stage, "move")[-1].x > 297)
    assert len(mouse_of(stage, "move")) < 60


def test_a_press_comes_after_the_move_that_led_to_it(stage: Stage) -> None:
    stage.open_page()
    QTest.mouseMove(stage.canvas, stage.point(50, 60))
    stage.click(50, 60)
    kinds = [one.kind for one in stage.inputs if isinstance(one, MouseInput)]
    assert kinds[-3:] == ["move", "press", "release"]


def test_a_drag_says_which_button_is_held_and_ends_at_the_edge(stage: Stage) -> None:
    stage.open_page()
    QTest.mousePress(stage.canvas, LEFT, NONE, stage.point(600, 400))
    QTest.mouseMove(stage.canvas, QPoint(stage.canvas.width() + 80, stage.point(0, 400).y()))
    QTest.mouseRelease(stage.canvas, LEFT, NONE, QPoint(stage.canvas.width() + 80, stage.point(0, 400).y()))
    move, release = mouse_of(stage, "move")[-1], mouse_of(stage, "release")[-1]
    assert (move.button, move.buttons) == ("left", 1)
    assert release.x == 639


def test_beside_the_page_nothing_is_pressed(stage: Stage) -> None:
    stage.open_page()
    QTest.mouseClick(stage.canvas, LEFT, NONE, QPoint(2, stage.canvas.height() // 2))
    assert stage.sent == []


@pytest.mark.parametrize(
    ("angle", "pixels", "modifiers", "expected"),
    [
        (QPoint(0, -120), QPoint(), NONE, (0, 100)),
        (QPoint(0, 240), QPoint(), NONE, (0, -200)),
        (QPoint(120, 0), QPoint(), NONE, (-100, 0)),
        (QPoint(0, -120), QPoint(0, -37), NONE, (0, 37)),
        (QPoint(0, -120), QPoint(), SHIFT, (100, 0)),
    ],
)
def test_the_wheel_scrolls_as_far_as_it_was_turned(
    stage: Stage, angle: QPoint, pixels: QPoint, modifiers: Qt.KeyboardModifier, expected: tuple[float, float]
) -> None:
    stage.open_page()
    turn(stage, angle, pixels, modifiers)
    (wheel,) = wheels(stage)
    assert (wheel.delta_x, wheel.delta_y) == expected
    assert (wheel.x, wheel.y) == pytest.approx((100, 100), abs=1)


def test_quick_turns_of_the_wheel_add_up(stage: Stage) -> None:
    stage.open_page()
    for _ in range(5):
        turn(stage, QPoint(0, -120))
    stage.qtbot.waitUntil(lambda: sum(one.delta_y for one in wheels(stage)) == 500)


def test_the_side_buttons_go_through_the_history(stage: Stage) -> None:
    stage.open_page()
    stage.click(button=Qt.MouseButton.BackButton)
    stage.click(button=Qt.MouseButton.ForwardButton)
    assert stage.sent == [GoInHistory(-1), GoInHistory(1)]


@pytest.mark.parametrize("driver", ["agent", "nobody"])
def test_a_click_takes_over_and_is_sent_on_when_the_person_drives(stage: Stage, driver: Driver) -> None:
    stage.open_page(driver=driver)
    stage.click(200, 150)
    assert stage.sent == [TakeOver()]
    stage.tell(drives("person"))
    kinds = [command.input.kind for command in stage.sent[1:] if isinstance(command, SendInput)]  # type: ignore[union-attr]
    assert kinds == ["press", "release"]
    assert mouse_of(stage)[0].x == pytest.approx(200, abs=1)


def test_further_clicks_while_the_answer_is_out_ask_only_once(stage: Stage) -> None:
    stage.open_page(driver="agent")
    stage.click()
    stage.click()
    stage.tell(drives("agent", "clicking"))
    assert stage.sent == [TakeOver()]


def test_the_click_is_forgotten_when_the_answer_takes_too_long(stage: Stage) -> None:
    stage.open_page(driver="agent")
    stage.click()
    stage.qtbot.waitUntil(lambda: not stage.panel.gate.is_waiting, timeout=PATIENCE_MS + 2_000)
    stage.tell(drives("person"))
    assert stage.sent == [TakeOver()]


@pytest.mark.parametrize(
    "page", [tab(1, "https://shop.example/checkout"), tab(2, "https://other.example/")], ids=["address", "tab"]
)
def test_the_click_is_forgotten_when_another_page_came_meanwhile(stage: Stage, page: object) -> None:
    stage.open_page(driver="agent")
    stage.click()
    stage.tell(PanelChanged((page,)), drives("person"))  # type: ignore[arg-type]
    assert stage.inputs == []


@pytest.mark.parametrize("driver", ["agent", "nobody"])
def test_nothing_is_sent_while_the_person_does_not_drive(stage: Stage, driver: Driver) -> None:
    stage.open_page(driver=driver)
    QTest.mouseMove(stage.canvas, stage.point(50, 50))
    turn(stage, QPoint(0, -120))
    stage.canvas.setFocus()
    QTest.keyClicks(stage.canvas, "secret")
    stage.qtbot.wait(60)
    assert stage.sent == []


def test_input_ends_at_once_when_the_agent_drives_again(stage: Stage) -> None:
    stage.open_page()
    QTest.mousePress(stage.canvas, LEFT, NONE, stage.point(100, 100))
    stage.tell(drives("agent"))
    stage.forget()
    QTest.mouseRelease(stage.canvas, LEFT, NONE, stage.point(100, 100))
    stage.tell(drives("person"))
    QTest.mouseMove(stage.canvas, stage.point(150, 150))
    stage.qtbot.waitUntil(lambda: bool(mouse_of(stage, "move")))
    assert mouse_of(stage) == []
    assert mouse_of(stage, "move")[-1].buttons == 0


def test_handing_back_first_lets_go_of_what_is_held(stage: Stage) -> None:
    stage.open_page()
    QTest.mousePress(stage.canvas, LEFT, NONE, stage.point(100, 100))
    stage.forget()
    stage.panel.toggle_driver()
    assert [one.kind for one in mouse_of(stage)] == ["release"]
    assert stage.sent[-1] == HandBack("")


def test_losing_the_focus_releases_the_button(stage: Stage) -> None:
    stage.open_page()
    QTest.mousePress(stage.canvas, LEFT, NONE, stage.point(100, 100))
    stage.panel.address.field.setFocus()
    assert [one.kind for one in mouse_of(stage)] == ["press", "release"]
    QTest.mouseRelease(stage.canvas, LEFT, NONE, stage.point(100, 100))
    assert len(mouse_of(stage)) == 2


def test_a_dialog_keeps_input_from_queueing_behind_it(stage: Stage) -> None:
    stage.open_page()
    stage.tell(asks("confirm"))
    stage.click(50, 400)
    settle()
    assert stage.inputs == []
    stage.tell(PanelChanged((tab(),)))
    stage.click(50, 400)
    assert [one.kind for one in mouse_of(stage)] == ["press", "release"]


def test_leaving_the_window_is_no_input(stage: Stage) -> None:
    stage.open_page()
    QApplication.sendEvent(stage.canvas, QEvent(QEvent.Type.Leave))
    assert stage.sent == []
