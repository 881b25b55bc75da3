"""Makes observations: looks at the page, gives refs their identity, shows what the model has not seen yet."""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from app.agent.ports import Browser
from app.agent.transcript import Transcript
from app.context.identity import RefTable, identify, retire_all
from app.context.lean import lean
from app.context.progress import fingerprint
from app.context.reading import reading_text
from app.context.render import render, without_refs
from app.context.shield import fenced, shield_text
from app.context.shown import Base, Shown, show
from app.context.view import observations, stubs
from app.domain.ids import DocumentId, ObservationId, Ref, TabId
from app.domain.observation import Observation, RefRecord
from app.domain.pages import Look
from app.domain.snapshot import SnapshotNode, walk

PAGE_CAP = 14_000  # characters of a shown page
FIND_CAP = 40  # lines of one search


@dataclass(frozen=True, slots=True)
class Seeing:
    """An observation with what the agent itself needs of it."""

    observation: Observation
    shown: Shown
    look: Look
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Found:
    """Lines that hold what was searched, the first ones of `total`."""

    lines: tuple[str, ...]
    total: int


class Observing:
    """Holds the refs and the bases of one conversation; used from the engine thread only."""

    def __init__(self, browser: Browser, transcript: Transcript) -> None:
        self.browser = browser
        self._transcript = transcript
        given = [seen.observation for seen in observations(transcript.events)]
        self._observations = max((int(one.id[1:]) for one in given), default=0)
        self._table = RefTable(next_number=max((one.next_ref for one in given), default=1))
        self._bases: dict[tuple[TabId, DocumentId], Base] = {}
        self.last: Seeing | None = None

    def record(self, ref: Ref) -> RefRecord | None:
        """What is known of a ref; None when it was never given in this run of the program."""
        return self._table.records.get(ref)

    def was_given(self, ref: Ref) -> bool:
        """Whether some earlier run of the program gave this ref."""
        number = ref[1:]
        return number.isdecimal() and 0 < int(number) < self._table.next_number

    def retire(self, fate: str) -> None:
        """Every ref given so far can never act again, and the next page is shown whole."""
        self._table = retire_all(self._table, fate)
        self._bases.clear()

    async def see(self, want: Literal["auto", "whole"] = "auto") -> Seeing:
        """Look at the active tab and keep what was seen."""
        look = await self.browser.look()
        key = (look.tab, look.document)
        base = self._base_in_view(key)
        self._observations += 1
        name = ObservationId(f"o{self._observations}")
        fence = secrets.token_hex(3)
        shown = await asyncio.to_thread(show, look, self._table, base, id=name, fence=fence, limit=PAGE_CAP, want=want)
        self._table = shown.table
        if shown.base is not None:
            self._bases[key] = shown.base
        record = self._transcript.record
        tree = await record.put_blob(_stored(shown.full_text))
        reading = await record.put_blob(_stored(reading_text(shown.tree)))
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
        )
        mark = fingerprint(shown.tree, look.url, look.document, look.tab)
        self.last = Seeing(observation, shown, look, mark)
        return self.last

    async def refresh(self) -> None:
        """Look only to bind refs anew; the model is shown nothing, so what it has in view stays the base."""
        look = await self.browser.look()
        self._table = (await asyncio.to_thread(identify, self._table, look)).table

    def partial(self, text: str) -> Observation:
        """A look that moves no base: part of the newest page, found or opened again."""
        if self.last is None:
            raise ValueError("a partial look needs a page that was looked at")
        self._observations += 1
        newest = self.last.observation
        return Observation(
            id=ObservationId(f"o{self._observations}"),
            tab=newest.tab,
            document=newest.document,
            url=newest.url,
            title=newest.title,
            shown_as="partial",
            shown=text,
            tree=newest.tree,
            reading=newest.reading,
            fence=newest.fence,
            nodes_shown=text.count("\n") + 1,
            nodes_total=newest.nodes_total,
            next_ref=self._table.next_number,
        )

    def part(self, ref: Ref | None, depth: int | None, *, boxes: bool = False) -> str | None:
        """A part of the newest page, down to a depth; None when the ref is not on it. Boxes are in CSS pixels."""
        if self.last is None:
            return None
        tree = self.last.shown.tree
        found = tree if ref is None else next((node for node in walk(tree) if node.ref == ref), None)
        if found is None:
            return None
        root = SnapshotNode("page", children=(found,)) if ref is not None else found
        leaned = lean(_down_to(root, depth + (ref is not None)) if depth else root)
        return fenced_anew(render(_with_boxes(leaned) if boxes else leaned))

    async def find(self, matches: Callable[[str], bool]) -> Found:
        """Lines of the newest page, also of what was left out of the view. Raises BadPattern."""
        if self.last is None:
            return Found((), 0)
        lines = self.last.shown.full_text.splitlines()
        hits = await asyncio.to_thread(lambda: [line.strip() for line in lines if matches(line)])
        return Found(tuple(hits[:FIND_CAP]), len(hits))

    def what_changed(self, before: Seeing | None, after: Seeing) -> str:
        """What a person's hands changed, for the model: its old refs are dead, so it is told in words."""
        if before is None:
            return "The person had the browser and handed it back. This is the page now."
        if before.observation.url != after.observation.url:
            return (
                f"The person had the browser and handed it back. They went from {before.observation.url} to this page."
            )
        if before.fingerprint == after.fingerprint:
            return "The person had the browser and handed it back. Nothing on the page is different."
        then, now = before.shown.full_text.splitlines(), after.shown.full_text.splitlines()
        new = [line for line in without_refs("\n".join(now)).splitlines() if line not in set(then)]
        return f"The person had the browser and handed it back. On the page {len(new)} lines are new or different."

    def _base_in_view(self, key: tuple[TabId, DocumentId]) -> Base | None:
        base = self._bases.get(key)
        if base is None or base.id in stubs(self._transcript.events):
            return None
        return base


def fenced_anew(text: str) -> str:
    """Lines of a page that was shown, between marks made just now; they were shielded then and keep their refs."""
    return fenced(text, secrets.token_hex(3))


def fenced_raw(text: str) -> str:
    """Words of a page that were never shown, between marks made just now."""
    fence = secrets.token_hex(3)
    return fenced(shield_text(text, fence), fence)


def _down_to(node: SnapshotNode, depth: int) -> SnapshotNode:
    if depth <= 0:
        return replace(node, children=())
    return replace(node, children=tuple(_down_to(child, depth - 1) for child in node.children))


def _with_boxes(node: SnapshotNode) -> SnapshotNode:
    box = node.box
    states = node.states if box is None else (*node.states, f"box={box.x:g},{box.y:g},{box.width:g},{box.height:g}")
    return replace(node, states=states, children=tuple(_with_boxes(child) for child in node.children))


def _stored(text: str) -> bytes:
    """A page can hold half a character pair, which no encoding knows."""
    return text.encode(errors="replace")
