"""Learns what moves by itself: compares two looks at one document between which nobody acted."""

from collections.abc import Iterator
from itertools import islice

from app.context.progress.fingerprint import Key, Spot, all_in, below, content_of, every, top
from app.domain.snapshot import SnapshotNode, walk

_LARGEST_SHARE = 3  # a part larger than a third of the page is never left out whole
_SMALL = 20  # nodes


def moving_parts(before: SnapshotNode, after: SnapshotNode, *, flows: bool = True) -> frozenset[Key]:
    """Keys of the parts that differ, for `fingerprint(…, without=…)`; empty when the looks are the same.

    What reads otherwise is left out by itself. Where children come and go, as in a list of news, all of their kind are
    left out; where nothing of a part stayed, all that is in it. Without `flows` only places that are known are named,
    since what came late of an act looks the same as a list that runs on.
    """
    most = max(sum(1 for _ in walk(after)) // _LARGEST_SHARE, _SMALL) if flows else 0
    return frozenset(_moved(top(before), top(after), most))


def _moved(old: Spot, new: Spot, most: int) -> Iterator[Key]:
    if content_of(old.node) != content_of(new.node):
        yield from (*old.keys, *new.keys)
    olds, news = below(old), below(new)
    pairs, gone, come = _paired(olds, news)
    is_small = _is_small(old, new, most)
    if is_small and not pairs and (gone or come):
        yield from map(all_in, (*old.keys, *new.keys))
        return
    if is_small and _flows(olds, news, pairs):
        yield from (every(news[0].node.role, key) for key in (*old.keys, *new.keys))
    for one in (*gone, *come):
        yield from one.keys
        if _is_small(one, one, most):
            yield from map(all_in, one.keys)
    for one, other in pairs:
        if one.node is not other.node:
            yield from _moved(one, other, most)


def _paired(olds: list[Spot], news: list[Spot]) -> tuple[list[tuple[Spot, Spot]], list[Spot], list[Spot]]:
    """Each old child with the new one that is it, or that stands in its place; the others have gone or come."""
    by_anchor = {one.anchor: one for one in news}
    pairs = [(one, by_anchor[one.anchor]) for one in olds if one.anchor in by_anchor]
    known_old, known_new = {one.place for one, _ in pairs}, {one.place for _, one in pairs}
    by_place = {one.place: one for one in news if one.place not in known_new}
    for one in olds:
        if one.place not in known_old and one.place in by_place:
            pairs.append((one, by_place.pop(one.place)))
            known_old.add(one.place)
    return pairs, [one for one in olds if one.place not in known_old], list(by_place.values())


def _flows(olds: list[Spot], news: list[Spot], pairs: list[tuple[Spot, Spot]]) -> bool:
    """Whether children come or go in a list of one kind, as news that run on."""
    is_list = len(news) > 1 and len({one.node.role for one in (*olds, *news)}) == 1
    return is_list and (len(olds) != len(news) or any(one.place != other.place for one, other in pairs))


def _is_small(old: Spot, new: Spot, most: int) -> bool:
    return most > 0 and all(next(islice(walk(spot.node), most, None), None) is None for spot in (old, new))
