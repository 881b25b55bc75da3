"""How many of the controls that Playwright's own tree shows stand in a view, by role and name."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from app.context.page.roles import INTERACTIVE_ROLES
from tests.bench.peers.aims import bare, is_of_role, plain
from tests.bench.peers.view import Node, walk

Control = tuple[str, str]
CONTROLS = INTERACTIVE_ROLES - {"iframe"}
_COUNTED = re.compile(r"(\d+) (\w+)")
_LEFT_OUT = re.compile(r"… left out: (.*)")


@dataclass(frozen=True, slots=True)
class Recall:
    """`counted` controls are not shown but told of in a line that says what is left out."""

    found: int
    counted: int
    total: int
    missing: tuple[Control, ...] = ()

    @property
    def is_complete(self) -> bool:
        return self.found == self.total


def controls(tree: Node) -> list[Control]:
    """The controls of Playwright's tree that have a ref."""
    return [(one.role, one.name) for one in walk(tree) if one.ref and one.role in CONTROLS]


def on_page(wanted: Sequence[Control], driver: Node) -> list[Control]:
    """The controls that the page had at this look too: some come and go by themselves between two runs."""
    here = Counter((role, plain(name)) for role, name in controls(driver))
    kept: list[Control] = []
    for role, name in wanted:
        if here[role, plain(name)] > 0:
            here[role, plain(name)] -= 1
            kept.append((role, name))
    return kept


def recall(wanted: Sequence[Control], view: Node, *, exactly: bool) -> Recall:
    """Each control of the view answers for one. Peers name some things otherwise, so theirs are compared leniently."""
    left = [one for one in walk(view) if one.ref]
    open_ = list(wanted)
    for fits in (_same,) if exactly else (_same, _same_name, _part_of_name, _same_role):
        open_ = _unmatched(open_, left, fits)
    counted = _counted_of(open_, _left_out(view)) if exactly else 0
    return Recall(len(wanted) - len(open_), counted, len(wanted), tuple(open_))


def _unmatched(wanted: list[Control], left: list[Node], fits: Callable[[Control, Node], bool]) -> list[Control]:
    """The controls that nothing in `left` answers for; what answers is taken out of it."""
    rest: list[Control] = []
    for control in wanted:
        at = next((at for at, one in enumerate(left) if fits(control, one)), None)
        if at is None:
            rest.append(control)
        else:
            left.pop(at)
    return rest


def _same(control: Control, shown: Node) -> bool:
    return is_of_role(shown.role, control[0]) and plain(shown.name) == plain(control[1])


def _same_name(control: Control, shown: Node) -> bool:
    return bare(control[1]) != "" and bare(shown.name) == bare(control[1])


def _part_of_name(control: Control, shown: Node) -> bool:
    one, other = bare(control[1]), bare(shown.name)
    return is_of_role(shown.role, control[0]) and bool(one and other) and (one in other or other in one)


def _same_role(control: Control, shown: Node) -> bool:
    return is_of_role(shown.role, control[0])


def _left_out(view: Node) -> Counter[str]:
    counted: Counter[str] = Counter()
    for line in _LEFT_OUT.findall(view.said):
        for count, role in _COUNTED.findall(line):
            counted[role] += int(count)
    return counted


def _counted_of(open_: Sequence[Control], told: Counter[str]) -> int:
    """How many of the controls that are not shown are told of, by role; "other" stands for any."""
    short = Counter(role for role, _ in open_)
    by_role = sum(min(count, told[role]) for role, count in short.items())
    return by_role + min(len(open_) - by_role, told["other"])
