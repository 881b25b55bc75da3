"""Damaged records: damage is found out or harmless, a sound backup takes the place, no start ends in a loop.

Each file is opened as the window opens it: once, and once more when it was found damaged.
"""

import random
import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from app.domain.errors import StoreError
from app.domain.events import StoredEvent, ToolAnswered, UserSaid
from app.domain.ids import BlobHash, ConversationId, ToolCallId
from app.store.record import SqliteRecord

_NAMES = tuple(ConversationId(f"c{number}") for number in range(4))
_PAGE = 4096
OUTCOMES = (
    "harmless",
    "told when it is read",
    "kept, called newer",
    "backup restored",
    "fresh record",
    "silent",
    "loop",
)


@dataclass(frozen=True, slots=True)
class State:
    """What a record held."""

    events: dict[ConversationId, tuple[StoredEvent, ...]]
    pages: dict[BlobHash, bytes]


@dataclass(frozen=True, slots=True)
class Sample:
    """A sound file with what it holds, and its backup with what that holds."""

    file: bytes
    held: State
    backup: bytes
    backup_name: str
    held_by_backup: State


@dataclass(frozen=True, slots=True)
class Damages:
    """How many files of each kind of damage came to which outcome."""

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)

    def of(self, outcome: str) -> int:
        return sum(count for (_, found), count in self.outcomes.items() if found == outcome)

    @property
    def made(self) -> int:
        return sum(self.outcomes.values())

    @property
    def bad(self) -> int:
        return self.of("silent") + self.of("loop")


async def damaged_files(seed: int, count: int) -> Damages:
    """So many, with and without a backup in turn."""
    chance = random.Random(seed)
    found: Counter[tuple[str, str]] = Counter()
    with tempfile.TemporaryDirectory(prefix="damage-") as folder:
        sample = await _made(Path(folder) / "sample")
        kinds = list(KINDS)
        for number in range(count):
            kind = kinds[number % len(kinds)]
            place = Path(folder) / str(number)
            (place / "backups").mkdir(parents=True)
            (place / "record.db").write_bytes(KINDS[kind](sample.file, chance))
            has_backup = number // len(kinds) % 2 == 0
            if has_backup:
                (place / "backups" / sample.backup_name).write_bytes(sample.backup)
            found[kind, await _outcome(place, sample)] += 1
    return Damages(found)


async def _outcome(place: Path, sample: Sample) -> str:
    path, backups = place / "record.db", place / "backups"
    told = False
    try:
        record = await SqliteRecord.open(path, backups=backups)
    except StoreError as error:
        if error.fault != "damaged":
            return "kept, called newer"  # by its marks, which are in the part that was damaged
        told = True
        try:
            record = await SqliteRecord.open(path, backups=backups)
        except StoreError:
            return "loop"
    try:
        if told:
            return await _after_telling(record, sample, has_backup=any(backups.glob("*.db")))
        return await _untold(record, sample)
    finally:
        await record.close()


async def _after_telling(record: SqliteRecord, sample: Sample, *, has_backup: bool) -> str:
    if not has_backup:
        return "fresh record" if await record.conversations() == () else "silent"
    differs = await _differing(record, sample.held_by_backup)
    return "silent" if differs is None or differs else "backup restored"


async def _untold(record: SqliteRecord, sample: Sample) -> str:
    differs = await _differing(record, sample.held)
    if differs is None:
        return "silent"
    return "told when it is read" if differs else "harmless"


async def _differing(record: SqliteRecord, held: State) -> int | None:
    """How many things are reported as damaged; None when one is simply not as it was."""
    reported = 0
    for name, events in held.events.items():
        try:
            if await record.events(name) != events:
                return None
        except StoreError as error:
            if error.fault != "damaged":
                return None
            reported += 1
    for blob, data in held.pages.items():
        try:
            if await record.blob(blob) != data:
                return None
        except StoreError as error:
            if error.fault not in ("damaged", "not_found"):  # also its name may be what was damaged
                return None
            reported += 1
    return reported


async def _made(folder: Path) -> Sample:
    path, backups = folder / "record.db", folder / "backups"
    held = State({}, {})
    record = await SqliteRecord.open(path)
    for name in _NAMES[:-1]:
        await _fill(record, held, name)
    await record.close()
    yesterday = datetime.now(UTC) - timedelta(days=1)
    record = await SqliteRecord.open(path, now=yesterday.timestamp, backups=backups)
    await record.backed_up()
    before = State(dict(held.events), dict(held.pages))
    await _fill(record, held, _NAMES[-1])
    await record.close()
    (backup,) = backups.glob("*.db")
    return Sample(path.read_bytes(), held, backup.read_bytes(), backup.name, before)


async def _fill(record: SqliteRecord, held: State, name: ConversationId) -> None:
    await record.create(name, f"About {name}")
    for number in range(12):
        data = f"- row {name} {number}\n".encode() * 200
        page = await record.put_blob(data)
        held.pages[page] = data
        answer = ToolAnswered(ToolCallId(f"t{number}"), "browser_snapshot", "looked", False, picture=page)
        await record.append(name, UserSaid(f"buy {number} " * 40), answer)
    held.events[name] = await record.events(name)


def _flipped(data: bytes, chance: random.Random, bits: int) -> bytes:
    changed = bytearray(data)
    for place in chance.sample(range(len(data)), bits):
        changed[place] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _swapped(data: bytes, chance: random.Random) -> bytes:
    pages = [data[start : start + _PAGE] for start in range(0, len(data), _PAGE)]
    one, other = chance.sample(range(len(pages)), 2)
    pages[one], pages[other] = pages[other], pages[one]
    return b"".join(pages)


def _overwritten(data: bytes, chance: random.Random, by: bytes) -> bytes:
    place = chance.randrange(len(data))
    return (data[:place] + by + data[place + len(by) :])[: len(data)]


def _page_twice(data: bytes, chance: random.Random) -> bytes:
    """A write that went astray: one page stands in the place of another as well."""
    one, other = (chance.randrange(len(data) // _PAGE) * _PAGE for _ in range(2))
    return data[:one] + data[other : other + _PAGE] + data[one + _PAGE :]


KINDS: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "one bit": lambda data, chance: _flipped(data, chance, 1),
    "200 bits": lambda data, chance: _flipped(data, chance, 200),
    "cut short": lambda data, chance: data[: chance.randrange(len(data))],
    "cut at a page": lambda data, chance: data[: chance.randrange(1, len(data) // _PAGE) * _PAGE],
    "pages swapped": _swapped,
    "page twice": _page_twice,
    "page of zeros": lambda data, chance: _overwritten(data, chance, bytes(_PAGE)),
    "64 bytes of noise": lambda data, chance: _overwritten(data, chance, chance.randbytes(64)),
}
