"""The whole window with its live panel, before an engine that only writes down what it is asked."""

from collections.abc import Callable, Iterator

from pytestqt.qtbot import QtBot

from app.domain.events import UserSaid
from app.domain.passing import ConversationOpened, Driver, RunState, RunStateChanged
from app.ui.bridge import Bridge
from app.ui.panel import LivePanel
from app.ui.window import MainWindow
from tests.ui.conversations import CONVERSATION, started, stored
from tests.ui.recording_engine import RecordingEngine


def opened(
    qtbot: QtBot, engine: RecordingEngine, open_link: Callable[[str], None] = lambda url: None
) -> Iterator[MainWindow]:
    bridge = Bridge(engine)
    window = MainWindow(bridge, LivePanel(bridge), open_link=open_link)
    bridge.setParent(window)
    bridge.start()
    window.start()
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    window.activateWindow()
    yield window
    window.panel.stop()


def show_state(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine, state: RunState, driver: Driver, detail: str = ""
) -> None:
    engine.say(RunStateChanged(CONVERSATION, state, driver, detail))
    qtbot.waitUntil(lambda: (window.top_bar.shown, window.panel.driver) == (state, driver))


def open_talk(qtbot: QtBot, window: MainWindow, engine: RecordingEngine) -> None:
    engine.say(ConversationOpened(CONVERSATION, "A talk", stored([started(), UserSaid("Hello")])))
    qtbot.waitUntil(lambda: window.chat.conversation == CONVERSATION)
