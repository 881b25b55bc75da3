"""The tables of the peers: fixed parts, first looks with recall, looks after actions, sums, what broke."""

from collections.abc import Callable, Sequence

from tests.bench.peers.playing import Played, Stepped
from tests.bench.peers.summing import (
    OURS,
    Compared,
    first_looks,
    fixed_of,
    peers_of,
    places,
    resent,
    same_page,
    walks_of,
)
from tests.bench.result import Table

MOST_ROWS = 15
BESIDE = ("snapshot --delta", "diff snapshot", "snapshot --interactive")
_NOTHING = "–"


def tables(played: Sequence[Played]) -> tuple[Table, ...]:
    return (
        _against("First looks: ours against each peer where neither leaves a control out", first_looks(played)),
        _against("After same-page actions: ours against each peer", same_page(played)),
        _first_by_walk(played),
        _same_by_walk(played),
        _beside(played),
        _sums(played),
        _fixed(played),
        _dearest("First looks of ours that are dearest against the best peer", first_looks(played)),
        _dearest("Same-page looks of ours that cost most against a tenth of the best peer", same_page(played)),
        _broken(played),
    )


def _against(title: str, compared: Sequence[Compared]) -> Table:
    rows = [
        (
            one.peer,
            f"{len(one.pairs)} of {one.of}",
            f"{one.ours:,}",
            f"{one.theirs:,}",
            f"{one.ratio:.3f}" if one.pairs else _NOTHING,
        )
        for one in compared
    ]
    return Table(title, ("peer", "compared", "ours, tokens", "peer, tokens", "ratio"), tuple(rows))


def _first_by_walk(played: Sequence[Played]) -> Table:
    return _by_walk(played, "First looks by walk: tokens (controls shown or counted of all)", True, _with_recall)


def _same_by_walk(played: Sequence[Played]) -> Table:
    return _by_walk(played, "To know the page after each same-page action, by walk: tokens", False, _tokens)


def _by_walk(played: Sequence[Played], title: str, first: bool, cell: Callable[[Sequence[Stepped]], str]) -> Table:
    """Over the steps that every peer that did not break went through; a peer that broke has no number."""
    names = [OURS, *peers_of(played)]
    rows = []
    for walk, by_peer in walks_of(played):
        ours = by_peer[OURS]
        wanted = places(ours, first=first)
        steps = {
            name: [one.steps[at] for at in wanted] if len(one.steps) == len(ours.steps) else []
            for name, one in by_peer.items()
        }
        rows.append((walk, str(len(wanted)), *(cell(steps.get(name, [])) for name in names)))
    return Table(title, ("walk", "looks" if first else "actions", *names), tuple(rows))


def _tokens(steps: Sequence[Stepped]) -> str:
    return f"{sum(step.knows for step in steps):,}" if steps else _NOTHING


def _with_recall(steps: Sequence[Stepped]) -> str:
    shown = sum(step.found + step.counted for step in steps)
    return f"{_tokens(steps)} ({shown} of {sum(step.total for step in steps)})" if steps else _NOTHING


def _beside(played: Sequence[Played]) -> Table:
    """What agent-browser can give instead of a page; the first is a delta against its own last answer."""
    rows = []
    for walk, by_peer in walks_of(played):
        theirs, ours = by_peer.get("agent-browser"), by_peer[OURS]
        if theirs is None or len(theirs.steps) != len(ours.steps):
            continue
        wanted = places(ours, first=False)
        sums = [sum(theirs.steps[at].beside.get(way, 0) for at in wanted) for way in BESIDE]
        full = sum(theirs.steps[at].knows for at in wanted)
        rows.append(
            (walk, f"{sum(ours.steps[at].knows for at in wanted):,}", f"{full:,}", *(f"{one:,}" for one in sums))
        )
    title = "Beside it, after same-page actions: agent-browser's own delta, its diff, its view without texts"
    return Table(title, ("walk", OURS, "snapshot --compact", *BESIDE), tuple(rows))


def _sums(played: Sequence[Played]) -> Table:
    """Fixed part once and every look; then all requests of the walk as such a client sends them."""
    names = [OURS, *peers_of(played)]
    rows = []
    for walk, by_peer in walks_of(played):
        cells = []
        for name in names:
            one = by_peer.get(name)
            done = one is not None and not one.broke
            cells.append(
                f"{fixed_of(one) + sum(step.knows + step.sought for step in one.steps):,} / {resent(one):,}"
                if one and done
                else _NOTHING
            )
        rows.append((walk, *cells))
    title = "Whole walks: fixed part and every look once / all requests (appended; ours folded; browser-use last state)"
    return Table(title, ("walk", *names), tuple(rows))


def _fixed(played: Sequence[Played]) -> Table:
    seen = {one.peer: one.fixed for one in played if one.fixed}
    rows = [(peer, part, f"{tokens:,}") for peer, parts in seen.items() for part, tokens in parts.items()]
    return Table("Fixed part", ("peer", "part", "tokens"), tuple(rows))


def _dearest(title: str, compared: Sequence[Compared]) -> Table:
    """The pairs with the best peer of each step, by what ours is over its bar."""
    worst: dict[tuple[str, int], tuple[float, tuple[str, ...]]] = {}
    bar = 0.7 if "First" in title else 0.1
    for one in compared:
        for pair in one.pairs:
            over = pair.ours.knows - bar * pair.theirs.knows
            row = (
                f"{pair.walk}, {pair.number}: {pair.ours.what}",
                f"{pair.ours.knows:,}",
                f"{pair.theirs.knows:,}",
                one.peer,
                f"{pair.ratio:.2f}",
            )
            key = (pair.walk, pair.number)
            worst[key] = max(worst.get(key, (float("-inf"), ())), (over, row))
    rows = [row for over, row in sorted(worst.values(), reverse=True)[:MOST_ROWS] if over > 0]
    return Table(title, ("step", "ours", "best peer", "which", "ratio"), tuple(rows))


def _broken(played: Sequence[Played]) -> Table:
    rows = [(one.walk, one.peer, one.broke.replace("|", "/")) for one in played if one.broke]
    return Table("Walks that broke on a peer; from there on it is not compared", ("walk", "peer", "where"), tuple(rows))
