"""Finds which line of an older page each line of a newer one is, in linear time."""

from bisect import bisect_left
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Sequence

from app.context.render import ShownNode, own_ref, refs_of

_WORTH_MOVING = 40
NONE = -1
_NO_REFS: list[str] = []


class Flat:
    """The lines of a tree in document order: parents, children, subtree sizes and digests by index."""

    def __init__(self, tree: ShownNode) -> None:
        self.nodes: list[ShownNode] = []
        self.parent: list[int] = []
        self.kids: list[list[int]] = []
        self.refs: list[list[str]] = []
        self._flatten(tree)
        self.size = [1] * len(self.nodes)
        self.digest = [0] * len(self.nodes)
        self._sum_up()

    def role(self, at: int) -> str:
        return self.nodes[at].line.partition(" ")[0].partition(":")[0]

    def head(self, at: int) -> str:
        """Role and name: the line up to its first mark or its value."""
        return self.nodes[at].line.partition("[")[0].partition(":")[0]

    def block_head(self, at: int) -> tuple[str, bool]:
        """The head, and whether lines stand under it."""
        return self.head(at), bool(self.kids[at])

    def own_refs(self, at: int) -> dict[str, int]:
        """Where among the children the one with a ref of its own stands, by ref."""
        refs = ((own_ref(self.nodes[kid].line), place) for place, kid in enumerate(self.kids[at]) if self.refs[kid])
        return {ref: place for ref, place in refs if ref}

    def place(self, at: int) -> int:
        """The position of a node among its siblings."""
        return self.kids[self.parent[at]].index(at)

    def _flatten(self, tree: ShownNode) -> None:
        nodes, parents, kids, refs = self.nodes, self.parent, self.kids, self.refs
        stack = [(tree, NONE)]
        while stack:
            node, parent = stack.pop()
            at = len(nodes)
            nodes.append(node)
            parents.append(parent)
            kids.append([])
            refs.append(refs_of(node.line) if "[ref=" in node.line else _NO_REFS)
            if parent != NONE:
                kids[parent].append(at)
            if node.children:
                stack.extend([(child, at) for child in reversed(node.children)])

    def _sum_up(self) -> None:
        for at in range(len(self.nodes) - 1, -1, -1):
            kids = self.kids[at]
            self.digest[at] = hash((self.nodes[at].line, *[self.digest[kid] for kid in kids]))
            if kids:
                self.size[at] += sum([self.size[kid] for kid in kids])


class Alignment:
    """Pairs of the same line in `old` and `new`: by ref, by what they hold, by equal content, by place."""

    def __init__(self, old: Flat, new: Flat, replaced: Iterable[tuple[str, str]] = ()) -> None:
        self.old = old
        self.new = new
        self.of_new = [NONE] * len(new.nodes)
        self.of_old = [NONE] * len(old.nodes)
        self._pair(0, 0)
        self._by_ref(dict(replaced))
        self._by_what_they_hold()
        self._by_place([_digest_key])
        self._by_unique_content()
        self._by_place([_digest_key, Flat.block_head, Flat.head, Flat.role])

    def kept(self, old: int, new: int) -> list[tuple[int, int]]:
        """The children that both have in common, in order: the longest run of pairs that did not change places."""
        places = {kid: place for place, kid in enumerate(self.old.kids[old])}
        pairs = [(self.of_new[kid], kid) for kid in self.new.kids[new] if self.of_new[kid] in places]
        return [pairs[at] for at in _longest_rise([places[before] for before, _ in pairs])]

    def _pair(self, old: int, new: int) -> None:
        if self.of_new[new] == NONE and self.of_old[old] == NONE:
            self.of_new[new] = old
            self.of_old[old] = new

    def _pair_whole(self, old: int, new: int) -> None:
        for step in range(self.old.size[old]):
            self._pair(old + step, new + step)

    def _by_ref(self, replaced: dict[str, str]) -> None:
        holder = {ref: at for at, refs in enumerate(self.old.refs) for ref in refs}
        for before, now in replaced.items():
            if before in holder:
                holder.setdefault(now, holder[before])
        for at, refs in enumerate(self.new.refs):
            for ref in refs:
                before_at = holder.get(ref, NONE)
                if before_at != NONE and self.old.role(before_at) == self.new.role(at):
                    self._pair(before_at, at)
                    break

    def _by_what_they_hold(self) -> None:
        """A line without a ref is the one whose children it mostly holds, shown or left out there."""
        hidden = self._where_hidden()
        for at in range(len(self.new.nodes) - 1, 0, -1):
            if self.of_new[at] != NONE or self.new.refs[at] or not self.new.kids[at]:
                continue
            held = Counter(self.old.parent[self.of_new[kid]] for kid in self.new.kids[at] if self.of_new[kid] != NONE)
            if hidden and hash(self.new.nodes[at].line) not in hidden:
                lines = [hash(self.new.nodes[kid].line) for kid in self.new.kids[at] if self.of_new[kid] == NONE]
                held.update(hidden[line] for line in lines if line in hidden)
            for before, _ in held.most_common():
                free = before > 0 and self.of_old[before] == NONE and not self.old.refs[before]
                if free and self.old.role(before) == self.new.role(at):
                    self._pair(before, at)
                    break

    def _where_hidden(self) -> dict[int, int]:
        """The old line under which each left-out line stood, by digest."""
        found: dict[int, int] = {}
        for at, node in enumerate(self.old.nodes):
            if node.hidden:
                found.update(dict.fromkeys(node.hidden, self.old.parent[at]))
        return found

    def _by_unique_content(self) -> None:
        old = _unique_digests(self.old, self.of_old)
        new = _unique_digests(self.new, self.of_new)
        for digest, at in new.items():
            before = old.get(digest, NONE)
            if before != NONE and self.of_new[at] == NONE:
                self._pair_whole(before, at)

    def _by_place(self, keys: Sequence[Callable[[Flat, int], object]]) -> None:
        for at in range(len(self.new.nodes)):
            before = self.of_new[at]
            if before != NONE and self.old.kids[before] and self.new.kids[at]:
                self._children_by_place(before, at, keys)

    def _children_by_place(self, old: int, new: int, keys: Sequence[Callable[[Flat, int], object]]) -> None:
        if all(self.of_new[kid] != NONE for kid in self.new.kids[new]):
            return
        segments = _segments(self.old.kids[old], self.new.kids[new], self.kept(old, new))
        for key in keys:
            segments = [part for old_kids, new_kids in segments for part in self._split(old_kids, new_kids, key)]
        if Flat.head in keys:
            self._blocks_out_of_order(old, new)

    def _blocks_out_of_order(self, old: int, new: int) -> None:
        """Blocks that changed places among their siblings are told by their heads."""
        waiting: dict[str, deque[int]] = defaultdict(deque)
        for kid in self.old.kids[old]:
            if self.of_old[kid] == NONE and self.old.kids[kid] and not self.old.refs[kid]:
                waiting[self.old.head(kid)].append(kid)
        for kid in self.new.kids[new] if waiting else ():
            if self.of_new[kid] == NONE and self.new.kids[kid] and waiting.get(head := self.new.head(kid)):
                self._pair(waiting[head].popleft(), kid)

    def _split(
        self, old_kids: list[int], new_kids: list[int], key: Callable[[Flat, int], object]
    ) -> list[tuple[list[int], list[int]]]:
        free_old = [kid for kid in old_kids if self.of_old[kid] == NONE]
        free_new = [kid for kid in new_kids if self.of_new[kid] == NONE]
        if not free_old or not free_new:
            return []
        if len(free_old) == len(free_new) == 1 and self.old.digest[free_old[0]] == self.new.digest[free_new[0]]:
            self._pair_whole(free_old[0], free_new[0])
            return []
        pairs = self._in_order(free_old, free_new, key)
        for before, now in pairs:
            if self.old.digest[before] == self.new.digest[now]:
                self._pair_whole(before, now)
            else:
                self._pair(before, now)
        return _segments(free_old, free_new, pairs)

    def _in_order(
        self, free_old: list[int], free_new: list[int], key: Callable[[Flat, int], object]
    ) -> list[tuple[int, int]]:
        waiting: dict[object, deque[int]] = defaultdict(deque)
        for place, kid in enumerate(free_old):
            if key is _digest_key or not self.old.refs[kid]:
                waiting[key(self.old, kid)].append(place)
        comers = [kid for kid in free_new if key is _digest_key or not self.new.refs[kid]]
        found = [(waiting[at].popleft(), kid) for kid in comers if waiting.get(at := key(self.new, kid))]
        rising = _longest_rise([place for place, _ in found])
        return [(free_old[found[at][0]], found[at][1]) for at in rising]


def _digest_key(flat: Flat, at: int) -> object:
    return flat.digest[at]


def _unique_digests(flat: Flat, matched: list[int]) -> dict[int, int]:
    free = [at for at in range(len(flat.nodes)) if matched[at] == NONE and _is_worth_moving(flat, at)]
    counts = Counter(flat.digest[at] for at in free)
    return {flat.digest[at]: at for at in free if counts[flat.digest[at]] == 1}


def _is_worth_moving(flat: Flat, at: int) -> bool:
    return bool(flat.kids[at]) or len(flat.nodes[at].line) >= _WORTH_MOVING


def _segments(
    old_kids: list[int], new_kids: list[int], pairs: list[tuple[int, int]]
) -> list[tuple[list[int], list[int]]]:
    """The stretches between pairs that are in order in both lists."""
    old_place = {kid: place for place, kid in enumerate(old_kids)}
    new_place = {kid: place for place, kid in enumerate(new_kids)}
    found = []
    old_from = new_from = 0
    for before, now in pairs:
        found.append((old_kids[old_from : old_place[before]], new_kids[new_from : new_place[now]]))
        old_from, new_from = old_place[before] + 1, new_place[now] + 1
    found.append((old_kids[old_from:], new_kids[new_from:]))
    return found


def _longest_rise(numbers: list[int]) -> list[int]:
    """The positions of the longest strictly rising subsequence."""
    tails: list[int] = []
    at_tail: list[int] = []
    before = [NONE] * len(numbers)
    for at, number in enumerate(numbers):
        place = bisect_left(tails, number)
        if place == len(tails):
            tails.append(number)
            at_tail.append(at)
        else:
            tails[place] = number
            at_tail[place] = at
        before[at] = at_tail[place - 1] if place else NONE
    found = []
    at = at_tail[-1] if at_tail else NONE
    while at != NONE:
        found.append(at)
        at = before[at]
    return found[::-1]
