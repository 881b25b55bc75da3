"""Decides when old pages leave the model's view, and what stands in their place.

A fold is due when a document has ended, so that the model never has two pages with live-looking refs, and when the
dead pages together have grown past a cap. Between two folds nothing that was sent ever changes.
"""

from collections.abc import Sequence

from app.context.shield import page_words
from app.context.view import Seen, live_ids, observations, stubs
from app.domain.events import AssistantSaid, Folded, Policy, StoredEvent
from app.domain.ids import ObservationId

DEAD_CAP = 60_000  # characters of dead pages in view that force a fold inside one document
STUB_CAP = 300


def plan_fold(events: Sequence[StoredEvent], policy: Policy) -> Folded | None:
    """The fold that is due before the next request, or None."""
    if policy == "off":
        return None
    seen = list(observations(events))
    folded = stubs(events)
    live = live_ids(seen)
    sent = _last_answer(events)  # what came after the model's last answer was not read yet, and stays for one request
    dead = [
        item
        for item in seen
        if item.seq < sent and item.observation.id not in folded and _is_dead(item, live, seen, policy)
    ]
    if not dead or not (policy != "chain" or _document_ended(seen, dead) or _size(dead) > DEAD_CAP):
        return None
    made = tuple((item.observation.id, stub(item)) for item in dead)
    return Folded(made, characters_before=_size(dead), characters_after=sum(len(text) for _, text in made))


def stub(item: Seen) -> str:
    """One line in place of a page; it names the way to have the page back."""
    one = item.observation
    tail = f'{one.nodes_shown} nodes, {len(one.shown)} characters; recall(observation="{one.id}") shows it again]'
    head = (
        f"[{one.id}, an older page, folded: {item.action} · {page_words(one.title, 60)} · {page_words(one.url, 100)} · "
    )
    return _short(head, STUB_CAP - len(tail)) + tail


def _last_answer(events: Sequence[StoredEvent]) -> int:
    return next((one.seq for one in reversed(events) if isinstance(one.event, AssistantSaid)), 0)


def _is_dead(item: Seen, live: frozenset[ObservationId], seen: Sequence[Seen], policy: Policy) -> bool:
    if policy == "newest":
        return item is not seen[-1]
    if policy == "two-pages":
        kept = [one.observation.id for one in seen if one.observation.shown_as == "whole"][-2:]
        return item.observation.id not in live and item.observation.id not in kept
    return item.observation.id not in live


def _document_ended(seen: Sequence[Seen], dead: Sequence[Seen]) -> bool:
    now = seen[-1].observation
    return any(item.observation.tab == now.tab and item.observation.document != now.document for item in dead)


def _size(items: Sequence[Seen]) -> int:
    return sum(len(item.observation.shown) for item in items)


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
