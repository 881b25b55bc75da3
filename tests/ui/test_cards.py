from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.domain.commands import AnswerPerson, Command, Resume, SendMessage, Stop, TakeOver
from app.domain.events import (
    ActIntended,
    Folded,
    HandedBack,
    PersonAnswered,
    PersonAsked,
    QuoteKept,
    ToolAnswered,
    TurnEnded,
    UserSaid,
)
from app.domain.ids import ObservationId, ToolCallId
from app.domain.pages import NetworkWrite
from app.domain.records import ReceiptStatus
from app.ui.card import Card
from app.ui.question_cards import TRY_ANOTHER_WAY
from app.ui.row_book import RowBook
from app.ui.text_view import TextView
from app.ui.theme import Theme
from tests.ui.card_desk import Desk
from tests.ui.conversations import ANSWER, acted, asked, look, quote, receipt, said, stored, warning, whole_errand
from tests.ui.seeing import text, texts, unnamed


@pytest.fixture
def desk(qtbot: QtBot, theme: Theme) -> Desk:
    return Desk(qtbot)


def test_a_consent_question_shows_exactly_what_would_leave(desk: Desk) -> None:
    shown = texts(desk.card(asked()))
    for name, value in asked().about:
        assert shown[shown.index(name) + 1] == value
    assert asked().text in shown


@pytest.mark.parametrize(("words", "choice"), [("Allow once", "yes"), ("Do not", "no"), ("I do it myself", "takeover")])
def test_a_choice_answers_its_question_once(desk: Desk, words: str, choice: str) -> None:
    card = desk.card(asked("k7"))
    desk.press(card, words)
    assert desk.commands == [AnswerPerson("k7", choice)]
    assert [shown for shown in texts(card) if shown.startswith("[")] == []


def test_an_answered_question_shows_the_answer_and_no_choices(desk: Desk) -> None:
    shown = texts(desk.card(asked("k7"), PersonAnswered("k7", "yes")))
    assert "You answered: Allow once" in shown
    assert "[Allow once]" not in shown


def test_an_open_question_takes_words(qtbot: QtBot, desk: Desk) -> None:
    card = desk.card(PersonAsked("k8", "ask", "Which colour?", ()))
    field = card.findChild(QLineEdit)
    qtbot.keyClicks(field, "blue")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert desk.commands == [AnswerPerson("k8", "", "blue")]
    assert "You answered: blue" in text(
        desk.card(PersonAsked("k8", "ask", "Which colour?", ()), PersonAnswered("k8", "", "blue"))
    )


def test_a_question_with_ideas_takes_other_words_too(qtbot: QtBot, desk: Desk) -> None:
    card = desk.card(PersonAsked("k9", "ask", "Which colour?", (("1", "Red"), ("2", "Green"))))
    qtbot.waitUntil(lambda: "[Red]" in texts(card))
    field = card.findChild(QLineEdit)
    qtbot.keyClicks(field, "blue")
    desk.press(card, "Answer")
    assert desk.commands == [AnswerPerson("k9", "", "blue")]


def test_an_empty_answer_is_not_sent(qtbot: QtBot, desk: Desk) -> None:
    card = desk.card(PersonAsked("k8", "ask", "Which colour?", ()))
    desk.press(card, "Answer")
    assert desk.commands == []


@pytest.mark.parametrize(
    ("words", "command"),
    [("Take over", TakeOver()), ("Try another way", SendMessage(TRY_ANOTHER_WAY)), ("Stop", Stop())],
)
def test_a_warning_offers_three_ways(desk: Desk, words: str, command: Command) -> None:
    card = desk.card(warning())
    assert "“Check stock” was pressed 3 times and the page stayed the same." in texts(card)
    desk.press(card, words)
    assert desk.commands == [command]


def test_an_old_warning_offers_nothing(desk: Desk) -> None:
    shown = texts(desk.card(warning(), TurnEnded("stopped", ""), row=1))
    assert "No progress" in shown
    assert [words for words in shown if words.startswith("[")] == []


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("confirmed", "confirmed"),
        ("not_confirmed", "not confirmed"),
        ("contradicted", "did something else"),
        ("failed", "failed"),
        ("uncertain", "uncertain"),
    ],
)
def test_a_receipt_tells_verb_target_status_and_effect(desk: Desk, status: ReceiptStatus, words: str) -> None:
    shown = texts(desk.card(acted("t", receipt("t", "typed", "field “Name”", status, "1 changed"))))
    assert "Typed field “Name”" in shown
    assert words in shown
    assert "1 changed" in shown
    assert "harbour-lights.example → /basket" in shown


def test_a_receipt_opens_to_everything_by_key_and_by_mouse(qtbot: QtBot, desk: Desk) -> None:
    card = desk.card(said("", ("t", "browser_click", '{"target": "e7"}')), acted("t", receipt("t"), look()), row=-1)
    assert isinstance(card, Card)
    assert '{"target": "e7"}' not in text(card)
    qtbot.keyClick(card, Qt.Key.Key_Return)
    assert '{"target": "e7"}' in text(card)
    assert "page of Lanterns" in text(card)
    assert card.accessibleDescription() == "Enter shows less."
    qtbot.mouseClick(card, Qt.MouseButton.LeftButton)
    assert '{"target": "e7"}' not in text(card)


def test_a_refusal_says_not_done_and_the_way_on(desk: Desk) -> None:
    shown = texts(desk.card(ToolAnswered(ToolCallId("t"), "browser_click", "e7 is gone. Now: e9.\nmore", True)))
    assert "not done" in shown
    assert "e7 is gone. Now: e9." in shown


def test_a_look_is_one_line(desk: Desk) -> None:
    card = desk.card(ToolAnswered(ToolCallId("t"), "browser_snapshot", "", False, observation=look(shown_as="changes")))
    assert "Looked at “Lanterns” — what changed, 34 of 46 elements" in texts(card)


def test_a_quote_shows_its_words_and_leads_to_its_source(desk: Desk) -> None:
    card = desk.card(QuoteKept(quote()))
    shown = text(card)
    assert "“The Sturdy Lantern costs $45.00 and ships in two days.”" in shown
    assert "2 March 2026" in shown
    assert "price and delivery" in shown
    desk.press(card, "Lanterns · harbour-lights.example")
    assert desk.links == [quote().url]


def test_a_hand_back_tells_what_was_said_and_opens_to_what_the_agent_was_told(qtbot: QtBot, desk: Desk) -> None:
    card = desk.card(HandedBack("The field now holds 12 characters.", "I signed in"))
    assert "You said: I signed in" in text(card)
    assert "The field now holds 12 characters." not in text(card)
    qtbot.keyClick(card, Qt.Key.Key_Return)
    assert "What the agent was told: The field now holds 12 characters." in text(card)


def test_a_question_that_waits_offers_only_to_go_on(desk: Desk) -> None:
    card = desk.card(asked("k7"), TurnEnded("needs_person", ""), row=1)
    assert asked().text in text(card)
    assert [words for words in texts(card) if words.startswith("[")] == ["[Go on]"]
    desk.press(card, "Go on")
    assert desk.commands == [Resume()]


def test_a_choice_too_long_for_a_button_stands_in_words_above_it(desk: Desk) -> None:
    long = "the one with the red shade, the longer cable and the battery that lasts a whole week"
    card = desk.card(PersonAsked("k9", "ask", "Which one?", (("1", "Red & blue"), ("2", long))))
    assert f"2. {long}" in texts(card)
    desk.press(card, "Red & blue")
    assert desk.commands == [AnswerPerson("k9", "1")]


def test_a_receipt_tells_what_was_sent_and_what_was_folded_on_one_line(desk: Desk) -> None:
    sent = replace(receipt("t"), writes=(NetworkWrite("POST", "https://harbour-lights.example/order", 303),))
    fold = Folded(((ObservationId("o1"), "o1 Lanterns"),), 42_000, 3_100)
    card = desk.card(acted("t", sent), fold)
    assert "harbour-lights.example → /basket · POST /order → 303 · 1 older page folded" in texts(card)


def test_a_receipt_without_a_target_leaves_no_gap(qtbot: QtBot, desk: Desk) -> None:
    card = desk.card(acted("t", receipt("t", "went back", "", effect="the page is now “Lanterns”")))
    qtbot.keyClick(card, Qt.Key.Key_Return)
    assert "\nwent back: the page is now “Lanterns”\n" in text(card)


def test_a_call_that_may_have_happened_is_not_called_not_done(desk: Desk) -> None:
    broken = ToolAnswered(ToolCallId("t1"), "browser_click", "Uncertain: you stopped while it was under way.", True)
    shown = texts(desk.card(ActIntended(ToolCallId("t1"), "clicked “Pay”"), broken))
    assert "uncertain" in shown
    assert "not done" not in shown


@pytest.mark.parametrize(
    ("end", "command"),
    [
        ("stopped", Resume()),
        ("failed", Resume()),
        ("limit", Resume()),
        ("partly", SendMessage("Go on with what is still open.")),
    ],
)
def test_an_unfinished_turn_can_go_on(desk: Desk, end: str, command: Command) -> None:
    card = desk.card(TurnEnded(end, "So far.", ("one thing",)))  # type: ignore[arg-type]
    desk.press(card, "Go on")
    assert desk.commands == [command]


def test_a_finished_turn_offers_nothing_more(desk: Desk) -> None:
    assert "[Go on]" not in texts(desk.card(TurnEnded("done", "")))


def test_an_act_under_way_says_that_it_has_no_result(desk: Desk) -> None:
    card = desk.card(ActIntended(ToolCallId("t"), "clicked button “Save”"))
    assert "No result yet" in card.accessibleName()
    assert "Clicking button “Save” …" in texts(card)


def test_words_of_a_page_are_never_markup(desk: Desk) -> None:
    card = desk.card(acted("t", receipt("t", target="<b>bold</b> <img src='file:///x.png'>", effect="\u202eevil")))
    assert "Clicked <b>bold</b> <img src='file:///x.png'>" in texts(card)
    assert "⟨U+202E⟩evil" in texts(card)


@pytest.mark.parametrize("width", [300, 520, 900])
def test_no_card_is_wider_than_its_room(qtbot: QtBot, desk: Desk, width: int) -> None:
    long = "超長い日本語" * 40 + "x" * 400 + " مرحبا بالعالم " * 20 + "👩\u200d👩\u200d👧" * 20
    events = (
        UserSaid(long),
        said(long),
        acted("t", receipt("t", target=long, effect=long)),
        QuoteKept(quote("q1", long)),
        PersonAsked("k", "consent", long, (("yes", "Allow once"),), ((long, long),)),
        TurnEnded("partly", long, (long,)),
        ToolAnswered(ToolCallId("u"), "browser_click", long, True),
    )
    book = RowBook()
    for event in stored(events):
        book.apply(event)
    room = QWidget()
    qtbot.addWidget(room)
    room.resize(1_000, 800)
    room.show()
    for place in range(len(book.rows)):
        card = desk.card(*events, row=place)
        card.setParent(room)
        card.show()
        card.setGeometry(0, 0, width, max(1, card.heightForWidth(width)))
        for child in card.findChildren(QWidget, options=Qt.FindChildOption.FindDirectChildrenOnly):
            assert child.isHidden() or child.geometry().right() < width


def test_every_kind_of_card_has_a_name_and_so_has_every_control_on_it(desk: Desk) -> None:
    events = whole_errand()
    book = RowBook()
    for event in stored(events):
        book.apply(event)
    for place in range(1, len(book.rows)):
        card = desk.card(*events, row=place)
        inner = card if isinstance(card, Card) else card.findChild(Card)
        assert inner.accessibleName()
        assert unnamed(card) == []


def test_an_answer_can_be_selected_by_key(qtbot: QtBot, desk: Desk) -> None:
    card = desk.card(said(ANSWER))
    view = card.findChild(TextView)
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert "Sturdy Lantern" in view.textCursor().selectedText()


def test_a_link_in_an_answer_is_handed_on_not_followed(desk: Desk) -> None:
    card = desk.card(said("[x](https://example.com/)"))
    card.findChild(TextView).anchorClicked.emit("https://example.com/")
    assert desk.links == ["https://example.com/"]
