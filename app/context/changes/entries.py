"""Writes what is different among the children of one line, entry by entry."""

from collections.abc import Collection, Mapping, Sequence

from app.context.changes.align import Alignment
from app.context.changes.apply import meant
from app.context.changes.flat import NONE, Flat
from app.context.changes.paths import Paths
from app.context.page.render import head_of, label_of, own_ref, quoted

_RUN = 3
_FEW_MOVES = 3
_FEW_GONE = 3


class Sides:
    """Both pages with what is known of their lines, and what the entries written so far have said.

    `was` are refs of the new page with the old ref that each replaced; `said` are old refs that an entry named, and
    `moved` counts the lines that changed places.
    """

    def __init__(self, old: Flat, new: Flat, pairs: Alignment, paths: Paths, was: Mapping[str, str]) -> None:
        self.old = old
        self.new = new
        self.pairs = pairs
        self.paths = paths
        self.was = was
        self.said: set[str] = set()
        self.moved = 0
        lines = old.lines
        self.is_changed = [
            before != NONE and lines[before] != line for before, line in zip(pairs.of_new, new.lines, strict=True)
        ]

    def label(self, before: int) -> str:
        return label_of(self.old.lines[before])

    def added_lines(self, at: int, depth: int = 0) -> list[str]:
        """A new line with all under it; lines that stood elsewhere before are only named."""
        kids = self.new.kids[at]
        sign = "- " if depth else "+ "
        lines = [f"{'  ' * depth}{sign}{self.new.lines[at]}{':' if kids else ''}"]
        place = 0
        while place < len(kids):
            if self.pairs.of_new[kids[place]] == NONE:
                lines += self.added_lines(kids[place], depth + 1)
                place += 1
            else:
                line, count = self.moved_line(kids, place)
                self.moved += count
                lines.append(f"{'  ' * (depth + 1)}{line}")
                place += count
        return lines

    def moved_line(self, kids: Sequence[int], place: int, kept: Collection[int] = ()) -> tuple[str, int]:
        """The line that says that a new child came from elsewhere, and how many came together with it."""
        run = self._run(kids, place, kept)
        before = self.pairs.of_new[kids[place]]
        where = f"{self.paths.to(self.old.parent[before])} #{self.old.places[before] + 1}"
        if run > 1:
            last = self.pairs.of_new[kids[place + run - 1]]
            return f"> {run} of {where} ({self.label(before)} … {self.label(last)})", run
        source = self.old.ref[before] or where
        if self.is_changed[kids[place]]:
            return f"> {source} now {self.changed_line(kids[place])}", 1
        return f"> {source} ({self.label(before)})", 1

    def changed_line(self, at: int) -> str:
        """The new line of a child, with what it was when its ref is another one now."""
        line = self.new.lines[at]
        old = self.old.lines[self.pairs.of_new[at]]
        was = self.was.get(own_ref(line), "")
        if was and was == own_ref(old):
            self.said.add(was)
            role, name = head_of(old)
            return f"replaced {was} {role}{f' {quoted(name)}' if name else ''} -> {line}"
        return line

    def removed_line(self, run: Sequence[int]) -> str:
        """What is taken out; refs that die with it and are not named here are named at the end."""
        inside = sum(self.old.size[at] for at in run)
        note = f" ({inside} lines)" if inside > len(run) else ""
        if len(run) == 1:
            self.said.add(own_ref(self.old.lines[run[0]]))
            return f"{self.label(run[0])}{note}"
        return f"{len(run)} {self.label(run[0])} … {self.label(run[-1])}{note}"

    def _run(self, kids: Sequence[int], place: int, kept: Collection[int]) -> int:
        """How many of the new children from here on stood together before, in this order and unchanged."""
        first = self.pairs.of_new[kids[place]]
        if self.is_changed[kids[place]]:
            return 1
        before = self.old.kids[self.old.parent[first]]
        start = self.old.places[first]
        count = 1
        while place + count < len(kids) and start + count < len(before):
            kid, was = kids[place + count], before[start + count]
            if kid in kept or self.pairs.of_new[kid] != was or self.is_changed[kid]:
                break
            count += 1
        return count


class Entries:
    """The lines of one block, for the children of an old line and of the new line that it is now."""

    def __init__(self, sides: Sides, before: int, at: int) -> None:
        self._sides = sides
        self._line = before
        self._before = sides.old.kids[before]
        self._now = sides.new.kids[at]
        kept = {now: was for was, now in sides.pairs.kept(before, at)}
        sides.moved += sum(1 for kid in self._now if kid not in kept and sides.pairs.of_new[kid] != NONE)
        self._kept = {} if self._is_reordered(kept) else kept
        self._pointer = 0
        self._taken_out = self._scattered()
        self.lines: list[str] = [self._taken_out_line()] if self._taken_out else []
        self._write()

    def _scattered(self) -> list[int]:
        """The places of children that are gone, when one line for all of them is better than one for each stretch."""
        of_old = self._sides.pairs.of_old
        lost = [at for at, kid in enumerate(self._before) if of_old[kid] == NONE]
        stretches = sum(1 for at, place in enumerate(lost) if at == 0 or lost[at - 1] != place - 1)
        return lost if len(lost) > _FEW_GONE and stretches > 1 else []

    def _taken_out_line(self) -> str:
        """Names those that are gone or, when that is shorter, those that stay."""
        lost = set(self._taken_out)
        gone = ", ".join(self._order(self._taken_out))
        stay = ", ".join(self._order([at for at in range(len(self._before)) if at not in lost]))
        return f"x all but: {stay}" if stay and len(stay) < len(gone) else f"x these: {gone}"

    def _is_reordered(self, kept: Collection[int]) -> bool:
        """Whether so many children changed places that it is shorter to name all of them in their new order."""
        moved = [kid not in kept and self._only_moved(kid) for kid in self._now]
        stretches = sum(1 for at, one in enumerate(moved) if one and (at == 0 or not moved[at - 1]))
        return sum(moved) > _FEW_MOVES and stretches >= _FEW_MOVES

    def _only_moved(self, kid: int) -> bool:
        """Whether this was a child of the same line before, and says the same."""
        before = self._sides.pairs.of_new[kid]
        return before != NONE and self._sides.old.parent[before] == self._line and not self._sides.is_changed[kid]

    def _write(self) -> None:
        passed = place = 0
        of_new, places = self._sides.pairs.of_new, self._sides.old.places
        while place < len(self._now):
            kid = self._now[place]
            if kid in self._kept:
                at = places[of_new[kid]]
                if at > passed:
                    self._remove(passed, at)
                if self._sides.is_changed[kid]:
                    self._say("~", at, self._sides.changed_line(kid))
                    self._pointer = at + 1
                passed, place = at + 1, place + 1
            else:
                self._go_to(passed)
                place += self._insert(place)
        self._remove(passed, len(self._before))

    def _insert(self, place: int) -> int:
        """Writes the child at this place, and those that are told together with it; how many those are."""
        kid = self._now[place]
        if self._sides.pairs.of_new[kid] == NONE:
            self.lines += self._sides.added_lines(kid)
            return 1
        count = self._moved_here(place)
        line, run = self._sides.moved_line(self._now, place, self._kept)
        if count <= max(run, _FEW_MOVES - 1):
            self.lines.append(line)
            return run
        self.lines.append(f"> order: {', '.join(self._order(self._old_places(self._now[place : place + count])))}")
        return count

    def _moved_here(self, place: int) -> int:
        """How many children from here on only changed places under this line."""
        count = 0
        for kid in self._now[place:]:
            if kid in self._kept or not self._only_moved(kid):
                break
            count += 1
        return count

    def _old_places(self, kids: Sequence[int]) -> list[int]:
        return [self._sides.old.places[self._sides.pairs.of_new[kid]] for kid in kids]

    def _order(self, places: Sequence[int]) -> list[str]:
        """Old children in this order; of three and more that stood beside each other the first and the last."""
        found: list[str] = []
        start = 0
        while start < len(places):
            end = self._end_of_run(places, start)
            if end - start >= _RUN:
                found.append(f"{self._named(places[start])} … {self._named(places[end - 1])}")
                start = end
            else:
                found.append(self._named(places[start]))
                start += 1
        return found

    @staticmethod
    def _end_of_run(places: Sequence[int], start: int) -> int:
        """Where the run ends that goes up or down from here by one each time."""
        if start + 1 == len(places) or abs(places[start + 1] - places[start]) != 1:
            return start + 1
        step = places[start + 1] - places[start]
        end = start + 1
        while end < len(places) and places[end] - places[end - 1] == step:
            end += 1
        return end

    def _named(self, place: int) -> str:
        return self._sides.old.ref[self._before[place]] or f"#{place + 1}"

    def _remove(self, first: int, end: int) -> None:
        """Takes out the children of this stretch that are nowhere on the new page."""
        if self._taken_out:
            return
        of_old = self._sides.pairs.of_old
        lost = [at for at in range(first, end) if of_old[self._before[at]] == NONE]
        start = 0
        while start < len(lost):
            run = 1
            while start + run < len(lost) and lost[start + run] == lost[start] + run:
                run += 1
            run = run if run >= _RUN else 1
            gone = [self._before[at] for at in lost[start : start + run]]
            self._say("x", lost[start], self._sides.removed_line(gone))
            self._pointer = lost[start] + run
            start += run

    def _say(self, sign: str, at: int, line: str) -> None:
        """An entry for this child; a count stands before it unless a reader finds the child without."""
        if meant(line, self._sides.paths, self._line, self._pointer) != at:
            self.lines.append(f"= {at - self._pointer} as before")
        self.lines.append(f"{sign} {line}")

    def _go_to(self, at: int) -> None:
        if at > self._pointer:
            self.lines.append(f"= {at - self._pointer} as before")
            self._pointer = at
