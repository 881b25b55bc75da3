"""The one crossing between the engine's thread and the window: commands go over, frozen values come back."""

import time
from collections import deque
from collections.abc import Callable
from threading import Lock
from typing import Protocol

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.domain.commands import Command
from app.domain.pages import Frame
from app.domain.passing import Event, TextStreamed

TEXT_INTERVAL_MS = 40
BATCH_SECONDS = 0.008


class EnginePort(Protocol):
    """What the window needs of the engine."""

    def start(self, on_event: Callable[[Event], None], on_frame: Callable[[Frame], None]) -> None:
        """Begin; both callbacks are called in the engine's thread."""

    def submit(self, command: Command) -> None:
        """Hand a command over from any thread; returns at once."""


class Bridge(QObject):
    """Gives the window the engine's events in their order, streamed text in small portions and only the newest frame.

    `event_received` carries one Event in the main thread; `frame_arrived` says that `take_frame` has something new.
    """

    event_received = Signal(object)
    frame_arrived = Signal()
    _events_waiting = Signal()
    _frame_waiting = Signal()

    def __init__(self, engine: EnginePort, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._engine = engine
        self._lock = Lock()  # protects the events, the frame and both waiting flags
        self._events: deque[Event] = deque()
        self._is_draining = False
        self._frame: Frame | None = None
        self._frame_is_announced = False
        self._text: TextStreamed | None = None
        self._text_timer = QTimer(self, singleShot=True, interval=TEXT_INTERVAL_MS)
        self._text_timer.timeout.connect(self._release_text)
        self._events_waiting.connect(self._drain, Qt.ConnectionType.QueuedConnection)
        self._frame_waiting.connect(self._announce_frame, Qt.ConnectionType.QueuedConnection)

    def start(self) -> None:
        self._engine.start(self.on_event, self.on_frame)

    def submit(self, command: Command) -> None:
        """Hand a command to the engine; returns at once."""
        self._engine.submit(command)

    def on_event(self, event: Event) -> None:
        """Called in the engine's thread; Qt takes it to the main thread."""
        with self._lock:
            self._events.append(event)
            must_wake, self._is_draining = not self._is_draining, True
        if must_wake:
            self._events_waiting.emit()

    def on_frame(self, frame: Frame) -> None:
        """Called in the engine's thread; a frame that was not taken in time is dropped."""
        with self._lock:
            self._frame = frame
            must_wake, self._frame_is_announced = not self._frame_is_announced, True
        if must_wake:
            self._frame_waiting.emit()

    def take_frame(self) -> Frame | None:
        """The newest frame, once."""
        with self._lock:
            frame, self._frame = self._frame, None
        return frame

    def _announce_frame(self) -> None:
        with self._lock:
            self._frame_is_announced = False
        self.frame_arrived.emit()

    def _drain(self) -> None:
        """Deliver what waits, in portions that leave the window room to paint."""
        give_way_at = time.perf_counter() + BATCH_SECONDS
        while (event := self._next_event()) is not None:
            self._deliver(event)
            if time.perf_counter() > give_way_at:
                QTimer.singleShot(0, self._drain)
                return

    def _next_event(self) -> Event | None:
        with self._lock:
            if self._events:
                return self._events.popleft()
            self._is_draining = False
            return None

    def _deliver(self, event: Event) -> None:
        if isinstance(event, TextStreamed):
            self._hold_text(event)
            return
        self._release_text()
        self.event_received.emit(event)

    def _hold_text(self, event: TextStreamed) -> None:
        held = self._text
        if held is not None and held.conversation != event.conversation:
            self._release_text()
            held = None
        self._text = TextStreamed(event.conversation, (held.text if held else "") + event.text)
        if not self._text_timer.isActive():
            self._text_timer.start()

    def _release_text(self) -> None:
        self._text_timer.stop()
        held, self._text = self._text, None
        if held is not None:
            self.event_received.emit(held)
