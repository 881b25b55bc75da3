"""Keys, input methods and the clipboard between the person and the page."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QKeyEvent, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.domain.acts import CompositionInput, KeyInput, MouseInput, PersonInput, TextInput
from app.domain.commands import Command, CopySelection, KeepQuote, SendInput, TakeOver
from app.domain.passing import SelectionCopied
from tests.ui.panel_stage import Stage, drives, opened

K, M = Qt.Key, Qt.KeyboardModifier
MODIFIERS = ("Shift", "Control")
NONE, SHIFT, CTRL = M.NoModifier, M.ShiftModifier, M.ControlModifier


@pytest.fixture
def stage(qtbot: QtBot) -> Iterator[Stage]:
    yield from opened(qtbot)


@pytest.fixture
def driven(stage: Stage) -> Stage:
    """The person drives and has the caret in the page."""
    stage.open_page()
    stage.canvas.setFocus()
    stage.qtbot.waitUntil(stage.canvas.hasFocus)
    return stage


def keys(stage: Stage) -> list[tuple[str, str, str]]:
    """The keys without the modifiers, which QTest presses and releases around them."""
    pressed = [one for one in stage.inputs if isinstance(one, KeyInput)]
    return [(one.kind, one.key, one.text) for one in pressed if one.key not in MODIFIERS]


def asked(stage: Stage) -> list[Command]:
    """What was asked for, without keys."""
    return [
        command
        for command in stage.sent
        if not (isinstance(command, SendInput) and isinstance(command.input, KeyInput))
    ]


def texts(stage: Stage) -> list[PersonInput]:
    return [one for one in stage.inputs if isinstance(one, TextInput | CompositionInput)]


def compose(stage: Stage, preedit: str, commit: str = "", caret: int | None = None) -> None:
    kind = QInputMethodEvent.AttributeType.Cursor
    attributes = [] if caret is None else [QInputMethodEvent.Attribute(kind, caret, 1, None)]
    event = QInputMethodEvent(preedit, attributes)
    event.setCommitString(commit)
    QApplication.sendEvent(stage.canvas, event)


def test_typed_keys_go_down_and_up_in_order(driven: Stage) -> None:
    QTest.keyClicks(driven.canvas, "Hi")
    assert keys(driven) == [("down", "H", "H"), ("up", "H", ""), ("down", "i", "i"), ("up", "i", "")]


def test_a_held_key_repeats_and_goes_up_once(driven: Stage) -> None:
    for kind, is_repeat in (
        (QEvent.Type.KeyPress, False),
        (QEvent.Type.KeyRelease, True),
        (QEvent.Type.KeyPress, True),
        (QEvent.Type.KeyRelease, True),
        (QEvent.Type.KeyPress, True),
        (QEvent.Type.KeyRelease, False),
    ):
        QApplication.sendEvent(driven.canvas, QKeyEvent(kind, K.Key_X, NONE, "x", is_repeat))
    assert [kind for kind, _, _ in keys(driven)] == ["down", "down", "down", "up"]


@pytest.mark.parametrize(
    ("key", "modifiers", "bits"), [(K.Key_Tab, NONE, 0), (K.Key_Backtab, SHIFT, 8)], ids=["tab", "shift+tab"]
)
def test_tab_stays_in_the_page(driven: Stage, key: Qt.Key, modifiers: Qt.KeyboardModifier, bits: int) -> None:
    QTest.keyClick(driven.canvas, key, modifiers)
    assert driven.canvas.hasFocus()
    downs = [one for one in driven.inputs if isinstance(one, KeyInput) and one.kind == "down"]
    assert [(one.key, one.modifiers) for one in downs if one.key == "Tab"] == [("Tab", bits)]


def test_tab_moves_on_while_the_agent_drives(driven: Stage) -> None:
    driven.tell(drives("agent"))
    QTest.keyClick(driven.canvas, K.Key_Tab)
    assert not driven.canvas.hasFocus()
    assert driven.sent == []


@pytest.mark.parametrize("modifiers", [NONE, SHIFT])
def test_f6_leaves_the_page(driven: Stage, modifiers: Qt.KeyboardModifier) -> None:
    QTest.keyClick(driven.canvas, K.Key_F6, modifiers)
    assert not driven.canvas.hasFocus()
    assert keys(driven) == []


def test_shortcuts_of_the_window_rest_while_the_person_types_into_the_page(driven: Stage) -> None:
    heard: list[str] = []
    for chord in ("Ctrl+N", "Ctrl+.", "Esc", "F6"):
        shortcut = QShortcut(QKeySequence(chord), driven.panel)
        shortcut.activated.connect(lambda chord=chord: heard.append(chord))
    QTest.keyClick(driven.panel.windowHandle(), K.Key_N, CTRL)
    QTest.keyClick(driven.panel.windowHandle(), K.Key_Escape)
    QTest.keyClick(driven.panel.windowHandle(), K.Key_Period, CTRL)
    QTest.keyClick(driven.panel.windowHandle(), K.Key_F6)
    assert heard == ["Ctrl+.", "F6"]
    assert [key for kind, key, _ in keys(driven) if kind == "down"] == ["n", "Escape"]


def test_shortcuts_of_the_window_work_over_the_page_while_the_agent_drives(driven: Stage) -> None:
    driven.tell(drives("agent"))
    heard: list[str] = []
    shortcut = QShortcut(QKeySequence("Esc"), driven.panel)
    shortcut.activated.connect(lambda: heard.append("stop"))
    QTest.keyClick(driven.panel.windowHandle(), K.Key_Escape)
    assert heard == ["stop"]


def test_losing_the_focus_lets_go_of_every_key(driven: Stage) -> None:
    QTest.keyPress(driven.canvas, K.Key_Shift)
    QTest.keyPress(driven.canvas, K.Key_A, SHIFT)
    driven.forget()
    driven.panel.address.field.setFocus()
    released = [(one.kind, one.key) for one in driven.inputs if isinstance(one, KeyInput)]
    assert sorted(released) == [("up", "Shift"), ("up", "a")]
    QTest.keyRelease(driven.canvas, K.Key_A)
    assert len(driven.inputs) == 2


def test_keys_held_at_the_hand_over_are_not_held_at_the_next_one(driven: Stage) -> None:
    QTest.keyPress(driven.canvas, K.Key_A)
    driven.tell(drives("agent"), drives("person"))
    driven.forget()
    QTest.keyRelease(driven.canvas, K.Key_A)
    assert keys(driven) == []


def test_what_is_typed_right_after_the_click_that_takes_over_follows_it(stage: Stage) -> None:
    stage.open_page(driver="agent")
    stage.click()
    QTest.keyClicks(stage.canvas, "ab")
    assert stage.sent == [TakeOver()]
    stage.tell(drives("person"))
    assert isinstance(stage.inputs[0], MouseInput)
    assert [key for kind, key, _ in keys(stage) if kind == "down"] == ["a", "b"]


def test_an_input_method_composes_and_commits(driven: Stage) -> None:
    compose(driven, "に", caret=1)
    compose(driven, "にほ", caret=2)
    compose(driven, "", "日本")
    assert texts(driven) == [CompositionInput("に", 1, 1), CompositionInput("にほ", 2, 2), TextInput("日本")]


def test_a_composition_that_is_given_up_is_ended_in_the_page(driven: Stage) -> None:
    compose(driven, "ni")
    compose(driven, "")
    assert texts(driven) == [CompositionInput("ni", 2, 2), CompositionInput("")]


def test_a_commit_may_begin_the_next_composition(driven: Stage) -> None:
    compose(driven, "x", "日")
    assert texts(driven) == [TextInput("日"), CompositionInput("x", 1, 1)]


def test_an_empty_input_method_event_sends_nothing(driven: Stage) -> None:
    compose(driven, "")
    assert driven.sent == []


def test_losing_the_focus_ends_the_composition(driven: Stage) -> None:
    compose(driven, "ni")
    driven.panel.address.field.setFocus()
    assert texts(driven)[-1] == CompositionInput("")


def test_the_input_method_is_on_only_while_the_person_drives(driven: Stage) -> None:
    assert driven.canvas.inputMethodQuery(Qt.InputMethodQuery.ImEnabled) is True
    driven.tell(drives("agent"))
    assert driven.canvas.inputMethodQuery(Qt.InputMethodQuery.ImEnabled) is False
    compose(driven, "ni", "你")
    assert driven.sent == []


def test_the_input_method_opens_where_the_person_clicked_and_learns_nothing(driven: Stage) -> None:
    driven.click(200, 150)
    box = driven.canvas.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle)
    assert isinstance(box, QRectF)
    assert box.adjusted(-1, -1, 1, 1).contains(driven.point(200, 150).toPointF())
    assert driven.canvas.inputMethodHints() & Qt.InputMethodHint.ImhSensitiveData


@pytest.mark.parametrize(
    ("key", "modifiers", "expected"),
    [
        (K.Key_C, CTRL, CopySelection(False)),
        (K.Key_Insert, CTRL, CopySelection(False)),
        (K.Key_X, CTRL, CopySelection(True)),
        (K.Key_Delete, SHIFT, CopySelection(True)),
    ],
    ids=["copy", "old copy", "cut", "old cut"],
)
def test_copy_and_cut_ask_for_the_selection(
    driven: Stage, key: Qt.Key, modifiers: Qt.KeyboardModifier, expected: CopySelection
) -> None:
    QTest.keyClick(driven.canvas, key, modifiers)
    assert asked(driven) == [expected]
    assert keys(driven) == []


def test_the_copied_text_comes_to_the_clipboard(driven: Stage) -> None:
    QGuiApplication.clipboard().setText("before")
    QTest.keyClick(driven.canvas, K.Key_C, CTRL)
    driven.tell(SelectionCopied("Two lanterns"))
    assert QGuiApplication.clipboard().text() == "Two lanterns"


def test_an_empty_selection_leaves_the_clipboard_alone(driven: Stage) -> None:
    QGuiApplication.clipboard().setText("before")
    QTest.keyClick(driven.canvas, K.Key_C, CTRL)
    driven.tell(SelectionCopied(""))
    assert QGuiApplication.clipboard().text() == "before"


@pytest.mark.parametrize(("key", "modifiers"), [(K.Key_V, CTRL), (K.Key_Insert, SHIFT), (K.Key_V, CTRL | SHIFT)])
def test_pasting_puts_the_clipboard_into_the_page(driven: Stage, key: Qt.Key, modifiers: Qt.KeyboardModifier) -> None:
    QGuiApplication.clipboard().setText("one\r\ntwo 你好🎉")
    QTest.keyClick(driven.canvas, key, modifiers)
    assert texts(driven) == [TextInput("one\ntwo 你好🎉")]
    assert keys(driven) == []


def test_pasting_nothing_sends_nothing(driven: Stage) -> None:
    QGuiApplication.clipboard().clear()
    QTest.keyClick(driven.canvas, K.Key_V, CTRL)
    assert asked(driven) == keys(driven) == []


def test_nothing_that_was_typed_can_be_read_in_what_is_logged(driven: Stage) -> None:
    QTest.keyClicks(driven.canvas, "Zebra9")
    QGuiApplication.clipboard().setText("Zebra9")
    QTest.keyClick(driven.canvas, K.Key_V, CTRL)
    compose(driven, "Zebra9")
    compose(driven, "", "Zebra9")
    assert {type(one) for one in driven.inputs} == {KeyInput, TextInput, CompositionInput}
    shown = repr(driven.sent) + repr(driven.inputs)
    assert not any(letter in shown for letter in ("Zebra", "'Z'", "9", "KeyZ"))


def test_the_marked_text_becomes_a_quote(driven: Stage) -> None:
    QGuiApplication.clipboard().setText("before")
    driven.panel.address.quote.click()
    assert driven.sent == [CopySelection(False)]
    driven.tell(SelectionCopied("Price: $12"))
    assert driven.sent[1:] == [KeepQuote("Price: $12")]
    assert QGuiApplication.clipboard().text() == "before"


def test_a_quote_without_marked_text_is_explained(driven: Stage) -> None:
    driven.panel.address.quote.click()
    driven.tell(SelectionCopied("  "))
    assert driven.sent == [CopySelection(False)]
    assert "No text is marked" in driven.panel.driver_bar.detail.text()
    assert driven.panel.driver_bar.detail.isVisible()


def test_copying_after_asking_for_a_quote_copies(driven: Stage) -> None:
    driven.panel.address.quote.click()
    QTest.keyClick(driven.canvas, K.Key_C, CTRL)
    driven.tell(SelectionCopied("Price: $12"))
    assert not any(isinstance(command, KeepQuote) for command in driven.sent)
    assert QGuiApplication.clipboard().text() == "Price: $12"
