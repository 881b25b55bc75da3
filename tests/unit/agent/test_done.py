"""A turn is called done only when the record agrees."""

from dataclasses import replace
from itertools import count

from app.agent import done
from app.context.evidence.claims import Known
from app.domain.events import (
    PersonAnswered,
    PersonAsked,
    RecordedEvent,
    StoredEvent,
    SubmissionKept,
    TaskCardKept,
    ToolAnswered,
    TurnEnded,
    UserSaid,
)
from app.domain.ids import ConversationId, SubmissionId, ToolCallId
from app.domain.records import Receipt, ReceiptStatus, TaskCard
from app.domain.submissions import Submission, SubmissionState


def stored(*events: RecordedEvent) -> list[StoredEvent]:
    numbers = count(1)
    return [StoredEvent(ConversationId("c"), next(numbers), 0.0, event) for event in events]


def done_gate(events: list[StoredEvent], answer: str) -> TurnEnded:
    return done.done_gate(events, answer, Known())


def pressed(status: ReceiptStatus) -> ToolAnswered:
    call = ToolCallId("c1")
    receipt = Receipt(call, "clicked", 'button "Send"', status, "it may or may not have happened")
    return ToolAnswered(call, "browser_click", "Uncertain", is_error=True, receipt=receipt)


def test_what_is_not_known_to_have_happened_is_named_also_when_the_person_wrote_meanwhile() -> None:
    ended = done_gate(stored(UserSaid("send it"), pressed("uncertain"), UserSaid("and hurry")), "Sent.")
    assert ended == TurnEnded("partly", "Sent.", ('It is not known whether this happened: clicked button "Send".',))


def test_an_earlier_task_does_not_count() -> None:
    earlier = (UserSaid("send it"), pressed("uncertain"), TurnEnded("partly", "Sent."))
    assert done_gate(stored(*earlier, UserSaid("what is the time?")), "Noon.").end == "done"


def test_a_task_that_goes_on_after_a_stop_still_counts_what_came_before_it() -> None:
    before = (UserSaid("send it"), pressed("uncertain"), TurnEnded("stopped", "Stopped by you."))
    assert done_gate(stored(*before), "Sent.").end == "partly"


def test_what_the_person_declined_is_no_failure() -> None:
    asked = PersonAsked("k1", "consent", "Send it?", (("yes", "Allow once"), ("no", "Do not")), call=ToolCallId("c1"))
    for choice, end in (("no", "done"), ("yes", "partly")):
        events = stored(UserSaid("send it"), asked, PersonAnswered("k1", choice), pressed("failed"))
        assert done_gate(events, "As you wished.").end == end


def test_what_is_open_on_the_card_of_this_task_is_named() -> None:
    card = TaskCardKept(TaskCard("two lamps", done=("compare",), open=("order", "pay")), ToolCallId("c1"))
    ended = done_gate(stored(UserSaid("buy two lamps"), card), "I compared them.")
    assert ended == TurnEnded("partly", "I compared them.", ("order", "pay"))
    later = stored(UserSaid("buy two lamps"), card, TurnEnded("partly", "So far."), UserSaid("what is the time?"))
    assert done_gate(later, "Noon.").end == "done"


def test_what_an_answer_claims_without_ground_is_marked_at_its_end() -> None:
    ended = done.done_gate(stored(UserSaid("what is it?")), "It costs £47.", Known(pages=("Price £46",)))
    assert [(one.text, one.verdict) for one in ended.claims] == [("£47", "unverified")]
    assert ended.end == "done"


SENT = Submission(SubmissionId("s1"), "sent", "pay", "https://shop.example", control="Place order", sent_at=1.0)


def submitted(state: SubmissionState) -> SubmissionKept:
    return SubmissionKept(replace(SENT, state=state, note="no answer came"))


def test_a_turn_with_a_submission_of_unknown_outcome_is_not_done() -> None:
    ended = done_gate(stored(UserSaid("order it"), submitted("unknown")), "I ordered it [s1].")
    assert ended.end == "partly"
    assert "It is not known whether s1 happened" in ended.open_items[0]
    assert "it is NOT KNOWN whether it happened" in ended.text, "whatever the answer claims"


def test_an_unknown_submission_of_an_earlier_task_is_named_until_it_is_settled() -> None:
    earlier = (UserSaid("order it"), submitted("unknown"), TurnEnded("partly", "Perhaps."))
    assert done_gate(stored(*earlier, UserSaid("what is the time?")), "Noon.").end == "partly"
    later = (*earlier, submitted("settled"), TurnEnded("done", "Found it."), UserSaid("what is the time?"))
    assert done_gate(stored(*later), "Noon.") == TurnEnded("done", "Noon.")


def test_what_the_answer_leaves_out_of_the_submissions_is_said_by_the_program() -> None:
    events = stored(UserSaid("order it"), submitted("settled"))
    assert done_gate(events, "Ordered [s1].").text == "Ordered [s1]."
    left_out = done_gate(events, "All done.")
    assert left_out.end == "done"
    assert "- [s1] payment or order “Place order” to https://shop.example" in left_out.text


def test_what_the_site_refused_last_is_open() -> None:
    ended = done_gate(stored(UserSaid("order it"), submitted("refused")), "Ordered [s1].")
    assert ended.end == "partly"
    assert "The site refused s1" in ended.open_items[0]
