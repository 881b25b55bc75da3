"""Turns a look into what the model reads: the whole page, its changes, or that it is the same."""

from dataclasses import dataclass, field
from typing import Literal

from app.context.header import header
from app.context.identity import RefTable, Replaced, identify
from app.context.lean import lean
from app.context.render import ShownNode, render, render_shown, shown
from app.context.shield import fenced, shield
from app.domain.ids import DocumentId, ObservationId, Ref, TabId
from app.domain.observation import ShownAs
from app.domain.pages import Look
from app.domain.snapshot import SnapshotNode, walk


@dataclass(frozen=True, slots=True)
class Base:
    """What the model has in view of a document: the lines really shown, after the cut."""

    id: ObservationId
    tab: TabId
    document: DocumentId
    tree: ShownNode
    focus: str = ""
    scroll: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """One look as it is shown. `tree` is the whole identified tree, `full_text` all of it for store and recall."""

    text: str
    shown_as: ShownAs
    base: Base | None
    table: RefTable
    tree: SnapshotNode
    full_text: str
    nodes_shown: int
    nodes_total: int
    added: int = 0
    removed: int = 0
    changed: int = 0
    moved: int = 0
    replaced: tuple[Replaced, ...] = ()
    gone: tuple[Ref, ...] = field(default=())


def show(
    look: Look,
    table: RefTable,
    base: Base | None,
    *,
    id: ObservationId,
    fence: str,
    limit: int = 14_000,
    want: Literal["auto", "whole"] = "auto",
) -> Shown:
    """The one way from a look to text. `base` is what the model still has in view of this tab and document."""
    found = identify(table, look)
    tree = shield(found.tree, fence)
    whole = shown(lean(tree))
    text = render_shown(whole)
    total = sum(1 for _ in walk(tree))
    head = header(look, id, tree=tree, nodes_shown=total, nodes_total=total, what="whole page")
    return Shown(
        text=f"{head}\n{fenced(text, fence)}",
        shown_as="whole",
        base=Base(id, look.tab, look.document, whole),
        table=found.table,
        tree=tree,
        full_text=render(lean(tree)),
        nodes_shown=total,
        nodes_total=total,
        replaced=found.replaced,
        gone=found.gone,
    )
