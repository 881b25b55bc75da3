"""Keeps what proves an answer: quotes of pages that were observed, and the task card with its facts."""

import asyncio
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from typing import Literal

from app.agent.answers import Answer, not_done
from app.agent.transcript import Transcript
from app.context.evidence.card import newest_card, what_is_wrong
from app.context.evidence.grounding import QUOTE_CAP, Grounded, Source, digest_of, ground, nearest, says_more
from app.context.evidence.quotes import held, kept_quotes, pinned_ids
from app.context.files.paper import page_at
from app.context.page.reading import is_only_a_choice
from app.context.page.shield import page_words
from app.context.request.view import observations
from app.domain.events import QuoteKept, QuotePinned, TaskCardKept
from app.domain.ids import QuoteId, ToolCallId
from app.domain.records import Quote, TaskCard

_TO_SHORTEN = "A quote is kept whole or not at all: give the sentence that decides, or two quotes."
_TO_GROUND = (
    "Copy them exactly, as the page has them: whole numbers, no bars and roles of the tree; or look at the page first."
)


class Evidence:
    """The quotes and the card of one conversation; used from the engine thread only."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._advised: frozenset[str] = frozenset()
        self._keeping = asyncio.Lock()  # protects the numbers of quotes, which agent and person may keep at once

    async def keep_quote(self, text: str, why: str) -> Answer:
        """For the agent: kept only when the text stands in a stored observation, the newest first."""
        kept = await self._keep(text, why, by="agent")
        if isinstance(kept, _NotKept):
            line = await self._nearest(text) if kept.stands_nowhere else ""
            way_on = " ".join(part for part in (self._advice(kept), line) if part)
            return not_done(f"the quote was not kept: {kept.reason}", way_on)
        name = kept.quote.id
        if not kept.is_new:
            more = "" if kept.quote.text == kept.found.text else ", with more around it"
            return Answer(f"This is kept already as [{name}]{more}.")
        whole = f" The page’s whole words are “{page_words(kept.found.text, QUOTE_CAP)}”."
        more = whole if says_more(kept.found, text) else ""
        source = f"from {page_words(kept.quote.url)} ({kept.quote.observation})"
        is_choice = is_only_a_choice(kept.found.source.text, kept.found.offset)
        choice = " There it is only a choice, not what is chosen." if is_choice else ""
        return Answer(f"Kept as [{name}] {source}.{more}{choice} Cite it as [{name}].")

    async def keep_marked(self, text: str) -> str:
        """For the person, who marked it on a page: what they must know; nothing when it was kept."""
        kept = await self._keep(text, "marked by the person", by="person")
        if isinstance(kept, _NotKept):
            if kept.stands_nowhere:
                return "The marked text was not kept: it stands on no page as it was read."
            return f"The marked text was not kept: {kept.reason}."
        return "" if kept.is_new else f"The marked text is kept already, as {kept.quote.id}."

    async def pin(self, name: QuoteId, *, pinned: bool) -> bool:
        """Keep a quote in the model's view, or let it go; False when there is no such quote."""
        if name not in {quote.id for quote in kept_quotes(self._transcript.events)}:
            return False
        if (name in pinned_ids(self._transcript.events)) != pinned:
            await self._transcript.add(QuotePinned(name, pinned))
        return True

    async def keep_card(self, card: TaskCard, call: ToolCallId) -> Answer:
        """The card that counts from here on, whole."""
        events = self._transcript.events
        wrong = what_is_wrong(card, kept_quotes(events))
        if wrong:
            return not_done("the card was not kept", wrong)
        if card == newest_card(events):
            return Answer("The card says this already.")
        await self._transcript.add(TaskCardKept(card, call))
        return Answer(f"Kept: {len(card.done)} done, {len(card.open)} open, {len(card.facts)} facts.")

    async def _keep(self, text: str, why: str, *, by: Literal["agent", "person"]) -> "_Kept | _NotKept":
        async with self._keeping:
            found = _NotKept(_too_long(text)) if len(text) > QUOTE_CAP else await self._ground(text)
            if isinstance(found, Grounded) and len(found.text) > QUOTE_CAP:
                found = _NotKept(_too_long(found.text))
            if isinstance(found, _NotKept):
                return found
            kept = kept_quotes(self._transcript.events)
            same = held(found.text, found.source.url, kept)
            quote = same or _quote(QuoteId(f"q{len(kept) + 1}"), found, why, by)
            if same is None:
                await self._transcript.add(QuoteKept(quote))
            return _Kept(quote, found, is_new=same is None)

    async def _ground(self, text: str) -> "Grounded | _NotKept":
        async for source in self._sources():
            found = await asyncio.to_thread(ground, text, (source,))
            if isinstance(found, Grounded):
                return _with_page(found) if source.is_paper else found
        return _NotKept("these words stand on no page that was shown", stands_nowhere=True)

    def _advice(self, found: "_NotKept") -> str:
        """How to do better is said once for each thing that can be wrong."""
        advice = _TO_GROUND if found.stands_nowhere else _TO_SHORTEN
        said, self._advised = advice in self._advised, self._advised | {advice}
        return "" if said else advice

    async def _nearest(self, text: str) -> str:
        async for source in self._sources():
            line = await asyncio.to_thread(nearest, text, source)
            return f"The newest page says: “{page_words(line, 300)}”" if line else ""
        return ""

    async def _sources(self) -> AsyncIterator[Source]:
        """Every page that was observed, newest first; one that was recalled stands at the place where it was seen."""
        read: set[str] = set()
        for one in reversed(list(observations(self._transcript.events))):
            observation = one.observation
            if observation.reading in read or observation.shown_as == "recalled":
                continue
            read.add(observation.reading)
            text = (await self._transcript.record.blob(observation.reading)).decode()
            yield Source(observation.id, observation.url, observation.title, text, observation.is_paper)


@dataclass(frozen=True, slots=True)
class _Kept:
    quote: Quote
    found: Grounded
    is_new: bool


@dataclass(frozen=True, slots=True)
class _NotKept:
    reason: str
    stands_nowhere: bool = False


def _with_page(found: Grounded) -> Grounded:
    """A quote of a paper names its page, in the way in which browsers open one at it."""
    source, page = found.source, page_at(found.source.text, found.offset)
    if page is None:
        return found
    url = f"{source.url.partition('#')[0]}#page={page}"
    return replace(found, source=replace(source, url=url, title=f"{source.title}, page {page}"))


def _too_long(text: str) -> str:
    return f"it has {len(text):,} characters, {len(text) - QUOTE_CAP:,} more than the {QUOTE_CAP:,} that are kept"


def _quote(name: QuoteId, found: Grounded, why: str, by: Literal["agent", "person"]) -> Quote:
    return Quote(
        id=name,
        text=found.text,
        why=why,
        observation=found.source.observation,
        url=found.source.url,
        title=found.source.title,
        offset=found.offset,
        taken_at=time.time(),
        digest=digest_of(found.source.url, found.text),
        by=by,
    )
