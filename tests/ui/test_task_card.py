"""The task card stands above the chat as it is now, and in the chat where it was changed."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.domain.commands import PinQuote
from app.domain.events import QuoteKept, QuotePinned, TaskCardKept
from app.domain.ids import QuoteId, ToolCallId
from app.domain.passing import ConversationOpened
from app.domain.records import TaskCard, TaskFact
from app.ui.chat_pane import ChatPane
from app.ui.rows import TaskCardRow
from app.ui.theme import Theme
from tests.ui.card_desk import Desk
from tests.ui.conversations import CONVERSATION, quote, said, started, stored
from tests.ui.seeing import button, text, unnamed

FIRST = TaskCard("Find a lantern", (), ("compare", "order"))
FACTS = (TaskFact("Sturdy is the cheapest", QuoteId("q1")), TaskFact("Storm burns longer"))
SECOND = TaskCard("Find a lantern", ("compare",), ("order",), FACTS)


def kept(card: TaskCard) -> TaskCardKept:
    return TaskCardKept(card, ToolCallId("t1"))


@pytest.fixture
def pane(qtbot: QtBot, theme: Theme) -> ChatPane:
    pane = ChatPane(lambda command: None, lambda url: None)
    qtbot.addWidget(pane)
    pane.resize(520, 600)
    pane.show()
    return pane


def open_with(pane: ChatPane, *cards: TaskCard) -> None:
    events = (started(), QuoteKept(quote()), *(kept(card) for card in cards))
    pane.receive(ConversationOpened(CONVERSATION, "A talk", stored(events)))


def test_the_strip_shows_the_newest_card_and_opens_to_all_of_it(qtbot: QtBot, pane: ChatPane) -> None:
    open_with(pane, FIRST, SECOND)
    assert "Find a lantern" in text(pane.task)
    assert "1 of 2 done" in text(pane.task)
    assert "compare" not in text(pane.task)
    qtbot.mouseClick(button(pane.task, "Show the task card"), Qt.MouseButton.LeftButton)
    shown = text(pane.task)
    assert all(words in shown for words in ("compare", "order", "Sturdy is the cheapest", "[q1]", "Storm burns longer"))
    assert unnamed(pane.task) == []


def test_the_strip_follows_the_card_and_is_gone_with_the_conversation(pane: ChatPane) -> None:
    open_with(pane)
    assert not pane.task.isVisible()
    pane.receive(stored((kept(FIRST),), first=50)[0])
    assert "0 of 2 done" in text(pane.task)
    pane.receive(stored((kept(SECOND),), first=51)[0])
    assert "1 of 2 done" in text(pane.task)
    pane.forget()
    assert not pane.task.isVisible()


def test_a_fact_leads_to_its_quote(qtbot: QtBot, pane: ChatPane) -> None:
    open_with(pane, SECOND)
    pane.task.toggle()
    qtbot.mouseClick(button(pane.task, "Go to quote q1"), Qt.MouseButton.LeftButton)
    assert "Quote q1" in pane.focusWidget().accessibleName()


def test_in_the_chat_the_card_is_one_line_that_opens(qtbot: QtBot, theme: Theme) -> None:
    card = Desk(qtbot).card(QuoteKept(quote()), kept(SECOND))
    assert "Task card: 1 of 2 done · next: order" in text(card)
    assert "Storm burns longer" not in text(card)
    qtbot.keyClick(card, Qt.Key.Key_Return)
    assert all(words in text(card) for words in ("✓ compare", "○ order", "· Sturdy is the cheapest [q1]"))


def test_a_long_card_never_takes_the_whole_chat(pane: ChatPane) -> None:
    many = tuple(f"item {number} {'with many words ' * 10}" for number in range(12))
    open_with(pane, TaskCard("g", many, many))
    pane.task.toggle()
    assert pane.task.height() < pane.height() * 0.6


def test_the_rows_of_the_chat_name_only_quotes_that_were_kept(pane: ChatPane) -> None:
    open_with(pane, SECOND)
    (row,) = [row for row in pane.view.rows if isinstance(row, TaskCardRow)]
    assert row.cited == ((QuoteId("q1"), quote()),)


@pytest.mark.parametrize(
    ("pinned", "name"), [((), "Pin quote q1"), ((True,), "Let quote q1 go"), ((True, False), "Pin quote q1")]
)
def test_a_quote_is_pinned_and_let_go_at_its_card(
    qtbot: QtBot, theme: Theme, pinned: tuple[bool, ...], name: str
) -> None:
    desk = Desk(qtbot)
    card = desk.card(QuoteKept(quote()), *(QuotePinned(QuoteId("q1"), one) for one in pinned))
    desk.press(card, name)
    assert desk.commands == [PinQuote(QuoteId("q1"), name.startswith("Pin"))]


def test_a_pin_of_a_quote_that_is_not_there_changes_nothing(qtbot: QtBot, theme: Theme) -> None:
    card = Desk(qtbot).card(said("Hello"), QuotePinned(QuoteId("q7"), True))
    assert text(card) == "Hello"
