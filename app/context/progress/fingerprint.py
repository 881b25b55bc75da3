"""Digests a page so that two looks a person would call the same page in the same state come out equal."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from app.context.refs.meaning import stable
from app.domain.snapshot import SnapshotNode

_ALL_IN, _EVERY = 0x1E3779B97F4A7C15, 0x2545F4914F6CDD1D
_TELLING = frozenset({"selected", "current", "invalid"})  # marks that are states
_MOVING = re.compile(r"\b\d{1,2}:\d{2}(?::\d{2})?\b", re.IGNORECASE)

Key = int
"""Names a place of a page, or all that is in it, within one run of the program."""


@dataclass(frozen=True, slots=True)
class Page:
    """What is compared of a look: without refs, ids and geometry.

    `also` is what an act is judged by beside the tree; `loaded` says which document it was, which is not compared.
    """

    tree: SnapshotNode
    url: str
    tab: int
    document: str = ""
    also: tuple[str, ...] = ()
    loaded: str = ""


@dataclass(frozen=True, slots=True)
class Spot:
    """A node where it stands, told twice: from the page down, and from the nearest node that the driver knows.

    The first holds when nodes are made anew, the second when others come before it.
    """

    node: SnapshotNode
    place: Key
    anchor: Key

    @property
    def keys(self) -> tuple[Key, Key]:
        return (self.place, self.anchor)


def fingerprint(tree: SnapshotNode, url: str, document: str, tab: int, *, without: frozenset[Key] = frozenset()) -> str:
    """Of tab, address, document, controls with their values, and text; `without` names what is left out of it."""
    return mark_of(Page(tree, url, tab, document), digest_of(tree, without))


def mark_of(page: Page, digest: str) -> str:
    """The fingerprint of a page whose tree has this digest."""
    return _digest([str(page.tab), page.url, page.document, *page.also, digest])


def digest_of(tree: SnapshotNode, without: frozenset[Key] = frozenset()) -> str:
    """All that a person reads on it, in order, but for what is left out."""
    return _digest(_contents(tree, without) if without else _all_contents(tree))


def _digest(parts: Iterable[str]) -> str:
    return hashlib.blake2b("\x1e".join(parts).encode(errors="replace"), digest_size=16).hexdigest()


def content_of(node: SnapshotNode) -> str:
    """What a person reads on the node itself: role, name, value, states; no clocks, no ages, no focus."""
    marks = [mark for mark in node.marks if mark in _TELLING] if node.marks else []
    states = ",".join([*[state for state in node.states if state != "active"], *marks])
    return "\x1f".join((node.role, _steady(node.name), _steady(node.text), states))


def top(tree: SnapshotNode) -> Spot:
    """The page itself, where every other spot begins."""
    return Spot(tree, hash(("page",)), hash((tree.driver_ref,)))


def below(spot: Spot) -> list[Spot]:
    """The children of a spot, each with its keys."""
    counts: dict[str, int] = {}
    found = []
    for child in spot.node.children:
        number = counts[child.role] = counts.get(child.role, 0) + 1
        place = hash((spot.place, child.role, number))
        anchor = hash((child.driver_ref,)) if child.driver_ref else hash((spot.anchor, child.role, number))
        found.append(Spot(child, place, anchor))
    return found


def all_in(key: Key) -> Key:
    """The key for all that is in a place, whatever it is."""
    return key ^ _ALL_IN


def every(role: str, key: Key) -> Key:
    """The key for every child of that role in a place, with all that is in it."""
    return key ^ _EVERY ^ hash(role)


def _all_contents(tree: SnapshotNode) -> Iterator[str]:
    stack = [tree]
    while stack:
        node = stack.pop()
        yield content_of(node)
        stack.extend(reversed(node.children))


def _contents(tree: SnapshotNode, without: frozenset[Key]) -> Iterator[str]:
    start = top(tree)
    stack = [(start.node, start.place, start.anchor)]
    while stack:
        node, place, anchor = stack.pop()
        if place not in without and anchor not in without:
            yield content_of(node)
        if not node.children or all_in(place) in without or all_in(anchor) in without:
            continue
        found = []
        for spot in below(Spot(node, place, anchor)):
            role = spot.node.role
            if every(role, place) not in without and every(role, anchor) not in without:
                found.append((spot.node, spot.place, spot.anchor))
        stack.extend(reversed(found))


@lru_cache(20_000)  # the same texts come back at every look
def _steady(text: str) -> str:
    if not text or not any(character.isdigit() for character in text):
        return text
    return stable(_MOVING.sub("#", text))
