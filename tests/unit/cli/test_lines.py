"""Events as lines for people."""

from app.cli.lines import event_lines
from app.domain.events import RecordedEvent, StoredEvent, TaskCardKept, ToolAnswered, TurnEnded
from app.domain.ids import ConversationId, QuoteId, ToolCallId
from app.domain.records import Claim, TaskCard, TaskFact


def lines_of(event: RecordedEvent) -> list[str]:
    return list(event_lines(StoredEvent(ConversationId("c"), 1, 0.0, event)))


def test_words_of_a_page_cannot_steer_the_terminal() -> None:
    told = "".join(lines_of(TurnEnded("done", "It says \x1b]0;owned\x07\x1b[2J\u202egnp.exe\r here.")))
    assert told.isprintable()
    assert "here." in told


def test_a_text_of_several_lines_stays_in_lines() -> None:
    assert lines_of(TurnEnded("done", "one\n\ntwo\tcells")) == ["", "Done: one", "", "two\tcells"]


def test_claims_are_told_after_the_answer() -> None:
    claims = (Claim(0, 3, "£47", "figure", "unverified"), Claim(8, 11, "£92", "figure", "computed", "2 × 46"))
    assert lines_of(TurnEnded("done", "£47, or £92.", claims=claims))[2:] == [
        "  unverified: £47 (not found in a quote, on the newest page or in your words)",
        "  computed: £92 (2 × 46)",
    ]


def test_the_task_card_is_told_in_lines_of_its_own_and_once() -> None:
    card = TaskCard("two lamps", ("compare",), ("order",), (TaskFact("it burns 48 hours", QuoteId("q1")),))
    call = ToolCallId("c1")
    told = ["  Task: two lamps", "    ✓ compare", "    ○ order", "    · it burns 48 hours [q1]"]
    assert lines_of(TaskCardKept(card, call)) == told
    assert lines_of(ToolAnswered(call, "task_card", "Kept: 1 done, 1 open, 1 facts.", False)) == []
