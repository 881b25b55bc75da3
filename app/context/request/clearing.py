"""Plans what leaves the view when the model's room runs short: old results, whole and in one batch, never the page.

The model is told one step before, so that it can note what it needs; every stub names the way back.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace

from app.context.evidence.quotes import kept_quotes, leaving, pinned_ids
from app.context.request.folding import dead_pages, fold_of
from app.context.request.view import OutOfView, Seen, last_answer, observations, out_of_view
from app.domain.events import AssistantSaid, Folded, RoomWarned, StoredEvent, Summarised, ToolAnswered
from app.domain.ids import ResultId, ToolCallId
from app.domain.messages import ToolCall

NEWEST_KEPT = 8  # results
LEAST_LENGTH = 1_000  # characters of a result or of arguments that are worth a stub
QUOTES_SHARE = 4  # in a small window the quotes may take the fourth part of it
_KEPT_WHOLE = frozenset({"ask_user", "keep_quote", "task_card"})


def result_names(events: Sequence[StoredEvent]) -> dict[ToolCallId, ResultId]:
    """The names by which results can be had back: r1, r2 … in the order of the conversation."""
    calls = [one.event.call for one in events if isinstance(one.event, ToolAnswered)]
    return {call: ResultId(f"r{number}") for number, call in enumerate(calls, 1)}


def plan_clearing(events: Sequence[StoredEvent], *, room: int, kept: int = NEWEST_KEPT) -> Folded | None:
    """One batch of everything that may go, but the newest results; None when that is nothing.

    `room` is the model's window in characters.
    """
    out = out_of_view(events)
    seen = list(observations(events))
    newest = _newest_results(events, kept)
    pages = _old_pages(events, seen, out, newest)
    results = tuple(_old_results(events, out, newest))
    calls = tuple(_old_calls(events, out, newest))
    going = leaving(kept_quotes(events), pinned_ids(events), out.quotes, characters=room // QUOTES_SHARE)
    if not (pages or results or calls or going):
        return None
    made = fold_of(events, pages, out, going)
    calls = (*made.calls, *calls)
    texts = {one.event.call: one.event.text for one in events if isinstance(one.event, ToolAnswered)}
    arguments = {call.id: call.arguments for one in events for call in _calls(one)}
    before = sum(len(texts[call]) for call, _ in results) + sum(len(arguments[call]) for call, _ in calls)
    after = sum(len(text) for _, text in (*results, *calls))
    return replace(
        made,
        results=results,
        calls=calls,
        characters_before=made.characters_before + before,
        characters_after=made.characters_after + after,
        why="room",
    )


def warning_of(fold: Folded, events: Sequence[StoredEvent]) -> RoomWarned:
    """What the model reads one step before: what will go, and how to keep what it still needs."""
    names = result_names(events)
    parts = [f"page {name}" for name, _ in fold.stubs[:12]]
    parts += [f"result {names[call]}" for call, _ in fold.results[:12]]
    more = len(fold.stubs) + len(fold.results) - len(parts)
    listed = ", ".join(parts) + (f" and {more} more" if more > 0 else "")
    return RoomWarned(
        f"Room runs short. After your next step this leaves your view: {listed or 'old calls'}"
        f" ({fold.characters_before:,} characters). Note what you still need now, with keep_quote or task_card; "
        "recall brings the rest back."
    )


def steps_since_warning(events: Sequence[StoredEvent]) -> int | None:
    """How many answers the model gave since it was warned; None when nothing was said since the last clearing."""
    steps = 0
    for one in reversed(events):
        if isinstance(one.event, RoomWarned):
            return steps
        if isinstance(one.event, Summarised) or (isinstance(one.event, Folded) and one.event.why == "room"):
            return None
        steps += isinstance(one.event, AssistantSaid)
    return None


def _newest_results(events: Sequence[StoredEvent], kept: int) -> frozenset[ToolCallId]:
    calls = [one.event.call for one in events if isinstance(one.event, ToolAnswered)]
    return frozenset(calls[-kept:] if kept else ())


def _old_pages(
    events: Sequence[StoredEvent], seen: Sequence[Seen], out: OutOfView, newest: frozenset[ToolCallId]
) -> list[Seen]:
    """Dead pages, and old looks at parts of the living one; the chain of the living page stays."""
    dead = dead_pages(seen, out, last_answer(events), "chain")
    staying = {one.seq for one in events if isinstance(one.event, ToolAnswered) and one.event.call in newest}
    staying |= {item.seq for item in dead}
    parts = [
        item
        for item in seen
        if item.observation.shown_as in ("partial", "recalled", "file", "none")
        and item.seq not in staying
        and not out.has_page(item)
        and len(item.observation.shown) >= LEAST_LENGTH
    ]
    return sorted([*dead, *parts], key=lambda item: item.seq)


def _old_results(
    events: Sequence[StoredEvent], out: OutOfView, newest: frozenset[ToolCallId]
) -> Iterator[tuple[ToolCallId, str]]:
    """Long texts of results; receipts, failures, and what the person or the agent noted stay."""
    names = result_names(events)
    for one in events:
        answer = one.event
        if not isinstance(answer, ToolAnswered) or one.seq <= out.upto or answer.call in newest:
            continue
        if answer.is_error or answer.receipt is not None or answer.name in _KEPT_WHOLE or answer.call in out.results:
            continue
        if len(answer.text) >= LEAST_LENGTH:
            yield answer.call, result_stub(names[answer.call], answer)


def _old_calls(
    events: Sequence[StoredEvent], out: OutOfView, newest: frozenset[ToolCallId]
) -> Iterator[tuple[ToolCallId, str]]:
    """Long arguments of calls, such as the texts of a form."""
    names = result_names(events)
    for one in events:
        for call in _calls(one):
            if one.seq <= out.upto or call.id in newest or call.id not in names or call.id in out.calls:
                continue
            if call.name not in _KEPT_WHOLE and len(call.arguments) >= LEAST_LENGTH:
                back = f'{len(call.arguments)} characters; recall(observation="{names[call.id]}") shows them'
                yield call.id, json.dumps({"folded": back})


def cut_text(text: str, limit: int, name: ResultId, page: int) -> str:
    """The beginning of a result that is too long to be sent, with the page of its record that goes on from there."""
    head = text[:limit]
    return (
        f"{head}\n… {len(text) - limit:,} of {len(text):,} characters are left out; "
        f'recall(observation="{name}", page={page}) goes on, with find it shows only the lines that hold a text.'
    )


def result_stub(name: ResultId, answer: ToolAnswered) -> str:
    """One line in place of an old result."""
    size = f"{len(answer.text)} characters"
    return f'[{name}, an older result, folded: {answer.name} · {size}; recall(observation="{name}") shows it again]'


def _calls(one: StoredEvent) -> Sequence[ToolCall]:
    return one.event.calls if isinstance(one.event, AssistantSaid) else ()
