"""Cuts a lean page to a number of characters: at the borders of nodes, the most useful first, the rest counted."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from app.context.page.leaving_out import (
    NameContainer,
    Omitted,
    count_nodes,
    fold_options,
    left_out,
    omitted,
    walk_shown,
)
from app.context.page.render import LEFT_OUT, ShownNode, is_compact, render_shown, shown
from app.context.page.viewport import in_view
from app.domain.ids import Ref
from app.domain.snapshot import SnapshotNode

_FIELDS = frozenset(
    ["textbox", "searchbox", "combobox", "checkbox", "radio", "switch", "slider", "spinbutton", "listbox"]
)
_DIALOGS = frozenset(["dialog", "alertdialog"])
_NEWS = frozenset(["alert", "status"])
_FORMS = frozenset(["form", "group", "radiogroup", "search"])
_FRINGE = frozenset(["navigation", "banner", "contentinfo", "complementary"])
_FEW = 3
_COUNT_PRICE = 160
_REF_PRICE = 12
_TRIES = 14


@dataclass(frozen=True, slots=True)
class Cut:
    """What is shown of a page, with a left-out node for every stretch that is not.

    It is crowded when even of what is in the viewport something had to be left out.
    """

    tree: SnapshotNode
    omitted: tuple[Omitted, ...]
    nodes_shown: int
    nodes_total: int
    is_crowded: bool = False


def cut(
    tree: SnapshotNode,
    limit: int,
    *,
    viewport: tuple[int, int] = (1280, 800),
    name: NameContainer | None = None,
    lines: ShownNode | None = None,
) -> Cut:
    """At most `limit` characters of rendered text, by relevance: dialogs, focus, viewport, forms, main, the rest.

    Everything that can be acted on is shown or counted. `name` gives refs to containers of what is left out. `lines`
    are the lines of the tree, for a caller who has them and has folded its options.
    """
    tree = fold_options(tree) if lines is None else tree
    lines = lines or shown(tree)
    total = count_nodes(tree)
    made, is_crowded = tree, False
    if len(render_shown(lines)) > limit:
        selection = _Selection(tree, lines, viewport)
        picked = selection.picked(limit)
        made, is_crowded = _Build(picked, selection.cost, name).part(tree), selection.is_crowded(picked)
    gone = tuple([omitted(node) for node in walk_shown(made) if node.role == LEFT_OUT])
    return Cut(made, gone, total - sum(one.nodes for one in gone), total, is_crowded)


@dataclass(frozen=True, slots=True)
class _Where:
    """What a node inherits from those above it."""

    rank: int = 7
    in_form: bool = False


class _Selection:
    """Ranks the lines of a page once and picks as many as fit."""

    def __init__(self, tree: SnapshotNode, lines: ShownNode, viewport: tuple[int, int]) -> None:
        self._tree = tree
        self._in_view = in_view(tree, viewport)
        self._parent: dict[int, int] = {}
        self._own_cost: dict[int, int] = {}
        self._units: list[tuple[int, int, int]] = []
        self._runs: dict[int, list[tuple[SnapshotNode | None, int]]] = {}
        self.cost: dict[int, int] = {}
        self._rank(tree, lines, -1, _Where(), 0)
        self._units.sort()

    def picked(self, limit: int) -> set[int]:
        """The nodes that fit together with the lines that count the others."""
        most = self._pick(limit, limit)
        self._divide(self._tree, most)
        low, high = 0, limit
        for _ in range(_TRIES):
            middle = (low + high + 1) // 2
            if self._estimate(self._tree, self._pick(middle, limit)) <= limit:
                low = middle
            else:
                high = middle - 1
        return self._pick(low, limit)

    def is_crowded(self, picked: set[int]) -> bool:
        return any(key in self._in_view and key not in picked for _, _, key in self._units)

    def _rank(self, node: SnapshotNode, line: ShownNode, parent: int, where: _Where, depth: int) -> None:
        key = id(node)
        self._parent[key] = parent
        self._own_cost[key] = self.cost[key] = len(line.line) + 2 * depth + 2
        if not line.children:
            self._units.append((self._rank_of(node, where), len(self._units), key))
            return
        below = self._below(node, where)
        if below.rank > 1 and any("active" in child.states and child.ref for child in node.children):
            below = replace(below, rank=1)
        for child, kid in zip(node.children, line.children, strict=True):
            self._rank(child, kid, key, below, depth + 1)
            self.cost[key] += self.cost[id(child)]

    def _below(self, node: SnapshotNode, where: _Where) -> _Where:
        rank = where.rank
        if node.role in _DIALOGS:
            rank = 0
        elif node.role in _NEWS:
            rank = min(rank, 2)
        elif node.role in _FRINGE and rank > 2:
            rank = 8
        elif node.role == "main" and rank > 2:
            rank = 6
        return _Where(rank, where.in_form or node.role in _FORMS)

    def _rank_of(self, node: SnapshotNode, where: _Where) -> int:
        if node.role in _DIALOGS:
            return 0
        if "active" in node.states and node.ref:
            return min(where.rank, 1)
        if node.role in _NEWS:
            return min(where.rank, 2)
        if id(node) in self._in_view:
            return min(where.rank, 3)
        if node.role in _FIELDS or (where.in_form and node.ref):
            return min(where.rank, 4)
        return min(where.rank, 5) if node.role == "heading" else where.rank

    def _pick(self, budget: int, limit: int) -> set[int]:
        """Whole lines in order of rank until the budget is spent; a giant is passed over."""
        picked: set[int] = set()
        spent = 0
        for _, _, key in self._units:
            chain = list(self._chain(key, picked))
            price = sum([self._own_cost[each] for each in chain])
            if spent + price <= budget:
                picked.update(chain)
                spent += price
            elif self._own_cost[key] < limit // 4:
                break
        return picked

    def _chain(self, key: int, picked: set[int]) -> Iterator[int]:
        while key != -1 and key not in picked:
            yield key
            key = self._parent[key]

    def _divide(self, node: SnapshotNode, most: set[int]) -> None:
        """Notes the children of a node that may be picked, and what those between them cost together."""
        if is_compact(node) or node.role == LEFT_OUT or not node.children:
            return
        runs: list[tuple[SnapshotNode | None, int]] = []
        between = 0
        for child in node.children:
            if id(child) in most:
                runs += [(None, between), (child, self.cost[id(child)])] if between else [(child, self.cost[id(child)])]
                between = 0
                self._divide(child, most)
            else:
                between += self.cost[id(child)]
        self._runs[id(node)] = [*runs, (None, between)]

    def _estimate(self, node: SnapshotNode, picked: set[int]) -> int:
        """How many characters the page takes with these nodes shown, a little too high rather than too low."""
        price = self._own_cost[id(node)]
        if id(node) not in self._runs:
            return price
        price, missing = price + _REF_PRICE, 0
        for child, cost in self._runs[id(node)]:
            if child is not None and id(child) in picked:
                price += min(missing, _COUNT_PRICE) + self._estimate(child, picked)
                missing = 0
            else:
                missing += cost
        return price + min(missing, _COUNT_PRICE)


class _Build:
    """Makes the tree of the picked nodes, with left-out nodes for stretches that are dearer to show than to count."""

    def __init__(self, picked: set[int], cost: dict[int, int], name: NameContainer | None) -> None:
        self._picked = picked
        self._cost = cost
        self._name = name

    def part(self, node: SnapshotNode) -> SnapshotNode:
        if is_compact(node) or not node.children or node.role == LEFT_OUT:
            return node
        children: list[SnapshotNode] = []
        missing: list[SnapshotNode] = []
        for child in node.children:
            if id(child) not in self._picked:
                missing.append(child)
                continue
            children += self._stretch(missing)
            missing = []
            children.append(self.part(child))
        children += self._stretch(missing)
        many = any(child.role == LEFT_OUT and len(child.children) > _FEW for child in children)
        return replace(node, ref=self._named(node) if many else node.ref, children=tuple(children))

    def _stretch(self, missing: list[SnapshotNode]) -> list[SnapshotNode]:
        if sum([self._cost[id(node)] for node in missing]) <= _COUNT_PRICE:
            return missing
        if len(missing) > _FEW:
            return [left_out(missing)]
        return [left_out([replace(node, ref=self._named(node)) if node.children else node for node in missing])]

    def _named(self, node: SnapshotNode) -> Ref | None:
        """The ref of a node, which it gets when it has none."""
        return node.ref if node.ref or self._name is None or node.role == "page" else self._name(node)
