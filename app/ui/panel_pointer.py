"""The person's mouse and wheel on the page: few moves, counted clicks, nothing left pressed."""

import sys
from dataclasses import replace
from typing import Literal

from PySide6.QtCore import QEvent, QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QMouseEvent, QWheelEvent

from app.domain.acts import MouseButton, MouseInput, WheelInput
from app.ui.panel_gate import InputGate

MOVE_INTERVAL_MS = 16
_PIXELS_A_NOTCH = 100
_NOTCH = 120
_BUTTONS: dict[Qt.MouseButton, tuple[MouseButton, int]] = {
    Qt.MouseButton.LeftButton: ("left", 1),
    Qt.MouseButton.RightButton: ("right", 2),
    Qt.MouseButton.MiddleButton: ("middle", 4),
}
_Point = tuple[float, float]


class Pointer(QObject):
    """Takes Qt's events with the page's point for each; sends what the page needs through the gate."""

    def __init__(self, gate: InputGate, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._gate = gate
        self._pressed: dict[MouseButton, int] = {}
        self._clicks = _ClickCount()
        self._last: MouseInput | None = None
        self._move: MouseInput | None = None
        self._wheel: WheelInput | None = None
        self._timer = QTimer(self, singleShot=True, interval=MOVE_INTERVAL_MS)
        self._timer.timeout.connect(self.flush)
        gate.shut.connect(self._forget)
        self.may_have_selected = False

    @property
    def is_pressed(self) -> bool:
        return bool(self._pressed)

    def press(self, event: QMouseEvent, point: _Point) -> None:
        named = _BUTTONS.get(event.button())
        if named is None:
            return
        self.flush()
        button, bit = named
        self._pressed[button] = bit
        count = self._clicks.press(event)
        if button == "left":
            with_shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.may_have_selected = count > 1 or with_shift
        self._send(self._made("press", event, point, button, count))

    def release(self, event: QMouseEvent, point: _Point) -> None:
        named = _BUTTONS.get(event.button())
        if named is None or self._pressed.pop(named[0], None) is None:
            return
        self.flush()
        if named[0] == "left" and self._clicks.has_moved(event):
            self.may_have_selected = True
        self._send(self._made("release", event, point, named[0], self._clicks.count))

    def move(self, event: QMouseEvent, point: _Point) -> None:
        held = next(iter(self._pressed), None)
        self._move = self._made("move", event, point, held or "none", 0)
        self._start()

    def turn_wheel(self, event: QWheelEvent, point: _Point) -> None:
        across, down = wheel_distance(event)
        before = self._wheel
        self._wheel = WheelInput(
            *point,
            across + (before.delta_x if before else 0.0),
            down + (before.delta_y if before else 0.0),
            modifier_bits(event.modifiers()),
        )
        self._start()

    def flush(self) -> None:
        """Send the newest move and the distance that the wheel has turned."""
        self._timer.stop()
        move, self._move = self._move, None
        wheel, self._wheel = self._wheel, None
        if move is not None:
            self._send(move)
        if wheel is not None and (wheel.delta_x or wheel.delta_y):
            self._gate.send(wheel)

    def let_go(self) -> None:
        """Release what is still pressed, at the last place."""
        self.flush()
        last = self._last
        for button in list(self._pressed):
            del self._pressed[button]
            if last is not None:
                self._send(replace(last, kind="release", button=button, buttons=self._bits(), click_count=1))

    def _send(self, given: MouseInput) -> None:
        self._last = given
        self._gate.send(given)

    def _start(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _made(
        self,
        kind: Literal["move", "press", "release"],
        event: QMouseEvent,
        point: _Point,
        button: Literal["none", "left", "right", "middle"],
        count: int,
    ) -> MouseInput:
        return MouseInput(kind, *point, button, self._bits(), modifier_bits(event.modifiers()), count)

    def _bits(self) -> int:
        return sum(self._pressed.values())

    def _forget(self) -> None:
        self._timer.stop()
        self._pressed.clear()
        self._move = self._wheel = self._last = None
        self.may_have_selected = False


class _ClickCount:
    """Counts presses of one button at one place in quick succession, as browsers do."""

    def __init__(self) -> None:
        self.count = 0
        self._button = Qt.MouseButton.NoButton
        self._at = QPointF()
        self._when = 0

    def press(self, event: QMouseEvent) -> int:
        hints = QGuiApplication.styleHints()
        is_soon = event.timestamp() - self._when <= hints.mouseDoubleClickInterval()
        is_same = event.button() == self._button and not self.has_moved(event)
        is_double = event.type() == QEvent.Type.MouseButtonDblClick
        if is_same and is_soon and self.count:
            self.count += 1
        else:
            self.count = 2 if is_double else 1
        self._button, self._at, self._when = event.button(), event.position(), event.timestamp()
        return self.count

    def has_moved(self, event: QMouseEvent) -> bool:
        away = event.position() - self._at
        return away.manhattanLength() > QGuiApplication.styleHints().startDragDistance() / 2


def wheel_distance(event: QWheelEvent) -> _Point:
    """CSS pixels to scroll; positive is right and down, the opposite of Qt's sign."""
    turned, pixels = event.angleDelta(), event.pixelDelta()
    if not pixels.isNull() and QGuiApplication.platformName() != "xcb":
        across, down = float(-pixels.x()), float(-pixels.y())
    else:
        across, down = -turned.x() / _NOTCH * _PIXELS_A_NOTCH, -turned.y() / _NOTCH * _PIXELS_A_NOTCH
    if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and not across:
        return down, 0.0
    return across, down


def modifier_bits(modifiers: Qt.KeyboardModifier) -> int:
    """Qt's modifiers as the bits the browser wants; Qt swaps Control and Meta on macOS."""
    control, meta = (4, 2) if sys.platform == "darwin" else (2, 4)
    bits = 0
    for modifier, bit in (
        (Qt.KeyboardModifier.AltModifier, 1),
        (Qt.KeyboardModifier.ControlModifier, control),
        (Qt.KeyboardModifier.MetaModifier, meta),
        (Qt.KeyboardModifier.ShiftModifier, 8),
    ):
        if modifiers & modifier:
            bits |= bit
    return bits
