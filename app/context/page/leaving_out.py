"""Says what a cut leaves out: how much of what, how many controls, how to get it."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from app.context.page.render import LEFT_OUT, quoted
from app.domain.ids import Ref
from app.domain.snapshot import SnapshotNode, walk

MOST_OPTIONS = 40
OPTIONS_SHOWN = 15

NameContainer = Callable[[SnapshotNode], Ref | None]
"""Gives a container a ref, so that the model can ask for it; None when the driver cannot address it."""


@dataclass(frozen=True, slots=True)
class Omitted:
    """One stretch of siblings that is not shown: what it is in words, how many nodes and controls it holds."""

    text: str
    nodes: int
    controls: int


def left_out(nodes: Sequence[SnapshotNode], changed: int = 0) -> SnapshotNode:
    """The node that stands for these siblings; it keeps them as its children."""
    return SnapshotNode(LEFT_OUT, text=summary(nodes, changed), children=tuple(nodes))


def omitted(node: SnapshotNode) -> Omitted:
    """What a left-out node stands for, counted."""
    inside = [part for child in node.children for part in walk(child) if part.role != LEFT_OUT]
    return Omitted(node.text, len(inside), sum(1 for part in inside if part.ref))


def summary(nodes: Sequence[SnapshotNode], changed: int = 0) -> str:
    """Such as `38 row (76 link, 38 button; 9,120 characters)`; few named parts are named."""
    few = len(nodes) <= 3 and all(node.name or node.ref for node in nodes)
    kinds = Counter(node.role for node in nodes if node.role != LEFT_OUT)
    what = ", ".join(_named(node) for node in nodes) if few else _counted(kinds)
    inside = [part for node in nodes for part in walk(node) if part.role != LEFT_OUT]
    own = {id(node) for node in nodes}
    controls = Counter(part.role for part in inside if part.ref and id(part) not in own)
    size = sum(len(part.name) + len(part.text) for part in inside)
    since = f", {changed} line{'s' if changed > 1 else ''} changed since" if changed else ""
    details = "; ".join(filter(None, [_counted(controls), f"{size:,} characters"]))
    return f"left out: {what} ({details}){since}"


def fold_options(node: SnapshotNode) -> SnapshotNode:
    """Long lists of choices keep their first ones and the chosen ones; the others are counted."""
    children = tuple([fold_options(child) for child in node.children])
    if node.role in ("combobox", "listbox") and len(children) > MOST_OPTIONS and all(map(_is_plain_option, children)):
        first = [child for at, child in enumerate(children) if at < OPTIONS_SHOWN or "selected" in child.states]
        rest = [child for at, child in enumerate(children) if at >= OPTIONS_SHOWN and "selected" not in child.states]
        return replace(node, children=(*first, left_out(rest)))
    if all(old is new for old, new in zip(node.children, children, strict=True)):
        return node
    return replace(node, children=children)


def count_nodes(tree: SnapshotNode) -> int:
    """How many nodes a page has, shown or left out."""
    return sum(1 for node in walk(tree) if node.role != LEFT_OUT) - 1


def count_shown(tree: SnapshotNode) -> int:
    """How many nodes of this part are shown, its root included."""
    return sum(1 for node in walk_shown(tree) if node.role != LEFT_OUT)


def walk_shown(tree: SnapshotNode) -> Iterator[SnapshotNode]:
    """Every node in document order, without what left-out nodes stand for."""
    stack = [tree]
    while stack:
        node = stack.pop()
        yield node
        if node.role != LEFT_OUT:
            stack.extend(reversed(node.children))


def _is_plain_option(node: SnapshotNode) -> bool:
    return node.role == "option" and not node.ref and not node.children


def _named(node: SnapshotNode) -> str:
    name = f" {quoted(node.name[:60])}" if node.name else ""
    return f"{node.role}{name}{f' [ref={node.ref}]' if node.ref else ''}"


def _counted(kinds: Counter[str]) -> str:
    parts = [f"{count} {role}" for role, count in kinds.most_common(4)]
    rest = sum(kinds.values()) - sum(count for _, count in kinds.most_common(4))
    return ", ".join(parts + ([f"{rest} other"] if rest else []))
