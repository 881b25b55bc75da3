"""One run over a look that keeps, binds anew, gives and ends refs."""

from collections import Counter
from dataclasses import dataclass, replace

from app.context.page.roles import CONTROL_ROLES, can_be_acted_on
from app.context.refs.meaning import difference, frame_prefix, meaning
from app.context.refs.ref_table import NodeKey, Place, RefTable, Replaced, describe
from app.domain.ids import DocumentId, Ref
from app.domain.observation import Meaning, RefRecord
from app.domain.pages import Look
from app.domain.snapshot import FrameInfo, SnapshotNode


@dataclass(slots=True)
class _Candidate:
    node: SnapshotNode
    key: NodeKey
    prefix: str
    meaning: Meaning
    place: Place
    ref: Ref | None = None


class Naming:
    """The steps are called in order; `app.context.refs.identity.identify` does."""

    def __init__(self, table: RefTable, look: Look) -> None:
        self._table = table
        self._look = look
        self._records = dict(table.records)
        self._nodes = dict(table.nodes)
        self._next = table.next_number
        self._frames = _frames_by_prefix(look)
        self._documents = {frame.document for frame in self._frames.values()}
        self._candidates: list[_Candidate] = []
        self._living = {ref for ref, record in table.records.items() if record.alive and record.tab == look.tab}
        self._bound: set[Ref] = set()
        self._refs: dict[str, Ref] = {}
        self.replaced: list[Replaced] = []
        self.gone: list[Ref] = []

    def collect(self, root: SnapshotNode) -> None:
        """Every node worth a ref, with where it stands: its nearest addressable ancestor, its role, its count there."""
        counts: Counter[tuple[NodeKey | None, str]] = Counter()
        stack: list[tuple[SnapshotNode, NodeKey | None, bool, bool]] = [(root, None, False, False)]
        while stack:
            node, parent, is_body, in_control = stack.pop()
            key, frame = self._key_of(node)
            has_focus = "active" in node.states and not is_body
            acts = can_be_acted_on(node, in_control=in_control)
            if key and frame and (acts or has_focus or key in self._nodes):
                counts[parent, node.role] += 1
                place = (frame.document, parent, node.role, counts[parent, node.role])
                self._candidates.append(_Candidate(node, key, frame.prefix, meaning(node, frame.url), place))
            below, is_frame = key or parent, node.role in ("page", "iframe")
            inside = (in_control or node.role in CONTROL_ROLES) and not is_frame
            stack.extend([(child, below, is_frame, inside) for child in reversed(node.children)])

    def keep_same_nodes(self) -> None:
        """The same driver node with the same meaning keeps its ref, also when it was away for some looks."""
        for candidate in self._candidates:
            ref = self._nodes.get(candidate.key)
            if ref is not None and self._records[ref].meaning == candidate.meaning:
                self._bind(candidate, ref)

    def rebind_recreated_nodes(self) -> None:
        """A node that was made anew takes its ref along, when nothing else could be meant, before and now."""
        if self._living <= self._bound or all(candidate.ref is not None for candidate in self._candidates):
            return
        new = Counter((c.key[1], c.prefix, c.meaning) for c in self._candidates)
        old: dict[tuple[DocumentId, str, Meaning], list[Ref]] = {}
        for ref in self._living:
            record = self._records[ref]
            old.setdefault((record.document, record.frame_prefix, record.meaning), []).append(ref)
        for candidate in self._candidates:
            same = (candidate.key[1], candidate.prefix, candidate.meaning)
            before = old.get(same, [])
            if candidate.ref is None and new[same] == 1 and len(before) == 1 and before[0] not in self._bound:
                self._bind(candidate, before[0])

    def name_new_nodes(self) -> None:
        """All others get a new ref; where one stands in the place of a ref that died, it replaced it."""
        places = {self._table.places[ref]: ref for ref in self._living - self._bound if ref in self._table.places}
        for candidate in self._candidates:
            if candidate.ref is not None:
                continue
            before = self._nodes.get(candidate.key)
            if before not in self._living or before in self._bound:
                before = places.get(candidate.place)
            ref = self._new_ref(candidate)
            may_be_there = before is None or (self._look.restless and self._records[before].document in self._documents)
            if before is not None and not may_be_there and self._records[before].alive and before not in self._bound:
                self._replace(before, ref, candidate.meaning)

    def name_one(self, node: SnapshotNode) -> Ref | None:
        """A new ref for a node that `collect` passed over."""
        key, frame = self._key_of(node)
        if key is None or frame is None:
            return None
        candidate = _Candidate(node, key, frame.prefix, meaning(node, frame.url), (key[1], key, "container", 0))
        self._candidates.append(candidate)
        return self._new_ref(candidate)

    def bury(self) -> None:
        """What was alive in this tab and was not found is gone; so is everything of a tab that was closed.

        Of a page that was drawn anew while it was read nothing is gone: it is looked for again before an act.
        """
        found_again = self._successors()
        for ref in sorted(self._living - self._bound, key=_number):
            record = self._records[ref]
            if self._look.restless and record.alive and record.document in self._documents:
                continue
            if record.alive:
                successor = found_again.get(record.meaning)
                self._records[ref] = replace(record, alive=False, fate=self._fate(record), successor=successor)
            self.gone.append(ref)
        self._bury_closed_tabs()
        self._forget_dead_documents()

    def new_table(self) -> RefTable:
        places = {ref: place for ref, place in self._table.places.items() if self._records[ref].alive}
        places.update({c.ref: c.place for c in self._candidates if c.ref is not None})
        documents = {**self._table.documents, self._look.tab: self._look.document}
        return RefTable(self._records, self._next, self._nodes, places, documents)

    def named(self, node: SnapshotNode, *, keep: bool = False) -> SnapshotNode:
        """The tree with the refs given in this run; with `keep` other nodes keep the ref they have."""
        children = tuple([self.named(child, keep=keep) for child in node.children])
        ref = self._refs.get(node.driver_ref, node.ref if keep else None) if node.driver_ref else None
        same_children = all(old is new for old, new in zip(node.children, children, strict=True))
        if ref == node.ref and same_children:
            return node
        return replace(node, ref=ref, children=node.children if same_children else children)

    def _key_of(self, node: SnapshotNode) -> tuple[NodeKey | None, FrameInfo | None]:
        prefix = frame_prefix(node.driver_ref) if node.driver_ref else None
        frame = self._frames.get(prefix) if prefix is not None else None
        if frame is None:
            return None, None
        return (self._look.tab, frame.document, node.driver_ref), frame

    def _bind(self, candidate: _Candidate, ref: Ref) -> None:
        if ref in self._bound:
            return
        record = self._records[ref]
        before = (record.tab, record.document, record.driver_ref)
        if self._nodes.get(before) == ref:
            del self._nodes[before]
        moved = record.driver_ref != candidate.node.driver_ref or record.frame_prefix != candidate.prefix
        if moved or not record.alive:
            self._records[ref] = replace(
                record,
                driver_ref=candidate.node.driver_ref,
                frame_prefix=candidate.prefix,
                alive=True,
                fate="",
                successor=None,
            )
        self._settle(candidate, ref)

    def _new_ref(self, candidate: _Candidate) -> Ref:
        ref = Ref(f"e{self._next}")
        self._next += 1
        self._records[ref] = RefRecord(
            ref, self._look.tab, candidate.prefix, candidate.key[1], candidate.node.driver_ref, candidate.meaning
        )
        self._settle(candidate, ref)
        return ref

    def _settle(self, candidate: _Candidate, ref: Ref) -> None:
        candidate.ref = ref
        self._bound.add(ref)
        self._nodes[candidate.key] = ref
        self._refs[candidate.node.driver_ref] = ref

    def _replace(self, old: Ref, new: Ref, now: Meaning) -> None:
        record = self._records[old]
        self.replaced.append(Replaced(old, new, record.meaning, now))
        same = describe(record.meaning) == describe(now)
        how = f", {difference(record.meaning, now)}" if same else ""
        self._records[old] = replace(record, alive=False, fate=f"it was replaced by {new} {describe(now)}{how}")

    def _successors(self) -> dict[Meaning, Ref]:
        """Living refs of this look by what they mean, where only one means it."""
        found: dict[Meaning, list[Ref]] = {}
        for candidate in self._candidates:
            if candidate.ref is not None:
                found.setdefault(candidate.meaning, []).append(candidate.ref)
        return {meaning: refs[0] for meaning, refs in found.items() if len(refs) == 1}

    def _fate(self, record: RefRecord) -> str:
        if record.document in self._documents:
            return "it is no longer on the page"
        if self._table.documents.get(self._look.tab) != self._look.document:
            return f"its page is gone (went to {self._look.url})"
        frame = self._frames.get(record.frame_prefix)
        return f"its frame is gone (went to {frame.url})" if frame else "its frame is gone"

    def _bury_closed_tabs(self) -> None:
        open_tabs = {tab.id for tab in self._look.tabs} | {self._look.tab}
        for ref, record in self._table.records.items():
            if record.alive and record.tab not in open_tabs:
                self._records[ref] = replace(record, alive=False, fate="its tab was closed")
                self.gone.append(ref)

    def _forget_dead_documents(self) -> None:
        """Nodes of documents that are gone can never come back."""
        alive_elsewhere = {r.document for r in self._records.values() if r.alive}
        kept = self._documents | alive_elsewhere
        self._nodes = {key: ref for key, ref in self._nodes.items() if key[1] in kept}


def _frames_by_prefix(look: Look) -> dict[str, FrameInfo]:
    frames = {frame.prefix: frame for frame in sorted(look.frames, key=lambda frame: frame.is_main)}
    if not any(frame.is_main for frame in look.frames):
        frames.setdefault("", FrameInfo("", look.document, look.url, is_main=True))
    return frames


def _number(ref: Ref) -> int:
    return int(ref[1:])
