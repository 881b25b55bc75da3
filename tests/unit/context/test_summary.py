"""What is summed up leaves the view, and what must never be lost stays word for word, however often it is done."""

from app.context.request.summary import last_event_of_the_old, plain_summary, request_for_summary, summary_text
from app.domain.events import (
    HandedBack,
    PersonAnswered,
    QuoteKept,
    RecordedEvent,
    Summarised,
    TaskCardKept,
    ToolAnswered,
    UserSaid,
)
from app.domain.ids import ToolCallId
from app.domain.records import TaskCard
from tests.unit.context.test_projection import START, stored
from tests.unit.context.test_room import quote, turn


def test_a_summary_keeps_the_users_words_quotes_and_card_and_can_be_summed_up_again() -> None:
    card = TaskCard("Find the price", ("opened the shop",), ("compare",))
    events: list[RecordedEvent] = [START, UserSaid("Find the price of the mug."), turn(1, "task_card", "{}")]
    events += [
        TaskCardKept(card, ToolCallId("c1")),
        ToolAnswered(ToolCallId("c1"), "task_card", "Noted.", is_error=False),
    ]
    for number in range(2, 10):
        events += [turn(number, "keep_quote", "{}"), QuoteKept(quote(number - 1, 100))]
        events.append(ToolAnswered(ToolCallId(f"c{number}"), "keep_quote", "Kept.", is_error=False))
    upto = last_event_of_the_old(stored(events))
    assert upto is not None
    text = summary_text(stored(events), upto, "The shop was opened.")
    for part in (
        "Find the price of the mug.",
        "The shop was opened.",
        "[q1] “www",
        "compare",
        'recall(observation="o1")',
    ):
        assert part in text
    events += [
        Summarised(upto, text, summed_up="The shop was opened."),
        UserSaid("And the plate?"),
        turn(10, "browser_click", "{}"),
    ]
    events.append(ToolAnswered(ToolCallId("c10"), "browser_click", "clicked", is_error=False))
    again = last_event_of_the_old(stored(events), 1)
    assert again is not None
    asked = request_for_summary(stored(events), again, model="m", characters=20_000)
    assert "Summed up before" in str(asked.messages)
    assert "And the plate?" in summary_text(stored(events), again, "x")
    assert "The shop was opened." in plain_summary(stored(events), again)


def test_a_summary_covers_whole_steps_only() -> None:
    events: list[RecordedEvent] = [
        START,
        UserSaid("x"),
        turn(1, "a", "{}"),
        ToolAnswered(ToolCallId("c1"), "a", "", False),
    ]
    assert last_event_of_the_old(stored(events)) is None
    assert last_event_of_the_old(stored(events), 1) is None


def test_what_is_summed_up_is_bounded_and_the_newest_counts_most() -> None:
    events: list[RecordedEvent] = [START, UserSaid("x")]
    for number in range(1, 200):
        events.append(turn(number, "a", "{}"))
        events.append(ToolAnswered(ToolCallId(f"c{number}"), "a", f"entry {number} " + "x" * 5_000, is_error=False))
    asked = str(request_for_summary(stored(events), len(events), model="m", characters=10_000).messages)
    assert len(asked) < 14_000
    assert "entry 199" in asked
    assert "entry 1 " not in asked
    assert "older entries are left out" in asked


def test_a_summary_of_a_summary_keeps_what_was_summed_up_and_does_not_grow() -> None:
    events: list[RecordedEvent] = [START, UserSaid("Find it. " + "w" * 3_000)]
    sizes = []
    for number in range(1, 200):
        events.append(turn(number, "browser_click", "{}"))
        events.append(ToolAnswered(ToolCallId(f"c{number}"), "browser_click", "x" * 1_400, is_error=False))
        if number % 20 == 0:
            told = stored(events)
            upto = last_event_of_the_old(told)
            assert upto is not None
            asked = str(request_for_summary(told, upto, model="m", characters=8_000).messages)
            assert number == 20 or "was summed up before" in asked
            summed_up = plain_summary(told, upto) if number > 20 else "This was summed up before."
            text = summary_text(told, upto, summed_up)
            events.append(Summarised(upto, text, summed_up=summed_up))
            sizes.append(len(text))
            assert "This was summed up before." in text
            assert text.count("Find it.") == 1
    assert max(sizes) < 20_000


def test_a_summary_keeps_every_word_of_the_person() -> None:
    events: list[RecordedEvent] = [START, UserSaid("Buy it."), turn(1, "ask_user", "{}")]
    events += [
        PersonAnswered("q", "", "The blue one."),
        ToolAnswered(ToolCallId("c1"), "ask_user", "The blue one.", is_error=False),
        HandedBack("Handed back. They say: I signed in.", "I signed in."),
    ]
    for number in range(2, 6):
        events += [turn(number, "a", "{}"), ToolAnswered(ToolCallId(f"c{number}"), "a", "", is_error=False)]
    upto = last_event_of_the_old(stored(events))
    assert upto is not None
    text = summary_text(stored(events), upto, "x")
    assert all(f"- {words}" in text for words in ("Buy it.", "The blue one.", "I signed in."))
