"""Decides when old pages leave the model's view, and what stands in their place.

A fold is due when a document has ended, so that the model never has two pages with live-looking refs, and when the
dead pages together have grown past a cap. Between two folds nothing that was sent ever changes.
"""

import json
from collections.abc import Collection, Sequence

from app.context.quotes import kept_quotes, leaving, pinned_ids
from app.context.shield import page_words
from app.context.view import OutOfView, Seen, last_answer, live_ids, newest, observations, out_of_view
from app.domain.events import AssistantSaid, Folded, Policy, QuoteKept, StoredEvent, ToolAnswered
from app.domain.ids import ObservationId, QuoteId, ToolCallId
from app.domain.messages import Economy

DEAD_CAP = 60_000  # characters of dead pages in view that force a fold inside one document
STUB_CAP = 300
LEAST_STEPS, MOST_STEPS = 5, 30


def plan_fold(events: Sequence[StoredEvent], policy: Policy, economy: Economy | None = None) -> Folded | None:
    """The fold that is due before the next request, or None."""
    if policy == "off":
        return None
    seen = list(observations(events))
    out = out_of_view(events)
    dead = dead_pages(seen, out, last_answer(events), policy)
    ended = policy != "chain" or _document_ended(seen, dead)
    if not dead or not (ended or _size(dead) > DEAD_CAP):
        return None
    fold = fold_of(events, dead, out, leaving(kept_quotes(events), pinned_ids(events), out.quotes))
    if ended and economy is not None and economy.binds_reasoning and not _pays(fold, economy):
        return fold if _size(dead) > DEAD_CAP else None
    return fold


def dead_pages(seen: Sequence[Seen], out: OutOfView, sent: int, policy: Policy) -> list[Seen]:
    """Pages that were sent, can never act again and still stand in the view."""
    live = live_ids(seen)
    return [item for item in seen if item.seq < sent and not out.has_page(item) and _is_dead(item, live, seen, policy)]


def fold_of(events: Sequence[StoredEvent], dead: Sequence[Seen], out: OutOfView, quotes: tuple[QuoteId, ...]) -> Folded:
    """The fold of these pages and quotes."""
    made = tuple((item.observation.id, stub(item)) for item in dead)
    first = min((item.seq for item in dead), default=0)
    after = sum(len(text) for _, text in made)
    return Folded(
        made,
        characters_before=_size(dead),
        characters_after=after,
        calls=calls_of_quotes(events, quotes),
        quotes=quotes,
        notice=quotes_notice(quotes),
        why="document" if _document_ended(list(observations(events)), dead) else "cap",
        resent=characters_after(events, first, out) - _size(dead) + after,
        expected_steps=expected_steps(events),
    )


def stub(item: Seen) -> str:
    """One line in place of a page; it names the way to have the page back."""
    one = item.observation
    source = one.base if one.shown_as == "recalled" and one.base else one.id
    tail = f'{one.nodes_shown} nodes, {len(one.shown)} characters; recall(observation="{source}") shows it again]'
    head = (
        f"[{one.id}, an older page, folded: {item.action} · {page_words(one.title, 60)} · {page_words(one.url, 100)} · "
    )
    line = _short(head, STUB_CAP - len(tail)) + tail
    return (
        line
        if len(line) < len(one.shown)
        else f'[{one.id}, folded: {_short(item.action, 60)}; recall(observation="{source}")]'
    )


def quotes_notice(quotes: Sequence[QuoteId]) -> str:
    """What the model reads when quotes left its view; empty when none did."""
    if not quotes:
        return ""
    names = ", ".join(f"[{name}]" for name in quotes)
    return (
        f'{names} left your view to make room; each can still be cited, and recall(observation="{quotes[0]}") shows it.'
    )


def calls_of_quotes(events: Sequence[StoredEvent], quotes: Collection[QuoteId]) -> tuple[tuple[ToolCallId, str], ...]:
    """The calls that kept these quotes, each with the arguments that stand for its own from now on."""
    found: list[tuple[ToolCallId, str]] = []
    kept: QuoteId | None = None
    for stored in events:
        event = stored.event
        if isinstance(event, QuoteKept) and event.quote.by == "agent":
            kept = event.quote.id
        elif isinstance(event, ToolAnswered) and event.name == "keep_quote":
            if kept in quotes:
                found.append((event.call, json.dumps({"text": f'[{kept}]: recall(observation="{kept}") shows it'})))
            kept = None
    return tuple(found)


def characters_after(events: Sequence[StoredEvent], seq: int, out: OutOfView) -> int:
    """How many characters of the request stand from this event on."""
    return sum(_characters(one, out) for one in events if one.seq >= seq)


def expected_steps(events: Sequence[StoredEvent]) -> int:
    """How many more steps to count on: as many as there were, within bounds."""
    steps = sum(isinstance(one.event, AssistantSaid) for one in events)
    return min(max(steps, LEAST_STEPS), MOST_STEPS)


def _pays(fold: Folded, economy: Economy) -> bool:
    """Whether what the fold saves at the price of cached tokens is more than sending its suffix anew costs once."""
    saved = (fold.characters_before - fold.characters_after) * economy.cached_share * fold.expected_steps
    return saved > fold.resent * (1 - economy.cached_share)


def _characters(stored: StoredEvent, out: OutOfView) -> int:
    event = stored.event
    if isinstance(event, AssistantSaid):
        return len(event.text) + sum(len(out.calls.get(one.id, one.arguments)) for one in event.calls)
    own = len(str(getattr(event, "text", "")))
    if isinstance(event, ToolAnswered):
        own = len(out.results.get(event.call, event.text))
    observation = getattr(event, "observation", None)
    page = "" if observation is None else out.pages.get(observation.id, observation.shown)
    return own + len(page)


def _is_dead(item: Seen, live: frozenset[ObservationId], seen: Sequence[Seen], policy: Policy) -> bool:
    if policy == "newest":
        return item is not seen[-1]
    if policy == "two-pages":
        kept = [one.observation.id for one in seen if one.observation.shown_as == "whole"][-2:]
        return item.observation.id not in live and item.observation.id not in kept
    return item.observation.id not in live


def _document_ended(seen: Sequence[Seen], dead: Sequence[Seen]) -> bool:
    now = newest(seen)
    return now is not None and any(
        item.observation.tab == now.tab and item.observation.document != now.document for item in dead
    )


def _size(items: Sequence[Seen]) -> int:
    return sum(len(item.observation.shown) for item in items)


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
