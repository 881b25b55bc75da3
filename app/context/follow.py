"""Keeps a cut steady: of a newer page it shows what was shown before, what is new beside it, and counts the rest."""

from collections.abc import Sequence

from app.context.align import NONE, Alignment, Flat
from app.context.leaving_out import summary
from app.context.render import ShownNode, digests, shown
from app.domain.snapshot import SnapshotNode

_SIGN = "…"


def follow(base: ShownNode, tree: SnapshotNode, replaced: Sequence[tuple[str, str]] = ()) -> ShownNode:
    """The lines of the newer lean page that belong into the view of one who has the older page in view."""
    full = shown(tree)
    if not _has_left_out(base):
        return full
    return _Following(base, full, replaced).view(tree)


def _has_left_out(node: ShownNode) -> bool:
    stack = [node]
    while stack:
        top = stack.pop()
        if top.line.startswith(_SIGN):
            return True
        stack.extend(top.children)
    return False


class _Following:
    def __init__(self, base: ShownNode, full: ShownNode, replaced: Sequence[tuple[str, str]]) -> None:
        self._old = Flat(base)
        self._new = Flat(full)
        self._pairs = Alignment(self._old, self._new, replaced)

    def view(self, tree: SnapshotNode) -> ShownNode:
        return self._part(0, tree)

    def _part(self, at: int, node: SnapshotNode) -> ShownNode:
        line = self._new.nodes[at]
        kids = self._new.kids[at]
        if not kids:
            return line
        before = self._pairs.of_new[at]
        gaps = self._gaps(before, at) if before != NONE else {}
        children: list[ShownNode] = []
        waiting: dict[int, list[tuple[int, SnapshotNode]]] = {}
        slots: dict[int, int] = {}
        for kid, child in zip(kids, node.children, strict=True):
            gap = gaps.get(kid)
            if gap is None:
                children.append(self._part(kid, child))
                continue
            if gap not in waiting:
                slots[gap] = len(children)
                children.append(line)
            waiting.setdefault(gap, []).append((kid, child))
        for gap, inside in waiting.items():
            children[slots[gap]] = self._left_out(gap, inside)
        return ShownNode(line.line, tuple(children))

    def _gaps(self, before: int, at: int) -> dict[int, int]:
        """Which left-out line of the older page each child belongs to that was not shown there."""
        old_kids = self._old.kids[before]
        if not any(self._is_left_out(kid) for kid in old_kids):
            return {}
        place = {kid: where for where, kid in enumerate(old_kids)}
        kids = self._new.kids[at]
        known = [place.get(self._pairs.of_new[kid], NONE) for kid in kids]
        after = self._next_known(known)
        found: dict[int, int] = {}
        last = NONE
        for where, kid in enumerate(kids):
            if known[where] != NONE:
                last = known[where]
            elif self._pairs.of_new[kid] == NONE:
                gap = self._gap_between(old_kids, last, after[where])
                if gap is not None:
                    found[kid] = gap
        return found

    def _next_known(self, known: list[int]) -> list[int]:
        after = [NONE] * len(known)
        following = NONE
        for where in range(len(known) - 1, -1, -1):
            after[where] = following
            following = known[where] if known[where] != NONE else following
        return after

    def _gap_between(self, old_kids: list[int], last: int, following: int) -> int | None:
        """The left-out line right after the last child that stayed, or right before the next one that did."""
        for where in range(last + 1, len(old_kids)):
            if self._is_left_out(old_kids[where]):
                return old_kids[where]
            if self._pairs.of_old[old_kids[where]] != NONE:
                break
        if following != NONE:
            for where in range(following - 1, -1, -1):
                if self._is_left_out(old_kids[where]):
                    return old_kids[where]
                if self._pairs.of_old[old_kids[where]] != NONE:
                    break
        return None

    def _is_left_out(self, old: int) -> bool:
        return self._old.nodes[old].line.startswith(_SIGN)

    def _left_out(self, gap: int, inside: list[tuple[int, SnapshotNode]]) -> ShownNode:
        lines = tuple([self._new.nodes[kid] for kid, _ in inside])
        was = self._old.nodes[gap].hidden or {}
        now = digests(lines)
        came = sum(max(count - was.get(line, 0), 0) for line, count in now.items())
        went = sum(max(count - now.get(line, 0), 0) for line, count in was.items())
        text = summary([child for _, child in inside], max(came, went))
        return ShownNode(f"{_SIGN} {text}", hidden=was)
