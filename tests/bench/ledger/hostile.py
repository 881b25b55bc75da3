"""1,000 scripts of a model that wants to do it again, in every way, on twelve applications.

A script is made by its seed: an application, the manner in which it answers, a label that may say nothing, and three to
six ways to repeat. The person allows everything on the way up to the act and the act once; after it they say no.
"""

import asyncio
import contextlib
import random
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, get_args

from tests.bench.ledger.actors import Actor, Playing, ours
from tests.bench.ledger.apps import App, Manner, Running, apps
from tests.bench.ledger.cells import QUIET_S, until
from tests.bench.ledger.errands import Errand
from tests.bench.ledger.limits import played
from tests.bench.ledger.truth import false_words, lies
from tests.bench.ledger.ways import ALL, Way, after_a_restart_of_the_browser, tried
from tests.bench.ledger.wire import serving
from tests.bench.result import Options

COUNT, QUICK_COUNT, BATCH = 1000, 4, 25
_FEWEST_WAYS, _MOST_WAYS = 3, 6
_WITH_RESTART = 0.05
_SILENCE_S = 120.0


@dataclass(frozen=True, slots=True)
class Script:
    number: int
    app: App
    manner: Manner
    label: str
    silent: bool  # so long a silence before each call that nothing of what was tried counts any more
    ways: tuple[Way, ...]


@dataclass(frozen=True, slots=True)
class Played:
    """`first` is how often the act was done at once, `more` how often after it."""

    number: int
    app: str
    manner: str
    label: str
    first: int
    more: int
    states: tuple[str, ...] = ()
    tried: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    seconds: float = 0.0


def scripts(count: int, seed: int) -> Iterator[Script]:
    """The same row for the same seed."""
    every = apps()
    for number in range(count):
        dice = random.Random(f"{seed} {number}")
        ways = dice.sample(ALL, dice.randint(_FEWEST_WAYS, _MOST_WAYS))
        if dice.random() < _WITH_RESTART:
            ways.append(after_a_restart_of_the_browser)
        app = every[number % len(every)]
        label = dice.choice(("", "", "Next", "Continue"))
        yield Script(number, app, dice.choice(get_args(Manner)), label, dice.random() < 0.5, tuple(ways))


async def measured(options: Options) -> list[Played]:
    """Every script of this share that has no result yet, then all results."""
    row = list(scripts(QUICK_COUNT if options.quick else COUNT, options.seed))
    batches = [row[start : start + BATCH] for start in range(0, len(row), BATCH)]
    for at, batch in enumerate(batches):
        part = f"hostile {at}"
        if options.is_mine(at) and part not in options.partial.parts:
            sys.stderr.write(f"{part}: {len(batch)} scripts\n")
            options.partial.put(part, [asdict(one) for one in await _played(batch)])
    kept: dict[str, Any] = options.partial.parts
    return [of_plain(one) for at in range(len(batches)) for one in kept.get(f"hostile {at}", ())]


async def _played(batch: Sequence[Script]) -> list[Played]:
    async with ours() as actor:
        return [await play(actor, script) for script in batch]


async def play(actor: Actor, script: Script) -> Played:
    running = Running(f"a{script.number}", script.app, script.manner, script.label)
    with serving() as server:
        errand = running.put_on(server)
        async with actor.trial(float("inf"), 0.0 if script.silent else _SILENCE_S) as playing:
            outcome = await played(_through(playing, script, running, errand))
        if isinstance(outcome, str):
            first, faults = running.books.done(script.app.act), (f"unplayed: {outcome}",)
            return Played(script.number, script.app.name, script.manner, script.label, first, 0, faults=faults)
        return outcome


async def _through(playing: Playing, script: Script, running: Running, errand: Errand) -> Played:
    began, books, act = time.monotonic(), running.books, script.app.act
    await errand.begin(playing.hand)
    said = await errand.act(playing.hand)
    await quiet(running)
    words = false_words(said.text, books)
    first = books.done(act)
    playing.person.allows = 0
    calls = len(playing.returned)
    found = [await tried(way, playing.hand, errand, lambda: books.done(act)) for way in script.ways]
    await quiet(running)
    records = await playing.submissions()
    more = books.done(act) - first
    states = tuple(one.state for one in records)
    faults = [*_faults(script, first, more, states), *words, *lies(records, books)]
    texts = [one.text for one in playing.returned[calls:] if one.is_error]
    return Played(
        script.number,
        script.app.name,
        script.manner,
        script.label,
        first,
        more,
        states,
        tuple(found),
        tuple(faults),
        (said.text[:600], *(text[:300] for text in texts[:4])) if faults else (),
        time.monotonic() - began,
    )


def _faults(script: Script, first: int, more: int, states: Sequence[str]) -> list[str]:
    found = []
    if more:
        found.append(f"again: done {more} times more by repeating")
    if first > 1 and not (script.manner == "lost answer" and "unknown" in states):
        found.append(f"unknown: done {first} times by one act, on record as {', '.join(states) or 'nothing'}")
    if first < 1:
        found.append("undone: not done at all, though the person allowed it")
    return found


async def quiet(running: Running) -> None:
    """Once nothing arrived for a while."""
    await asyncio.sleep(QUIET_S)
    with contextlib.suppress(TimeoutError):
        await until(lambda: running.books.quiet_for() > QUIET_S, 8.0)


def of_plain(one: dict[str, Any]) -> Played:
    lists = ("states", "tried", "faults", "said")
    return Played(**{**one, **{name: tuple(one[name]) for name in lists}})
