"""Keeps a cut steady: of a newer page it shows what was shown before, what is new beside it, and counts the rest."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from app.context.changes.align import Alignment
from app.context.changes.flat import NONE, Flat
from app.context.page.leaving_out import count_shown, summary
from app.context.page.render import ShownNode, shown
from app.domain.snapshot import SnapshotNode

_SIGN = "…"
_NOTHING_YET = ShownNode("")


@dataclass(frozen=True, slots=True)
class Followed:
    """The lines of the view after a newer look, and how many nodes they show."""

    lines: ShownNode
    nodes_shown: int


def follow(
    base: ShownNode,
    tree: SnapshotNode,
    replaced: Sequence[tuple[str, str]] = (),
    reveal: Collection[int] = frozenset(),
    full: ShownNode | None = None,
) -> Followed:
    """The lines of the newer lean page that belong into the view of one who has the older page in view.

    `reveal` holds the `id()` of nodes that came into the viewport: they are shown also where they were left out.
    `full` are the lines of the whole tree, for a caller who has them.
    """
    full = full or shown(tree)
    if not _has_left_out(base):
        return Followed(full, count_shown(tree) - 1)
    following = _Following(base, full, replaced, reveal)
    return Followed(following.part(0, tree), following.nodes_shown - 1)


def _has_left_out(node: ShownNode) -> bool:
    stack = [node]
    while stack:
        top = stack.pop()
        if top.line.startswith(_SIGN):
            return True
        stack.extend(top.children)
    return False


class _Following:
    def __init__(
        self, base: ShownNode, full: ShownNode, replaced: Sequence[tuple[str, str]], reveal: Collection[int]
    ) -> None:
        self._old = Flat(base)
        self._new = Flat(full)
        self._pairs = Alignment(self._old, self._new, replaced)
        self._reveal = reveal
        self.nodes_shown = 0

    def part(self, at: int, node: SnapshotNode) -> ShownNode:
        """A line that was in view, or came beside one, with what is to be seen under it."""
        kids = self._new.kids[at]
        if not kids:
            self.nodes_shown += count_shown(node)
            return ShownNode(self._new.lines[at], hidden=self._new.hidden.get(at))
        before = self._pairs.of_new[at]
        gaps = self._gaps(before, at) if before != NONE else {}
        return self._with_children(at, list(zip(kids, node.children, strict=True)), gaps)

    def _revealed(self, at: int, node: SnapshotNode) -> ShownNode:
        """A line that came into the viewport: of what is under it, the same is true."""
        kids = self._new.kids[at]
        if not kids or self._pairs.of_new[at] != NONE:
            return self.part(at, node)
        pairs = list(zip(kids, node.children, strict=True))
        out_of_view = {kid: NONE for kid, child in pairs if id(child) not in self._reveal}
        return self._with_children(at, pairs, out_of_view)

    def _with_children(self, at: int, pairs: Sequence[tuple[int, SnapshotNode]], gaps: Mapping[int, int]) -> ShownNode:
        self.nodes_shown += 1
        children: list[ShownNode] = []
        stretches: list[_Stretch] = []
        going_on: dict[int, _Stretch] = {}
        broken: set[int] = set()
        for kid, child in pairs:
            gap = gaps.get(kid)
            if gap is None:
                children.append(self.part(kid, child))
            elif id(child) in self._reveal:
                children.append(self._revealed(kid, child))
                broken.add(gap)
                going_on.pop(gap, None)
            elif gap in going_on:
                going_on[gap].inside.append((kid, child))
            else:
                going_on[gap] = _Stretch(len(children), gap, [(kid, child)])
                stretches.append(going_on[gap])
                children.append(_NOTHING_YET)
        for stretch in stretches:
            children[stretch.slot] = self._left_out(stretch, stretch.gap in broken or stretch.gap == NONE)
        return ShownNode(self._new.lines[at], tuple(children))

    def _gaps(self, before: int, at: int) -> dict[int, int]:
        """Which left-out line of the older page each child belongs to that was not shown there."""
        old_kids = self._old.kids[before]
        if not any(self._is_left_out(kid) for kid in old_kids):
            return {}
        place = {kid: where for where, kid in enumerate(old_kids)}
        kids = self._new.kids[at]
        known = [place.get(self._pairs.of_new[kid], NONE) for kid in kids]
        after = _next_known(known)
        found: dict[int, int] = {}
        credit: dict[int, int] = {}
        last = NONE
        for where, kid in enumerate(kids):
            if known[where] != NONE:
                last = known[where]
            elif self._pairs.of_new[kid] == NONE:
                gap, removed = self._gap_between(old_kids, last, after[where])
                if gap != NONE and not self._takes_a_place(kid, gap, credit, removed):
                    found[kid] = gap
        return found

    def _takes_a_place(self, kid: int, gap: int, credit: dict[int, int], removed: int) -> bool:
        """Whether this child came instead of one that was shown right before the left-out line, as in a paged table."""
        left = credit.setdefault(gap, removed)
        was_hidden = hash(self._new.lines[kid]) in self._old.hidden.get(gap, {})
        credit[gap] = 0 if was_hidden else max(left - 1, 0)
        return left > 0 and not was_hidden

    def _gap_between(self, old_kids: Sequence[int], last: int, following: int) -> tuple[int, int]:
        """The left-out line right after the last child that stayed, or right before the next one that did.

        With it comes how many shown children before it are gone.
        """
        for where in range(last + 1, len(old_kids)):
            if self._is_left_out(old_kids[where]):
                return old_kids[where], where - last - 1
            if self._pairs.of_old[old_kids[where]] != NONE:
                break
        for where in range(following - 1, -1, -1):
            if self._is_left_out(old_kids[where]):
                return old_kids[where], 0
            if self._pairs.of_old[old_kids[where]] != NONE:
                break
        return NONE, 0

    def _is_left_out(self, old: int) -> bool:
        return self._old.lines[old].startswith(_SIGN)

    def _left_out(self, stretch: "_Stretch", is_new: bool) -> ShownNode:
        """Counts a stretch, and what changed in it since it was left out first."""
        now: Mapping[int, int] = Counter([hash(line) for kid, _ in stretch.inside for line in self._new.lines_of(kid)])
        was = now if is_new else self._old.hidden.get(stretch.gap, {})
        came = sum(max(count - was.get(line, 0), 0) for line, count in now.items())
        went = sum(max(count - now.get(line, 0), 0) for line, count in was.items())
        text = summary([child for _, child in stretch.inside], max(came, went))
        return ShownNode(f"{_SIGN} {text}", hidden=was)


@dataclass(slots=True)
class _Stretch:
    """Siblings that stay left out, and where the line for them stands among the children."""

    slot: int
    gap: int
    inside: list[tuple[int, SnapshotNode]]


def _next_known(known: list[int]) -> list[int]:
    """For each child, the place of the next one that was there before."""
    after = [NONE] * len(known)
    following = NONE
    for where in range(len(known) - 1, -1, -1):
        after[where] = following
        following = known[where] if known[where] != NONE else following
    return after
