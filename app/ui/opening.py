"""Opens the window: one application, one instance a data folder, an end in order by close, signal or fault."""

import contextlib
import hashlib
import logging
import signal
import sys
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import FrameType, TracebackType
from typing import TextIO

from PySide6.QtCore import QObject, QSize, QTimer
from PySide6.QtGui import QPixmap
from PySide6.QtNetwork import QLocalServer, QLocalSocket
from PySide6.QtWidgets import QApplication

from app.domain.commands import NewConversation
from app.domain.events import PersonAsked, StoredEvent, TurnEnded
from app.domain.passing import ErrorShown, Event
from app.ui.bridge import Bridge, EnginePort
from app.ui.panel import LivePanel
from app.ui.window import MainWindow

SIGNAL_INTERVAL_MS = 200  # Python runs a signal's handler only when the interpreter gets a turn
KNOCK_MS = 500
PICTURE_SIZE = QSize(1_500, 1_900)  # the demo from its kept quotes to its last question, beside the page
PICTURE_DELAY_MS = 1_500  # so that the newest frame of the page is painted

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Showing:
    """What the window does by itself: play the demo, save a picture at its first question, tell what happens."""

    demo: bool = False
    picture: Path | None = None
    out: TextIO | None = None
    describe: Callable[[Event], Iterable[str]] = lambda event: ()


def open_window(engine: EnginePort, data_dir: Path, showing: Showing) -> int:
    """Run the window until it is closed; the exit status. A second start raises the first window and ends."""
    app = QApplication.instance() or QApplication(sys.argv[:1])
    if not isinstance(app, QApplication):
        raise TypeError("a window needs a graphical application")
    app.setApplicationName("Pilotfish")
    app.setDesktopFileName("pilotfish")
    app.setQuitOnLastWindowClosed(False)
    name = "pilotfish-" + hashlib.sha256(str(data_dir).encode()).hexdigest()[:16]
    if _knock(name):
        return 0
    bridge = Bridge(engine)
    panel = LivePanel(bridge)
    window = MainWindow(bridge, panel)
    door = _open_door(name, window)
    player = _Player(window, bridge, showing)
    window.closed.connect(app.quit)
    _end_on_signals(window)
    with _faults_are_told(bridge):
        bridge.start()
        window.start()
        if showing.picture is not None:
            window.resize(PICTURE_SIZE)
        window.show()
        if showing.demo:
            window.submit(NewConversation(demo=True))
        app.exec()
    panel.stop()
    door.close()
    return player.status


class _Player(QObject):
    """Tells what happens, and ends after the picture when one is wanted."""

    def __init__(self, window: MainWindow, bridge: Bridge, showing: Showing) -> None:
        super().__init__(window)
        self._window = window
        self._showing = showing
        self._is_done = False
        self.status = 0
        bridge.event_received.connect(self._receive)

    def _receive(self, event: Event) -> None:
        if self._showing.out is not None:
            for line in self._showing.describe(event):
                print(line, file=self._showing.out, flush=True)
        if self._showing.picture is None or self._is_done:
            return
        recorded = event.event if isinstance(event, StoredEvent) else event
        if isinstance(recorded, PersonAsked | TurnEnded | ErrorShown):
            self._is_done = True
            self.status = 0 if isinstance(recorded, PersonAsked) else 1
            QTimer.singleShot(PICTURE_DELAY_MS, self._take_picture)

    def _take_picture(self) -> None:
        picture: QPixmap = self._window.grab()
        path = self._showing.picture
        if path is not None:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not picture.save(str(path)):
                self.status = 1
        self._window.close()


def _knock(name: str) -> bool:
    """Whether another window with the same data is open; it comes to the front."""
    socket = QLocalSocket()
    socket.connectToServer(name)
    return socket.waitForConnected(KNOCK_MS)


def _open_door(name: str, window: MainWindow) -> QLocalServer:
    server = QLocalServer(window)
    QLocalServer.removeServer(name)  # left over from a crash: nobody answered the knock
    server.newConnection.connect(lambda: _let_in(server, window))
    server.listen(name)
    return server


def _let_in(server: QLocalServer, window: MainWindow) -> None:
    guest = server.nextPendingConnection()
    guest.deleteLater()
    window.raise_up()


def _end_on_signals(window: MainWindow) -> None:
    def close(number: int, frame: FrameType | None) -> None:
        window.close()

    for wanted in (signal.SIGINT, signal.SIGTERM):
        signal.signal(wanted, close)
    ticking = QTimer(window, interval=SIGNAL_INTERVAL_MS)
    ticking.timeout.connect(lambda: None)
    ticking.start()


class _faults_are_told(contextlib.AbstractContextManager[None]):  # noqa: N801 - reads as a statement after `with`
    """An exception in a slot or a thread is logged and told; it does not end the program."""

    def __init__(self, bridge: Bridge) -> None:
        self._bridge = bridge

    def __enter__(self) -> None:
        self._hooks = (sys.excepthook, threading.excepthook)
        sys.excepthook = self._told
        threading.excepthook = lambda args: self._told(
            args.exc_type, args.exc_value or args.exc_type(), args.exc_traceback
        )

    def __exit__(self, *args: object) -> None:
        sys.excepthook, threading.excepthook = self._hooks

    def _told(self, kind: type[BaseException], fault: BaseException, trace: TracebackType | None) -> None:
        _log.error("a fault of the program", exc_info=(kind, fault, trace))
        self._bridge.on_event(
            ErrorShown(
                "The program made a mistake.", "What was recorded is kept.", "Go on; the details are in the log."
            )
        )
