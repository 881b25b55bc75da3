"""The matrix: every kind of submit under every disturbance, counted at the server.

Ours and plain Playwright play the same: one act under the disturbance, then seven ways to repeat it. The person allows
one. `first` is what one act came to, with what the browser sent again by itself; `more` must be 0.
"""

import random
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from tests.bench.ledger.actors import SCALE, Actor, Playing, ours, plain
from tests.bench.ledger.cells import (
    SENT_AGAIN_BY_THE_BROWSER,
    Cell,
    corrected,
    errand_of,
    first_act,
    repeated,
)
from tests.bench.ledger.desk import OURS
from tests.bench.ledger.kills import killed_at_the_site
from tests.bench.ledger.kinds import Kind, kinds
from tests.bench.ledger.limits import played
from tests.bench.ledger.plain import PLAIN
from tests.bench.ledger.trials import DISTURBANCES, SLOW_S, Disturbance, Trial
from tests.bench.ledger.truth import false_words, lies
from tests.bench.ledger.wire import Server, serving
from tests.bench.result import Options

QUICK_CELLS = 3


async def measured(options: Options) -> list[Cell]:
    """Every cell of this share that has no result yet, then all results."""
    for at, kind in enumerate(kinds()):
        part = f"matrix {kind.name}"
        if options.is_mine(at) and part not in options.partial.parts:
            wanted = _wanted(kind, options)
            if wanted:
                sys.stderr.write(f"{part}: {len(wanted)} cells\n")
            options.partial.put(part, [asdict(one) for one in await _played(kind, wanted)] if wanted else [])
    kept: dict[str, Any] = options.partial.parts
    return [_of_plain(one) for kind in kinds() for one in kept.get(f"matrix {kind.name}", ())]


async def at_full_scale(options: Options) -> list[Cell]:
    """One run of each disturbance with the limits as the product has them, which is with the first kind only."""
    part = "matrix at full scale"
    if not options.quick and options.is_mine(0) and part not in options.partial.parts:
        sys.stderr.write(f"{part}: {len(DISTURBANCES)} cells\n")
        async with ours(1.0) as actor:
            found = [await cell(actor, kinds()[0], one, 1.0) for one in DISTURBANCES if one != "app kill"]
        options.partial.put(part, [asdict(one) for one in found])
    kept: Any = options.partial.parts.get(part, ())
    return [_of_plain(one) for one in kept]


async def _played(kind: Kind, disturbances: Sequence[Disturbance]) -> list[Cell]:
    """In a browser of their own for each actor."""
    found: list[Cell] = []
    for opened in (ours, plain):
        async with opened() as actor:
            found += [await cell(actor, kind, one) for one in disturbances if one != "app kill"]
    if "app kill" in disturbances:
        found.append(await _with_the_program_killed(kind))
    return found


async def _with_the_program_killed(kind: Kind) -> Cell:
    """The program is killed while the site works; another one goes on from its record."""
    number = DISTURBANCES.index("app kill")
    trial = Trial(f"{kind.name}-{number}", kind, "app kill", SCALE, label=_label(kind, number))
    began = time.monotonic()
    with serving() as server:
        errand = errand_of(trial, trial.put_on(server))
        outcome = await played(killed_at_the_site(errand, trial.books, trial.let_go))
    if isinstance(outcome, str):
        done, arrived = trial.books.done(), trial.books.arrived()
        return Cell(OURS, kind.name, "app kill", trial.label, done, 0, arrived, faults=(f"unplayed: {outcome}",))
    first, more = outcome.done_before, outcome.done - outcome.done_before
    return Cell(
        OURS,
        kind.name,
        "app kill",
        trial.label,
        first,
        more,
        trial.books.arrived(),
        outcome.states,
        outcome.tried,
        outcome.faults,
        seconds=time.monotonic() - began,
    )


async def cell(actor: Actor, kind: Kind, disturbance: Disturbance, scale: float = SCALE) -> Cell:
    """The worst of its plays: slow is played with both lengths."""
    lengths = SLOW_S.values() if disturbance == "slow" else (0.0,)
    plays = [await _play(actor, kind, disturbance, scale, slow_s) for slow_s in lengths]
    return max(plays, key=lambda one: (len(one.faults), one.first + one.more))


async def _play(actor: Actor, kind: Kind, disturbance: Disturbance, scale: float, slow_s: float) -> Cell:
    with serving() as server:
        number = DISTURBANCES.index(disturbance)
        trial = Trial(f"{kind.name}-{number}", kind, disturbance, scale, slow_s, label=_label(kind, number))
        url = trial.put_on(server)
        async with actor.trial() as playing:
            cell = await played(_through(actor, playing, trial, url, server))
        if isinstance(cell, str):
            done, arrived = trial.books.done(), trial.books.arrived()
            faults = (f"unplayed: {cell}",)
            return Cell(actor.name, kind.name, disturbance, trial.label, done, 0, arrived, faults=faults)
        return cell


async def _through(actor: Actor, playing: Playing, trial: Trial, url: str, server: Server) -> Cell:
    began = time.monotonic()
    said = await first_act(playing.hand, trial, url, playing.crash)
    server.is_cut = False
    words = false_words(said.text, trial.books)
    if trial.disturbance == "validation error":
        playing.person.allows = float("inf")
        await corrected(playing.hand, trial)
    first = trial.books.done()
    playing.person.allows = 0
    calls = len(playing.returned)
    tried = await repeated(playing.hand, trial, url)
    records = await playing.submissions()
    states = tuple(one.state for one in records)
    more = trial.books.done() - first
    faults = [*_faults(trial, first, more, states), *words, *lies(records, trial.books)] if actor.name != PLAIN else []
    texts = [one.text for one in playing.returned[calls:] if one.is_error]
    return Cell(
        actor.name,
        trial.kind.name,
        trial.disturbance,
        trial.label,
        first,
        more,
        trial.books.arrived(),
        states,
        tuple(tried),
        tuple(faults),
        (said.text[:600], *(text[:300] for text in texts[:4])) if faults else (),
        time.monotonic() - began,
    )


def _label(kind: Kind, number: int) -> str:
    """Every second cell says nothing of what it does, so that nobody is asked because of a word.

    Of a link that is followed nothing else tells that it does anything.
    """
    at = [one.name for one in kinds()].index(kind.name)
    return "Next" if (at + number) % 2 and kind.path != "delete" else ""


def _faults(trial: Trial, first: int, more: int, states: Sequence[str]) -> list[str]:
    """What must not have come about, whoever is to blame."""
    found = []
    if more:
        found.append(f"again: done {more} times more by repeating")
    if first > 1 and not (trial.disturbance in SENT_AGAIN_BY_THE_BROWSER and "unknown" in states):
        found.append(f"unknown: done {first} times by one act, on record as {', '.join(states) or 'nothing'}")
    wanted = 0 if trial.disturbance == "reset before the work" else 1
    if first < wanted and (trial.kind.fields or trial.disturbance != "validation error"):
        found.append(f"undone: done {first} times, though the person allowed one")
    return found


def _wanted(kind: Kind, options: Options) -> list[Disturbance]:
    if not options.quick:
        return list(DISTURBANCES)
    every = [(one.name, disturbance) for one in kinds() for disturbance in DISTURBANCES if disturbance != "app kill"]
    chosen = random.Random(options.seed).sample(every, QUICK_CELLS)
    return [disturbance for name, disturbance in chosen if name == kind.name]


def _of_plain(one: dict[str, Any]) -> Cell:
    lists = ("states", "tried", "faults", "said")
    return Cell(**{**one, **{name: tuple(one[name]) for name in lists}})
