"""Power cuts and full disks under the program's own record: what was acknowledged is there, and nothing else."""

import random
import shutil
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

import apsw

from app.domain.errors import StoreError
from app.domain.events import ActIntended, RecordedEvent, StoredEvent, ToolAnswered, UserSaid
from app.domain.ids import ConversationId, ToolCallId
from app.store.codec import blobs_of
from app.store.record import SqliteRecord
from tests.bench.ledger.power_cut import ForgetfulDisk, synchronous_normal

_A_CUT = 0.04  # chance of one before each write


@dataclass(slots=True)
class Known:
    """What was asked of the record, and what it acknowledged; an act is done only after its intent was acknowledged."""

    asked: dict[ConversationId, int] = field(default_factory=dict)
    stored: dict[ConversationId, tuple[StoredEvent, ...]] = field(default_factory=dict)
    leaving: set[ConversationId] = field(default_factory=set)  # a deletion was asked for
    deleted: set[ConversationId] = field(default_factory=set)
    acts: tuple[ToolCallId, ...] = ()

    def copy(self) -> "Known":
        return replace(
            self,
            asked=dict(self.asked),
            stored=dict(self.stored),
            leaving=set(self.leaving),
            deleted=set(self.deleted),
        )


@dataclass(frozen=True, slots=True)
class Cuts:
    """How many were made, and after how many of them something was not as it had to be."""

    made: int = 0
    lost: int = 0  # an acknowledged event or page was missing or changed
    unsound: int = 0  # the record could not be opened, or its file was not sound
    acts_without_intent: int = 0
    undone_deletions: int = 0

    def __add__(self, other: "Cuts") -> "Cuts":
        return Cuts(
            self.made + other.made,
            self.lost + other.lost,
            self.unsound + other.unsound,
            self.acts_without_intent + other.acts_without_intent,
            self.undone_deletions + other.undone_deletions,
        )


async def power_cuts(seed: int, count: int, *, normal: bool = False) -> Cuts:
    """So many cuts at random writes of random work; with `normal` the record is kept from syncing each commit."""
    chance = random.Random(seed)
    total = Cuts()
    while total.made < count:
        with tempfile.TemporaryDirectory(prefix="power-") as folder:
            total += await _one_run(Path(folder), chance, count - total.made, normal=normal)
    return total


async def _one_run(folder: Path, chance: random.Random, most: int, *, normal: bool) -> Cuts:
    taken: list[tuple[Path, Known]] = []
    known = Known()
    (before := folder / "before").mkdir()

    def now_and_then() -> None:
        if len(taken) < most and chance.random() < _A_CUT:
            after = folder / str(len(taken))
            disk.cut(after, chance)
            taken.append((after, known.copy()))

    with ExitStack() as stack:
        if normal:
            stack.enter_context(synchronous_normal())
        disk = stack.enter_context(ForgetfulDisk(before, now_and_then))
        await work(before / "record.db", chance, known)
        disk.before_each = lambda: None
    total = Cuts()
    for after, then in taken:
        total += await _looked_at(after / "record.db", then)
        shutil.rmtree(after)
    return total


async def work(path: Path, chance: random.Random, known: Known) -> None:
    """Conversations with pages and acts, some deleted, over a few starts of the program."""
    for start in range(chance.randrange(1, 4)):
        record = await SqliteRecord.open(path, min_free_bytes=0)
        try:
            for number in range(chance.randrange(1, 4)):
                await _conversation(record, chance, known, ConversationId(f"c{start}{number}"))
        finally:
            await record.close()


async def _conversation(record: SqliteRecord, chance: random.Random, known: Known, name: ConversationId) -> None:
    known.asked[name] = 0
    await record.create(name, f"About {name}")
    known.stored[name] = ()
    await _steps(record, chance, known, name)


async def _steps(record: SqliteRecord, chance: random.Random, known: Known, name: ConversationId) -> None:
    for step in range(chance.randrange(1, 12)):
        call = ToolCallId(f"{name}-{step}")
        await _append(record, known, name, UserSaid(f"{step} " * chance.randrange(1, 200)))
        page = await record.put_blob(chance.randbytes(chance.randrange(1, 30_000)))
        await _append(record, known, name, ActIntended(call, "click Buy"))
        known.acts += (call,)
        await _append(record, known, name, ToolAnswered(call, "browser_click", "clicked", False, picture=page))
    if chance.random() < 0.3:
        known.leaving.add(name)
        await record.delete(name)
        known.deleted.add(name)


async def _append(record: SqliteRecord, known: Known, name: ConversationId, event: RecordedEvent) -> None:
    known.asked[name] += 1
    known.stored[name] += await record.append(name, event)


async def _looked_at(path: Path, known: Known) -> Cuts:
    """What the program finds at its next start."""
    try:
        record = await SqliteRecord.open(path, min_free_bytes=0)
    except StoreError:
        return Cuts(made=1, lost=1, unsound=1)
    there = {one.id for one in await record.conversations()}
    kept = {name: events for name, events in known.stored.items() if name not in known.leaving}
    lost = [name for name, events in kept.items() if not await _is_there(record, name, events, known.asked[name])]
    found = [one.event for name in there for one in await record.events(name)]
    intents = {event.call for event in found if isinstance(event, ActIntended)}
    acts = [act for act in known.acts if ConversationId(act.split("-")[0]) in kept]
    await record.close()
    db = apsw.Connection(str(path))
    sound = db.pragma("integrity_check") == "ok"
    db.close()
    return Cuts(
        made=1,
        lost=bool(lost),
        unsound=not sound,
        acts_without_intent=not intents.issuperset(acts),
        undone_deletions=bool(known.deleted & there),
    )


async def _is_there(record: SqliteRecord, name: ConversationId, events: tuple[StoredEvent, ...], asked: int) -> bool:
    """All that was acknowledged, and at most what was asked for beyond it, and every page of both."""
    try:
        found = await record.events(name)
        for page in (blob for one in found for blob in blobs_of(one.event)):
            await record.blob(page)
    except StoreError:
        return False
    return found[: len(events)] == events and len(found) <= asked


@dataclass(frozen=True, slots=True)
class FullDisks:
    """Disks that became full in the middle, and after how many of them something was not as it had to be."""

    made: int = 0
    lost: int = 0
    acts_without_intent: int = 0
    badly_told: int = 0  # another error than “the disk is full”
    did_not_go_on: int = 0  # once there was room again

    @property
    def bad(self) -> int:
        return self.lost + self.acts_without_intent + self.badly_told + self.did_not_go_on

    def __add__(self, other: "FullDisks") -> "FullDisks":
        return FullDisks(
            self.made + other.made,
            self.lost + other.lost,
            self.acts_without_intent + other.acts_without_intent,
            self.badly_told + other.badly_told,
            self.did_not_go_on + other.did_not_go_on,
        )


async def full_disks(seed: int, count: int) -> FullDisks:
    """The same work on disks too small for it; then there is room again, and it goes on."""
    chance = random.Random(seed)
    total = FullDisks()
    for _ in range(count):
        with tempfile.TemporaryDirectory(prefix="full-") as folder:
            total += await _until_full(Path(folder), chance)
    return total


async def _until_full(folder: Path, chance: random.Random) -> FullDisks:
    known, path = Known(), folder / "record.db"
    with ForgetfulDisk(folder, quota=chance.randrange(1_000, 600_000)) as disk:
        told = await _filled(path, chance, known)
        disk.quota = None
        after = await _looked_at(path, known)
        goes_on = await _filled(path, chance, Known(), most=1) == ""
    return FullDisks(1, after.lost, after.acts_without_intent, told != "full", not goes_on)


async def _filled(path: Path, chance: random.Random, known: Known, most: int = 1_000) -> str:
    """Conversations are begun and worked on until that fails or they are so many; the fault, or an empty text."""
    try:
        record = await SqliteRecord.open(path, min_free_bytes=0)
    except StoreError as error:
        return error.fault
    try:
        for _ in range(most):
            await _conversation(record, chance, known, ConversationId(f"c{chance.randrange(10**9)}"))
    except StoreError as error:
        return error.fault
    finally:
        await record.close()
    return ""
