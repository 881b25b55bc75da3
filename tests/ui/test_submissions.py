"""What was submitted stands above the chat as it is now, on its step and in the answer; the unknown comes first."""

import time
from collections.abc import Sequence
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.domain.commands import AllowAgain, Command, Resume, SendMessage, Stop
from app.domain.events import PersonAsked, QuoteKept, RecordedEvent, SubmissionKept, ToolAnswered, TurnEnded, UserSaid
from app.domain.ids import ObservationId, QuoteId, SubmissionId, ToolCallId
from app.domain.passing import ConversationOpened
from app.domain.submissions import Proof, SubmissionState
from app.ui.chat_pane import ChatPane
from app.ui.submission_cards import ALLOW, ANSWER_BELOW, CHECK, STOP
from app.ui.submission_list import MOST
from app.ui.text_view import TextView
from app.ui.theme import Theme
from tests.ui.card_desk import Desk
from tests.ui.conversations import (
    CONVERSATION,
    LOST,
    acted,
    broken_off,
    look,
    quote,
    receipt,
    said,
    started,
    stored,
    submission,
)
from tests.ui.seeing import button, can_be_pressed, text, texts, unnamed

PROVEN = submission(proof=Proof("Thank you, order 1041", ObservationId("o1"), QuoteId("q1")), status=303)
UNKNOWN = submission(2, "unknown", note=LOST)


@pytest.fixture
def commands() -> list[Command]:
    return []


@pytest.fixture
def pane(qtbot: QtBot, theme: Theme, commands: list[Command]) -> ChatPane:
    pane = ChatPane(commands.append, lambda url: None)
    qtbot.addWidget(pane)
    pane.resize(520, 800)
    pane.show()
    return pane


def open_with(pane: ChatPane, events: Sequence[RecordedEvent]) -> None:
    pane.receive(ConversationOpened(CONVERSATION, "A talk", stored(events)))
    pane.show_state("idle", "nobody", "")


def kept(*records: object) -> tuple[RecordedEvent, ...]:
    return (started(), UserSaid("Order it."), *(SubmissionKept(one) for one in records))  # type: ignore[arg-type]


def press(qtbot: QtBot, widget: QWidget, words: str) -> None:
    qtbot.waitUntil(lambda: can_be_pressed(widget, words))
    qtbot.mouseClick(button(widget, words), Qt.MouseButton.LeftButton)


def test_what_was_submitted_is_one_line_that_opens_to_all_of_it(qtbot: QtBot, pane: ChatPane) -> None:
    open_with(pane, (*kept(PROVEN), QuoteKept(quote()), SubmissionKept(submission(3, "denied", sent_at=0.0))))
    assert "1 submitted" in text(pane.sent)
    assert "settled" not in text(pane.sent)
    press(qtbot, pane.sent, "Show what was submitted")
    shown = texts(pane.sent)
    for words in (
        "s1  Payment or order · “Place order”",
        "settled",
        "harbour-lights.example · by the agent, allowed by you · once",
        "Name: Ada Example · Total: $45.00",
        "“Thank you, order 1041”",
        "not allowed, not sent",
    ):
        assert words in shown
    assert unnamed(pane.sent) == []
    press(qtbot, pane.sent, "Go to quote q1")
    assert "Quote q1" in pane.focusWidget().accessibleName()


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ("held", "held back until you answer"),
        ("answered", "answered, not seen on a page yet"),
        ("refused", "refused by the site"),
        ("not_sent", "not sent"),
        ("unknown", "NOT KNOWN whether it happened"),
    ],
)
def test_each_state_is_said_in_plain_words(pane: ChatPane, state: SubmissionState, words: str) -> None:
    open_with(pane, kept(submission(1, state)))
    pane.sent.reveal(SubmissionId("s1"))
    assert words in texts(pane.sent)


def test_the_unknown_stands_on_top_and_opens_by_itself_before_anything_runs(
    pane: ChatPane, commands: list[Command]
) -> None:
    open_with(pane, broken_off(PROVEN, UNKNOWN))
    assert pane.sent.is_open
    shown = texts(pane.sent)
    heads = [words for words in shown if "Payment or order" in words]
    assert [head[:2] for head in heads] == ["s2", "s1"]
    assert "1 not known" in shown
    assert "The connection was lost after it was sent. It may have arrived, even more than once." in shown
    assert commands == []


@pytest.mark.parametrize(
    ("words", "command"), [(ALLOW, AllowAgain(SubmissionId("s2"))), (STOP, Stop())], ids=["allow one", "stop"]
)
def test_the_unknown_offers_the_ways_on(
    qtbot: QtBot, pane: ChatPane, commands: list[Command], words: str, command: Command
) -> None:
    open_with(pane, broken_off(UNKNOWN))
    press(qtbot, pane.sent, words)
    assert commands == [command]
    assert pane.sent.is_open == (words == ALLOW)


def test_check_first_asks_the_agent_to_look_without_sending(
    qtbot: QtBot, pane: ChatPane, commands: list[Command]
) -> None:
    open_with(pane, broken_off(UNKNOWN))
    press(qtbot, pane.sent, CHECK)
    (command,) = commands
    assert isinstance(command, SendMessage)
    assert "without sending anything, whether this happened: s2" in command.text


def test_no_way_on_can_be_pressed_before_it_could_be_read(qtbot: QtBot, pane: ChatPane) -> None:
    open_with(pane, broken_off(UNKNOWN))
    assert [can_be_pressed(pane.sent, words) for words in (CHECK, ALLOW, STOP)] == [False, False, False]
    began = time.monotonic()
    qtbot.waitUntil(lambda: can_be_pressed(pane.sent, ALLOW))
    assert time.monotonic() - began > 0.5


def test_what_was_found_out_closes_the_strip_that_had_opened_by_itself(pane: ChatPane) -> None:
    open_with(pane, broken_off(UNKNOWN))
    pane.receive(stored((SubmissionKept(replace(UNKNOWN, state="settled", note="")),), first=50)[0])
    assert not pane.sent.is_open
    assert "1 submitted" in text(pane.sent)


def test_a_request_without_an_answer_becomes_unknown_while_one_waits(qtbot: QtBot, pane: ChatPane) -> None:
    open_with(pane, kept(submission(1, "sent", sent_at=time.time() - 59.5)))
    assert not pane.sent.is_open
    qtbot.waitUntil(lambda: pane.sent.is_open)
    assert "NOT KNOWN whether it happened" in texts(pane.sent)


def test_while_a_question_asks_about_it_the_strip_points_there(qtbot: QtBot, pane: ChatPane) -> None:
    asked = PersonAsked("k1", "consent", "What now?", (("check", "Check first"), ("yes", ALLOW), ("stop", STOP)))
    pane.show_state("waiting", "agent", "")
    pane.receive(ConversationOpened(CONVERSATION, "A talk", stored((*kept(UNKNOWN), asked))))
    assert not pane.sent.is_open
    pane.sent.reveal(SubmissionId("s2"))
    assert ANSWER_BELOW in texts(pane.sent)
    assert CHECK not in text(pane.sent)


def test_what_the_person_reads_stays_where_it_is_when_another_one_changes(qtbot: QtBot, pane: ChatPane) -> None:
    open_with(pane, kept(PROVEN, submission(2, "sent", sent_at=time.time())))
    pane.sent.reveal(SubmissionId("s1"))
    reading = pane.focusWidget()
    qtbot.keyClick(reading, Qt.Key.Key_Return)
    pane.receive(stored((SubmissionKept(submission(2, "answered")),), first=50)[0])
    assert "answered, not seen on a page yet" in texts(pane.sent)
    assert pane.focusWidget() is reading
    assert "request: POST https://harbour-lights.example/order" in text(reading)


def test_many_submissions_are_no_wall_and_the_unknown_is_among_them(pane: ChatPane) -> None:
    open_with(pane, kept(submission(1, "unknown"), *(submission(number) for number in range(2, 200))))
    shown = texts(pane.sent)
    assert "NOT KNOWN whether it happened" in shown
    assert len([words for words in shown if "Place order" in words]) == MOST + 1
    assert pane.sent.height() < pane.height() * 0.5


def test_the_step_that_submitted_carries_the_number_whenever_the_record_came(qtbot: QtBot, theme: Theme) -> None:
    desk = Desk(qtbot)
    answered = acted("t1", receipt("t1", target="button “Place order”"), look("o1"))
    late = submission(2, "answered", call=ToolCallId("t1"))
    card = desk.card(started(), SubmissionKept(submission(1)), answered, SubmissionKept(late))
    assert [words for words in texts(card) if words in ("[s1]", "[s2]")] == ["[s1]", "[s2]"]
    desk.press(card, "Show submission s1")
    assert desk.submissions == ["s1"]


def test_a_proof_leads_to_the_step_that_saw_the_page(qtbot: QtBot, pane: ChatPane) -> None:
    record = submission(1, proof=Proof("Thank you", ObservationId("o1")))
    answered = acted("t1", receipt("t1", target="button “Place order”"), look("o1", "Thank you"))
    open_with(pane, (*kept(record), answered, said("Done."), TurnEnded("done", "Done.")))
    press(qtbot, pane.sent, "Show what was submitted")
    press(qtbot, pane.sent, "Go to the page")
    assert "Clicked button “Place order”" in pane.focusWidget().accessibleName()
    assert "page of Thank you" in text(pane.focusWidget())


def test_the_answer_names_submissions_as_links_and_keeps_what_the_program_added(qtbot: QtBot, pane: ChatPane) -> None:
    answer = "It is ordered [s1], see also [s7] and `[s1]`."
    added = f"{answer}\n\nSubmissions, as the program recorded them:\n\n- s2: NOT KNOWN"
    open_with(pane, (*kept(PROVEN), said(answer), TurnEnded("done", added)))
    views = [view for view in pane.view.findChildren(TextView) if "It is ordered" in view.toPlainText()]
    (view,) = views
    assert "see also [s7: not on record] and [s1]." in view.toPlainText()
    assert "s2: NOT KNOWN" in view.toPlainText()
    view.anchorClicked.emit(view.document().find("[s1]").charFormat().anchorHref())
    assert pane.sent.is_open
    assert "Submission s1" in pane.focusWidget().accessibleName()


def test_where_work_broke_off_one_card_says_what_is_done_what_is_not_and_what_is_unknown(
    qtbot: QtBot, pane: ChatPane, commands: list[Command]
) -> None:
    first = acted("t0", receipt("t0", target="link “Checkout”"))
    begun = broken_off(PROVEN, UNKNOWN)
    typed = said("", ("t8", "browser_type", "{}"), ("t9", "browser_click", "{}"))
    open_with(pane, (*begun[:2], first, *begun[2:], typed))
    shown = texts(pane.view.unfinished)
    for words in (
        "1 step is done, the newest: clicked link “Checkout”.",
        "Payment or order · “Place order”: settled.",
        "Payment or order · “Place order”: NOT KNOWN whether it happened.",
        "Typing: not begun.",
        "Nothing runs until you say so.",
    ):
        assert words in shown
    assert commands == []
    press(qtbot, pane.view.unfinished, "Go on")
    press(qtbot, pane.view.unfinished, CHECK)
    assert commands[0] == Resume()
    assert isinstance(commands[1], SendMessage)


def test_an_act_without_a_result_and_without_a_record_is_unknown_after_a_restart(pane: ChatPane) -> None:
    bare = broken_off(submission(1))
    open_with(pane, [event for event in bare if not isinstance(event, SubmissionKept)])
    assert "It is not known whether this happened: clicking “Place order”." in texts(pane.view.unfinished)
    assert not pane.sent.isVisible()


def test_a_refused_call_names_nothing(qtbot: QtBot, theme: Theme) -> None:
    refused = ToolAnswered(ToolCallId("t1"), "browser_click", "Not sent: the person did not allow it.", True)
    desk = Desk(qtbot)
    card = desk.card(started(), SubmissionKept(submission(2)), refused)
    assert "[s2]" not in texts(card)
