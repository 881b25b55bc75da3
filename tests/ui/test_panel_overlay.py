"""What lies over the page: the agent's target, a select's list, the menu, the pointer's shape, the hint."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QProxyStyle, QStyle
from pytestqt.qtbot import QtBot

from app.domain.acts import SelectInput
from app.domain.commands import CopySelection, SendInput
from app.domain.ids import TabId
from app.domain.passing import CursorChanged, PanelChanged, SelectOpened, TargetOutlined
from app.ui.panel_cursor import cursor_shape
from app.ui.panel_outline import FADE_MS, HOLD_MS
from app.ui.panel_select import SelectList
from app.ui.theme import installed_theme
from tests.ui.panel_stage import PAGE_WIDTH, Stage, drives, opened, settle, tab

TARGET = TargetOutlined(TabId(1), 100, 200, 160, 40, 'button "Save"')
OPTIONS = (("Price", False), ("Name", True), ("Weight", False))
A_MOMENT = HOLD_MS + FADE_MS + 2_000
K = Qt.Key


@pytest.fixture
def stage(qtbot: QtBot) -> Iterator[Stage]:
    yield from opened(qtbot)


@pytest.fixture
def still_style(qapp: QApplication) -> Iterator[None]:
    """The style of a system that asks for reduced motion."""
    qapp.setStyle(_Still("Fusion"))
    yield
    qapp.setStyle("Fusion")


class _Still(QProxyStyle):
    def styleHint(self, hint, option=None, widget=None, returnData=None):  # type: ignore[no-untyped-def]  # noqa: N802, N803
        if hint == QStyle.StyleHint.SH_Widget_Animation_Duration:
            return 0
        return super().styleHint(hint, option, widget, returnData)


def picture(stage: Stage) -> QImage:
    return stage.canvas.grab().toImage()


def agent_pixels(stage: Stage, box: QRect) -> int:
    """How many pixels in a box of the page have the agent's colour."""
    image, colour = picture(stage), installed_theme().colour("agent")
    corner, end = stage.point(box.left(), box.top()), stage.point(box.right(), box.bottom())
    return sum(image.pixelColor(x, y) == colour for x in range(corner.x(), end.x()) for y in range(corner.y(), end.y()))


def open_select(stage: Stage, *, token: int = 7, options: tuple[tuple[str, bool], ...] = OPTIONS) -> SelectList:
    stage.tell(SelectOpened(token, options, 2, 50, 60, 120, 24))
    (found,) = [one for one in stage.panel.findChildren(SelectList) if one.isVisible()]
    return found


class TestOutline:
    def test_the_target_is_outlined_where_it_is(self, stage: Stage) -> None:
        stage.open_page(driver="agent")
        assert agent_pixels(stage, QRect(80, 150, 220, 120)) == 0
        stage.tell(TARGET)
        assert agent_pixels(stage, QRect(80, 150, 220, 120)) > 300
        assert agent_pixels(stage, QRect(120, 210, 120, 20)) == 0
        assert agent_pixels(stage, QRect(300, 150, 100, 120)) == 0

    def test_the_label_stands_inside_the_page_at_its_upper_edge_too(self, stage: Stage) -> None:
        stage.open_page(driver="agent")
        stage.tell(TargetOutlined(TabId(1), 2, 2, 60, 30, "link"))
        assert agent_pixels(stage, QRect(0, 36, 80, 40)) > 100

    def test_the_outline_fades_after_a_moment(self, stage: Stage) -> None:
        stage.open_page(driver="agent")
        stage.tell(TARGET)
        stage.qtbot.waitUntil(lambda: stage.canvas.outline.is_fading, timeout=A_MOMENT)
        stage.qtbot.waitUntil(lambda: stage.canvas.outline.target is None, timeout=A_MOMENT)
        assert agent_pixels(stage, QRect(80, 150, 220, 120)) == 0

    def test_with_reduced_motion_it_goes_without_fading(self, still_style: None, stage: Stage) -> None:
        stage.open_page(driver="agent")
        outline = stage.canvas.outline
        fading: list[bool] = []
        outline.changed.connect(lambda: fading.append(outline.is_fading))
        stage.tell(TARGET)
        stage.qtbot.waitUntil(lambda: stage.canvas.outline.target is None, timeout=A_MOMENT)
        assert fading
        assert not any(fading)

    def test_no_width_clears_it(self, stage: Stage) -> None:
        stage.open_page(driver="agent")
        stage.tell(TARGET, TargetOutlined(TabId(1), 0, 0, 0, 0))
        assert agent_pixels(stage, QRect(80, 150, 220, 120)) == 0

    def test_a_target_of_another_tab_is_not_outlined(self, stage: Stage) -> None:
        stage.open_page(driver="agent")
        stage.tell(TargetOutlined(TabId(2), 100, 200, 160, 40, "x"))
        assert stage.canvas.outline.target is None

    def test_another_page_clears_it(self, stage: Stage) -> None:
        stage.open_page(driver="agent")
        stage.tell(TARGET, PanelChanged((tab(title="The same page"),)))
        assert stage.canvas.outline.target is not None
        stage.tell(PanelChanged((tab(url="https://shop.example/order"),)))
        assert stage.canvas.outline.target is None

    def test_taking_over_clears_it(self, stage: Stage) -> None:
        stage.open_page(driver="agent")
        stage.tell(TARGET, drives("person"))
        assert stage.canvas.outline.target is None


class TestSelect:
    def test_the_list_shows_the_options_of_the_page(self, stage: Stage) -> None:
        stage.open_page()
        found = open_select(stage)
        assert [found.item(at).text() for at in range(found.count())] == ["Price", "Name", "Weight"]
        assert found.currentRow() == 2
        assert not found.item(1).flags() & Qt.ItemFlag.ItemIsEnabled

    def test_the_list_opens_under_the_select_and_stays_on_the_screen(self, stage: Stage) -> None:
        stage.open_page()
        found = open_select(stage, options=tuple((f"Option {n}", False) for n in range(300)))
        box = stage.canvas.screen_box(50, 60, 120, 24)
        screen = stage.panel.screen().availableGeometry()
        assert abs(found.geometry().left() - box.left()) <= 1
        assert found.geometry().top() >= box.bottom() or found.geometry().bottom() <= box.top()
        assert screen.contains(found.geometry())

    def test_a_click_chooses(self, stage: Stage) -> None:
        stage.open_page()
        found = open_select(stage)
        at = found.visualItemRect(found.item(0)).center()
        QTest.mouseClick(found.viewport(), Qt.MouseButton.LeftButton, pos=at)
        assert stage.sent == [SendInput(SelectInput(7, 0))]

    def test_keys_choose(self, stage: Stage) -> None:
        stage.open_page()
        found = open_select(stage)
        QTest.keyClick(found, K.Key_P)
        QTest.keyClick(found, K.Key_Return)
        assert stage.sent == [SendInput(SelectInput(7, 0))]

    def test_escape_chooses_nothing(self, stage: Stage) -> None:
        stage.open_page()
        QTest.keyClick(open_select(stage), K.Key_Escape)
        assert stage.sent == [SendInput(SelectInput(7, -1))]

    def test_a_disabled_option_cannot_be_chosen(self, stage: Stage) -> None:
        stage.open_page()
        found = open_select(stage)
        QTest.mouseClick(found.viewport(), Qt.MouseButton.LeftButton, pos=found.visualItemRect(found.item(1)).center())
        assert stage.sent == []
        assert found.isVisible()

    def test_a_second_list_answers_the_first_with_nothing(self, stage: Stage) -> None:
        stage.open_page()
        open_select(stage)
        open_select(stage, token=8)
        assert stage.sent == [SendInput(SelectInput(7, -1))]

    def test_another_tab_closes_the_list(self, stage: Stage) -> None:
        stage.open_page()
        found = open_select(stage)
        stage.tell(PanelChanged((tab(2),)))
        assert found not in [one for one in stage.panel.findChildren(SelectList) if one.isVisible()]
        assert stage.sent == [SendInput(SelectInput(7, -1))]

    def test_no_list_opens_while_the_agent_drives(self, stage: Stage) -> None:
        stage.open_page(driver="agent")
        stage.tell(SelectOpened(7, OPTIONS, 0, 50, 60, 120, 24))
        assert stage.panel.findChildren(SelectList) == []
        assert stage.sent == []

    def test_the_wheel_of_handing_back_closes_the_list(self, stage: Stage) -> None:
        stage.open_page()
        open_select(stage)
        stage.tell(drives("agent"))
        settle()
        assert [one for one in stage.panel.findChildren(SelectList) if one.isVisible()] == []


class TestMenu:
    def menu(self, stage: Stage) -> list[QMenu]:
        return [one for one in stage.panel.findChildren(QMenu) if one.isVisible()]

    def mark_text(self, stage: Stage) -> None:
        """A drag, as over a line of text."""
        left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        QTest.mousePress(stage.canvas, left, none, stage.point(100, 100))
        QTest.mouseMove(stage.canvas, stage.point(260, 100))
        QTest.mouseRelease(stage.canvas, left, none, stage.point(260, 100))

    def choose(self, stage: Stage, words: str) -> None:
        (menu,) = self.menu(stage)
        (action,) = [one for one in menu.actions() if one.text() == words]
        action.trigger()
        menu.close()

    def test_marked_text_can_be_kept_as_a_quote(self, stage: Stage) -> None:
        stage.open_page()
        self.mark_text(stage)
        stage.click(200, 100, Qt.MouseButton.RightButton)
        stage.forget()
        self.choose(stage, "Keep as quote")
        assert stage.sent == [CopySelection(False)]

    def test_marked_text_can_be_copied(self, stage: Stage) -> None:
        stage.open_page()
        self.mark_text(stage)
        stage.click(200, 100, Qt.MouseButton.RightButton)
        stage.forget()
        self.choose(stage, "Copy")
        assert stage.sent == [CopySelection(False)]

    def test_selecting_all_by_key_counts_as_marked_text(self, stage: Stage) -> None:
        stage.open_page()
        stage.canvas.setFocus()
        QTest.keyClick(stage.canvas, K.Key_A, Qt.KeyboardModifier.ControlModifier)
        stage.click(200, 100, Qt.MouseButton.RightButton)
        assert len(self.menu(stage)) == 1

    def test_without_marked_text_the_right_button_is_the_page_s_own(self, stage: Stage) -> None:
        stage.open_page()
        self.mark_text(stage)
        stage.click(20, 20)
        stage.click(200, 100, Qt.MouseButton.RightButton)
        assert self.menu(stage) == []


class TestPointerShape:
    @pytest.mark.parametrize(
        ("css", "shape"),
        [
            ("pointer", Qt.CursorShape.PointingHandCursor),
            ("text", Qt.CursorShape.IBeamCursor),
            ("auto", Qt.CursorShape.ArrowCursor),
            ("nwse-resize", Qt.CursorShape.SizeFDiagCursor),
            ("not-allowed", Qt.CursorShape.ForbiddenCursor),
            ("url(paw.png) 2 2, grab", Qt.CursorShape.OpenHandCursor),
            ("none", Qt.CursorShape.BlankCursor),
            ("something-new", Qt.CursorShape.ArrowCursor),
        ],
    )
    def test_each_css_cursor_has_a_shape(self, css: str, shape: Qt.CursorShape) -> None:
        assert cursor_shape(css) == shape

    def test_the_pointer_follows_the_page_while_the_person_drives(self, stage: Stage) -> None:
        stage.open_page()
        stage.tell(CursorChanged("pointer"))
        assert stage.canvas.cursor().shape() == Qt.CursorShape.PointingHandCursor
        stage.tell(drives("agent"))
        assert stage.canvas.cursor().shape() == Qt.CursorShape.ArrowCursor
        stage.tell(CursorChanged("text"))
        assert stage.canvas.cursor().shape() == Qt.CursorShape.ArrowCursor


class TestHint:
    def hint_pixels(self, stage: Stage) -> int:
        image, colour = picture(stage), installed_theme().colour("person")
        top = image.height() - 60
        return sum(
            image.pixelColor(x, y) == colour for x in range(0, image.width(), 2) for y in range(top, image.height())
        )

    def test_the_pointer_over_the_agent_s_page_shows_how_to_take_over(self, stage: Stage) -> None:
        stage.open_page(driver="agent")
        QTest.mouseMove(stage.panel, QPoint(5, 5))  # wherever a test before has left it
        stage.qtbot.waitUntil(lambda: self.hint_pixels(stage) == 0)
        QTest.mouseMove(stage.canvas, stage.point(PAGE_WIDTH / 2, 100))
        stage.qtbot.waitUntil(lambda: self.hint_pixels(stage) > 100)
        stage.tell(drives("person"))
        assert self.hint_pixels(stage) == 0
