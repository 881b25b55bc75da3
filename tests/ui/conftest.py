"""A window before an engine that only writes down what it is asked."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QFrame
from pytestqt.qtbot import QtBot

from app.domain.commands import Command
from app.domain.pages import Frame
from app.domain.passing import Event
from app.ui.bridge import Bridge
from app.ui.theme import Theme, installed_theme
from app.ui.window import MainWindow


class RecordingEngine:
    """Keeps the commands in their order and lets a test speak for the engine."""

    def __init__(self) -> None:
        self.commands: list[Command] = []
        self.say: Callable[[Event], None] = lambda event: None
        self.show_frame: Callable[[Frame], None] = lambda frame: None

    def start(self, on_event: Callable[[Event], None], on_frame: Callable[[Frame], None]) -> None:
        self.say, self.show_frame = on_event, on_frame

    def submit(self, command: Command) -> None:
        self.commands.append(command)

    def asked(self, kind: type) -> list[Command]:
        return [command for command in self.commands if isinstance(command, kind)]


@pytest.fixture
def engine() -> RecordingEngine:
    return RecordingEngine()


@pytest.fixture
def theme(qapp: object) -> Iterator[Theme]:
    theme = installed_theme()
    theme.choose("light")
    yield theme
    theme.choose("light")


@pytest.fixture
def opened_links() -> list[str]:
    return []


@pytest.fixture
def window(qtbot: QtBot, engine: RecordingEngine, theme: Theme, opened_links: list[str]) -> MainWindow:
    bridge = Bridge(engine)
    panel = QFrame()
    panel.setMinimumWidth(240)
    window = MainWindow(bridge, panel, open_link=opened_links.append)
    bridge.setParent(window)
    bridge.start()
    window.start()
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    window.activateWindow()
    return window
