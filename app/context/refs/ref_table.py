"""Every ref a conversation gave, what each means, and what became of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from app.domain.ids import DocumentId, Ref, TabId
from app.domain.observation import Meaning, RefRecord
from app.domain.snapshot import SnapshotNode

NodeKey = tuple[TabId, DocumentId, str]
Place = tuple[DocumentId, NodeKey | None, str, int]


@dataclass(frozen=True, slots=True)
class RefTable:
    """Every ref a conversation ever gave.

    `nodes` finds the ref of a driver's node; nodes that only left the page stay in it, so that the very same node finds
    its ref again when it comes back. `places` tells where a living ref stood, for the story of what replaced it;
    `documents` what each tab showed last.
    """

    records: Mapping[Ref, RefRecord] = field(default_factory=dict)
    next_number: int = 1
    nodes: Mapping[NodeKey, Ref] = field(default_factory=dict)
    places: Mapping[Ref, Place] = field(default_factory=dict)
    documents: Mapping[TabId, DocumentId] = field(default_factory=dict)

    def get(self, ref: Ref) -> RefRecord | None:
        return self.records.get(ref)


@dataclass(frozen=True, slots=True)
class Replaced:
    """A node that now means something else: its old ref is dead, the new one stands in its place."""

    old: Ref
    new: Ref
    old_meaning: Meaning
    new_meaning: Meaning


@dataclass(frozen=True, slots=True)
class Identified:
    """A look whose nodes bear our refs; `gone` are the refs that died with this look, replaced ones included."""

    table: RefTable
    tree: SnapshotNode
    replaced: tuple[Replaced, ...] = ()
    gone: tuple[Ref, ...] = ()


def retire_all(table: RefTable, fate: str) -> RefTable:
    """Every living ref dies with the same fate, for good: also the same node gets a new ref afterwards."""
    records = {
        ref: replace(record, alive=False, fate=fate) if record.alive else record
        for ref, record in table.records.items()
    }
    return RefTable(records, table.next_number, documents=table.documents)


def describe(meaning: Meaning) -> str:
    """Role and quoted name, as the tree shows them."""
    return f'{meaning.role} "{meaning.name}"' if meaning.name else meaning.role
