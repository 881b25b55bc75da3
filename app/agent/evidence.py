"""Keeps what proves an answer: quotes of pages that were observed, and the task card with its facts."""

import asyncio
import time
from collections.abc import AsyncIterator

from app.agent.answers import Answer, refusal
from app.agent.transcript import Transcript
from app.context.card import newest_card, what_is_wrong
from app.context.grounding import QUOTE_CAP, Grounded, Source, digest_of, ground, nearest, says_more
from app.context.quotes import held, kept_quotes, pinned_ids
from app.context.shield import page_words
from app.context.view import observations
from app.domain.events import QuoteKept, QuotePinned, TaskCardKept
from app.domain.ids import QuoteId, ToolCallId
from app.domain.records import Quote, TaskCard


class Evidence:
    """The quotes and the card of one conversation; used from the engine thread only."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._told_of_length = False
        self._keeping = asyncio.Lock()  # protects the numbers of quotes, which agent and person may keep at once

    async def keep_quote(self, text: str, why: str, *, by_person: bool = False) -> Answer:
        """Kept only when the text stands in a stored observation, the newest first."""
        async with self._keeping:
            return await self._keep_quote(text, why, by_person=by_person)

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
            return Answer(refusal("the card was not kept", wrong), is_error=True)
        if card == newest_card(events):
            return Answer("The card says this already.")
        await self._transcript.add(TaskCardKept(card, call))
        return Answer(f"Kept: {len(card.done)} done, {len(card.open)} open, {len(card.facts)} facts.")

    async def _keep_quote(self, text: str, why: str, *, by_person: bool) -> Answer:
        if len(text) > QUOTE_CAP:
            return self._too_long(len(text))
        found = await self._ground(text)
        if isinstance(found, str):
            return Answer(refusal(f"the quote was not kept. {found}", await self._nearest(text)), is_error=True)
        if len(found.text) > QUOTE_CAP:
            return self._too_long(len(found.text))
        kept = kept_quotes(self._transcript.events)
        same = held(found.text, found.source.url, kept)
        if same is not None:
            more = "" if same.text == found.text else ", with more around it"
            return Answer(f"This is kept already as [{same.id}]{more}.")
        quote = _quote(QuoteId(f"q{len(kept) + 1}"), found, why, by_person=by_person)
        await self._transcript.add(QuoteKept(quote))
        source = f"from {page_words(quote.url)} ({quote.observation})"
        whole = f" The page’s whole words are “{page_words(quote.text, QUOTE_CAP)}”." if says_more(found, text) else ""
        return Answer(f"Kept as [{quote.id}] {source}.{whole} Cite it as [{quote.id}].")

    async def _ground(self, text: str) -> Grounded | str:
        """Where it stands, or why it cannot be kept."""
        reason = "No page was observed yet."
        async for source in self._sources():
            found = await asyncio.to_thread(ground, text, (source,))
            if isinstance(found, Grounded):
                return found
            reason = found.reason
            if not text.strip():
                break
        return reason

    def _too_long(self, size: int) -> Answer:
        over = f"the quote was not kept: it has {size:,} characters, {size - QUOTE_CAP:,} too many"
        advice = "" if self._told_of_length else "It is kept whole or not at all: quote the sentence that decides."
        self._told_of_length = True
        return Answer(refusal(over, advice), is_error=True)

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
            yield Source(observation.id, observation.url, observation.title, text)


def _quote(name: QuoteId, found: Grounded, why: str, *, by_person: bool) -> Quote:
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
        by="person" if by_person else "agent",
    )
