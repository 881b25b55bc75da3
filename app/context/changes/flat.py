"""The lines of a shown page by index, in document order."""

from collections.abc import Mapping, Sequence

from app.context.page.render import ShownNode, refs_of, without_refs

NONE = -1
_NO_KIDS: Sequence[int] = ()


class Flat:
    """The lines of a tree: parents, children, places among siblings, subtree sizes and digests.

    `ref` is the first ref on a line or empty, `others` are those after it, `holders` the lines of all of them. A digest
    is equal for equal subtrees and good within one run of the program. `hidden` is what left-out lines stood for when
    they were first shown.
    """

    def __init__(self, tree: ShownNode) -> None:
        self.lines = [tree.line]
        self.parent = [NONE]
        self.kids: list[Sequence[int]] = [_NO_KIDS]
        self.places = [0]
        self.ref = [""]
        self.others: dict[int, list[str]] = {}
        self.hidden: dict[int, Mapping[int, int]] = {}
        self._add_under(0, tree.children)
        self.size = [1] * len(self.lines)
        self.digest = list(map(hash, self.lines))
        self._sum_up()
        self.holders = self._held()
        self._plain: list[str | None] = [None] * len(self.lines)

    def role(self, at: int) -> str:
        return self.lines[at].partition(" ")[0].partition(":")[0]

    def head(self, at: int) -> str:
        """Role and name: the line up to its first mark or its value."""
        return self.lines[at].partition("[")[0].partition(":")[0]

    def lines_of(self, at: int) -> Sequence[str]:
        """The line and all under it."""
        return self.lines[at : at + self.size[at]]

    def refs(self, at: int) -> list[str]:
        """All refs on the line."""
        return [self.ref[at], *self.others.get(at, ())] if self.ref[at] else []

    def plain(self, at: int) -> str:
        """The line without its refs."""
        known = self._plain[at]
        if known is None:
            known, ref = self.lines[at], self.ref[at]
            if ref:
                known = without_refs(known) if at in self.others else known.replace(f" [ref={ref}]", "", 1)
            self._plain[at] = known
        return known

    def rewrite(self, at: int, other: "Flat", there: int) -> None:
        """Puts a line of another page, which has other refs, in the place of this one."""
        for ref in self.refs(at):
            del self.holders[ref]
        self.lines[at], self.ref[at] = other.lines[there], other.ref[there]
        if at in self.others:
            self.others[at] = other.others[there]
        self.holders.update(dict.fromkeys(other.refs(there), at))

    def _add_under(self, parent: int, children: Sequence[ShownNode]) -> None:
        """The lines under one; children without others under them, of which there are many, go in together."""
        if not any(child.children for child in children):
            self._add_leaves(parent, children)
            return
        lines, kids = self.lines, []
        for place, child in enumerate(children):
            at, line = len(lines), child.line
            kids.append(at)
            lines.append(line)
            self.parent.append(parent)
            self.places.append(place)
            self.ref.append(self._first_ref(at, line) if "[ref=" in line else "")
            self.kids.append(_NO_KIDS)
            if child.hidden:
                self.hidden[at] = child.hidden
            if child.children:
                self._add_under(at, child.children)
        self.kids[parent] = kids

    def _add_leaves(self, parent: int, children: Sequence[ShownNode]) -> None:
        first, count = len(self.lines), len(children)
        lines = [child.line for child in children]
        self.lines += lines
        self.parent += [parent] * count
        self.places += range(count)
        self.ref += ["" if "[ref=" not in line else self._first_ref(at, line) for at, line in enumerate(lines, first)]
        self.kids += [_NO_KIDS] * count
        self.kids[parent] = range(first, first + count) if count else _NO_KIDS
        self.hidden.update({first + at: child.hidden for at, child in enumerate(children) if child.hidden})

    def _first_ref(self, at: int, line: str) -> str:
        found = refs_of(line)
        if len(found) > 1:
            self.others[at] = found[1:]
        return found[0] if found else ""

    def _held(self) -> dict[str, int]:
        held = {ref: at for at, ref in enumerate(self.ref) if ref}
        for at, refs in self.others.items():
            for ref in refs:
                held.setdefault(ref, at)
        return held

    def _sum_up(self) -> None:
        size, digest = self.size, self.digest
        for at in range(len(size) - 1, -1, -1):
            if kids := self.kids[at]:
                digest[at] = hash((digest[at], *[digest[kid] for kid in kids]))
                size[at] += sum([size[kid] for kid in kids])
