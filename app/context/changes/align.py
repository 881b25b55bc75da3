"""Finds which line of an older page each line of a newer one is, in linear time."""

from bisect import bisect_left
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from operator import eq, lt

from app.context.changes.flat import NONE, Flat

_WORTH_MOVING = 40
_Key = Callable[[Flat, Sequence[int]], list[object]]


class Alignment:
    """Pairs of the same line in `old` and `new`: by ref, by what they hold, by equal content, by place."""

    def __init__(self, old: Flat, new: Flat, replaced: Iterable[tuple[str, str]] = ()) -> None:
        self.old = old
        self.new = new
        self.of_new = [NONE] * len(new.lines)
        self.of_old = [NONE] * len(old.lines)
        self._pair(0, 0)
        self._by_ref(dict(replaced))
        self._by_what_they_hold()
        self._by_place([_digests])
        self._by_unique_content()
        self._by_place([_digests, _plain, _block_heads, _heads, _roles])

    def kept(self, old: int, new: int) -> list[tuple[int, int]]:
        """The children that both have in common, in order: the longest run of pairs that did not change places."""
        of_new, parent, places = self.of_new, self.old.parent, self.old.places
        pairs = [(of_new[kid], kid) for kid in self.new.kids[new] if of_new[kid] != NONE and parent[of_new[kid]] == old]
        return [pairs[at] for at in longest_rise([places[before] for before, _ in pairs])]

    def is_settled(self, old: int, new: int) -> bool:
        """Whether both have the same children in the same order."""
        before, now = self.old.kids[old], self.new.kids[new]
        return len(before) == len(now) and all(map(eq, map(self.of_new.__getitem__, now), before))

    def _pair(self, old: int, new: int) -> None:
        if self.of_new[new] == NONE and self.of_old[old] == NONE:
            self.of_new[new] = old
            self.of_old[old] = new

    def _pair_whole(self, old: int, new: int) -> None:
        for step in range(self.old.size[old]):
            self._pair(old + step, new + step)

    def _by_ref(self, replaced: Mapping[str, str]) -> None:
        old, new, holder = self.old, self.new, dict(self.old.holders)
        for before, now in replaced.items():
            if before in holder:
                holder.setdefault(now, holder[before])
        for at, first in enumerate(new.ref):
            for ref in new.refs(at) if at in new.others else (first,) if first else ():
                before_at = holder.get(ref, NONE)
                if before_at != NONE and (old.lines[before_at] == new.lines[at] or old.role(before_at) == new.role(at)):
                    self._pair(before_at, at)
                    break

    def _by_what_they_hold(self) -> None:
        """A line without a ref is the one whose children it mostly holds, shown or left out there."""
        hidden = self._where_hidden()
        of_new, parent = self.of_new, self.old.parent
        for at in range(len(self.new.lines) - 1, 0, -1):
            kids = self.new.kids[at]
            if not kids or of_new[at] != NONE or self.new.ref[at]:
                continue
            held = Counter([parent[of_new[kid]] for kid in kids if of_new[kid] != NONE])
            if hidden and hash(self.new.lines[at]) not in hidden:
                lines = [hash(self.new.lines[kid]) for kid in kids if of_new[kid] == NONE]
                held.update(hidden[line] for line in lines if line in hidden)
            for before, _ in held.most_common():
                free = before > 0 and self.of_old[before] == NONE and not self.old.ref[before]
                if free and self.old.role(before) == self.new.role(at):
                    self._pair(before, at)
                    break

    def _where_hidden(self) -> dict[int, int]:
        """The old line under which each left-out line stood, by digest."""
        found: dict[int, int] = {}
        for at, lines in self.old.hidden.items():
            found.update(dict.fromkeys(lines, self.old.parent[at]))
        return found

    def _by_unique_content(self) -> None:
        old = _unique_digests(self.old, self.of_old)
        new = _unique_digests(self.new, self.of_new) if old else {}
        for digest, at in new.items():
            before = old.get(digest, NONE)
            if before != NONE and self.of_new[at] == NONE:
                self._pair_whole(before, at)

    def _by_place(self, keys: Sequence[_Key]) -> None:
        for at, kids in enumerate(self.new.kids):
            before = self.of_new[at]
            if kids and before != NONE and self.old.kids[before]:
                self._children_by_place(before, at, keys)

    def _children_by_place(self, old: int, new: int, keys: Sequence[_Key]) -> None:
        old_kids, new_kids = self.old.kids[old], self.new.kids[new]
        free_old = [kid for kid in old_kids if self.of_old[kid] == NONE]
        free_new = [kid for kid in new_kids if self.of_new[kid] == NONE]
        if not free_old or not free_new:
            return
        kept = self.kept(old, new) if len(free_new) < len(new_kids) else []
        segments = _segments(old_kids, new_kids, kept) if kept else [(free_old, free_new)]
        for key in keys:
            segments = [part for old_part, new_part in segments for part in self._split(old_part, new_part, key)]
        if segments and _heads in keys:
            self._blocks_out_of_order(old, new)

    def _blocks_out_of_order(self, old: int, new: int) -> None:
        """Blocks that changed places among their siblings are told by their heads."""
        waiting: dict[str, deque[int]] = defaultdict(deque)
        for kid in self.old.kids[old]:
            if self.of_old[kid] == NONE and self.old.kids[kid] and not self.old.ref[kid]:
                waiting[self.old.head(kid)].append(kid)
        for kid in self.new.kids[new] if waiting else ():
            if self.of_new[kid] == NONE and self.new.kids[kid] and waiting.get(head := self.new.head(kid)):
                self._pair(waiting[head].popleft(), kid)

    def _split(
        self, old_kids: Sequence[int], new_kids: Sequence[int], key: _Key
    ) -> list[tuple[Sequence[int], Sequence[int]]]:
        free_old = [kid for kid in old_kids if self.of_old[kid] == NONE]
        free_new = [kid for kid in new_kids if self.of_new[kid] == NONE]
        if not free_old or not free_new:
            return []
        pairs = self._in_order(free_old, free_new, key)
        for before, now in pairs:
            if self.old.digest[before] == self.new.digest[now]:
                self._pair_whole(before, now)
            else:
                self._pair(before, now)
        return _segments(free_old, free_new, pairs) if min(len(free_old), len(free_new)) > len(pairs) else []

    def _in_order(self, free_old: list[int], free_new: list[int], key: _Key) -> list[tuple[int, int]]:
        """Pairs of the same key that follow each other; a line with refs is paired only by all that it says."""
        if key is not _digests:
            free_old = self._without_known(self.old, free_old, key, self.new)
            free_new = self._without_known(self.new, free_new, key, self.old)
        keys_old, keys_new = key(self.old, free_old), key(self.new, free_new)
        if keys_old == keys_new:
            return list(zip(free_old, free_new, strict=True))
        return [(free_old[before], free_new[now]) for before, now in _common(keys_old, keys_new)]

    @staticmethod
    def _without_known(flat: Flat, free: list[int], key: _Key, other: Flat) -> list[int]:
        """Those without refs; by all it says also one with refs may be told, when the other page has none of them."""
        if key is _plain:
            return [kid for kid in free if not flat.ref[kid] or other.holders.keys().isdisjoint(flat.refs(kid))]
        return [kid for kid in free if not flat.ref[kid]]


def _digests(flat: Flat, kids: Sequence[int]) -> list[object]:
    return [flat.digest[kid] for kid in kids]


def _plain(flat: Flat, kids: Sequence[int]) -> list[object]:
    return [f"{flat.plain(kid)}:" if flat.kids[kid] else flat.plain(kid) for kid in kids]


def _block_heads(flat: Flat, kids: Sequence[int]) -> list[object]:
    return [f"{flat.head(kid)}:" if flat.kids[kid] else flat.head(kid) for kid in kids]


def _heads(flat: Flat, kids: Sequence[int]) -> list[object]:
    return [flat.head(kid) for kid in kids]


def _roles(flat: Flat, kids: Sequence[int]) -> list[object]:
    return [flat.role(kid) for kid in kids]


def _unique_digests(flat: Flat, matched: list[int]) -> dict[int, int]:
    """The subtrees without a pair that are there once and say enough to be known again elsewhere."""
    lines, kids, digests = flat.lines, flat.kids, flat.digest
    free = [at for at, other in enumerate(matched) if other == NONE and (kids[at] or len(lines[at]) >= _WORTH_MOVING)]
    counts = Counter([digests[at] for at in free])
    return {digests[at]: at for at in free if counts[digests[at]] == 1}


def _common(old: Sequence[object], new: Sequence[object]) -> Iterator[tuple[int, int]]:
    """Places of the same keys, rising in both: all at the start and the end, of those between the longest run."""
    shorter = min(len(old), len(new))
    start = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    end = next((at for at in range(shorter - start) if old[-1 - at] != new[-1 - at]), shorter - start)
    yield from zip(range(start), range(start), strict=True)
    pairs = _matched(old, new, start, len(old) - end, len(new) - end)
    for at in longest_rise([before for before, _ in pairs]):
        yield pairs[at]
    yield from zip(range(len(old) - end, len(old)), range(len(new) - end, len(new)), strict=True)


def _matched(
    old: Sequence[object], new: Sequence[object], start: int, old_end: int, new_end: int
) -> list[tuple[int, int]]:
    """The first of each key with the first, the second with the second."""
    first: dict[object, int] = {}
    following = [NONE] * len(old)
    for place in range(old_end - 1, start - 1, -1):
        following[place] = first.get(old[place], NONE)
        first[old[place]] = place
    found = []
    for place in range(start, new_end):
        before = first.get(new[place], NONE)
        if before != NONE:
            first[new[place]] = following[before]
            found.append((before, place))
    return found


def _segments(
    old_kids: Sequence[int], new_kids: Sequence[int], pairs: list[tuple[int, int]]
) -> list[tuple[Sequence[int], Sequence[int]]]:
    """The stretches between pairs that are in order in both lists."""
    if not pairs:
        return [(old_kids, new_kids)]
    old_place = {kid: place for place, kid in enumerate(old_kids)}
    new_place = {kid: place for place, kid in enumerate(new_kids)}
    found: list[tuple[Sequence[int], Sequence[int]]] = []
    old_from = new_from = 0
    for before, now in pairs:
        old_to, new_to = old_place[before], new_place[now]
        if old_to > old_from and new_to > new_from:
            found.append((old_kids[old_from:old_to], new_kids[new_from:new_to]))
        old_from, new_from = old_to + 1, new_to + 1
    found.append((old_kids[old_from:], new_kids[new_from:]))
    return found


def longest_rise(numbers: list[int]) -> Sequence[int]:
    """The positions of the longest strictly rising subsequence."""
    if all(map(lt, numbers, islice(numbers, 1, None))):
        return range(len(numbers))
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
