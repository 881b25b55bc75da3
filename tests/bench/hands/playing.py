"""Plays every task with every actor, turn by turn in one run, so that their times can be compared."""

import contextlib
import sys
from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from tests.bench.hands.hand import Hand
from tests.bench.hands.ours import ours
from tests.bench.hands.plain import plain
from tests.bench.hands.playwright_mcp import playwright_mcp
from tests.bench.hands.probe import Probe, probing
from tests.bench.hands.run import Act, Episode, play
from tests.bench.hands.site import installed, serving
from tests.bench.hands.tasks import LEFT_TO_THE_PERSON, QUICK, SEEDS, TASKS
from tests.bench.peers.processes import PeerStopped
from tests.bench.result import Options


async def played(options: Options) -> list[Episode]:
    """What the partial result holds already is not played again. Raises NotInstalled."""
    tasks = QUICK if options.quick else [task for task in TASKS if task not in LEFT_TO_THE_PERSON]
    mine = [task for at, task in enumerate(tasks) if options.is_mine(at)]
    kept = options.partial.parts
    missing = [task for task in mine if task not in kept]
    if missing:
        async with _at_work(options.cache) as (hands, probe, root):
            for at, task in enumerate(missing):
                sys.stderr.write(f"{at + 1} of {len(missing)}: {task}\n")
                episodes = await _task(task, SEEDS[:1] if options.quick else SEEDS, hands, probe, root)
                options.partial.put(task, [asdict(one) for one in episodes])
    return [_of_plain(one) for task in mine for one in _list(kept[task])]


async def _task(task: str, seeds: Sequence[int], hands: Sequence[Hand], probe: Probe, root: str) -> list[Episode]:
    """Every seed with every actor; who begins changes, so that nobody always comes to a warm page."""
    found: list[Episode] = []
    for at, seed in enumerate(seeds):
        turn = at % len(hands)
        for hand in (*hands[turn:], *hands[:turn]):
            try:
                found.append(await play(hand, probe, root, task, seed, TASKS[task]))
            except (PeerStopped, TimeoutError) as stop:
                found.append(Episode(hand.name, task, seed, None, "", (), f"broke off: {stop}"))
    return found


@contextlib.asynccontextmanager
async def _at_work(cache: Path) -> AsyncIterator[tuple[list[Hand], Probe, str]]:
    async with contextlib.AsyncExitStack() as stack:
        probe, port = await stack.enter_async_context(probing())
        root = stack.enter_context(serving(installed(cache), port))
        openers = (ours(), plain(), playwright_mcp(cache))
        yield [await stack.enter_async_context(opener) for opener in openers], probe, root


def _of_plain(plain_: dict[str, Any]) -> Episode:
    return replace(Episode(**plain_), acts=tuple(Act(**one) for one in plain_["acts"]))


def _list(part: object) -> list[dict[str, Any]]:
    assert isinstance(part, list)
    return part
