"""The task card of a conversation: where the task stands, as the agent last put it."""

from collections.abc import Collection, Iterator, Sequence

from app.domain.events import StoredEvent, TaskCardKept
from app.domain.records import Quote, TaskCard

ITEM_CAP = 12  # of each kind
ITEM_CHARACTERS = 200


def newest_card(events: Sequence[StoredEvent]) -> TaskCard | None:
    """The card that counts; None before the first one."""
    return next((one.event.card for one in reversed(events) if isinstance(one.event, TaskCardKept)), None)


def what_is_wrong(card: TaskCard, kept: Collection[Quote]) -> str:
    """Why a card cannot be kept as it is, in plain words that name the place; empty when it can."""
    known = {quote.id for quote in kept}
    faults = [f"{name} has {size:,} characters, {ITEM_CHARACTERS} is the most" for name, size in _too_long(card)]
    faults += [f"{name} has {len(items)} items, {ITEM_CAP} is the most" for name, items in _too_many(card)]
    unknown = dict.fromkeys(fact.quote for fact in card.facts if fact.quote and fact.quote not in known)
    faults += [f"no quote {name} was kept" for name in unknown]
    return f"{'; '.join(faults)}." if faults else ""


def _texts(card: TaskCard) -> Iterator[tuple[str, str]]:
    yield "goal", card.goal
    for name, texts in _lists(card):
        yield from ((f"{name}[{place}]", text) for place, text in enumerate(texts))


def _lists(card: TaskCard) -> tuple[tuple[str, Sequence[str]], ...]:
    return ("done", card.done), ("open", card.open), ("facts", [fact.text for fact in card.facts])


def _too_long(card: TaskCard) -> Iterator[tuple[str, int]]:
    return ((name, len(text)) for name, text in _texts(card) if len(text) > ITEM_CHARACTERS)


def _too_many(card: TaskCard) -> Iterator[tuple[str, Sequence[str]]]:
    return ((name, items) for name, items in _lists(card) if len(items) > ITEM_CAP)
