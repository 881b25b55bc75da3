"""What is different between two shown pages, in lines that a model reads and `app.context.apply` carries out exactly.

Each block names a line of the older page by its path and walks its children in order:

    in main > form "Checkout":
      = 3 as before
      + alert: Card number is wrong
      ~ button "Pay" [disabled] [ref=e9]
      x link "Help" [ref=e8]
      > e5 (link "Terms")
    gone: e14-e17

`=` keeps children; `+` is new with all under it; `~` is the next child's new line; `x` takes the next child out; `>`
moves a line here from where it was. A `~` or `x` that no `=` stands before, and that bears a ref, means the child with
that ref and keeps all before it. What no entry speaks of stays.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from app.context.align import NONE, Alignment, Flat
from app.context.apply import meant
from app.context.paths import Paths
from app.context.render import ShownNode, head_of, label_of, own_ref, quoted

_RUN = 3


@dataclass(frozen=True, slots=True)
class Block:
    """The entries under one path; an entry is one or more lines."""

    path: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Changes:
    """All that is different, with counts of lines.

    `gone` are refs that left the view and are named in no entry; `replaced` says of some of them what stands there now.
    """

    blocks: tuple[Block, ...]
    added: int
    removed: int
    changed: int
    moved: int
    as_before: int
    gone: tuple[str, ...] = ()
    replaced: tuple[tuple[str, str], ...] = ()

    @property
    def counts(self) -> str:
        named = ((self.added, "added"), (self.removed, "removed"), (self.changed, "changed"), (self.moved, "moved"))
        return ", ".join([f"{count} {name}" for count, name in named if count] + [f"{self.as_before} as before"])


def changes(old: ShownNode, new: ShownNode, replaced: Iterable[tuple[str, str]] = ()) -> Changes:
    """Linear in both pages. `replaced` are pairs of old and new refs of nodes that now mean something else."""
    return _Comparison(old, new, dict(replaced)).result()


def render_changes(found: Changes) -> str:
    lines = []
    for block in found.blocks:
        lines.append(f"in {block.path}:")
        lines += [f"  {line}" for line in block.lines]
    if found.replaced:
        lines.append("replaced " + ", ".join(f"{before} -> {now}" for before, now in found.replaced))
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
    return ", ".join(f"e{first}" if first == last else f"e{first}-e{last}" for first, last in runs)


class _Comparison:
    def __init__(self, old: ShownNode, new: ShownNode, replaced: dict[str, str]) -> None:
        self.old = Flat(old)
        self.new = Flat(new)
        self.pairs = Alignment(self.old, self.new, replaced.items())
        self.paths = Paths(self.old)
        self._was = {now: before for before, now in replaced.items()}
        self._here = {ref for refs in self.new.refs for ref in refs}
        self._said: set[str] = set()
        self._moved = 0

    def result(self) -> Changes:
        blocks = tuple(block for at in range(len(self.new.nodes)) if (block := self._block(at)))
        of_new, of_old = self.pairs.of_new, self.pairs.of_old
        added, removed = of_new.count(NONE), of_old.count(NONE)
        changed = sum(1 for now, before in enumerate(of_new) if before != NONE and self.is_changed(before, now))
        gone = {ref for refs in self.old.refs for ref in refs} - self._here - self._said
        replaced = [(was, now) for now, was in self._was.items() if was in gone and now in self._here]
        as_before = max(len(of_new) - 1 - added - changed - self._moved, 0)
        return Changes(blocks, added, removed, changed, self._moved, as_before, tuple(gone), tuple(replaced))

    def is_changed(self, before: int, now: int) -> bool:
        return self.old.nodes[before].line != self.new.nodes[now].line

    def added_lines(self, at: int, depth: int = 0) -> list[str]:
        """A new line with all under it; lines that stood elsewhere before are only named."""
        kids = self.new.kids[at]
        sign = "- " if depth else "+ "
        lines = [f"{'  ' * depth}{sign}{self.new.nodes[at].line}{':' if kids else ''}"]
        place = 0
        while place < len(kids):
            if self.pairs.of_new[kids[place]] == NONE:
                lines += self.added_lines(kids[place], depth + 1)
                place += 1
            else:
                line, count = self.moved_line(kids, place)
                lines.append(f"{'  ' * (depth + 1)}{line}")
                place += count
        return lines

    def moved_line(self, kids: Sequence[int], place: int, kept: Collection[int] = ()) -> tuple[str, int]:
        """The line that says that a new child came from elsewhere, and how many came together with it."""
        run = self._run(kids, place, kept)
        before = self.pairs.of_new[kids[place]]
        self._moved += run
        where = f"{self.paths.to(self.old.parent[before])} #{self.old.place(before) + 1}"
        if run > 1:
            last = self.pairs.of_new[kids[place + run - 1]]
            return f"> {run} of {where} ({self._label(before)} … {self._label(last)})", run
        source = self.old.refs[before][0] if self.old.refs[before] else where
        if self.is_changed(before, kids[place]):
            return f"> {source} now {self.changed_line(kids[place])}", 1
        return f"> {source} ({self._label(before)})", 1

    def changed_line(self, at: int) -> str:
        """The new line of a child, with what it was when its ref is another one now."""
        line = self.new.nodes[at].line
        old = self.pairs.of_new[at]
        was = self._was.get(own_ref(line), "")
        if was and was == own_ref(self.old.nodes[old].line):
            self._said.add(was)
            role, name = head_of(self.old.nodes[old].line)
            return f"replaced {was} {role}{f' {quoted(name)}' if name else ''} -> {line}"
        return line

    def removed_line(self, run: Sequence[int]) -> str:
        """What is taken out; refs that die with it and are not named here are named at the end."""
        inside = sum(self.old.size[at] for at in run)
        note = f" ({inside} lines)" if inside > len(run) else ""
        if len(run) == 1:
            self._said.add(own_ref(self.old.nodes[run[0]].line))
            return f"{self._label(run[0])}{note}"
        return f"{len(run)} {self._label(run[0])} … {self._label(run[-1])}{note}"

    def _run(self, kids: Sequence[int], place: int, kept: Collection[int]) -> int:
        """How many of the new children from here on stood together before, in this order and unchanged."""
        first = self.pairs.of_new[kids[place]]
        if self.is_changed(first, kids[place]):
            return 1
        before = self.old.kids[self.old.parent[first]]
        start = self.old.place(first)
        count = 1
        while place + count < len(kids) and start + count < len(before):
            kid, was = kids[place + count], before[start + count]
            if kid in kept or self.pairs.of_new[kid] != was or self.is_changed(was, kid):
                break
            count += 1
        return count

    def _label(self, before: int) -> str:
        return label_of(self.old.nodes[before].line)

    def _block(self, at: int) -> Block | None:
        """The entries for the children of one line that both pages have."""
        before = self.pairs.of_new[at]
        if before == NONE or not (self.old.kids[before] or self.new.kids[at]):
            return None
        kept = self.pairs.kept(before, at)
        if len(kept) == len(self.old.kids[before]) == len(self.new.kids[at]) and not any(
            self.is_changed(*pair) for pair in kept
        ):
            return None
        lines = _Entries(self, before, at, kept).lines
        return Block(self.paths.to(before), tuple(lines)) if lines else None


class _Entries:
    """Writes one block while it walks the children of the old line."""

    def __init__(self, comparison: _Comparison, before: int, at: int, kept: list[tuple[int, int]]) -> None:
        self._all = comparison
        self._before = comparison.old.kids[before]
        self._now = comparison.new.kids[at]
        self._kept = {now: was for was, now in kept}
        self._place = {kid: place for place, kid in enumerate(self._before)}
        self._own_refs = comparison.old.own_refs(before)
        self._pointer = 0
        self.lines: list[str] = []
        self._write()

    def _write(self) -> None:
        passed = place = 0
        while place < len(self._now):
            kid = self._now[place]
            if kid in self._kept:
                self._remove(passed, self._place[self._kept[kid]])
                passed = self._place[self._kept[kid]]
                self._keep(passed, kid)
                passed, place = passed + 1, place + 1
                continue
            self._go_to(passed)
            place += self._insert(place)
        self._remove(passed, len(self._before))

    def _keep(self, at: int, kid: int) -> None:
        if self._all.is_changed(self._before[at], kid):
            self._say("~", at, self._all.changed_line(kid))
            self._pointer = at + 1

    def _insert(self, place: int) -> int:
        kid = self._now[place]
        if self._all.pairs.of_new[kid] == NONE:
            self.lines += self._all.added_lines(kid)
            return 1
        line, count = self._all.moved_line(self._now, place, self._kept)
        self.lines.append(line)
        return count

    def _remove(self, first: int, end: int) -> None:
        """Takes out the children of this stretch that are nowhere on the new page."""
        lost = [at for at in range(first, end) if self._all.pairs.of_old[self._before[at]] == NONE]
        start = 0
        while start < len(lost):
            run = 1
            while start + run < len(lost) and lost[start + run] == lost[start] + run:
                run += 1
            run = run if run >= _RUN else 1
            self._say("x", lost[start], self._all.removed_line([self._before[at] for at in lost[start : start + run]]))
            self._pointer = lost[start] + run
            start += run

    def _say(self, sign: str, at: int, line: str) -> None:
        """An entry for this child; a count stands before it unless a reader finds the child without."""
        if meant(line, self._own_refs, self._pointer) != at:
            self.lines.append(f"= {at - self._pointer} as before")
        self.lines.append(f"{sign} {line}")

    def _go_to(self, at: int) -> None:
        if at > self._pointer:
            self.lines.append(f"= {at - self._pointer} as before")
            self._pointer = at
