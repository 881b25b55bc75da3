"""60 honest repeats: doing the same again because that is what is wanted must be neither blocked nor asked about.

The person says yes to whatever they are asked. A way is blocked when the server did less than was wanted; it is asked
about when a step brought more questions than the first step of the same kind, so what a word like "Send" asks for
anyway does not count.
"""

import sys
import time
import tomllib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from tests.bench.ledger.actors import Actor, Playing, ours
from tests.bench.ledger.apps import App, Running
from tests.bench.ledger.errands import Step, take
from tests.bench.ledger.hostile import quiet
from tests.bench.ledger.kinds import PAGES
from tests.bench.ledger.limits import played
from tests.bench.ledger.wire import serving
from tests.bench.result import Options

QUICK_EVERY = 13


@dataclass(frozen=True, slots=True)
class Way:
    """One honest errand on a site."""

    site: App
    refuses: dict[str, str]
    name: str
    wanted: int
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """`extra` are questions that came only because it was a repeat, `asked` all of them."""

    site: str
    way: str
    wanted: int
    done: int
    asked: int
    extra: int
    said: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def is_blocked(self) -> bool:
        return self.done < self.wanted


def ways() -> list[Way]:
    plain = tomllib.loads((PAGES / "repeats.toml").read_text(encoding="utf-8"))
    found = []
    for name, one in plain.items():
        tried, refuses = one.pop("ways"), one.pop("refuses")
        site = App(name=name, **one)
        for way, how in tried.items():
            found.append(Way(site, refuses, way, how["wanted"], tuple(map(step_of, how["steps"]))))
    return found


def step_of(text: str) -> Step:
    """The step that such a line says."""
    do, _, rest = text.partition(" ")
    if do == "wait":
        return Step(do, "", value=rest)
    if do in ("type", "enter"):
        name, _, value = rest.partition(" = ")
        return Step(do, name, value=value)
    role, _, rest = rest.partition(" ")
    name, _, within = rest.partition(" within ")
    return Step(do, name, role, within)


async def measured(options: Options) -> list[Repeat]:
    """Every way of this share that has no result yet, by site, then all results."""
    every = ways()[:: QUICK_EVERY if options.quick else 1]
    sites = list(dict.fromkeys(one.site.name for one in every))
    for at, site in enumerate(sites):
        part = f"repeats {site}"
        if options.is_mine(at) and part not in options.partial.parts:
            batch = [one for one in every if one.site.name == site]
            sys.stderr.write(f"{part}: {len(batch)} ways\n")
            options.partial.put(part, [asdict(one) for one in await _played(batch)])
    kept: dict[str, Any] = options.partial.parts
    found = [one for site in sites for one in kept.get(f"repeats {site}", ())]
    return [Repeat(**{**one, "said": tuple(one["said"])}) for one in found]


async def _played(batch: Sequence[Way]) -> list[Repeat]:
    async with ours() as actor:
        return [await play(actor, way) for way in batch]


async def play(actor: Actor, way: Way) -> Repeat:
    running = Running("r", way.site, refuses=way.refuses)
    with serving() as server:
        url = running.put_on(server).url
        async with actor.trial(float("inf")) as playing:
            outcome = await played(_through(playing, way, running, url))
            if isinstance(outcome, str):
                done, asked = running.books.done(way.site.act), len(playing.person.asked)
                said = (f"unplayed: {outcome}", *_said(playing))
                return Repeat(way.site.name, way.name, way.wanted, done, asked, 0, said)
            return outcome


async def _through(playing: Playing, way: Way, running: Running, url: str) -> Repeat:
    began = time.monotonic()
    await playing.hand.open(url)
    usual: dict[tuple[str, str], int] = {}
    extra = 0
    for step in way.steps:
        before = len(playing.person.asked)
        await take(playing.hand, step)
        questions = len(playing.person.asked) - before
        extra += max(0, questions - usual.setdefault((step.do, step.name), questions))
    await quiet(running)
    done, asked = running.books.done(way.site.act), len(playing.person.asked)
    said = _said(playing) if done < way.wanted or extra else ()
    return Repeat(way.site.name, way.name, way.wanted, done, asked, extra, said, time.monotonic() - began)


def _said(playing: Playing) -> tuple[str, ...]:
    questions = [f"asked: {one.text[:300]}" for one in playing.person.asked]
    return (*questions, *(one.text[:300] for one in playing.returned if one.is_error))
