"""Keeps quotes and brings old pages back."""

import asyncio
import time
from collections.abc import AsyncIterator

from app.agent.answers import Answer, refusal
from app.agent.observing import fenced_anew
from app.agent.transcript import Transcript
from app.context.grounding import Grounded, Source, Ungrounded, admit, digest_of, ground, nearest
from app.context.render import without_refs
from app.context.shield import page_words
from app.context.view import observations
from app.domain.events import QuoteKept
from app.domain.ids import ObservationId, QuoteId
from app.domain.records import Quote

RECALL_PAGE = 12_000  # characters


class Remembering:
    """The record of one conversation as the model can use it."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript
        self._files: dict[str, str] = {}
        self._keeping = asyncio.Lock()  # protects the numbers of quotes, which agent and person may keep at once

    @property
    def quotes(self) -> list[Quote]:
        """Every quote of the conversation, oldest first."""
        return [one.event.quote for one in self._transcript.events if isinstance(one.event, QuoteKept)]

    async def keep_quote(self, text: str, why: str, *, by_person: bool = False) -> Answer:
        """Kept only when the text stands in a stored observation, the newest first."""
        async with self._keeping:
            return await self._keep_quote(text, why, by_person=by_person)

    async def _keep_quote(self, text: str, why: str, *, by_person: bool) -> Answer:
        found: Grounded | Ungrounded = Ungrounded("No page was observed yet.")
        async for source in self._sources():
            found = await asyncio.to_thread(ground, text, (source,))
            if isinstance(found, Grounded) or not text.strip():
                break
        if isinstance(found, Ungrounded):
            return Answer(refusal(f"the quote was not kept. {found.reason}", await self._nearest(text)), is_error=True)
        kept = self.quotes
        verdict = admit(found, kept)
        if isinstance(verdict, Ungrounded):
            return Answer(refusal(verdict.reason), is_error=True)
        if verdict is not None:
            return Answer(f"This quote is kept already as [{verdict.id}].")
        quote = Quote(
            id=QuoteId(f"q{len(kept) + 1}"),
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
        await self._transcript.add(QuoteKept(quote))
        return Answer(
            f"Kept as [{quote.id}] from {page_words(quote.url)} ({quote.observation}). Cite it as [{quote.id}]."
        )

    async def recall(self, name: ObservationId, find: str, page: int) -> Answer:
        """An older page as it was: dated, without refs, dead from the start."""
        seen = {one.observation.id: (one.observation, one.seq) for one in observations(self._transcript.events)}
        if name not in seen:
            known = f"{next(iter(seen))} to {next(reversed(seen))}" if seen else "none yet"
            return Answer(refusal(f"there is no observation {name}", f"Known: {known}."), is_error=True)
        observation, seq = seen[name]
        at = next(one.at for one in self._transcript.events if one.seq == seq)
        full = (await self._transcript.record.blob(observation.tree)).decode()
        lines = without_refs(full).splitlines()
        if find:
            lines = [line for line in lines if find.casefold() in line.casefold()]
            if not lines:
                return Answer(f"{name} holds no line with “{find}”; all of it was searched.", is_error=True)
        text = "\n".join(lines)
        pages = max(1, -(-len(text) // RECALL_PAGE))
        if page > pages:
            return Answer(refusal(f"{name} has {pages} pages"), is_error=True)
        part = text[(page - 1) * RECALL_PAGE : page * RECALL_PAGE]
        when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at))
        title, url = page_words(observation.title), page_words(observation.url)
        head = f"{name} as it was at {when}, “{title}” {url}; page {page} of {pages}. "
        return Answer(head + "It is a record: nothing on it can be acted on.\n" + fenced_anew(part))

    def give_file(self, path: str) -> str:
        """A handle for a file the person chose."""
        handle = f"file{len(self._files) + 1}"
        self._files[handle] = path
        return handle

    def files(self, handles: list[str]) -> tuple[str, ...] | str:
        """The paths behind handles, or the refusal when one was never given."""
        unknown = [handle for handle in handles if handle not in self._files]
        if unknown:
            have = ", ".join(self._files) or "none; ask the person with ask_user and takeOver to choose it in the page"
            return refusal(f"{', '.join(unknown)} is no file the person gave", f"Given: {have}.")
        return tuple(self._files[handle] for handle in handles)

    async def _nearest(self, text: str) -> str:
        async for source in self._sources():
            line = await asyncio.to_thread(nearest, text, source)
            return f"The newest page says: “{page_words(line, 300)}”" if line else ""
        return ""

    async def _sources(self) -> AsyncIterator[Source]:
        seen: set[str] = set()
        for one in reversed(list(observations(self._transcript.events))):
            observation = one.observation
            if observation.reading in seen:
                continue
            seen.add(observation.reading)
            text = (await self._transcript.record.blob(observation.reading)).decode()
            yield Source(observation.id, observation.url, observation.title, text)
