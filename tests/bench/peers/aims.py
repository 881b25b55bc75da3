"""Finds what a walk aims at in a peer's own view, by role and name, as a model would."""

import re
from dataclasses import dataclass

from tests.bench.peers.view import HOLDERS, Node, paths, words
from tests.bench.walks.walk import Aim

_FAMILIES = (
    ("textbox", "searchbox", "spinbutton", "combobox", "date", "inputtime", "datetime", "listbox"),
    ("combobox", "listbox", "button", "popupbutton"),
    ("button", "disclosuretriangle", "summary", "togglebutton", "tab"),
    ("checkbox", "switch", "menuitemcheckbox"),
    ("radio", "menuitemradio"),
    ("iframe", "iframepresentational"),
    ("cell", "gridcell", "td"),
    ("option", "listboxoption", "menulistoption"),
    ("generic", "span", "div", "text"),
)


class NotFound(Exception):
    """The view does not show the target, or shows it too often to tell."""


@dataclass(frozen=True, slots=True)
class Place:
    """Which of how many controls with its role and name the target is, and which of how many with its role.

    In document order of the whole page. `says` is what stands in it, for a peer that names it by that.
    """

    at: int
    of: int
    at_in_role: int = 0
    of_role: int = 0
    says: str = ""


def place_of(tree: Node, aim: Aim) -> Place:
    """Where Playwright's own tree has the target. Raises NotFound."""
    alike = _alike(tree, aim)
    wanted = _within(alike, aim) if aim.within else alike
    if len(wanted) <= aim.nth:
        raise NotFound(_complaint(aim, len(alike)))
    found = wanted[aim.nth][1]
    of_role = _of_role(tree, found.role)
    return Place(_index(alike, found), len(alike), _index(of_role, found), len(of_role), bare(words(found)))


def target(tree: Node, aim: Aim, place: Place | None) -> Node:
    """The target in a peer's view; where it has lost rows, items or the name, the place on the page tells.

    Raises NotFound.
    """
    alike = _alike(tree, aim)
    held = _within(alike, aim) if aim.within else alike
    if len(held) > aim.nth:
        return held[aim.nth][1]
    if place is not None and len(alike) == place.of:
        return alike[place.at][1]
    of_role = _of_role(tree, aim.role)
    named = [one for _, one in of_role if place and not aim.name and place.says and bare(one.name) == place.says]
    if len(named) == 1:
        return named[0]
    if place is not None and len(of_role) == place.of_role:
        there = of_role[place.at_in_role][1]
        if there.is_guessed or not there.name or not aim.name:
            return there
    raise NotFound(_complaint(aim, len(alike)))


def is_of_role(shown: str, wanted: str) -> bool:
    """Whether two names of a role mean the same kind of control."""
    shown, wanted = shown.lower(), wanted.lower()
    return shown == wanted or any(shown in family and wanted in family for family in _FAMILIES)


def plain(text: str) -> str:
    """A name without what peers write differently: case, white space, signs at its ends."""
    return re.sub(r"\s+", " ", text).strip(" \t:*…").casefold()


def bare(text: str) -> str:
    """Only the letters and figures of a text, for looking up what may be cut into pieces."""
    return re.sub(r"[\W_]+", "", text).casefold()


Found = tuple[tuple[Node, ...], Node]


def _alike(tree: Node, aim: Aim) -> list[Found]:
    named = [(path, one) for path, one in paths(tree) if one.ref and plain(one.name) == plain(aim.name)]
    exact = [(path, one) for path, one in named if one.role.lower() == aim.role]
    alike = exact or [(path, one) for path, one in named if is_of_role(one.role, aim.role)]
    return alike or _told_of(tree, aim)


def _told_of(tree: Node, aim: Aim) -> list[Found]:
    """Where a view has the name in a description instead, as of a picture in a link."""
    wanted = f'description="{aim.name}"'
    return [(path, one) for path, one in paths(tree) if one.ref and wanted in one.said]


def _of_role(tree: Node, role: str) -> list[Found]:
    return [(path, one) for path, one in paths(tree) if one.ref and one.role.lower() == role]


def _index(found: list[Found], wanted: Node) -> int:
    return next(at for at, one in enumerate(found) if one[1] is wanted)


def _within(found: list[Found], aim: Aim) -> list[Found]:
    wanted = bare(aim.within)
    return [(path, one) for path, one in found if any(wanted in bare(words(up)) for up in path if up.role in HOLDERS)]


def _complaint(aim: Aim, count: int) -> str:
    held = f" in {aim.within!r}" if aim.within else ""
    return f'{aim.role} "{aim.name}"{held} is not in the view ({count} of that role and name are)'
