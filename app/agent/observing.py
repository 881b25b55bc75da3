"""Makes observations: looks at the page, gives refs their identity, shows what the model has not seen yet."""

import asyncio
import itertools
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from app.agent.answers import Answer, not_done
from app.agent.patterns import TimedPattern
from app.agent.pictures import Pictures
from app.agent.ports import Browser
from app.agent.transcript import Transcript
from app.context.page.find import find, found_words, searched
from app.context.page.partial import Part, read_part
from app.context.page.reading import reading_text
from app.context.page.render import without_refs
from app.context.page.shield import fenced, page_words, shield_text
from app.context.page.shown import Base, Shown, show
from app.context.progress.fingerprint import fingerprint
from app.context.refs.identity import RefTable, retire_all
from app.context.request.view import chain_of, observations
from app.domain.events import ConversationStarted
from app.domain.ids import BlobHash, DocumentId, ObservationId, Ref, TabId
from app.domain.observation import Observation, PictureFacts, RefRecord
from app.domain.pages import Look
from app.domain.snapshot import walk

UNSEEN = ObservationId("o0")  # of a look that no model was shown; it is never put on record
PAGE_CHARACTERS = 14_000
_WORDS_OF_A_NODE = 60
_MOST_TEXTS = 24  # that match a pattern on a page of which only parts are read


@dataclass(frozen=True, slots=True)
class Seeing:
    """An observation with what the agent itself needs of it."""

    observation: Observation
    shown: Shown
    look: Look
    fingerprint: str
    at: float = 0.0  # seconds of the monotonic clock


_FIELDS = frozenset({"textbox", "searchbox", "spinbutton", "combobox"})


class Observing:
    """Holds the refs and the bases of one conversation; used from the engine thread only."""

    def __init__(
        self, browser: Browser, transcript: Transcript, *, page_characters: int = PAGE_CHARACTERS, terse: bool = False
    ) -> None:
        """With `terse` the reader keeps every view, so that what one of them told is not told again."""
        self.browser = browser
        self.page_characters = page_characters  # the longest view of a page
        self._terse = terse
        self.fallback: int | None = None  # the longest one that stands for too many changes
        self._transcript = transcript
        given = [seen.observation for seen in observations(transcript.events)]
        self._observations = max((int(one.id[1:]) for one in given), default=0)
        self._table = RefTable(next_number=max((one.next_ref for one in given), default=1))
        self._bases: dict[tuple[TabId, DocumentId], Base] = {}
        self.last: Seeing | None = None
        self.pictures = Pictures()
        self._looking = asyncio.Lock()  # protects the refs: two looks at once would give one ref to two things

    def record(self, ref: Ref) -> RefRecord | None:
        """What is known of a ref; None when it was never given in this run of the program."""
        return self._table.records.get(ref)

    def ref_of(self, document: DocumentId | None, driver_ref: str) -> Ref | None:
        """The living ref of a node of the active tab, by what the driver calls it."""
        if self.last is None or document is None:
            return None
        ref = self._table.nodes.get((self.last.look.tab, document, driver_ref))
        record = self.record(ref) if ref is not None else None
        return ref if record is not None and record.alive else None

    def ref_in(self, tab: TabId, driver_ref: str) -> Ref | None:
        """The same in whatever frame of a tab it is."""
        records = self._table.records.items()
        found = (ref for ref, one in records if one.alive and (one.tab, one.driver_ref) == (tab, driver_ref))
        return next(found, None)

    def text_of(self, ref: Ref) -> str:
        """What stands on a node of the newest page that has no name; empty when there is nothing or too much."""
        node = next((one for one in walk(self.last.shown.tree) if one.ref == ref), None) if self.last else None
        words = " ".join(one.text for one in walk(node) if one.text) if node else ""
        return words if len(words) <= _WORDS_OF_A_NODE else ""

    def in_fields(self) -> tuple[str, ...]:
        """What the fields of the page hold, as it was read last."""
        nodes = walk(self.last.shown.tree) if self.last is not None else ()
        return tuple(node.text for node in nodes if node.role in _FIELDS and node.text and "password" not in node.marks)

    def was_given(self, ref: Ref) -> bool:
        """Whether some earlier run of the program gave this ref."""
        number = ref[1:]
        return number.isdecimal() and 0 < int(number) < self._table.next_number

    def retire(self, fate: str) -> None:
        """Every ref given so far can never act again, and the next page is shown whole."""
        self._table = retire_all(self._table, fate)
        self._bases.clear()
        self.pictures = Pictures()

    async def see(self, want: Literal["auto", "whole"] = "auto", acted_on: Ref | None = None) -> Seeing:
        """Look at the active tab, for the model: what it is shown becomes the base of the next changes."""
        seeing = await self._look(self._new_id(), want, acted_on=acted_on)
        if seeing.shown.base is not None:
            self._bases[seeing.look.tab, seeing.look.document] = seeing.shown.base
        return seeing

    async def glance(self, near: tuple[str, ...] = ()) -> Seeing:
        """Look without showing it to the model: refs are bound anew, what it has in view stays the base."""
        return await self._look(UNSEEN, "whole", near)

    async def _look(
        self,
        name: ObservationId,
        want: Literal["auto", "whole"],
        near: tuple[str, ...] = (),
        acted_on: Ref | None = None,
    ) -> Seeing:
        async with self._looking:
            return await self._look_alone(name, want, near, acted_on)

    async def _look_alone(
        self, name: ObservationId, want: Literal["auto", "whole"], near: tuple[str, ...], acted_on: Ref | None
    ) -> Seeing:
        look = await self.browser.look(near)
        base = self._base_in_view((look.tab, look.document))
        fence = secrets.token_hex(3)
        shown = await asyncio.to_thread(
            show,
            look,
            self._table,
            base,
            id=name,
            fence=fence,
            limit=self.page_characters,
            want=want,
            terse=self._terse,
            fallback=self.fallback,
            acted_on=acted_on,
        )
        self._table = shown.table
        tree = await self._transcript.put_text(shown.full_text)
        reading = await self._transcript.put_text(reading_text(shown.tree))
        observation = Observation(
            id=name,
            tab=look.tab,
            document=look.document,
            url=look.url,
            title=look.title,
            shown_as=shown.shown_as,
            shown=shown.text,
            tree=tree,
            reading=reading,
            fence=fence,
            nodes_shown=shown.nodes_shown,
            nodes_total=shown.nodes_total,
            next_ref=shown.table.next_number,
            base=base.id if base and shown.shown_as in ("changes", "same") else None,
            is_paper=look.is_paper,
        )
        mark = fingerprint(shown.tree, look.url, look.document, look.tab)
        self.last = Seeing(observation, shown, look, mark, time.monotonic())
        return self.last

    def next_id(self) -> ObservationId:
        """The id that the next observation will have."""
        return ObservationId(f"o{self._observations + 1}")

    def _new_id(self) -> ObservationId:
        self._observations += 1
        return ObservationId(f"o{self._observations}")

    def partial(self, text: str, picture: PictureFacts | None = None, tree: BlobHash | None = None) -> Observation:
        """A look that moves no base: part of the newest page, found or opened again, or a picture of it.

        `tree` is the blob of what `recall` shows of it, where that is not the page.
        """
        if self.last is None:
            raise ValueError("a partial look needs a page that was looked at")
        newest = self.last.observation
        return Observation(
            id=self._new_id(),
            tab=newest.tab,
            document=newest.document,
            url=newest.url,
            title=newest.title,
            shown_as="partial",
            shown=text,
            tree=tree or newest.tree,
            reading=newest.reading,
            fence=newest.fence,
            nodes_shown=text.count("\n") + 1,
            nodes_total=newest.nodes_total,
            next_ref=self._table.next_number,
            is_paper=newest.is_paper,
            picture=picture,
        )

    async def of_file(self, url: str, title: str, text: str, whole: str, *, is_paper: bool) -> Observation:
        """What was read of a file, between marks of its own: dead from the start, moves no base, and can be quoted."""
        fence = secrets.token_hex(3)
        stored = await self._transcript.put_text(shield_text(whole, fence))
        return Observation(
            id=self._new_id(),
            tab=TabId(0),
            document=DocumentId(url),
            url=url,
            title=title,
            shown_as="file",
            shown=fenced(shield_text(text, fence), fence),
            tree=stored,
            reading=stored,
            fence=fence,
            nodes_shown=text.count("\n") + 1,
            nodes_total=whole.count("\n") + 1,
            next_ref=self._table.next_number,
            is_paper=is_paper,
        )

    def recalled(self, page: Observation, text: str) -> Observation:
        """An older page that is shown again as a record: dead from the start, and no base of anything."""
        return replace(
            page,
            id=self._new_id(),
            shown_as="recalled",
            shown=text,
            next_ref=self._table.next_number,
            base=page.base if page.shown_as == "recalled" else page.id,
        )

    async def part(self, wanted: Part) -> Answer:
        """A part of the page as it is now, which moves no base."""
        tree = (await self.glance()).shown.tree
        read = await asyncio.to_thread(read_part, tree, wanted, self.page_characters)
        if read.reason:
            return not_done(read.reason, read.way_on)
        return Answer(read.words, observation=self.partial(fenced_anew(read.text)))

    async def find(self, text: str | None, pattern: TimedPattern | None, page: int = 1) -> Answer:
        """Where it stands on the newest page, also in what was left out of the view. Raises BadPattern."""
        near: tuple[str, ...] = (text,) if text else ()
        if pattern is not None and self.last is not None and self.last.look.in_parts:
            near = await self._texts_of(pattern)
        seeing = await self.glance(near)
        tree = seeing.shown.tree
        everywhere = seeing.look.searched or searched(tree)
        if pattern is not None and seeing.look.in_parts and not near:
            everywhere = "all of the page's text, cell by cell and row by row, with bars between the cells"
        found = await asyncio.to_thread(find, tree, text, pattern, page)
        if not found.total:
            return Answer(f"Not found. Searched: {everywhere}.")
        if not found.texts:
            return not_done(f"there is no page {page} of the places, only {found.pages}")
        words = f"{found_words(found)} (searched: {everywhere}):"
        return Answer(words, observation=self.partial(fenced_anew("\n".join(found.texts))))

    async def _texts_of(self, pattern: TimedPattern) -> tuple[str, ...]:
        """The texts of the whole page that match, for a page whose tree holds only parts of it."""
        lines = (await self.browser.text()).split("\n")
        return await asyncio.to_thread(_matching, lines, pattern)

    def what_changed(self, before: Seeing | None, after: Seeing) -> str:
        """What a person's hands changed, for the model: its old refs are dead, so it is told in words."""
        if before is None:
            return "The person had the browser and handed it back. This is the page now."
        if before.observation.url != after.observation.url:
            left = page_words(before.observation.url)
            return f"The person had the browser and handed it back. They went from {left} to this page."
        if before.fingerprint == after.fingerprint:
            return "The person had the browser and handed it back. Nothing on the page is different."
        then, now = before.shown.full_text.splitlines(), after.shown.full_text.splitlines()
        new = [line for line in without_refs("\n".join(now)).splitlines() if line not in set(then)]
        return f"The person had the browser and handed it back. On the page {len(new)} lines are new or different."

    def _base_in_view(self, key: tuple[TabId, DocumentId]) -> Base | None:
        """The base when all it rests on is in the model's view, and not so long a chain that a whole page is better.

        A look whose result never came on record, as after a stop, is none.
        """
        base = self._bases.get(key)
        started = self._transcript.events[0].event
        if base is None or (isinstance(started, ConversationStarted) and started.policy == "newest"):
            return None
        chain = chain_of(self._transcript.events, *key)
        return base if chain.newest == base.id and chain.in_view and not chain.is_long else None


def fenced_anew(text: str) -> str:
    """Lines of a page that was shown, between marks made just now; they were shielded then and keep their refs."""
    return fenced(text, secrets.token_hex(3))


def fenced_raw(text: str) -> str:
    """Words of a page that were never shown, between marks made just now."""
    fence = secrets.token_hex(3)
    return fenced(shield_text(text, fence), fence)


def _matching(lines: list[str], pattern: TimedPattern) -> tuple[str, ...]:
    """The cells that match; of a row that matches only as a whole, with bars as it is shown, its longest cell."""
    return tuple(itertools.islice(_matches(lines, pattern), _MOST_TEXTS))


def _matches(lines: list[str], pattern: TimedPattern) -> Iterator[str]:
    for line in lines:
        cells = [cell.strip() for cell in line.split("\t") if cell.strip()]
        found = [cell for cell in cells if pattern.search(cell)]
        if not found and len(cells) > 1 and pattern.search(" | ".join(cells)):
            found = [max(cells, key=len)]
        yield from found
