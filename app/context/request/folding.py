"""Decides when old pages leave the model's view, and what stands in their place.

A fold is due when a document has ended, so that the model never has two pages with live-looking refs, and inside a
document when dead pages cost more than sending anew what stands after them, or have grown past a cap. Between two
folds nothing that was sent ever changes.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import replace

from app.context.evidence.quotes import kept_quotes, leaving, pinned_ids
from app.context.page.shield import page_words
from app.context.request.tokens import CHARACTERS_A_TOKEN, PICTURE_TOKENS
from app.context.request.view import OutOfView, Seen, last_answer, live_ids, newest, observations, out_of_view
from app.domain.events import (
    AssistantSaid,
    BrowserNoticed,
    Folded,
    HandedBack,
    Policy,
    QuoteKept,
    RecordedEvent,
    RoomWarned,
    StoredEvent,
    ToolAnswered,
    UserSaid,
)
from app.domain.ids import ObservationId, QuoteId, ToolCallId
from app.domain.messages import Economy
from app.domain.observation import Observation, PictureFacts

DEAD_CAP = 60_000  # characters of dead pages in view that force a fold inside one document
STUB_CAP = 300
MOST_PICTURES = 3  # in one request
REPORT_CONTEXT = "page context: "
"""Begins the line of a report that says what was there."""
PICTURE_CHARACTERS = round(PICTURE_TOKENS * CHARACTERS_A_TOKEN)
LEAST_STEPS, MOST_STEPS = 5, 30


def plan_fold(events: Sequence[StoredEvent], policy: Policy, economy: Economy | None = None) -> Folded | None:
    """The fold that is due before the next request, or None.

    A document that ended is folded at once, but where that costs the model's reasoning, and inside one document dead
    pages are folded when it pays.
    """
    if policy == "off":
        return None
    seen = list(observations(events))
    out = out_of_view(events)
    dead = dead_pages(seen, out, last_answer(events), policy)
    if not dead:
        return None
    economy = economy or Economy()
    ended = _document_ended(seen, dead)
    fold = fold_of(events, dead, out, leaving(kept_quotes(events), pinned_ids(events), out.quotes))
    fold = replace(fold, why="document" if ended else "cap")
    at_once = policy != "chain" or (ended and not economy.binds_reasoning) or _has_many_pictures(dead)
    return fold if at_once or _size(dead) > DEAD_CAP or _pays(fold, economy) else None


def dead_pages(seen: Sequence[Seen], out: OutOfView, sent: int, policy: Policy) -> list[Seen]:
    """Pages that were sent, can never act again and still stand in the view."""
    staying = _staying(seen, policy)
    old = (item for item in seen if item.seq < sent and not out.has_page(item))
    return [item for item in old if item.observation.id not in staying]


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
        resent=characters_after(events, first, out) - _size(dead) + after,
        expected_steps=expected_steps(events),
    )


def stub(item: Seen) -> str:
    """One line in place of a page: what was done, where it was, and the way to have it back."""
    one = item.observation
    source = one.base if one.shown_as == "recalled" and one.base else one.id
    if one.picture is not None:
        return _stub_of_picture(item, one.picture)
    tail = f'{len(one.shown)} characters; recall(observation="{source}")]'
    parts = (item.action, page_words(one.title, 60), page_words(one.url, 100))
    head = f"[{one.id}, folded: {' · '.join(filter(None, parts))} · "
    line = _short(head, STUB_CAP - len(tail)) + tail
    short = f"[{one.id}, folded{f': {_short(item.action, 60)}' if item.action else ''}"
    return line if len(line) < len(one.shown) else f'{short}; recall(observation="{source}")]'


def _stub_of_picture(item: Seen, picture: PictureFacts) -> str:
    """One line in place of a picture, or of a report on one: what page it was of, and what was there."""
    one = item.observation
    kind, back = (
        ("report", "the report") if picture.report and item.action == "look" else ("picture", "the page's text")
    )
    tail = f'; recall(observation="{one.id}") shows {back}]'
    there = [line for line in one.shown.splitlines() if line.startswith(REPORT_CONTEXT)] if kind == "report" else []
    parts = (
        f"{picture.width} × {picture.height} pixels",
        page_words(one.title, 60),
        page_words(one.url, 100),
        *(page_words(line.removeprefix(REPORT_CONTEXT), 100) for line in there[:1]),
    )
    return _short(f"[{one.id}, an older {kind}, folded: {' · '.join(parts)}", STUB_CAP - len(tail)) + tail


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
    return sum(_characters(one.event, out) for one in events if one.seq >= seq)


def expected_steps(events: Sequence[StoredEvent]) -> int:
    """How many more steps to count on: as many as there were, within bounds."""
    steps = sum(isinstance(one.event, AssistantSaid) for one in events)
    return min(max(steps, LEAST_STEPS), MOST_STEPS)


def _pays(fold: Folded, economy: Economy) -> bool:
    """Whether what the fold saves at the price of cached tokens is more than sending its suffix anew costs once."""
    saved = (fold.characters_before - fold.characters_after) * economy.cached_share * fold.expected_steps
    return saved > fold.resent * (1 - economy.cached_share)


def _characters(event: RecordedEvent, out: OutOfView) -> int:
    match event:
        case UserSaid(text) | RoomWarned(text):
            return len(text)
        case AssistantSaid(text=text, calls=calls):
            return len(text) + sum(len(out.calls.get(one.id, one.arguments)) for one in calls)
        case ToolAnswered(call=call, text=text, observation=observation):
            return len(out.results.get(call, text)) + _characters_of_page(observation, out)
        case BrowserNoticed(text=text, to_model=True):
            return len(text)
        case HandedBack(text=text, observation=observation):
            return len(text) + _characters_of_page(observation, out)
        case _:
            return 0


def _characters_of_page(observation: Observation | None, out: OutOfView) -> int:
    if observation is None:
        return 0
    return len(out.pages[observation.id]) if observation.id in out.pages else _weight(observation)


def _staying(seen: Sequence[Seen], policy: Policy) -> frozenset[ObservationId]:
    """The pages that no fold of this policy takes away."""
    if policy == "newest":
        return frozenset(item.observation.id for item in seen[-1:])
    wholes = [item.observation.id for item in seen if item.observation.shown_as == "whole"]
    return live_ids(seen) | frozenset(wholes[-2:] if policy == "two-pages" else ())


def _document_ended(seen: Sequence[Seen], dead: Sequence[Seen]) -> bool:
    now = newest(seen)
    return now is not None and any(
        item.observation.tab == now.tab and item.observation.document != now.document for item in dead
    )


def _has_many_pictures(dead: Sequence[Seen]) -> bool:
    """With the living one more than a request may hold."""
    return sum(_is_picture(item.observation) for item in dead) >= MOST_PICTURES


def _size(items: Sequence[Seen]) -> int:
    return sum(_weight(item.observation) for item in items)


def _weight(observation: Observation) -> int:
    """Its characters, with those that a picture is worth."""
    return len(observation.shown) + PICTURE_CHARACTERS * _is_picture(observation)


def _is_picture(observation: Observation) -> bool:
    return observation.picture is not None and not observation.picture.report


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
