"""kill -9: a program is killed in the middle of an order, another one opens the record and goes on.

At each of twelve named points of the record's writing and while the site works, and at moments that a seed chooses.
What the program had been told is kept must be there, what may have been sent must be on record as that, and whatever
the next program tries, the site has done it once at most.
"""

import asyncio
import contextlib
import json
import os
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from app.agent.asking import PERSON_SAYS_YES
from app.context.submissions.records import records_of
from app.domain.events import PersonAnswered
from app.domain.ids import ConversationId
from app.guard.ledger import UNSURE
from app.store.record import SqliteRecord
from tests.bench.ledger.actors import SCALE, KeptBrowser, options
from tests.bench.ledger.apps import Running, apps
from tests.bench.ledger.books import Books
from tests.bench.ledger.desk import Around, Desk
from tests.bench.ledger.errands import Errand
from tests.bench.ledger.going_on import GoingOn
from tests.bench.ledger.person import Person
from tests.bench.ledger.points import POINTS, RECORD
from tests.bench.ledger.trials import ORDER
from tests.bench.ledger.truth import lies
from tests.bench.ledger.ways import MATRIX, Way, another_tab, the_same_address, tried
from tests.bench.ledger.wire import serving
from tests.bench.result import Options
from tests.browser.processes import children_of, is_running

AT_THE_SITE = "while the site works"
EACH_POINT, RANDOM, BATCH = 20, 200, 10

_AGAIN: tuple[Way, ...] = (the_same_address, another_tab)
_STARTS_S, _ENDS_S, _ACTS_S = 40.0, 3.0, 1.2
_QUIET_S = 0.4


@dataclass(frozen=True, slots=True)
class Killed:
    """`acknowledged` events were told to be kept, `lost` of them are not there."""

    point: str
    acknowledged: int
    lost: int
    done_before: int
    done: int
    resume_s: float
    states: tuple[str, ...]
    tried: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()


@dataclass
class Child:
    """The program while it runs, and what it said."""

    process: asyncio.subprocess.Process
    said: dict[str, str] = field(default_factory=dict)
    news: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def read(self) -> None:
        assert self.process.stdout is not None
        while line := await self.process.stdout.readline():
            what, _, value = line.decode().strip().partition(" ")
            async with self.news:
                self.said[what] = value
                self.news.notify_all()
        async with self.news:
            self.said["ended"] = "yes"
            self.news.notify_all()

    async def until(self, *words: str) -> None:
        """Once it said one of the words, or ended. Raises TimeoutError."""
        async with asyncio.timeout(_STARTS_S), self.news:
            await self.news.wait_for(lambda: any(word in self.said for word in (*words, "ended")))

    async def kill(self) -> None:
        """Returns when it is gone, with every process that it had started."""
        below = children_of(self.process.pid)
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        await self.process.wait()
        end = time.monotonic() + _ENDS_S
        while any(map(is_running, below)) and time.monotonic() < end:
            await asyncio.sleep(0.02)
        for pid in filter(is_running, below):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)


@contextlib.asynccontextmanager
async def started(folder: Path, errand: Errand, point: str = "", scale: float = SCALE) -> AsyncIterator[Child]:
    asked = {
        "folder": str(folder),
        "url": errand.url,
        "target": asdict(errand.target),
        "steps": [asdict(one) for one in errand.steps],
        "point": point,
        "scale": scale,
    }
    command = (sys.executable, "-m", "tests.bench.ledger.child", json.dumps(asked))
    child = Child(await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE))
    reading = asyncio.create_task(child.read())
    try:
        yield child
    finally:
        await child.kill()
        await reading


async def measured(options: Options) -> list[Killed]:
    """Every kill of this share that has no result yet, then all results."""
    row = [point for point in (*POINTS, AT_THE_SITE) for _ in range(EACH_POINT)] + [""] * RANDOM
    if options.quick:
        row = [AT_THE_SITE]
    batches = [row[start : start + BATCH] for start in range(0, len(row), BATCH)]
    for at, batch in enumerate(batches):
        part = f"kills {at}"
        if options.is_mine(at) and part not in options.partial.parts:
            sys.stderr.write(f"{part}: {len(batch)} kills\n")
            dice = random.Random(f"{options.seed} {at}")
            options.partial.put(part, [asdict(await killed(point, dice)) for point in batch])
    kept: dict[str, Any] = options.partial.parts
    found = [one for at in range(len(batches)) for one in kept.get(f"kills {at}", ())]
    lists = ("states", "tried", "faults")
    return [Killed(**{**one, **{name: tuple(one[name]) for name in lists}}) for one in found]


async def killed(point: str, dice: random.Random) -> Killed:
    """One order at the shop, killed at that point; without one at a moment of the act that the dice choose."""
    shop = next(one for one in apps() if one.name == "shop")
    running = Running("shop", shop, "slow" if point in ("", AT_THE_SITE) else "well")
    with serving() as server, tempfile.TemporaryDirectory(prefix="ledger-", ignore_cleanup_errors=True) as folder:
        errand = running.put_on(server)
        async with started(Path(folder), errand, point) as child:
            await child.until("acts")
            if point == AT_THE_SITE:
                await _arrived(running.books, child)
            elif point:
                await child.until("acted")
            else:
                await asyncio.sleep(dice.random() * _ACTS_S)
            await child.kill()
        return await gone_on(Path(folder), child, errand, running.books, point or "at a random moment", _AGAIN)


async def killed_at_the_site(errand: Errand, books: Books, let_go: threading.Event) -> Killed:
    """The same for any page whose site waits to be let go; everything of the matrix is tried after it."""
    with tempfile.TemporaryDirectory(prefix="ledger-", ignore_cleanup_errors=True) as folder:
        async with started(Path(folder), errand) as child:
            await child.until("acts")
            await _arrived(books, child)
            await child.kill()
        let_go.set()
        return await gone_on(Path(folder), child, errand, books, AT_THE_SITE)


async def gone_on(
    folder: Path, child: Child, errand: Errand, books: Books, point: str, again: Sequence[Way] = MATRIX
) -> Killed:
    """What the next program finds on record, and what comes of it when it tries the same again."""
    await asyncio.sleep(_QUIET_S)
    before = books.done(ORDER)
    began = time.monotonic()
    browser = KeptBrowser(options(folder, SCALE))
    record = await SqliteRecord.open(folder / RECORD)
    try:
        going = await GoingOn.opened(record, ConversationId(child.said["conversation"]), browser)
        resume_s = time.monotonic() - began
        events = await record.events(going.transcript.conversation)
        faults = _faults(going, books)
        allowed = any(isinstance(one.event, PersonAnswered) and one.event.choice == PERSON_SAYS_YES for one in events)
        person = Person(allows=0 if allowed or before else 1)
        await browser.start()
        desk = Desk(going.call, record, going.transcript.conversation, person, Around(folder, browser.end))
        went = [await tried(way, desk, errand, lambda: books.done(ORDER)) for way in again]
        await _quiet(books)
        states = tuple(one.state for one in records_of(going.transcript.events))
        done = books.done(ORDER)
        if done > 1:
            faults.append(f"again: done {done} times, {before} of them before the kill")
        faults += lies(records_of(going.transcript.events), books)
        acknowledged = int(child.said.get("kept", 0))
        lost = max(0, acknowledged - len(events))
        return Killed(point, acknowledged, lost, before, done, resume_s, states, tuple(went), tuple(faults))
    finally:
        await browser.end()
        await record.close()


def _faults(going: GoingOn, books: Books) -> list[str]:
    """What is on record right after the start, before anything is tried."""
    records = records_of(going.transcript.events)
    found = [f"unknown: {one.id} is {one.state} after the restart" for one in records if one.state in UNSURE]
    return [*found, *lies(records, books)]


async def _arrived(books: Books, child: Child) -> None:
    """Raises TimeoutError."""
    await _until(lambda: books.arrived(ORDER) > 0 or "ended" in child.said, _STARTS_S)


async def _quiet(books: Books) -> None:
    await asyncio.sleep(_QUIET_S)
    with contextlib.suppress(TimeoutError):
        await _until(lambda: books.quiet_for() > _QUIET_S, 5.0)


async def _until(condition: Callable[[], bool], limit_s: float) -> None:
    end = time.monotonic() + limit_s
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError
        await asyncio.sleep(0.02)
