"""The task card of a conversation: where the task stands, as the agent last put it."""

from collections.abc import Sequence

from app.domain.events import StoredEvent, TaskCardKept
from app.domain.records import TaskCard


def newest_card(events: Sequence[StoredEvent]) -> TaskCard | None:
    """The card that counts; None before the first one."""
    return next((one.event.card for one in reversed(events) if isinstance(one.event, TaskCardKept)), None)
