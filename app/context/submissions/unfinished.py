"""Tells whether a conversation was left in the middle: by a crash, or before somebody answered."""

from collections.abc import Sequence

from app.context.submissions.records import records_of
from app.domain.events import ActIntended, AssistantSaid, PersonAsked, StoredEvent, ToolAnswered, TurnEnded, UserSaid

_WORK = (UserSaid, AssistantSaid, ActIntended, ToolAnswered, PersonAsked)
_OPEN = frozenset({"intended", "held", "sent", "unknown"})


def left_in_the_middle(events: Sequence[StoredEvent]) -> bool:
    """Whether a turn did not come to its end, or something was submitted of which nobody knows the outcome."""
    ended = max((one.seq for one in events if isinstance(one.event, TurnEnded)), default=0)
    if any(one.seq > ended and isinstance(one.event, _WORK) for one in events):
        return True
    return any(record.state in _OPEN for record in records_of(events))
