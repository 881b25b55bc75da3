"""The identity matrix: a page changes between the look and the act, and what was done to it is read from the page.

1,000 seeded trials of 76 kinds for ours, the first 380 of the same row for the peers. An actor looks, the page changes
(half of the changes are over before the act begins, half come within 60 ms of its beginning), it acts by the ref of
that look, and when it was refused it looks once more and acts again where the thing can still be found. A trial is
wrong when the page saw anything but the one thing that was meant, once; "false done" when it saw nothing and the actor
said that it was done.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict
from typing import Any

from tests.bench.hands.hand import Hand
from tests.bench.hands.identity_play import NotSetUp, Played, Verdict, can_play, play
from tests.bench.hands.identity_site import Site, serving
from tests.bench.hands.identity_trials import KINDS, Trial, trials
from tests.bench.hands.ours import OURS, ours
from tests.bench.hands.plain import PLAIN, plain
from tests.bench.hands.playwright_mcp import MCP, playwright_mcp
from tests.bench.peers.processes import PeerStopped
from tests.bench.result import Measured, Options, Table

COUNTS = {OURS: 1000, PLAIN: 380, MCP: 380}
QUICK = {OURS: 38, PLAIN: 8, MCP: 8}
WRONG = "wrong acts in 1,000 changes between look and act"
FALSE_DONE = "acts on changed pages that did nothing and were called done"
MISSED = "still-right acts that did not pass, at once or after one fresh look"
REFUSAL = "time of a refusal, 95th percentile"
MISSING = "changes that could not be played"
VERDICTS: tuple[Verdict, ...] = (
    "passed",
    "passed after a look",
    "refused rightly",
    "refused though right",
    "false done",
    "wrong",
)

Results = dict[str, list[Played]]
Open = Callable[[], AbstractAsyncContextManager[Hand]]


async def measured(options: Options) -> Results:
    """Every trial of this share that has no result yet, then all results by actor. Raises NotInstalled."""
    counts = QUICK if options.quick else COUNTS
    hands: dict[str, Open] = {OURS: ours, PLAIN: plain, MCP: lambda: playwright_mcp(options.cache)}
    for actor, opened in hands.items():
        for number, batch in enumerate(_batches(counts[actor], options)):
            part = _part(actor, number)
            if options.is_mine(number) and part not in options.partial.parts:
                sys.stderr.write(f"{part}: {len(batch)} trials\n")
                options.partial.put(part, [asdict(one) for one in await _played(opened, batch)])
    return {actor: list(_kept(actor, counts[actor], options)) for actor in hands}


def figures(results: Results) -> list[Measured]:
    """Those of ours, which have bars, and what the peers did beside them."""
    own = results[OURS]
    verdicts = Counter(one.verdict for one in own)
    refusals = sorted(one.refused_ms for one in own if one.refused_ms is not None)
    made = [
        Measured(WRONG, verdicts["wrong"], "count"),
        Measured(FALSE_DONE, verdicts["false done"], "count"),
        Measured(MISSED, verdicts["refused though right"], "count"),
        Measured(MISSING, verdicts["not played"], "count"),
    ]
    if refusals:
        made.append(Measured(REFUSAL, refusals[int(len(refusals) * 0.95)], "ms"))
    for actor in (PLAIN, MCP):
        judged = [one for one in results[actor] if one.verdict != "not played"]
        if judged:
            share = sum(one.verdict == "wrong" for one in judged) / len(judged)
            made.append(Measured(f"share of wrong acts, {actor}", share, "ratio"))
    return made


def tables(results: Results) -> list[Table]:
    """All verdicts by actor, then the kinds that went wrong for anybody."""
    sums = {actor: Counter(one.verdict for one in played) for actor, played in results.items()}
    rows = [
        (actor, f"{sum(found.values())}", *(f"{found[verdict]}" for verdict in VERDICTS))
        for actor, found in sums.items()
    ]
    kinds = sorted(
        {one.kind for played in results.values() for one in played if one.verdict in ("wrong", "false done")}
    )
    wrong = [(kind, *(_of_kind(results[actor], kind) for actor in results)) for kind in kinds]
    return [
        Table("Changes between look and act", ("actor", "trials", *VERDICTS), tuple(rows)),
        Table("Kinds of changes that went wrong: wrong or falsely done, of all", ("kind", *results), tuple(wrong)),
    ]


async def _played(opened: Open, batch: Sequence[Trial]) -> list[Played]:
    async with serving() as site, opened() as hand:
        return [await _one(hand, site, trial) for trial in batch if can_play(hand, trial)]


async def _one(hand: Hand, site: Site, trial: Trial) -> Played:
    try:
        return await play(hand, site, trial)
    except (NotSetUp, TimeoutError, PeerStopped) as stop:
        return Played(trial.number, trial.kind, "not played", None, str(stop)[:400])


def _batches(count: int, options: Options) -> Iterator[list[Trial]]:
    """A browser of its own for each time through all kinds."""
    row = list(trials(max(count, len(KINDS)), options.seed))
    if count < len(KINDS):
        row = row[:: len(KINDS) // count][:count]
    for start in range(0, len(row), len(KINDS)):
        yield row[start : start + len(KINDS)]


def _part(actor: str, number: int) -> str:
    return f"identity {actor} {number}"


def _kept(actor: str, count: int, options: Options) -> Iterator[Played]:
    for number, _ in enumerate(_batches(count, options)):
        kept: Any = options.partial.parts.get(_part(actor, number), ())
        for one in kept:
            yield Played(**{**one, "done": tuple(one["done"])})


def _of_kind(played: Sequence[Played], kind: str) -> str:
    of = [one for one in played if one.kind == kind]
    return f"{sum(one.verdict in ('wrong', 'false done') for one in of)} of {len(of)}" if of else ""
