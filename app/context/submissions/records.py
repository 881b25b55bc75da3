"""Reads the submissions of a conversation from its events."""

from collections.abc import Sequence

from app.domain.events import StoredEvent, SubmissionKept
from app.domain.ids import SubmissionId
from app.domain.submissions import Submission, SubmissionState

SENT_LIMIT_S = 60.0
"""A request without an answer for so long counts as one that may have happened."""


def records_of(events: Sequence[StoredEvent]) -> tuple[Submission, ...]:
    """The submissions in their order, each as it stands now."""
    newest: dict[SubmissionId, Submission] = {}
    for stored in events:
        if isinstance(stored.event, SubmissionKept):
            newest[stored.event.submission.id] = stored.event.submission
    return tuple(newest.values())


def state_at(record: Submission, now: float) -> SubmissionState:
    """The state as it counts: what has waited for an answer too long may have happened."""
    return "unknown" if record.state == "sent" and now - record.sent_at > SENT_LIMIT_S else record.state
