"""From played walks to figures: what is compared with what, and how."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from tests.bench.peers.playing import Played, Stepped

OURS = "pilotfish"
LEAST_SHARE = 0.5  # a peer that can be compared on fewer of the looks than this is not the best peer


@dataclass(frozen=True, slots=True)
class Pair:
    """One step of ours beside the same step of a peer."""

    walk: str
    number: int
    ours: Stepped
    theirs: Stepped

    @property
    def ratio(self) -> float:
        return self.ours.knows / self.theirs.knows


@dataclass(frozen=True, slots=True)
class Compared:
    """The steps of one kind on which a peer can be compared, of all that ours went through."""

    peer: str
    pairs: tuple[Pair, ...]
    of: int

    @property
    def ours(self) -> int:
        return sum(pair.ours.knows for pair in self.pairs)

    @property
    def theirs(self) -> int:
        return sum(pair.theirs.knows for pair in self.pairs)

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs if self.theirs else float("inf")

    @property
    def counts(self) -> bool:
        return len(self.pairs) >= LEAST_SHARE * self.of > 0


def first_looks(played: Sequence[Played], *, strictly: bool = True) -> list[Compared]:
    """Steps that loaded a document, where ours and the peer show every control; the least strict form takes all."""
    return [_compared(peer, played, first=True, strictly=strictly) for peer in peers_of(played)]


def same_page(played: Sequence[Played], *, strictly: bool = True) -> list[Compared]:
    """Steps that stayed in their document, where ours left nothing out and the peer shows every control."""
    return [_compared(peer, played, first=False, strictly=strictly) for peer in peers_of(played)]


def best(compared: Sequence[Compared]) -> Compared | None:
    """The peer against which ours stands worst, of those that can be compared on enough steps."""
    return max((one for one in compared if one.counts), key=lambda one: one.ratio, default=None)


def our_recall(played: Sequence[Played]) -> tuple[int, int]:
    """Over all first looks: controls in our view or counted as left out, and all controls."""
    looks = [one.steps[at] for one in played if one.peer == OURS for at in places(one, first=True)]
    return sum(step.found + step.counted for step in looks), sum(step.total for step in looks)


def resent(played: Played) -> int:
    """Tokens of all requests of a walk: everything appended, or where only the last state is sent, just that."""
    fixed = fixed_of(played)
    total = appended = 0
    for step in played.steps:
        appended += step.knows
        total += fixed + (appended if step.sent is None else step.sent)
        total += step.sought + (fixed if step.sought else 0)
    return total


def fixed_of(played: Played) -> int:
    return sum(played.fixed.values())


def peers_of(played: Sequence[Played]) -> list[str]:
    return [name for name in dict.fromkeys(one.peer for one in played) if name != OURS]


def walks_of(played: Sequence[Played]) -> Iterator[tuple[str, dict[str, Played]]]:
    for walk, group in groupby(played, key=lambda one: one.walk):
        yield walk, {one.peer: one for one in group}


def places(ours: Played, *, first: bool) -> list[int]:
    """The steps of ours that are first looks, or those that stayed in their document; loads of nothing are neither."""
    steps = ours.steps
    return [at for at in range(len(steps)) if _is_first(steps, at) is first and not _is_empty(steps, at)]


def _compared(peer: str, played: Sequence[Played], *, first: bool, strictly: bool) -> Compared:
    pairs: list[Pair] = []
    of = 0
    for walk, by_peer in walks_of(played):
        ours, theirs = by_peer.get(OURS), by_peer.get(peer)
        if ours is None or theirs is None:
            continue
        for at in places(ours, first=first):
            step = ours.steps[at]
            of += 1
            if at < len(theirs.steps) and (not strictly or _fits(step, theirs.steps[at], first=first)):
                pairs.append(Pair(walk, at + 1, step, theirs.steps[at]))
    return Compared(peer, tuple(pairs), of)


def _fits(ours: Stepped, theirs: Stepped, *, first: bool) -> bool:
    return theirs.is_complete and not ours.is_cut and (ours.is_complete or not first)


def _is_first(steps: Sequence[Stepped], at: int) -> bool:
    """A step that loaded a document; where that was still empty, the next step stands for it."""
    return not _is_empty(steps, at) and (_loaded(steps, at) or _is_empty(steps, at - 1))


def _is_empty(steps: Sequence[Stepped], at: int) -> bool:
    return at >= 0 and _loaded(steps, at) and steps[at].total == 0


def _loaded(steps: Sequence[Stepped], at: int) -> bool:
    return at == 0 or steps[at].document != steps[at - 1].document
