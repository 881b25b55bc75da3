"""The whole program inside the test: real window, panel, bridge, engine, browser and record on one folder."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot

from app.bootstrap.parts import Parts
from app.domain.events import StoredEvent
from app.domain.passing import ErrorShown, Event
from app.runtime.engine import Engine
from app.runtime.factories import Factories
from app.settings.logs import LogFiles, configure_logging
from app.ui.bridge import Bridge
from app.ui.panel import LivePanel
from app.ui.rows import AnswerRow, EndRow, QuestionRow, Row
from app.ui.window import MainWindow
from tests.e2e.page_text import Box

PATIENCE_MS = 40_000
KEY_PAUSE_MS = 20  # nobody types faster
_LEFT = Qt.MouseButton.LeftButton


@dataclass
class Desk:
    """A person at the window: they press keys and buttons and read what is shown; nothing else reaches the program."""

    qtbot: QtBot
    parts: Parts
    bridge: Bridge
    panel: LivePanel
    window: MainWindow
    engine: Engine
    log: LogFiles
    events: list[Event]
    is_closed: bool = False

    @property
    def rows(self) -> tuple[Row, ...]:
        return self.window.chat.view.rows

    @property
    def stored(self) -> list[StoredEvent]:
        """The recorded events that the window was shown, in their order."""
        return [event for event in self.events if isinstance(event, StoredEvent)]

    @property
    def errors(self) -> list[ErrorShown]:
        return [event for event in self.events if isinstance(event, ErrorShown)]

    @property
    def state(self) -> str:
        return self.window.top_bar.state.text()

    def until(self, condition: Callable[[], object], what: str, patience_ms: int = PATIENCE_MS) -> None:
        """Let the program run until the condition holds; say what was waited for when it never does."""

        def holds() -> bool:
            assert not self.errors, self.errors
            return bool(condition())

        try:
            self.qtbot.waitUntil(holds, timeout=patience_ms)
        except self.qtbot.TimeoutError:
            last = "\n".join(str(row)[:400] for row in self.rows[-4:])
            raise AssertionError(f"waited in vain for {what}; state “{self.state}”, last rows:\n{last}") from None

    def until_told(self, *parts: str) -> None:
        """Wait for a notice in the window that holds all the parts."""

        def is_told() -> bool:
            notices = self.window.chat.notices.errors
            texts = [f"{error.what} {error.lost} {error.next_step}" for error in notices]
            return any(all(part in text for part in parts) for text in texts)

        self.qtbot.waitUntil(is_told, timeout=PATIENCE_MS)

    def write(self, task: str) -> None:
        """Type the words into the composer and press Enter."""
        field = self.window.chat.composer.field
        self.qtbot.mouseClick(field.viewport(), _LEFT)
        self.qtbot.keyClicks(field, task)
        assert field.toPlainText() == task
        self.qtbot.keyClick(field, Qt.Key.Key_Return)

    def press(self, button: QAbstractButton) -> None:
        assert button.isEnabled(), f"“{button.text()}” cannot be pressed"
        assert button.isVisible(), f"“{button.text()}” cannot be seen"
        self.qtbot.mouseClick(button, _LEFT)

    def card_button(self, label: str) -> QAbstractButton | None:
        """The newest button of the chat with that label that can be pressed."""
        buttons = [
            button
            for card in self.window.chat.view.column.cards
            for button in card.findChildren(QAbstractButton)
            if button.text() == label and button.isEnabled() and button.isVisible()
        ]
        return buttons[-1] if buttons else None

    def press_on_card(self, label: str) -> None:
        self.until(lambda: self.card_button(label), f"a button “{label}” on a card")
        button = self.card_button(label)
        assert button is not None
        self.press(button)

    def welcome_button(self, word: str) -> QAbstractButton:
        """The button of the empty window whose label holds the word."""
        buttons = self.window.chat.welcome.findChildren(QAbstractButton)
        return next(button for button in buttons if word in button.text())

    def question(self) -> QuestionRow | None:
        """The newest question that waits for an answer."""
        waiting = [row for row in self.rows if isinstance(row, QuestionRow) and row.is_open]
        return waiting[-1] if waiting else None

    def end(self) -> EndRow | None:
        """The end of the newest turn, once it has ended."""
        last = self.rows[-1] if self.rows else None
        return last if isinstance(last, EndRow) and self.state == "Ready" else None

    def answer(self) -> str:
        """What the agent said last."""
        return next(row.text for row in reversed(self.rows) if isinstance(row, AnswerRow))

    def place_on_canvas(self, box: Box) -> QPoint:
        """Where the middle of a box of the page lies under the person's mouse."""
        place = self.panel.canvas.place()
        assert place is not None, "the panel shows no page"
        return place.to_canvas(box.x, box.y, box.width, box.height).center().toPoint()

    def click_page(self, box: Box) -> None:
        self.qtbot.mouseClick(self.panel.canvas, _LEFT, pos=self.place_on_canvas(box))

    def type_into_page(self, text: str) -> None:
        self.qtbot.keyClicks(self.panel.canvas, text, delay=KEY_PAUSE_MS)

    def press_key_on_page(self, key: Qt.Key) -> None:
        self.qtbot.keyClick(self.panel.canvas, key)

    def open_conversation(self, title: str) -> None:
        """Click it in the list."""
        items = self.window.sidebar.list
        self.until(lambda: items.findItems(title, Qt.MatchFlag.MatchStartsWith), f"“{title}” in the list")
        place = items.visualItemRect(items.findItems(title, Qt.MatchFlag.MatchStartsWith)[0]).center()
        self.qtbot.mouseClick(items.viewport(), _LEFT, pos=place)

    def close(self) -> None:
        """Close the window as a person does, and wait until it has gone."""
        if self.is_closed:
            return
        self.is_closed = True
        try:
            with self.qtbot.waitSignal(self.window.closed, timeout=PATIENCE_MS):
                self.window.close()
            assert self.engine.join(10), "the engine is still running"
        finally:
            self.panel.stop()
            self.log.close()
            self.window.deleteLater()


def sit_down(qtbot: QtBot, home: Path, with_parts: Callable[[Factories], Factories] = lambda made: made) -> Desk:
    """Open the window as the program does; settings come from the environment, which must name `home`."""
    assert os.environ["PILOTFISH_HOME"] == str(home)
    parts = Parts(os.environ)
    log = configure_logging(parts.paths, parts.clean)
    engine = Engine(with_parts(parts.factories()))
    bridge = Bridge(engine)
    panel = LivePanel(bridge)
    window = MainWindow(bridge, panel)
    desk = Desk(qtbot, parts, bridge, panel, window, engine, log, [])
    bridge.event_received.connect(desk.events.append)
    bridge.start()
    window.start()
    window.show()
    return desk
