"""Events as lines for people."""

from app.cli.lines import event_lines
from app.domain.events import StoredEvent, TurnEnded, UserSaid
from app.domain.ids import ConversationId


def lines_of(event: UserSaid | TurnEnded) -> list[str]:
    return list(event_lines(StoredEvent(ConversationId("c"), 1, 0.0, event)))


def test_words_of_a_page_cannot_steer_the_terminal() -> None:
    told = "".join(lines_of(TurnEnded("done", "It says \x1b]0;owned\x07\x1b[2J\u202egnp.exe\r here.")))
    assert told.isprintable()
    assert "here." in told


def test_a_text_of_several_lines_stays_in_lines() -> None:
    assert lines_of(TurnEnded("done", "one\n\ntwo\tcells")) == ["", "Done: one", "", "two\tcells"]
