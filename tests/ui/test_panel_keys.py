"""Each kind of key as the page sees it."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from app.domain.acts import KeyInput
from app.domain.commands import SendInput
from app.ui.panel_keys import editing_commands, key_input

K, M = Qt.Key, Qt.KeyboardModifier
NONE, SHIFT, CTRL, ALT, META = (
    M.NoModifier,
    M.ShiftModifier,
    M.ControlModifier,
    M.AltModifier,
    M.MetaModifier,
)
KEYPAD = M.KeypadModifier

pytestmark = pytest.mark.usefixtures("qapp")


def event(
    key: int, modifiers: Qt.KeyboardModifier = NONE, text: str = "", *, place: int = 0, up: bool = False
) -> QKeyEvent:
    """`place` is the number that Linux gives the key; Qt reports it eight higher."""
    kind = QEvent.Type.KeyRelease if up else QEvent.Type.KeyPress
    return QKeyEvent(kind, key, modifiers, place + 8 if place else 0, 0, 0, text)


def shape(key: KeyInput) -> tuple[str, str, int, str, int]:
    return key.key, key.code, key.key_code, key.text, key.modifiers


@pytest.mark.parametrize(
    ("pressed", "expected"),
    [
        (event(K.Key_A, NONE, "a"), ("a", "KeyA", 65, "a", 0)),
        (event(K.Key_A, SHIFT, "A"), ("A", "KeyA", 65, "A", 8)),
        (event(K.Key_7, NONE, "7"), ("7", "Digit7", 55, "7", 0)),
        (event(K.Key_Exclam, SHIFT, "!"), ("!", "Digit1", 49, "!", 8)),
        (event(K.Key_Semicolon, NONE, ";"), (";", "Semicolon", 186, ";", 0)),
        (event(K.Key_QuoteDbl, SHIFT, '"'), ('"', "Quote", 222, '"', 8)),
        (event(K.Key_Space, NONE, " "), (" ", "Space", 32, " ", 0)),
        (event(K.Key_Return, NONE, "\r"), ("Enter", "Enter", 13, "\r", 0)),
        (event(K.Key_Return, SHIFT, "\r"), ("Enter", "Enter", 13, "\r", 8)),
        (event(K.Key_Tab, NONE, "\t"), ("Tab", "Tab", 9, "", 0)),
        (event(K.Key_Backtab, SHIFT), ("Tab", "Tab", 9, "", 8)),
        (event(K.Key_Backspace, NONE, "\b"), ("Backspace", "Backspace", 8, "", 0)),
        (event(K.Key_Delete, NONE, "\x7f"), ("Delete", "Delete", 46, "", 0)),
        (event(K.Key_Escape, NONE, "\x1b"), ("Escape", "Escape", 27, "", 0)),
        (event(K.Key_Left), ("ArrowLeft", "ArrowLeft", 37, "", 0)),
        (event(K.Key_Right, CTRL | SHIFT), ("ArrowRight", "ArrowRight", 39, "", 10)),
        (event(K.Key_PageDown), ("PageDown", "PageDown", 34, "", 0)),
        (event(K.Key_F5), ("F5", "F5", 116, "", 0)),
        (event(K.Key_F12), ("F12", "F12", 123, "", 0)),
        (event(K.Key_Menu), ("ContextMenu", "ContextMenu", 93, "", 0)),
        (event(K.Key_5, KEYPAD, "5"), ("5", "Numpad5", 101, "5", 0)),
        (event(K.Key_Plus, KEYPAD, "+"), ("+", "NumpadAdd", 107, "+", 0)),
        (event(K.Key_Enter, KEYPAD, "\r"), ("Enter", "NumpadEnter", 13, "\r", 0)),
        (event(K.Key_Home, KEYPAD), ("Home", "Numpad7", 36, "", 0)),
        (event(K.Key_Dead_Acute), ("Dead", "", 0, "", 0)),
        (event(K.Key_unknown), ("Unidentified", "", 0, "", 0)),
    ],
)
def test_a_key_is_called_as_in_a_browser(pressed: QKeyEvent, expected: tuple[str, str, int, str, int]) -> None:
    assert shape(key_input(pressed, "down")) == expected


@pytest.mark.parametrize(
    ("pressed", "expected"),
    [
        (event(K.Key_S, CTRL, "\x13"), ("s", "KeyS", 83, "", 2)),
        (event(K.Key_S, CTRL | SHIFT, "\x13"), ("S", "KeyS", 83, "", 10)),
        (event(K.Key_1, ALT, "1"), ("1", "Digit1", 49, "", 1)),
        (event(K.Key_X, META, "x"), ("x", "KeyX", 88, "", 4)),
        (event(K.Key_Return, CTRL, "\r"), ("Enter", "Enter", 13, "", 2)),
        (event(K.Key_At, CTRL | ALT, "@", place=16), ("@", "KeyQ", 81, "@", 0)),
    ],
    ids=["ctrl", "ctrl+shift", "alt", "meta", "ctrl+enter", "altgr writes"],
)
def test_a_modifier_makes_a_command_of_a_key(pressed: QKeyEvent, expected: tuple[str, str, int, str, int]) -> None:
    assert shape(key_input(pressed, "down")) == expected


@pytest.mark.parametrize(
    ("pressed", "expected"),
    [
        (event(K.Key_A, NONE, "a", place=16), ("a", "KeyQ", 65, "a", 0)),
        (event(K.Key_Ampersand, NONE, "&", place=2), ("&", "Digit1", 49, "&", 0)),
        (event(0x0444, NONE, "ф", place=30), ("ф", "KeyA", 65, "ф", 0)),
        (event(K.Key_Udiaeresis, NONE, "ü", place=26), ("ü", "BracketLeft", 219, "ü", 0)),
        (event(K.Key_Less, NONE, "<", place=86), ("<", "IntlBackslash", 226, "<", 0)),
        (event(K.Key_Eacute, NONE, "é"), ("é", "", 0, "é", 0)),
        (event(0x1F600, NONE, "😀"), ("😀", "", 0, "😀", 0)),
    ],
    ids=["french a", "french 1", "russian", "german", "iso key", "place unknown", "emoji"],
)
def test_other_layouts_keep_the_place_and_the_letter_apart(
    pressed: QKeyEvent, expected: tuple[str, str, int, str, int]
) -> None:
    assert shape(key_input(pressed, "down")) == expected


@pytest.mark.parametrize(
    ("key", "code", "bit", "place"),
    [
        (K.Key_Shift, "ShiftLeft", 8, 42),
        (K.Key_Shift, "ShiftRight", 8, 54),
        (K.Key_Control, "ControlLeft", 2, 0),
        (K.Key_Control, "ControlRight", 2, 97),
        (K.Key_Alt, "AltLeft", 1, 56),
        (K.Key_Meta, "MetaRight", 4, 126),
    ],
)
@pytest.mark.parametrize("reported", [False, True], ids=["bit missing", "bit present"])
def test_a_modifier_counts_itself_while_it_is_down(
    key: Qt.Key, code: str, bit: int, place: int, reported: bool
) -> None:
    own = {8: SHIFT, 2: CTRL, 1: ALT, 4: META}[bit] if reported else NONE
    down = key_input(event(key, own, place=place), "down")
    up = key_input(event(key, own, place=place, up=True), "up")
    assert (down.code, down.modifiers, down.text) == (code, bit, "")
    assert (up.code, up.modifiers) == (code, 0)


def test_a_key_that_goes_up_writes_nothing() -> None:
    up = key_input(event(K.Key_A, NONE, "a", up=True), "up")
    assert (up.kind, up.text, up.commands) == ("up", "", ())


@pytest.mark.parametrize(
    ("pressed", "commands"),
    [
        (event(K.Key_A, CTRL, "\x01"), ("selectAll",)),
        (event(K.Key_Z, CTRL, "\x1a"), ("undo",)),
        (event(K.Key_Z, CTRL | SHIFT, "\x1a"), ("redo",)),
        (event(K.Key_B, CTRL, "\x02"), ()),
        (event(K.Key_A, NONE, "a"), ()),
    ],
)
def test_a_chord_that_edits_carries_its_command(pressed: QKeyEvent, commands: tuple[str, ...]) -> None:
    assert key_input(pressed, "down").commands == commands


@pytest.mark.parametrize(
    ("standard", "command"),
    [
        (QKeySequence.StandardKey.MoveToStartOfLine, "moveToBeginningOfLine"),
        (QKeySequence.StandardKey.SelectNextWord, "moveWordRightAndModifySelection"),
        (QKeySequence.StandardKey.DeleteStartOfWord, "deleteWordBackward"),
    ],
)
def test_on_a_mac_the_caret_keys_carry_commands_too(standard: QKeySequence.StandardKey, command: str) -> None:
    assert editing_commands(lambda asked: asked == standard, on_mac=True) == (command,)
    assert editing_commands(lambda asked: asked == standard, on_mac=False) == ()


def test_no_key_can_be_read_in_what_is_logged() -> None:
    shown = repr(SendInput(key_input(event(K.Key_Q, SHIFT, "Q"), "down")))
    assert "Q" not in shown
    assert "81" not in shown
