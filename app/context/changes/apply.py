"""Carries out rendered changes on a rendered page: what a reader who follows them to the letter ends up with."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from app.context.changes.flat import Flat
from app.context.changes.paths import Paths
from app.context.page.render import ShownNode, own_ref, parse_shown, renamed

_KEEP = re.compile(r"= (\d+) as before")
_MANY = re.compile(r"x (\d+) ")
_RUN = re.compile(r"(\d+) of ")
_PLACE = re.compile(r" #(\d+)")
_REPLACED = re.compile(r'replaced (e\d+) [A-Za-z][\w-]*(?: "(?:[^"\\]|\\.)*")? -> ')
_REF = re.compile(r"e\d+(?= )")
_ORDER = "order: "
_THESE = "x these: "
_ALL_BUT = "x all but: "
_ITEM = re.compile(r"(e\d+|#\d+)(?: … (e\d+|#\d+))?")
_RENUMBERED = re.compile(r"e(\d+)(?:-e(\d+))? -> e(\d+)(?:-e(\d+))?")


def apply(shown_old: str, shown_changes: str) -> ShownNode:
    """The page after the changes. Raises ValueError when the changes do not fit the page."""
    first, _, rest = shown_changes.partition("\n")
    if first.startswith("renumbered "):
        shown_old, shown_changes = renamed(shown_old, _renumbered(first)), rest
    return _Application(parse_shown(shown_old), shown_changes).result()


def meant(line: str, paths: Paths, parent: int, pointer: int) -> int:
    """Which child a `~` or `x` means that no count stands before: the one with its ref, else the next one."""
    replaced = _REPLACED.match(line)
    ref = replaced[1] if replaced else own_ref(line)
    place = paths.place_under(parent, ref) if ref else None
    return pointer if place is None else max(place, pointer)


def _renumbered(line: str) -> dict[str, str]:
    """The old refs with the new ones."""
    found: dict[str, str] = {}
    for run in _RENUMBERED.finditer(line):
        first, now = int(run[1]), int(run[3])
        found.update({f"e{at}": f"e{at - first + now}" for at in range(first, int(run[2] or first) + 1)})
    return found


@dataclass(slots=True)
class _Entry:
    """An entry with the lines that stand deeper under it."""

    line: str
    below: list["_Entry"] = field(default_factory=list)


class _Application:
    def __init__(self, old: ShownNode, text: str) -> None:
        self._old = Flat(old)
        self._paths = Paths(self._old)
        self._blocks: dict[int, list[_Entry]] = {}
        self._away: set[int] = set()
        self._read(text)

    def result(self) -> ShownNode:
        return self._rebuilt(0, self._old.lines[0])

    def _read(self, text: str) -> None:
        for top in _nested(text.split("\n") if text else []):
            if top.line.startswith("in "):
                at, rest = self._paths.find(top.line[3:])
                if rest != ":":
                    raise ValueError(f"no block: {top.line}")
                self._blocks[at] = top.below
                self._note_moves(top.below, at)

    def _note_moves(self, entries: list[_Entry], at: int) -> None:
        for entry in entries:
            if entry.line.startswith("> "):
                self._away.update(self._sources(entry.line[2:], at)[0])
            elif entry.line.startswith(_THESE):
                self._away.update(self._ordered(entry.line.removeprefix(_THESE), at))
            elif entry.line.startswith(_ALL_BUT):
                stay = set(self._ordered(entry.line.removeprefix(_ALL_BUT), at))
                self._away.update(kid for kid in self._old.kids[at] if kid not in stay)
            self._note_moves(entry.below, at)

    def _sources(self, text: str, at: int) -> tuple[Sequence[int], str]:
        """The old lines that a `>` in the block of this line brings, and what follows their address."""
        if text.startswith(_ORDER):
            return self._ordered(text.removeprefix(_ORDER), at), ""
        ref = _REF.match(text)
        if ref:
            return [self._paths.holder(ref[0])], text[ref.end() :]
        run = _RUN.match(text)
        parent, rest = self._paths.find(text[run.end() :] if run else text)
        place = _PLACE.match(rest)
        if place is None:
            raise ValueError(f"no place: {text}")
        first = int(place[1]) - 1
        return self._old.kids[parent][first : first + (int(run[1]) if run else 1)], rest[place.end() :]

    def _ordered(self, text: str, at: int) -> list[int]:
        kids = self._old.kids[at]
        found: list[int] = []
        for item in _ITEM.finditer(text):
            first = self._place(item[1], at)
            last = self._place(item[2] or item[1], at)
            step = 1 if last >= first else -1
            found += [kids[place] for place in range(first, last + step, step)]
        return found

    def _place(self, name: str, at: int) -> int:
        place = int(name[1:]) - 1 if name.startswith("#") else self._old.places[self._paths.holder(name)]
        if not name.startswith("#") and self._old.parent[self._paths.holder(name)] != at:
            raise ValueError(f"{name} stands elsewhere")
        return place

    def _rebuilt(self, at: int, line: str) -> ShownNode:
        if at in self._blocks:
            return ShownNode(line, tuple(self._changed_children(at)))
        return ShownNode(line, tuple(self._stay(self._old.kids[at])))

    def _same(self, at: int) -> ShownNode:
        return self._rebuilt(at, self._old.lines[at])

    def _changed_children(self, at: int) -> list[ShownNode]:
        kids = self._old.kids[at]
        made: list[ShownNode] = []
        pointer, counted = 0, False
        for entry in self._blocks[at]:
            if entry.line.startswith((_THESE, _ALL_BUT)):
                continue
            keep = _KEEP.fullmatch(entry.line)
            if keep:
                target = pointer + int(keep[1])
            elif entry.line.startswith(("~ ", "x ")) and not counted:
                target = meant(entry.line[2:], self._paths, at, pointer)
            else:
                target = pointer
            made += self._stay(kids[pointer:target])
            pointer, counted = target, keep is not None
            if entry.line.startswith("~ "):
                made.append(self._rebuilt(kids[pointer], _new_line(entry.line[2:])))
                pointer += 1
            elif entry.line.startswith("x "):
                many = _MANY.match(entry.line)
                pointer += int(many[1]) if many else 1
            elif not keep:
                made += self._coming(entry, at)
        return made + self._stay(kids[pointer:])

    def _stay(self, kids: Sequence[int]) -> list[ShownNode]:
        return [self._same(kid) for kid in kids if kid not in self._away]

    def _coming(self, entry: _Entry, at: int) -> list[ShownNode]:
        if not entry.line.startswith("> "):
            line = entry.line[2:]
            below = [node for deeper in entry.below for node in self._coming(deeper, at)]
            return [ShownNode(line.removesuffix(":") if below else line, tuple(below))]
        sources, rest = self._sources(entry.line[2:], at)
        if rest.startswith(" now "):
            return [self._rebuilt(sources[0], _new_line(rest[5:]))]
        return [self._same(source) for source in sources]


def _new_line(text: str) -> str:
    replaced = _REPLACED.match(text)
    return text[replaced.end() :] if replaced else text


def _nested(lines: list[str]) -> list[_Entry]:
    root = _Entry("")
    path = [(-1, root)]
    for line in lines:
        body = line.lstrip(" ")
        indent = len(line) - len(body)
        while path[-1][0] >= indent:
            path.pop()
        entry = _Entry(body)
        path[-1][1].below.append(entry)
        path.append((indent, entry))
    return root.below
