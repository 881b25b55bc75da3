"""Which observations of a transcript are live, dead, or folded away."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.domain.events import Folded, HandedBack, StoredEvent, ToolAnswered
from app.domain.ids import ObservationId
from app.domain.observation import Observation


@dataclass(frozen=True, slots=True)
class Seen:
    """An observation at its place in the transcript, with the line that says how it came about."""

    seq: int
    observation: Observation
    action: str


def observations(events: Sequence[StoredEvent]) -> Iterator[Seen]:
    """Every observation the model was shown, oldest first."""
    for stored in events:
        event = stored.event
        if isinstance(event, ToolAnswered) and event.observation is not None:
            yield Seen(stored.seq, event.observation, _action(event))
        elif isinstance(event, HandedBack) and event.observation is not None:
            yield Seen(stored.seq, event.observation, "shown without a call of yours")


def stubs(events: Sequence[StoredEvent]) -> dict[ObservationId, str]:
    """The stub of every folded observation."""
    found: dict[ObservationId, str] = {}
    for stored in events:
        if isinstance(stored.event, Folded):
            found.update(stored.event.stubs)
    return found


def live_ids(seen: Sequence[Seen]) -> frozenset[ObservationId]:
    """The newest whole page of the current document of the active tab, and what came after it there.

    Everything else is dead: it can never act again.
    """
    if not seen:
        return frozenset()
    now = seen[-1].observation
    live: set[ObservationId] = set()
    for item in reversed(seen):
        one = item.observation
        if (one.tab, one.document) != (now.tab, now.document):
            continue
        live.add(one.id)
        if one.shown_as == "whole":
            break
    return frozenset(live)


def _action(event: ToolAnswered) -> str:
    if event.receipt is None:
        return event.name
    failed = " (failed)" if event.receipt.status == "failed" else ""
    return f"{event.receipt.verb} {event.receipt.target}".strip() + failed
