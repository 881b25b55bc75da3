"""The person's keyboard on the page: keys, input methods, copy, cut and paste; nothing of it is kept."""

from dataclasses import replace

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QKeyEvent, QKeySequence

from app.domain.acts import CompositionInput, KeyInput, TextInput
from app.domain.commands import CopySelection
from app.ui.panel_gate import InputGate
from app.ui.panel_keys import key_input

_Standard = QKeySequence.StandardKey
_CONTROL = Qt.KeyboardModifier.ControlModifier
_SHIFT = Qt.KeyboardModifier.ShiftModifier
_MOVES = (
    Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down,
    Qt.Key.Key_Home, Qt.Key.Key_End, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown,
)  # fmt: skip


class Typing(QObject):
    """Turns Qt's key and input-method events into the person's input.

    `selected` says that a key has probably selected text; `copied` that the person asked to copy or cut.
    """

    selected = Signal()
    copied = Signal()

    def __init__(self, gate: InputGate, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._gate = gate
        self._held: dict[str, KeyInput] = {}
        self._is_composing = False
        gate.shut.connect(self._forget)

    def press(self, event: QKeyEvent) -> bool:
        """False when the key is not the page's."""
        if not self.takes(event):
            return False
        if not self._edit_clipboard(event):
            self._send_down(key_input(event, "down"))
            self._tell_selection(event)
        return True

    def release(self, event: QKeyEvent) -> bool:
        if not self.takes(event):
            return False
        if not event.isAutoRepeat():
            up = key_input(event, "up")
            if self._held.pop(up.code or up.key, None) is not None:
                self._gate.send(up)
        return True

    def takes(self, event: QKeyEvent) -> bool:
        return (self._gate.is_open or self._gate.is_waiting) and not is_for_window(event)

    def compose(self, event: QInputMethodEvent) -> None:
        if event.commitString():
            self._is_composing = False
            self._gate.send(TextInput(event.commitString()))
        if event.preeditString():
            self._is_composing = True
            caret = _caret(event)
            self._gate.send(CompositionInput(event.preeditString(), caret, caret))
        else:
            self._end_composition()

    def paste(self) -> None:
        text = QGuiApplication.clipboard().text().replace("\r\n", "\n")
        if text:
            self._gate.send(TextInput(text))

    def copy(self, *, cut: bool = False) -> None:
        self.copied.emit()
        self._gate.command(CopySelection(cut))

    def let_go(self) -> None:
        """Release what is still held and end an unfinished composition."""
        self._end_composition()
        held, self._held = self._held, {}
        for down in held.values():
            self._gate.send(replace(down, kind="up", text="", modifiers=0, commands=()))

    def _edit_clipboard(self, event: QKeyEvent) -> bool:
        if event.matches(_Standard.Copy):
            self.copy()
        elif event.matches(_Standard.Cut):
            self.copy(cut=True)
        elif event.matches(_Standard.Paste) or _is_plain_paste(event):
            self.paste()
        else:
            return False
        return True

    def _send_down(self, down: KeyInput) -> None:
        self._held[down.code or down.key] = down
        self._gate.send(down)

    def _tell_selection(self, event: QKeyEvent) -> None:
        is_extended = event.key() in _MOVES and event.modifiers() & _SHIFT
        if is_extended or event.matches(_Standard.SelectAll):
            self.selected.emit()

    def _end_composition(self) -> None:
        if self._is_composing:
            self._is_composing = False
            self._gate.send(CompositionInput(""))

    def _forget(self) -> None:
        self._held.clear()
        self._is_composing = False


def is_for_window(event: QKeyEvent) -> bool:
    """The few keys that stay with the window, so that nobody is caught in the page."""
    if event.key() == Qt.Key.Key_F6:
        return True
    in_window = (Qt.Key.Key_Period, Qt.Key.Key_L)
    return event.modifiers() == _CONTROL and event.key() in in_window


def _is_plain_paste(event: QKeyEvent) -> bool:
    return event.key() == Qt.Key.Key_V and event.modifiers() == _CONTROL | _SHIFT


def _caret(event: QInputMethodEvent) -> int:
    for attribute in event.attributes():
        if attribute.type == QInputMethodEvent.AttributeType.Cursor:
            return int(attribute.start)
    return len(event.preeditString().encode("utf-16-le")) // 2
