"""What a key of the keyboard is called in a page: DOM key and code, Windows key code, text, editing commands."""

import string
import sys
from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from app.domain.acts import KeyInput
from app.ui.panel_pointer import modifier_bits

_IS_MAC = sys.platform == "darwin"
_Key = Qt.Key
_Modifier = Qt.KeyboardModifier
_Standard = QKeySequence.StandardKey

_CONTROL, _META = ("ControlLeft", "Control", 17), ("MetaLeft", "Meta", 91)
_NAMED: dict[int, tuple[str, str, int]] = {
    _Key.Key_Escape: ("Escape", "Escape", 27),
    _Key.Key_Tab: ("Tab", "Tab", 9),
    _Key.Key_Backtab: ("Tab", "Tab", 9),
    _Key.Key_Backspace: ("Backspace", "Backspace", 8),
    _Key.Key_Return: ("Enter", "Enter", 13),
    _Key.Key_Enter: ("NumpadEnter", "Enter", 13),
    _Key.Key_Insert: ("Insert", "Insert", 45),
    _Key.Key_Delete: ("Delete", "Delete", 46),
    _Key.Key_Pause: ("Pause", "Pause", 19),
    _Key.Key_Print: ("PrintScreen", "PrintScreen", 44),
    _Key.Key_Home: ("Home", "Home", 36),
    _Key.Key_End: ("End", "End", 35),
    _Key.Key_Left: ("ArrowLeft", "ArrowLeft", 37),
    _Key.Key_Up: ("ArrowUp", "ArrowUp", 38),
    _Key.Key_Right: ("ArrowRight", "ArrowRight", 39),
    _Key.Key_Down: ("ArrowDown", "ArrowDown", 40),
    _Key.Key_PageUp: ("PageUp", "PageUp", 33),
    _Key.Key_PageDown: ("PageDown", "PageDown", 34),
    _Key.Key_Clear: ("Clear", "Clear", 12),
    _Key.Key_Shift: ("ShiftLeft", "Shift", 16),
    _Key.Key_Control: _META if _IS_MAC else _CONTROL,
    _Key.Key_Meta: _CONTROL if _IS_MAC else _META,
    _Key.Key_Alt: ("AltLeft", "Alt", 18),
    _Key.Key_AltGr: ("AltRight", "AltGraph", 18),
    _Key.Key_CapsLock: ("CapsLock", "CapsLock", 20),
    _Key.Key_NumLock: ("NumLock", "NumLock", 144),
    _Key.Key_ScrollLock: ("ScrollLock", "ScrollLock", 145),
    _Key.Key_Menu: ("ContextMenu", "ContextMenu", 93),
    **{_Key.Key_F1 + n: (f"F{n + 1}", f"F{n + 1}", 112 + n) for n in range(24)},
}
_OWN_MODIFIER: dict[int, Qt.KeyboardModifier] = {
    _Key.Key_Shift: _Modifier.ShiftModifier,
    _Key.Key_Control: _Modifier.ControlModifier,
    _Key.Key_Meta: _Modifier.MetaModifier,
    _Key.Key_Alt: _Modifier.AltModifier,
}
_KEYPAD_MOVES = {
    "Home": "7", "ArrowUp": "8", "PageUp": "9", "ArrowLeft": "4", "Clear": "5", "ArrowRight": "6",
    "End": "1", "ArrowDown": "2", "PageDown": "3", "Insert": "0", "Delete": "Decimal",
}  # fmt: skip
_KEYPAD_SIGNS = {
    "*": ("NumpadMultiply", 106),
    "+": ("NumpadAdd", 107),
    "-": ("NumpadSubtract", 109),
    ".": ("NumpadDecimal", 110),
    ",": ("NumpadDecimal", 110),
    "/": ("NumpadDivide", 111),
    "=": ("NumpadEqual", 187),
}
_SIGNS = {
    "Semicolon": (";:", 186), "Equal": ("=+", 187), "Comma": (",<", 188), "Minus": ("-_", 189), "Period": (".>", 190),
    "Slash": ("/?", 191), "Backquote": ("`~", 192), "BracketLeft": ("[{", 219), "Backslash": ("\\|", 220),
    "BracketRight": ("]}", 221), "Quote": ("'\"", 222), "Space": (" ", 32),
}  # fmt: skip
_CODE_OF_CHARACTER = {
    **{letter: f"Key{letter.upper()}" for letter in string.ascii_letters},
    **{sign: f"Digit{at % 10}" for row in ("1234567890", "!@#$%^&*()") for at, sign in enumerate(row, 1)},
    **{sign: code for code, (signs, _) in _SIGNS.items() for sign in signs},
}
_NUMBER_OF_CODE = {
    **{f"Key{letter}": ord(letter) for letter in string.ascii_uppercase},
    **{f"Digit{digit}": ord(digit) for digit in string.digits},
    **{code: number for code, (_, number) in _SIGNS.items()},
    "IntlBackslash": 226,
}
# The writing block, by the number that Linux and Windows give the place of a key.
_CODE_OF_PLACE = {
    first + at: code
    for first, codes in {
        2: "Digit1 Digit2 Digit3 Digit4 Digit5 Digit6 Digit7 Digit8 Digit9 Digit0 Minus Equal",
        16: "KeyQ KeyW KeyE KeyR KeyT KeyY KeyU KeyI KeyO KeyP BracketLeft BracketRight",
        30: "KeyA KeyS KeyD KeyF KeyG KeyH KeyJ KeyK KeyL Semicolon Quote Backquote",
        43: "Backslash KeyZ KeyX KeyC KeyV KeyB KeyN KeyM Comma Period Slash",
        57: "Space",
        86: "IntlBackslash",
    }.items()
    for at, code in enumerate(codes.split())
}
_RIGHT_HAND = (
    {0x36: "ShiftRight", 0x11D: "ControlRight", 0x138: "AltRight", 0x15C: "MetaRight"}
    if sys.platform == "win32"
    else {54: "ShiftRight", 97: "ControlRight", 100: "AltRight", 126: "MetaRight"}
)
_EVERYWHERE = (
    (_Standard.SelectAll, "selectAll"),
    (_Standard.Undo, "undo"),
    (_Standard.Redo, "redo"),
)
# Elsewhere the browser itself knows what these keys do in a field.
_ON_MAC = (
    (_Standard.MoveToNextWord, "moveWordRight"),
    (_Standard.MoveToPreviousWord, "moveWordLeft"),
    (_Standard.MoveToStartOfLine, "moveToBeginningOfLine"),
    (_Standard.MoveToEndOfLine, "moveToEndOfLine"),
    (_Standard.MoveToStartOfDocument, "moveToBeginningOfDocument"),
    (_Standard.MoveToEndOfDocument, "moveToEndOfDocument"),
    (_Standard.SelectNextWord, "moveWordRightAndModifySelection"),
    (_Standard.SelectPreviousWord, "moveWordLeftAndModifySelection"),
    (_Standard.SelectStartOfLine, "moveToBeginningOfLineAndModifySelection"),
    (_Standard.SelectEndOfLine, "moveToEndOfLineAndModifySelection"),
    (_Standard.SelectStartOfDocument, "moveToBeginningOfDocumentAndModifySelection"),
    (_Standard.SelectEndOfDocument, "moveToEndOfDocumentAndModifySelection"),
    (_Standard.DeleteStartOfWord, "deleteWordBackward"),
    (_Standard.DeleteEndOfWord, "deleteWordForward"),
    (_Standard.DeleteEndOfLine, "deleteToEndOfLine"),
)


def key_input(event: QKeyEvent, kind: Literal["down", "up"]) -> KeyInput:
    """The key as the page sees it."""
    code, key, number = _named(event) or _written(event)
    is_down = kind == "down"
    return KeyInput(
        kind,
        key,
        code,
        text=_text(event, key) if is_down else "",
        key_code=number,
        modifiers=_modifiers(event, is_down=is_down),
        commands=editing_commands(event.matches) if is_down else (),
    )


def editing_commands(matches: Callable[[QKeySequence.StandardKey], bool], *, on_mac: bool = _IS_MAC) -> tuple[str, ...]:
    """The browser's names of what the person's chord does in a field."""
    known = _EVERYWHERE + (_ON_MAC if on_mac else ())
    return tuple(command for standard, command in known if matches(standard))


def _named(event: QKeyEvent) -> tuple[str, str, int] | None:
    named = _NAMED.get(event.key())
    if named is None:
        return None
    code, key, number = named
    if event.key() in _OWN_MODIFIER:
        code = _RIGHT_HAND.get(_place(event), code)
    elif _is_keypad(event) and not _IS_MAC and key in _KEYPAD_MOVES:
        code = f"Numpad{_KEYPAD_MOVES[key]}"
    return code, key, number


def _written(event: QKeyEvent) -> tuple[str, str, int]:
    character = _character(event)
    if _is_keypad(event):
        if character.isdecimal() and character.isascii():
            return f"Numpad{character}", character, 96 + int(character)
        if character in _KEYPAD_SIGNS:
            code, number = _KEYPAD_SIGNS[character]
            return code, character, number
    code = _CODE_OF_PLACE.get(_place(event)) or _CODE_OF_CHARACTER.get(character, "")
    if character.isascii() and character.isalpha() and len(character) == 1:
        return code, character, ord(character.upper())
    return code, character or "Unidentified", _NUMBER_OF_CODE.get(code, 0)


def _character(event: QKeyEvent) -> str:
    """What the key writes, also when a modifier keeps it from writing; "Dead" for one that waits for the next."""
    if event.text() and event.text().isprintable():
        return event.text()
    if _Key.Key_Dead_Grave <= event.key() <= _Key.Key_Dead_Longsolidusoverlay:
        return "Dead"
    if not 0x20 <= event.key() < 0x110000:
        return ""
    character = chr(event.key())
    return character if event.modifiers() & _Modifier.ShiftModifier else character.lower()


def _text(event: QKeyEvent, key: str) -> str:
    """What goes into a field; nothing while a modifier makes a command of the key."""
    if _is_command(event):
        return ""
    if key == "Enter":
        return "\r"
    return event.text() if event.text().isprintable() else ""


def _is_command(event: QKeyEvent) -> bool:
    held = event.modifiers()
    if _writes_with_altgr(event):
        return False
    alt = _Modifier.NoModifier if _IS_MAC else _Modifier.AltModifier
    return bool(held & (_Modifier.ControlModifier | _Modifier.MetaModifier | alt))


def _writes_with_altgr(event: QKeyEvent) -> bool:
    """Windows reports AltGr as Control and Alt together."""
    both = _Modifier.ControlModifier | _Modifier.AltModifier
    return not _IS_MAC and event.modifiers() & both == both and event.text() != "" and event.text().isprintable()


def _modifiers(event: QKeyEvent, *, is_down: bool) -> int:
    held = event.modifiers()
    if _writes_with_altgr(event):
        held &= ~(_Modifier.ControlModifier | _Modifier.AltModifier)
    own = _OWN_MODIFIER.get(event.key())
    if own is not None:
        held = held | own if is_down else held & ~own
    return modifier_bits(held)


def _place(event: QKeyEvent) -> int:
    """The number of the key's place; 0 where the system does not tell."""
    scan = event.nativeScanCode()
    if _IS_MAC or not scan:
        return 0
    return scan if sys.platform == "win32" else scan - 8


def _is_keypad(event: QKeyEvent) -> bool:
    return bool(event.modifiers() & _Modifier.KeypadModifier)
