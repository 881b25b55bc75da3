"""Carries out rendered changes on a rendered page: what a reader who follows them to the letter ends up with."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from app.context.align import Flat
from app.context.paths import Paths
from app.context.render import ShownNode, own_ref, parse_shown

_KEEP = re.compile(r"= (\d+) as before")
_MANY = re.compile(r"x (\d+) ")
_RUN = re.compile(r"(\d+) of ")
_PLACE = re.compile(r" #(\d+)")
_REPLACED = re.compile(r'replaced (e\d+) [A-Za-z][\w-]*(?: "(?:[^"\\]|\\.)*")? -> ')
_REF = re.compile(r"e\d+(?= )")


def apply(shown_old: str, shown_changes: str) -> ShownNode:
    """The page after the changes. Raises ValueError when the changes do not fit the page."""
    return _Application(parse_shown(shown_old), shown_changes).result()


def meant(line: str, places: Mapping[str, int], pointer: int) -> int:
    """Which child a `~` or `x` means that no count stands before: the one with its ref, else the next one."""
    replaced = _REPLACED.match(line)
    return max(places.get(replaced[1] if replaced else own_ref(line), pointer), pointer)


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
        return self._rebuilt(0, self._old.nodes[0].line)

    def _read(self, text: str) -> None:
        for top in _nested(text.split("\n") if text else []):
            if top.line.startswith("in "):
                at, rest = self._paths.find(top.line[3:])
                if rest != ":":
                    raise ValueError(f"no block: {top.line}")
                self._blocks[at] = top.below
                self._note_moves(top.below)

    def _note_moves(self, entries: list[_Entry]) -> None:
        for entry in entries:
            if entry.line.startswith("> "):
                self._away.update(self._sources(entry.line[2:])[0])
            self._note_moves(entry.below)

    def _sources(self, text: str) -> tuple[list[int], str]:
        """The old lines that a `>` brings, and what follows their address."""
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

    def _rebuilt(self, at: int, line: str) -> ShownNode:
        if at in self._blocks:
            return ShownNode(line, tuple(self._changed_children(at)))
        kept = [kid for kid in self._old.kids[at] if kid not in self._away]
        return ShownNode(line, tuple([self._same(kid) for kid in kept]))

    def _same(self, at: int) -> ShownNode:
        return self._rebuilt(at, self._old.nodes[at].line)

    def _changed_children(self, at: int) -> list[ShownNode]:
        kids = self._old.kids[at]
        places = self._old.own_refs(at)
        made: list[ShownNode] = []
        pointer, counted = 0, False
        for entry in self._blocks[at]:
            keep = _KEEP.fullmatch(entry.line)
            if keep:
                target = pointer + int(keep[1])
            elif entry.line.startswith(("~ ", "x ")) and not counted:
                target = meant(entry.line[2:], places, pointer)
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
                made += self._coming(entry)
        return made + self._stay(kids[pointer:])

    def _stay(self, kids: list[int]) -> list[ShownNode]:
        return [self._same(kid) for kid in kids if kid not in self._away]

    def _coming(self, entry: _Entry) -> list[ShownNode]:
        if not entry.line.startswith("> "):
            line = entry.line[2:]
            below = [node for deeper in entry.below for node in self._coming(deeper)]
            return [ShownNode(line.removesuffix(":") if below else line, tuple(below))]
        sources, rest = self._sources(entry.line[2:])
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
