"""What the backup of the day costs on a large record: the start, the list, and what is written meanwhile."""

import random
import tempfile
import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from app.domain.events import ToolAnswered, UserSaid
from app.domain.ids import ConversationId, ToolCallId
from app.store.record import SqliteRecord

_PICTURE = 1_000_000
_NAMES = tuple(ConversationId(f"c{number}") for number in range(10))
_DAYS = 5
_STARTS = 5


@dataclass(frozen=True, slots=True)
class Large:
    """Seconds; the start is to the list of conversations being there."""

    megabytes: int
    start_s: float  # with a backup that is due
    plain_start_s: float  # with none
    backup_s: float
    longest_append_s: float  # of those while the backup is made
    usual_append_s: float
    delete_s: float  # of a tenth of it all, from the record and five backups


async def large_record(seed: int, megabytes: int = 200) -> Large:
    with tempfile.TemporaryDirectory(prefix="large-") as folder:
        path = Path(folder) / "record.db"
        backups = path.with_name("backups")
        await _filled(path, megabytes, seed)
        first = datetime.now(UTC) - timedelta(days=_DAYS)
        for day in range(_DAYS - 1):
            record = await SqliteRecord.open(path, now=(first + timedelta(days=day)).timestamp, backups=backups)
            await record.backed_up()
            await record.append(_NAMES[0], UserSaid(f"day {day}"))
            await record.close()
        plain = await _best_start(path, None)
        start = await _best_start(path, backups)
        _, record = await _start(path, None)
        usual = sorted([await _append(record) for _ in range(50)])[25]
        await record.close()
        _, record = await _start(path, backups)
        began, longest = time.perf_counter(), 0.0
        while any(backups.glob("*.new")) or len(list(backups.glob("*.db"))) < _DAYS:
            longest = max(longest, await _append(record))
        took = time.perf_counter() - began
        await record.backed_up()
        began = time.perf_counter()
        await record.delete(_NAMES[-1])
        deleted = time.perf_counter() - began
        await record.close()
        return Large(megabytes, start, plain, took, longest, usual, deleted)


async def _best_start(path: Path, backups: Path | None) -> float:
    """The shortest of a few; a copy that ends with the program was not made, so it is due at each of them."""
    found = []
    for _ in range(_STARTS):
        took, record = await _start(path, backups)
        await record.close()
        found.append(took)
    return min(found)


async def _start(path: Path, backups: Path | None) -> tuple[float, SqliteRecord]:
    began = time.perf_counter()
    record = await SqliteRecord.open(path, backups=backups)
    await record.conversations()
    return time.perf_counter() - began, record


async def _append(record: SqliteRecord) -> float:
    began = time.perf_counter()
    await record.append(_NAMES[0], UserSaid("meanwhile"))
    return time.perf_counter() - began


async def _filled(path: Path, megabytes: int, seed: int) -> None:
    chance = random.Random(seed)
    record = await SqliteRecord.open(path)
    for name in _NAMES:
        await record.create(name, f"About {name}")
    for number in range(megabytes):
        picture = await record.put_blob(chance.randbytes(_PICTURE))
        call = ToolCallId(f"t{number}")
        answer = ToolAnswered(call, "browser_take_screenshot", "looked", False, picture=picture)
        await record.append(_NAMES[number % len(_NAMES)], UserSaid(f"step {number}"), answer)
    await record.close()
