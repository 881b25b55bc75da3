"""Brings back what left the model's view: old pages, results of tools and quotes, as a record and never as a page."""

import time
from dataclasses import dataclass

from app.agent.answers import Answer, not_done
from app.agent.observing import Observing, fenced_anew
from app.agent.transcript import Transcript
from app.context.evidence.quotes import kept_quotes
from app.context.page.render import without_refs
from app.context.page.shield import page_words
from app.context.request.clearing import result_names
from app.context.request.record_pages import lines_with, pages_of
from app.context.request.view import action_of, observations
from app.domain.events import AssistantSaid, ToolAnswered
from app.domain.observation import Observation

PAGE_CHARACTERS = 12_000


@dataclass(frozen=True, slots=True)
class _Kept:
    """What is on record under a name: where it came from, all its text, and the observation when it is a page."""

    head: str
    text: str
    page: Observation | None = None


async def recall(transcript: Transcript, observing: Observing, name: str, find: str, page: int) -> Answer:
    """One page of 12,000 characters, or only the lines that hold `find`, under the lines they belong to."""
    name = name.strip().strip("[]").lower()
    kept = await _kept(transcript, name)
    if kept is None:
        return not_done(f"there is no {name} on record", _known(transcript))
    lines = kept.text.splitlines()
    if find:
        lines = lines_with(lines, find)
        if not lines:
            return Answer(f"{name} holds no line with “{page_words(find)}”; all of it was searched.", is_error=True)
    pages = pages_of(lines, page_characters(observing))
    if page > len(pages):
        return not_done(f"{name} has {len(pages)} {'page' if len(pages) == 1 else 'pages'}")
    more = f"; page={page + 1} goes on" if page < len(pages) else ""
    head = f"{kept.head}, page {page} of {len(pages)}{more}. It is a record: nothing on it can be acted on."
    shown = fenced_anew(pages[page - 1])
    if kept.page is None:
        return Answer(f"{head}\n{shown}")
    return Answer(head, observation=observing.recalled(kept.page, shown))


def page_characters(observing: Observing) -> int:
    """The longest page of a record."""
    return min(PAGE_CHARACTERS, observing.page_characters)


async def _kept(transcript: Transcript, name: str) -> _Kept | None:
    kind = name[:1]
    if kind == "o":
        return await _page(transcript, name)
    if kind == "r":
        return await _result(transcript, name)
    quote = next((one for one in kept_quotes(transcript.events) if one.id == name), None)
    if quote is None:
        return None
    head = f"[{quote.id}], kept at {_when(quote.taken_at)} from “{page_words(quote.title)}” {page_words(quote.url)}"
    return _Kept(head, quote.text)


async def _page(transcript: Transcript, name: str) -> _Kept | None:
    seen = next((one for one in observations(transcript.events) if one.observation.id == name), None)
    if seen is None:
        return None
    one = seen.observation
    at = next(stored.at for stored in transcript.events if stored.seq == seen.seq)
    text = without_refs((await transcript.record.blob(one.tree)).decode())
    return _Kept(f"{name} as it was at {_when(at)}, “{page_words(one.title)}” {page_words(one.url)}", text, one)


async def _result(transcript: Transcript, name: str) -> _Kept | None:
    names = result_names(transcript.events)
    for stored in transcript.events:
        if isinstance(stored.event, ToolAnswered) and names[stored.event.call] == name:
            return await _result_of(transcript, name, stored.event, stored.at)
    return None


async def _result_of(transcript: Transcript, name: str, answer: ToolAnswered, at: float) -> _Kept:
    """A result with the arguments of its call, which may have been folded as well."""
    whole = (await transcript.record.blob(answer.whole)).decode() if answer.whole else answer.text
    said = [one.event for one in transcript.events if isinstance(one.event, AssistantSaid)]
    asked = next((one.arguments for turn in said for one in turn.calls if one.id == answer.call), "")
    return _Kept(f"{name}, {action_of(answer)}, as it was at {_when(at)}", f"{asked}\n{without_refs(whole)}")


def _known(transcript: Transcript) -> str:
    """What can be asked for."""
    pages = [one.observation.id for one in observations(transcript.events)]
    results = list(result_names(transcript.events).values())
    quotes = [one.id for one in kept_quotes(transcript.events)]
    known = [f"{names[0]} to {names[-1]}" for names in (pages, results, quotes) if names]
    return f"Known: {', '.join(known)}." if known else "Nothing is on record yet."


def _when(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at))
