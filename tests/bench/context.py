"""What the model is sent on real applications under every policy, in tokens and in money, and how fast it is made."""

import random
from collections.abc import Sequence
from dataclasses import asdict, replace
from importlib import metadata
from typing import Any

from app.agent.prompt import system_prompt
from app.agent.tools import specs
from tests.bench import tree
from tests.bench.apps.app import AppFailed
from tests.bench.building import from_nothing_ms, going_on_ms, long_conversation
from tests.bench.context_report import figures_of, tables_of
from tests.bench.costs import PRICES_A, PRICES_B
from tests.bench.installing import NotInstalled
from tests.bench.playing import DAY, WalkBroken
from tests.bench.policies import Measure, measured
from tests.bench.result import Measured, Options, Result, Table
from tests.bench.tape import Tape
from tests.bench.taping import app_of, tape_of
from tests.bench.tokens import PACKAGE, CountText, o200k
from tests.bench.walks.all import LENGTHS, SCRIPTS, walk
from tests.bench.walks.walk import Walk

LONGEST = LENGTHS[-1]
SPEED = Table("Speed, in milliseconds of processor time", ("what", "ms"), ())
MISSING = "applications that could not be walked"
CHANGES = "changes of two snapshots of 500,000 characters, all refs renumbered"


async def run(options: Options) -> Result:
    """Every walk that this share of the work holds and that has no result yet, then the figures of all results."""
    count = o200k(options.cache)
    notes: list[str] = []
    taped: list[tuple[Walk, Tape]] = []
    for name in _apps(options):
        try:
            tape = await tape_of(walk(name, LONGEST), options.cache)
            await _measure(name, tape, count, options)
        except (NotInstalled, AppFailed, WalkBroken) as fault:
            notes.append(f"{name} was not measured. {str(fault)[:600]}")
        else:
            taped.append((walk(name, LONGEST), tape))
    rows = _rows(options)
    speed, speed_table = await _speed(taped) if options.shard == 1 else ([], SPEED)
    return Result(
        figures=(*figures_of(rows), *_fixed(count), *speed, Measured(MISSING, len(notes), "count")),
        tables=(*tables_of(rows), speed_table),
        versions=_versions([one.app for one, _ in taped]),
        notes=(*_open_notes(), *notes),
    )


def _apps(options: Options) -> list[str]:
    """All, those of a share, or for a quick run one of them, drawn by the seed."""
    if options.quick:
        return random.Random(options.seed).sample(sorted(SCRIPTS), 1)
    return [name for number, name in enumerate(SCRIPTS) if options.is_mine(number)]


async def _measure(app: str, tape: Tape, count: CountText, options: Options) -> None:
    for length in LENGTHS:
        one = walk(app, length)
        if one.name not in options.partial.parts:
            made = await measured(one, tape.until(length), count)
            options.partial.put(one.name, [asdict(measure) for measure in made])


def _rows(options: Options) -> list[tuple[Walk, Measure]]:
    parts: dict[str, Any] = options.partial.parts
    known = [walk(app, length) for length in LENGTHS for app in SCRIPTS]
    return [(one, Measure(**measure)) for one in known for measure in parts.get(one.name, ())]


def _fixed(count: CountText) -> list[Measured]:
    tools = sum(count(f"{tool.name} {tool.description} {tool.schema}") for tool in specs())
    return [Measured("tokens of system prompt and tools", count(system_prompt(DAY)) + tools, "tokens")]


async def _speed(taped: Sequence[tuple[Walk, Tape]]) -> tuple[list[Measured], Table]:
    trees = tree.measure()
    made = [Measured(CHANGES, max(ms for _, ms, bar in trees if bar), "ms")]
    rows = [(what, f"{ms:.1f}") for what, ms, _ in trees]
    if taped:
        played = await long_conversation(taped)
        anew, going_on = from_nothing_ms(played), going_on_ms(played)
        made.append(Measured("building the request of a 500-step conversation", anew, "ms"))
        rows.append((f"request of step {len(played.requests)}, from the transcript alone", f"{anew:.2f}"))
        rows.append(("the same, going on from the step before", f"{going_on:.2f}"))
    return made, replace(SPEED, rows=tuple(rows))


def _versions(apps: Sequence[str]) -> tuple[tuple[str, str], ...]:
    pinned = {package for app in apps for package in app_of(app).packages} | {PACKAGE}
    playwright = ("Playwright", metadata.version("playwright"))
    return (playwright, *(_name_and_version(package) for package in sorted(pinned)))


def _name_and_version(package: str) -> tuple[str, str]:
    """Of a pin as either registry writes it."""
    name, _, version = package.replace("==", "@").rpartition("@")
    return (name, version) if name else (package, "as bounded")


def _open_notes() -> tuple[str, ...]:
    prices = [
        f"Prices {letter} are those of {table.name}, in dollars a million tokens: {table.input:g} for input, "
        f"{table.cached:g} from the cache, {table.write:g} into it. Output, the same under every policy, is left out."
        for letter, table in (("A", PRICES_A), ("B", PRICES_B))
    ]
    return (
        *prices,
        "Tokens are those of o200k. Each walk of 17 and of 30 steps is the beginning of the walk of 100 steps.",
        "append-all is our own lean whole page, with the same cut, after every step, never folded.",
        "last-state is computed: system prompt, tools, one note a step, the newest whole page, marked to suit it.",
        "As own tree: the same looks in Playwright's own words, cut at 14,000 characters, as prior art counts.",
        "Blind steps are those whose target was left out of every view; a model would have had to search first.",
    )
