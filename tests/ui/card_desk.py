"""Shows single cards and writes down what the person does with them."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.domain.commands import Command
from app.domain.events import RecordedEvent
from app.ui.card import Hands
from app.ui.cards import card_for
from app.ui.row_book import RowBook
from tests.ui.conversations import stored
from tests.ui.seeing import button, can_be_pressed


class Desk:
    """Shows the newest row of some events as a card, and writes down what the person does with it."""

    def __init__(self, qtbot: QtBot) -> None:
        self._qtbot = qtbot
        self.commands: list[Command] = []
        self.links: list[str] = []
        self.quotes: list[str] = []
        self.opened: list[str] = []
        self.observations: list[str] = []
        self.submissions: list[str] = []

    def card(self, *events: RecordedEvent, row: int = -1) -> QWidget:
        book = RowBook()
        for event in stored(events):
            book.apply(event)
        hands = Hands(
            self.commands.append,
            self.links.append,
            self.quotes.append,
            self.opened.append,
            self.observations.append,
            self.submissions.append,
        )
        card = card_for(book.rows[row], hands)
        self._qtbot.addWidget(card)
        card.resize(560, 400)
        card.show()
        return card

    def press(self, card: QWidget, words: str) -> None:
        """Press a button as soon as it can be."""
        self._qtbot.waitUntil(lambda: can_be_pressed(card, words))
        self._qtbot.mouseClick(button(card, words), Qt.MouseButton.LeftButton)
