"""What is different between two shown pages, in lines that a model reads and `apply` carries out exactly.

Each block names a line of the older page by its path and walks its children in order:

    in main > form "Checkout":
      = 3 as before
      + alert: Card number is wrong
      ~ button "Pay" [disabled] [ref=e9]
      x link "Help" [ref=e8]
      x all but: e11, e20 … e24
      > e5 (link "Terms")
      > order: e31 … e22, e7, e40
    gone: e14-e17

`=` keeps children; `+` is new with all under it; `~` is the next child's new line; `x` takes the next child out;
`x these:` takes several of the block's children out, `x all but:` all that it does not name; `>` moves a line here from
where it was, `> order:` several of the block's children. In such a list those between two named ones are included.
A `~` or `x` that no `=` stands before, and that bears a ref, means the child with that ref and keeps all before it.
What no entry speaks of stays. `renumbered`, which comes first, says of refs which other refs now stand on the same
lines; the blocks speak of the page with those.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.context.changes.align import Alignment
from app.context.changes.entries import Entries, Sides
from app.context.changes.flat import NONE, Flat
from app.context.changes.paths import Paths
from app.context.page.render import ShownNode

_WORTH_RENUMBERING = 3
_SHORTEST_ENTRY = 6


@dataclass(frozen=True, slots=True)
class Block:
    """The entries under one path; an entry is one or more lines."""

    path: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Changes:
    """All that is different, with counts of lines.

    `gone` are refs that left the view and are named in no entry; `replaced` says of some of them what stands there now.
    `renumbered` are refs that died while their lines say the same, with the refs that stand there now.
    """

    blocks: tuple[Block, ...]
    added: int
    removed: int
    changed: int
    moved: int
    as_before: int
    gone: tuple[str, ...] = ()
    replaced: tuple[tuple[str, str], ...] = ()
    renumbered: tuple[tuple[str, str], ...] = ()

    @property
    def counts(self) -> str:
        named = (
            (self.added, "added"),
            (self.removed, "removed"),
            (self.changed, "changed"),
            (self.moved, "moved"),
            (len(self.renumbered), "renumbered"),
        )
        return ", ".join([f"{count} {name}" for count, name in named if count] + [f"{self.as_before} as before"])


def changes(old: ShownNode, new: ShownNode, replaced: Iterable[tuple[str, str]] = ()) -> Changes:
    """Linear in both pages. `replaced` are pairs of old and new refs of nodes that now mean something else."""
    comparison = _Comparison(old, new, dict(replaced))
    return comparison.result(tuple(comparison.blocks()))


def changes_within(
    most: int, old: ShownNode, new: ShownNode, replaced: Iterable[tuple[str, str]] = ()
) -> Changes | None:
    """The changes, or None as soon as their text is sure to be longer than so many characters."""
    if old == new:
        return changes(old, old)
    comparison = _Comparison(old, new, dict(replaced))
    if comparison.shortest > most:
        return None
    blocks: list[Block] = []
    size = 0
    for block in comparison.blocks():
        blocks.append(block)
        size += len(block.path) + sum([len(line) + 3 for line in block.lines])
        if size > most:
            return None
    return comparison.result(tuple(blocks))


def render_changes(found: Changes) -> str:
    lines = [f"renumbered {_pairs(found.renumbered)}"] if found.renumbered else []
    for block in found.blocks:
        lines.append(f"in {block.path}:")
        lines += [f"  {line}" for line in block.lines]
    if found.replaced:
        lines.append(f"replaced {_pairs(found.replaced)}")
    if found.gone:
        lines.append(f"gone: {ranges(found.gone)}")
    return "\n".join(lines)


def ranges(refs: Sequence[str]) -> str:
    """Refs in short form: "e3, e7-e12"."""
    runs: list[list[int]] = []
    for number in sorted(int(ref[1:]) for ref in refs):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(_range(first, last) for first, last in runs)


def _pairs(pairs: Sequence[tuple[str, str]]) -> str:
    """Pairs of refs in short form: "e3 -> e20, e7-e12 -> e30-e35"."""
    runs: list[list[int]] = []
    for was, now in sorted((int(was[1:]), int(now[1:])) for was, now in pairs):
        if runs and (was, now) == (runs[-1][1] + 1, runs[-1][3] + 1):
            runs[-1][1], runs[-1][3] = was, now
        else:
            runs.append([was, was, now, now])
    return ", ".join(f"{_range(run[0], run[1])} -> {_range(run[2], run[3])}" for run in runs)


def _range(first: int, last: int) -> str:
    return f"e{first}" if first == last else f"e{first}-e{last}"


class _Comparison:
    def __init__(self, old: ShownNode, new: ShownNode, replaced: dict[str, str]) -> None:
        self._old = Flat(old)
        self._new = Flat(new)
        self._pairs = Alignment(self._old, self._new, replaced.items())
        self._here = self._new.holders.keys()
        self._known = set(self._old.holders)
        self._gone = self._known - self._here
        self._renumbered = self._renumber()
        was = {now: before for before, now in replaced.items() if before not in self._renumbered}
        self._sides = Sides(self._old, self._new, self._pairs, Paths(self._old), was)

    @property
    def shortest(self) -> int:
        """So many characters the changes have at least."""
        return _SHORTEST_ENTRY * (self._pairs.of_new.count(NONE) + sum(self._sides.is_changed))

    def blocks(self) -> Iterable[Block]:
        """The blocks of all lines that both pages have and under which something is different."""
        for at, kids in enumerate(self._new.kids):
            before = self._pairs.of_new[at]
            if before == NONE or not (kids or self._old.kids[before]):
                continue
            if self._pairs.is_settled(before, at) and not any(map(self._sides.is_changed.__getitem__, kids)):
                continue
            lines = Entries(self._sides, before, at).lines
            if lines:
                yield Block(self._sides.paths.to(before), tuple(lines))

    def result(self, blocks: tuple[Block, ...]) -> Changes:
        """What `blocks` said, with what is left to say after them."""
        of_new, sides = self._pairs.of_new, self._sides
        added, removed, changed = of_new.count(NONE), self._pairs.of_old.count(NONE), sum(sides.is_changed)
        gone = self._gone - self._renumbered.keys() - sides.said
        return Changes(
            blocks,
            added,
            removed,
            changed,
            sides.moved,
            as_before=max(len(of_new) - 1 - added - changed - sides.moved, 0),
            gone=tuple(gone),
            replaced=tuple([(was, now) for now, was in sides.was.items() if was in gone and now in self._here]),
            renumbered=tuple(self._renumbered.items()),
        )

    def _renumber(self) -> dict[str, str]:
        """Gives lines that differ only in their refs the new ones, when there are some: old refs with the new ones."""
        if not self._gone:
            return {}
        old, new = self._old, self._new
        found: dict[str, str] = {}
        lines_old: list[int] = []
        lines_new: list[int] = []
        for now, before in enumerate(self._pairs.of_new):
            same_ref = before == NONE or (old.ref[before] == new.ref[now] and now not in new.others)
            if same_ref or old.lines[before] == new.lines[now] or old.plain(before) != new.plain(now):
                continue
            was, refs = old.refs(before), new.refs(now)
            pairs = [pair for pair in zip(was, refs, strict=False) if pair[0] != pair[1]]
            if len(was) == len(refs) and all(one in self._gone and ref not in self._known for one, ref in pairs):
                found.update(pairs)
                lines_old.append(before)
                lines_new.append(now)
        if len(found) < _WORTH_RENUMBERING:
            return {}
        for before, now in zip(lines_old, lines_new, strict=True):
            old.rewrite(before, new, now)
        return found
