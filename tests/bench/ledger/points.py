"""Where the program can be made to kill itself: by what it is about to write into its record, or has just written."""

from collections.abc import Callable
from typing import Literal

from app.domain.events import AssistantSaid, PersonAnswered, PersonAsked, RecordedEvent, SubmissionKept

RECORD = "record.sqlite"
_OUTCOMES = frozenset({"answered", "settled", "refused", "unknown"})
Point = tuple[Literal["before", "after"], Callable[[RecordedEvent], bool]]


def _acts(event: RecordedEvent) -> bool:
    return isinstance(event, AssistantSaid) and event.calls[0].name in ("browser_click", "browser_type")


def _asks(event: RecordedEvent) -> bool:
    return isinstance(event, PersonAsked)


def _answers(event: RecordedEvent) -> bool:
    return isinstance(event, PersonAnswered)


def _becomes(*states: str) -> Callable[[RecordedEvent], bool]:
    return lambda event: isinstance(event, SubmissionKept) and event.submission.state in states


POINTS: dict[str, Point] = {
    "before the call is kept": ("before", _acts),
    "once the call is kept": ("after", _acts),
    "before the question is kept": ("before", _asks),
    "once the question is kept": ("after", _asks),
    "before the answer is kept": ("before", _answers),
    "once the answer is kept": ("after", _answers),
    "before the intent is kept": ("before", _becomes("intended")),
    "once the intent is kept": ("after", _becomes("intended")),
    "before it is let go": ("before", _becomes("sent")),
    "once it is let go": ("after", _becomes("sent")),
    "before the outcome is kept": ("before", _becomes(*_OUTCOMES)),
    "once the outcome is kept": ("after", _becomes(*_OUTCOMES)),
}
