"""Turns a look into what the model reads: the whole page, its changes, or that it is the same."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from app.context.changes.comparing import Changes, changes_within, render_changes
from app.context.changes.follow import follow
from app.context.page.cut import Cut, cut
from app.context.page.header import Known, above_of, header, known_of
from app.context.page.lean import lean, without_needless_urls
from app.context.page.leaving_out import count_nodes, fold_options
from app.context.page.render import ShownNode, own_line, render, render_shown, shown
from app.context.page.shield import fenced, shield, shield_look
from app.context.page.viewport import in_view
from app.context.refs.identity import ContainerNames, Identified, RefTable, Replaced, identify
from app.domain.ids import DocumentId, ObservationId, Ref, TabId
from app.domain.observation import ShownAs
from app.domain.pages import Look
from app.domain.snapshot import SnapshotNode, walk

CHANGES_LIMIT = 4_000
_HOW_MUCH_CHARACTERS = 180  # of the line that says how much of a page is shown


@dataclass(frozen=True, slots=True)
class Base:
    """What the model has in view of a document: the lines really shown, after the cut.

    It is crowded when even of what stood in the viewport something was left out. `content` and `sight` tell, within one
    run of the program, whether the whole page and what a person sees of it are still the same.
    """

    id: ObservationId
    tab: TabId
    document: DocumentId
    tree: ShownNode
    known: Known
    hidden_nodes: int = 0
    is_crowded: bool = False
    content: int = 0
    sight: int = 0


@dataclass(frozen=True, slots=True)
class Shown:
    """One look as it is shown.

    `tree` is the whole identified tree, `full_text` all of it as text for store and recall. `base` is what the model
    has in view from now on, None when this look moved nothing. `added` to `moved` count lines of the view.
    """

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
    gone: tuple[Ref, ...] = ()


def show(
    look: Look,
    table: RefTable,
    base: Base | None,
    *,
    id: ObservationId,
    fence: str,
    limit: int = 14_000,
    want: Literal["auto", "whole"] = "auto",
    terse: bool = False,
    fallback: int | None = None,
    acted_on: Ref | None = None,
) -> Shown:
    """The one way from a look to text. `base` is what the model still has in view of this tab and document.

    `terse` is for a reader that keeps every view: what the header of the base said is not said again. `fallback` is
    the limit of a whole view that only stands for changes which were too many. `acted_on` is what was just used.
    """
    found = identify(table, look)
    found = replace(found, tree=shield(found.tree, fence))
    showing = _Showing(shield_look(look, fence), found, id, fence, limit, acted_on)
    if not look.tree.children and (look.dialog or look.missing):
        return showing.nothing()
    known = base is not None and (base.tab, base.document) == (look.tab, look.document)
    told = base if known and terse else None
    if base is not None and known and want == "auto":
        return showing.against(base) or showing.whole(told, fallback)
    return showing.whole(told)


class _Showing:
    """One look on its way to text."""

    def __init__(
        self, look: Look, found: Identified, name: ObservationId, fence: str, limit: int, acted_on: Ref | None
    ) -> None:
        self._acted_on = next((pair.new for pair in found.replaced if pair.old == acted_on), acted_on)
        self._look = look
        self._found = found
        self._id = name
        self._fence = fence
        self._limit = limit
        self._lean = lean(found.tree)
        self._brief = fold_options(without_needless_urls(self._lean))
        self._total = count_nodes(self._brief)
        self._full = shown(self._brief)
        self._content = hash(self._full)
        self._in_view = in_view(self._brief, (look.viewport_width, look.viewport_height))
        self._sight = hash(frozenset(node.driver_ref for node in walk(self._brief) if id(node) in self._in_view))

    def nothing(self) -> Shown:
        """A page that cannot be read now, as when a dialog freezes it."""
        return self._shown(self._header("the page cannot be read now"), "none", None, 0)

    def whole(self, told: Base | None = None, limit: int | None = None) -> Shown:
        self._limit = min(self._limit, limit or self._limit)
        names = ContainerNames(self._found, self._look)
        viewport = (self._look.viewport_width, self._look.viewport_height)
        made = cut(self._brief, self._room(), viewport=viewport, name=names.name, lines=self._full)
        if names.given:
            self._found = names.found()
            self._content = hash(_with_names(self._brief, self._full, names.given))
        is_all = made.nodes_shown == made.nodes_total and not self._look.missing
        how_much = "" if told and is_all else f", {self._how_much(made, has_hint=told is None)}"
        extent = "part of the page" if self._look.in_parts else "whole page"
        head = self._header(f"{extent}{how_much}", told)
        lines = shown(made.tree)
        base = self._base(lines, made.nodes_shown, made.is_crowded)
        return self._shown(f"{head}\n{fenced(render_shown(lines), self._fence)}", "whole", base, made.nodes_shown)

    def against(self, base: Base) -> Shown | None:
        """What is different from the page in view, or that nothing is; None when the whole page says it shorter."""
        if (base.content, base.sight) == (self._content, self._sight):
            return self._same(base, base.tree, self._total - base.hidden_nodes)
        pairs = tuple((pair.old, pair.new) for pair in self._found.replaced)
        followed = follow(base.tree, self._brief, pairs, self._came_into_view(base), self._full)
        now, seen = followed.lines, followed.nodes_shown
        if now == base.tree:
            return self._same(base, now, seen)
        size = len(render_shown(now))
        most = min(CHANGES_LIMIT, size // 2)
        found = changes_within(most, base.tree, now, pairs) if size <= self._room() * 5 // 4 else None
        if found is None or len(body := render_changes(found)) > most:
            return None
        head = self._header(f"changes since {base.id}: {found.counts}", base)
        text = f"{head}\n{fenced(body, self._fence)}"
        return self._shown(text, "changes", self._base(now, seen, base.is_crowded), seen, found)

    def _same(self, base: Base, lines: ShownNode, seen: int) -> Shown:
        head = self._header(f"same as {base.id}: the page's structure and text did not change", base)
        same = replace(self._base(lines, seen, base.is_crowded), id=base.id)  # what is in view came with that look
        return self._shown(head, "same", same, seen)

    def _came_into_view(self, base: Base) -> frozenset[int]:
        """What a person sees now; on a crowded page only after a scroll, or all that was cut would come back."""
        if base.is_crowded and above_of(self._look) == base.known.above:
            return frozenset()
        return self._in_view

    def _base(self, lines: ShownNode, seen: int, is_crowded: bool) -> Base:
        look, tree = self._look, self._found.tree
        return Base(
            id=self._id,
            tab=look.tab,
            document=look.document,
            tree=lines,
            known=known_of(look, tree),
            hidden_nodes=self._total - seen,
            is_crowded=is_crowded,
            content=self._content,
            sight=self._sight,
        )

    def _room(self) -> int:
        """So many characters are left for the page beside its header, which never takes more than half of them."""
        around = len(fenced("", self._fence)) + _HOW_MUCH_CHARACTERS
        return max(self._limit - len(self._header("")) - around, self._limit // 2)

    def _how_much(self, made: Cut, *, has_hint: bool) -> str:
        if made.nodes_shown == made.nodes_total:
            how_many = "its one node" if made.nodes_total == 1 else f"all {made.nodes_total} nodes"
            return f"{how_many} {'that could be read ' if self._look.missing else ''}shown"
        controls = sum(one.controls for one in made.omitted)
        hint = " (browser_find searches them, browser_snapshot with a target or a page shows them)" if has_hint else ""
        return f"{made.nodes_shown} of {made.nodes_total} nodes shown, {controls} controls left out{hint}"

    def _header(self, what: str, base: Base | None = None) -> str:
        known = base.known if base else None
        tree, acted_on = self._found.tree, self._acted_on
        return header(self._look, self._id, tree=tree, what=what, known=known, acted_on=acted_on)

    def _shown(
        self, text: str, shown_as: ShownAs, base: Base | None, nodes_shown: int, found: Changes | None = None
    ) -> Shown:
        return Shown(
            text=text,
            shown_as=shown_as,
            base=base,
            table=self._found.table,
            tree=self._found.tree,
            full_text=render(self._lean),
            nodes_shown=max(nodes_shown, 0),
            nodes_total=self._total,
            added=found.added if found else 0,
            removed=found.removed if found else 0,
            changed=found.changed if found else 0,
            moved=found.moved if found else 0,
            replaced=self._found.replaced,
            gone=self._found.gone,
        )


def _with_names(node: SnapshotNode, line: ShownNode, names: Mapping[str, Ref]) -> ShownNode:
    """The lines of a lean tree when these of its nodes have refs."""
    if not line.children:
        return shown(replace(node, ref=names[node.driver_ref])) if node.driver_ref in names else line
    pairs = zip(node.children, line.children, strict=True)
    below = tuple([_with_names(child, kid, names) for child, kid in pairs])
    own = own_line(replace(node, ref=names[node.driver_ref])) if node.driver_ref in names else line.line
    return ShownNode(own, below)
