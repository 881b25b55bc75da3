from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.domain.commands import Resume
from app.domain.events import AssistantSaid, StoredEvent, TurnEnded, TurnRejected, UserSaid
from app.domain.ids import ConversationId
from app.domain.passing import ConversationOpened, Event, RunStateChanged, TextStreamed, TextWithdrawn
from app.ui.chat import FIRST_SCREENS, ChatView
from app.ui.row_column import AT_ONCE, MOST
from app.ui.text_view import TextView
from app.ui.theme import Theme, installed_theme
from app.ui.unfinished_line import UNFINISHED
from app.ui.window import MainWindow
from tests.ui.conversations import ANSWER, CONVERSATION, asked, long_errand, said, started, stored, whole_errand
from tests.ui.recording_engine import RecordingEngine
from tests.ui.seeing import button, text, texts
from tests.ui.window_stage import opened


@pytest.fixture
def window(qtbot: QtBot, engine: RecordingEngine, theme: Theme) -> Iterator[MainWindow]:
    yield from opened(qtbot, engine)


@pytest.fixture
def view(window: MainWindow, engine: RecordingEngine) -> ChatView:
    engine.say(ConversationOpened(CONVERSATION, "A talk", ()))
    return window.chat.view


def tell(qtbot: QtBot, window: MainWindow, engine: RecordingEngine, *events: Event) -> None:
    """Send events and wait until the window has dealt with the last of them."""
    last = RunStateChanged(None, "idle", "nobody")
    seen: list[Event] = []
    window.bridge.event_received.connect(seen.append)
    for event in (*events, last):
        engine.say(event)
    qtbot.waitUntil(lambda: last in seen)
    window.bridge.event_received.disconnect(seen.append)


def seen_cards(view: ChatView) -> list[list[str]]:
    return [texts(card) for card in view.column.cards]


def test_a_reopened_conversation_looks_as_it_did_live(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine, view: ChatView
) -> None:
    events = stored(whole_errand())
    tell(qtbot, window, engine, *events)
    live = seen_cards(view)
    tell(qtbot, window, engine, ConversationOpened(CONVERSATION, "A talk", events))
    qtbot.waitUntil(lambda: len(view.column.cards) == len(view.rows))
    assert seen_cards(view) == live
    assert "Clicked button “Place order”" in text(view)


def test_streamed_text_gives_way_to_the_recorded_answer(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine, view: ChatView
) -> None:
    tell(qtbot, window, engine, *stored([started(), UserSaid("Hello")]))
    tell(qtbot, window, engine, TextStreamed(CONVERSATION, "The **Sturdy** "), TextStreamed(CONVERSATION, "Lan"))
    assert view.streamed_text == "The **Sturdy** Lan"
    assert "The **Sturdy** Lan" in text(view)
    tell(qtbot, window, engine, *stored([said("The **Sturdy** Lantern.")], first=3))
    assert view.streamed_text == ""
    assert "The **Sturdy** Lan" not in text(view)
    assert "The Sturdy Lantern." in text(view)


def test_withdrawn_text_is_struck_with_its_reason_until_the_record_says_the_same(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine, view: ChatView
) -> None:
    tell(qtbot, window, engine, *stored([started(), UserSaid("Hello")]), TextStreamed(CONVERSATION, "The cheap"))
    tell(qtbot, window, engine, TextWithdrawn(CONVERSATION, "the answer was cut"))
    assert "Withdrawn: the answer was cut" in text(view)
    assert "The cheap" in text(view)
    tell(qtbot, window, engine, *stored([TurnRejected("the answer was cut", "The cheap", "m")], first=3))
    assert text(view).count("Withdrawn: the answer was cut") == 1
    assert view.streamed_text == ""


def test_a_new_try_begins_without_the_withdrawn_text(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine, view: ChatView
) -> None:
    tell(qtbot, window, engine, TextStreamed(CONVERSATION, "wrong"), TextWithdrawn(CONVERSATION, "cut"))
    tell(qtbot, window, engine, TextStreamed(CONVERSATION, "right"))
    assert view.streamed_text == "right"
    assert "wrong" not in text(view)


def test_events_of_another_conversation_stay_out(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine, view: ChatView
) -> None:
    other = ConversationId("c2")
    tell(qtbot, window, engine, StoredEvent(other, 1, 0.0, UserSaid("not here")), TextStreamed(other, "nor here"))
    assert view.rows == ()
    assert view.streamed_text == ""


def test_three_thousand_events_open_with_the_newest_in_sight_and_few_widgets(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine, view: ChatView
) -> None:
    events = stored(long_errand(3_000))
    laid_out: list[int] = []
    window.bridge.event_received.connect(lambda _: laid_out.append(len(view.column.cards)))
    tell(qtbot, window, engine, ConversationOpened(CONVERSATION, "Long", events))
    assert len(view.rows) == len(events)  # the first event has no row, the day has one
    assert laid_out[0] <= 2 * AT_ONCE
    assert "Page 1000 is next." in text(view.column.cards[-1])
    qtbot.waitUntil(lambda: len(view.column.cards) >= FIRST_SCREENS)
    assert len(view.column.cards) <= MOST


def test_earlier_rows_come_when_the_person_scrolls_up_and_the_text_stays_in_place(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine, view: ChatView
) -> None:
    tell(qtbot, window, engine, ConversationOpened(CONVERSATION, "Long", stored(long_errand(600))))
    qtbot.waitUntil(lambda: len(view.column.cards) >= 40)
    bar = view.scroll_bar
    first = view.column.first
    bar.setValue(120)
    reading = card_at_top(view)
    offset = reading.y() - bar.value()
    qtbot.waitUntil(lambda: view.column.first < first)
    assert reading.y() - bar.value() == offset
    assert view.column.first < first


def test_the_first_row_can_be_reached_and_left_for_the_newest(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine, view: ChatView
) -> None:
    tell(qtbot, window, engine, ConversationOpened(CONVERSATION, "Long", stored(long_errand(140))))

    def scrolled_to_the_first() -> bool:
        view.scroll_bar.setValue(0)
        return view.column.first == 0

    qtbot.waitUntil(scrolled_to_the_first)
    assert len(view.column.cards) <= MOST
    assert view.column.last < len(view.rows)
    qtbot.mouseClick(view.jump, Qt.MouseButton.LeftButton)
    assert view.column.last == len(view.rows)
    assert view.scroll_bar.value() == view.scroll_bar.maximum()
    assert not view.jump.isVisible()


def test_new_rows_are_followed_only_from_the_bottom(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine, view: ChatView
) -> None:
    tell(qtbot, window, engine, ConversationOpened(CONVERSATION, "Long", stored(long_errand(90))))
    tell(qtbot, window, engine, *stored([said("One more.")], first=200))
    assert view.scroll_bar.value() == view.scroll_bar.maximum()
    assert not view.jump.isVisible()
    view.scroll_bar.setValue(view.scroll_bar.maximum() // 2)
    place = view.scroll_bar.value() - card_at_top(view).y()
    reading = card_at_top(view)
    tell(qtbot, window, engine, *stored([said(ANSWER)], first=300))
    assert view.scroll_bar.value() - reading.y() == place
    assert view.jump.isVisible()


def test_rows_that_arrive_while_the_person_reads_far_above_are_there_on_return(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine, view: ChatView
) -> None:
    tell(qtbot, window, engine, ConversationOpened(CONVERSATION, "Long", stored(long_errand(600))))
    view.reveal(3)
    tell(qtbot, window, engine, *stored([said("Written meanwhile.")], first=900))
    assert "Written meanwhile." not in text(view)
    view.jump_to_newest()
    assert "Written meanwhile." in text(view)


def test_what_the_agent_is_doing_stands_below_the_newest_row(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine, view: ChatView
) -> None:
    tell(qtbot, window, engine, *stored([UserSaid("Go")]))
    engine.say(RunStateChanged(CONVERSATION, "working", "agent", "reading the page"))
    qtbot.waitUntil(lambda: view.working.text == "Reading the page")
    assert view.working.isVisible()
    assert view.working.y() > view.column.cards[-1].y()
    tell(qtbot, window, engine, RunStateChanged(CONVERSATION, "idle", "nobody"))
    assert not view.working.isVisible()


def test_find_reaches_rows_that_are_not_laid_out(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine, view: ChatView
) -> None:
    tell(qtbot, window, engine, ConversationOpened(CONVERSATION, "Long", stored(long_errand(1_500))))
    bar = window.chat.find_bar
    bar.open_bar()
    bar.field.setText("item 17 costs")
    assert bar.count.text() == "1 of 1"
    shown = [card for card in view.column.cards if "Item 17 costs $17.00." in text(card)]
    assert len(shown) == 1
    assert shown[0].property("found") == "true"
    top = shown[0].y() - view.scroll_bar.value()
    assert 0 <= top < view.height()


def test_find_goes_around_and_says_when_there_is_nothing(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine, view: ChatView
) -> None:
    tell(qtbot, window, engine, *stored([UserSaid("one pear"), UserSaid("two pears"), UserSaid("no fruit")]))
    bar = window.chat.find_bar
    bar.open_bar()
    bar.field.setText("pear")
    assert bar.count.text() == "2 of 2"
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert bar.count.text() == "1 of 2"
    qtbot.keyClick(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert bar.count.text() == "2 of 2"
    bar.field.setText("plum")
    assert bar.count.text() == "Not found"
    bar.close_bar()
    assert not bar.isVisible()
    assert [card for card in view.column.cards if card.property("found") == "true"] == []


def test_tab_goes_through_the_cards_from_top_to_bottom_though_older_ones_were_made_later(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine, view: ChatView
) -> None:
    tell(qtbot, window, engine, ConversationOpened(CONVERSATION, "Long", stored(long_errand(60))))
    qtbot.waitUntil(lambda: len(view.column.cards) >= 20)
    cards = [card for card in view.column.cards if card.focusPolicy() != Qt.FocusPolicy.NoFocus]
    cards[0].setFocus()
    passed: list[QWidget] = []
    for _ in range(300):
        now = window.focusWidget()
        if now is None or not view.isAncestorOf(now):
            break
        passed.append(now)
        qtbot.keyClick(now, Qt.Key.Key_Tab)
    heights = [card.mapTo(view.column, card.rect().topLeft()).y() for card in passed]
    assert heights == sorted(heights)
    assert [card for card in passed if card in cards] == cards
    assert window.focusWidget() is window.chat.composer.field


def test_a_theme_change_keeps_the_place_and_the_rows(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine, view: ChatView
) -> None:
    tell(qtbot, window, engine, ConversationOpened(CONVERSATION, "Long", stored(long_errand(300))))
    view.reveal(100)
    qtbot.waitUntil(lambda: len(view.column.cards) > 10)
    reading = texts(card_at_top(view))
    installed_theme().choose("dark")
    assert any(texts(card) == reading for card in view.column.cards)
    installed_theme().choose("light")
    view.jump_to_newest()
    assert view.column.last == len(view.rows)


def test_a_turn_that_ended_says_how(qtbot: QtBot, window: MainWindow, engine: RecordingEngine, view: ChatView) -> None:
    tell(qtbot, window, engine, *stored([TurnEnded("partly", "Two of three.", ("the invoice",))]))
    assert "Partly done" in text(view)
    assert "Two of three." in text(view)
    assert "•  Open: the invoice" in text(view)


def test_an_answer_arrives_only_once_though_its_event_came_twice(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine, view: ChatView
) -> None:
    events = stored([UserSaid("Hello"), said("Good day.")])
    tell(qtbot, window, engine, ConversationOpened(CONVERSATION, "A talk", events), events[-1])
    assert isinstance(events[-1].event, AssistantSaid)
    assert text(view).count("Good day.") == 1


def test_a_citation_brings_its_quote_into_sight_and_gives_it_the_keyboard(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine, view: ChatView
) -> None:
    events = (*long_errand(300), said("It costs little [q3]."))
    tell(qtbot, window, engine, ConversationOpened(CONVERSATION, "Long", stored(events)))
    answer = view.column.cards[-1].findChild(TextView)
    answer.anchorClicked.emit(answer.document().find("[q3]").charFormat().anchorHref())
    card = window.focusWidget()
    assert "Item 3 costs $3.00." in text(card)
    assert 0 <= card.y() - view.scroll_bar.value() < view.height()


def test_work_that_broke_off_can_go_on_and_work_that_ended_not(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine, view: ChatView
) -> None:
    broken = stored([started(), UserSaid("Hello"), said("I look.", ("t1", "browser_find", "{}"))])
    tell(qtbot, window, engine, ConversationOpened(CONVERSATION, "A talk", broken))
    assert UNFINISHED in text(view)
    qtbot.mouseClick(button(view, "Go on"), Qt.MouseButton.LeftButton)
    assert engine.commands[-1] == Resume()
    engine.say(RunStateChanged(CONVERSATION, "working", "agent"))
    qtbot.waitUntil(lambda: UNFINISHED not in text(view))
    tell(qtbot, window, engine, *stored([said("Good day."), TurnEnded("done", "Good day.")], first=4))
    assert UNFINISHED not in text(view)


def test_a_question_found_again_after_a_restart_waits_with_one_way_to_go_on(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine, view: ChatView
) -> None:
    events = stored([started(), UserSaid("Order it"), asked()])
    tell(qtbot, window, engine, ConversationOpened(CONVERSATION, "A talk", events))
    assert [words for words in texts(view.column) if words.startswith("[")] == ["[Go on]"]
    qtbot.mouseClick(button(view, "Go on"), Qt.MouseButton.LeftButton)
    assert engine.commands[-1] == Resume()


def test_a_question_of_the_running_turn_stays_open_when_its_conversation_is_opened_again(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine, view: ChatView
) -> None:
    events = stored([started(), UserSaid("Order it"), asked()])
    waits = RunStateChanged(CONVERSATION, "waiting", "agent")
    seen: list[Event] = []
    window.bridge.event_received.connect(seen.append)
    for event in (*events, waits, ConversationOpened(CONVERSATION, "A talk", events), waits):
        engine.say(event)
    qtbot.waitUntil(lambda: len(seen) == 6)
    qtbot.waitUntil(lambda: "[Allow once]" in texts(view))


def test_the_newest_row_stays_in_sight_when_the_room_for_the_chat_shrinks(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine, view: ChatView
) -> None:
    tell(qtbot, window, engine, ConversationOpened(CONVERSATION, "Long", stored(long_errand(60))))
    qtbot.waitUntil(lambda: view.scroll_bar.value() == view.scroll_bar.maximum() > 0)
    before = view.height()
    engine.say(RunStateChanged(CONVERSATION, "waiting", "person"))
    qtbot.waitUntil(lambda: view.height() < before)
    qtbot.waitUntil(lambda: view.scroll_bar.value() == view.scroll_bar.maximum())
    assert not view.jump.isVisible()


def card_at_top(view: ChatView) -> QWidget:
    return next(card for card in view.column.cards if card.y() + card.height() > view.scroll_bar.value())
