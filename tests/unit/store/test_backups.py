"""Copies of the record: when they are made, how, and that they are never in the way."""

import asyncio
import re
import stat
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import pytest

from app.domain.errors import StoreError
from app.domain.events import UserSaid
from app.domain.ids import ConversationId
from app.store.backups import KEPT, Backups
from app.store.opening import open_for_writing
from app.store.record import SqliteRecord
from app.store.schema import MIGRATIONS
from tests.unit.store import samples

ONE, TWO = ConversationId("c-1"), ConversationId("c-2")
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
NEXT_STEP = "ALTER TABLE conversations ADD COLUMN colour TEXT"


@asynccontextmanager
async def opened(folder: Path, at: datetime = NOON) -> AsyncIterator[SqliteRecord]:
    record = await SqliteRecord.open(folder / "record.db", now=at.timestamp, backups=folder / "backups")
    yield record
    await record.close()


async def started(folder: Path, at: datetime, *, said: str = "") -> list[str]:
    """The program is started then; the names of the backups once the one of the day is made, if it is."""
    async with opened(folder, at) as record:
        await record.backed_up()
        if said:
            await record.append(ONE, UserSaid(said))
    return backups(folder)


def backups(folder: Path) -> list[str]:
    return samples.names(folder / "backups") if (folder / "backups").exists() else []


async def filled(folder: Path, events: int = 3) -> None:
    record = await SqliteRecord.open(folder / "record.db", now=NOON.timestamp)
    await record.create(ONE, "Mugs")
    for number in range(events):
        page = await record.put_blob(f"page {number} ".encode() * 500)
        await record.append(ONE, UserSaid(f"mug {number}"), samples.answered("looked", page))
    await record.close()


async def test_a_copy_is_made_on_each_day_on_which_something_had_changed(tmp_path: Path) -> None:
    day = timedelta(days=1)
    assert await started(tmp_path, NOON) == [], "there is nothing to keep yet"
    await filled(tmp_path)
    first = await started(tmp_path, NOON, said="a")
    assert len(first) == 1
    assert await started(tmp_path, NOON + timedelta(hours=1), said="b") == first, "one a day is enough"
    second = await started(tmp_path, NOON + day)
    assert len(second) == 2
    assert await started(tmp_path, NOON + 2 * day, said="c") == second, "nothing had changed since"
    assert len(await started(tmp_path, NOON + 3 * day)) == 3


async def test_the_newest_five_are_kept(tmp_path: Path) -> None:
    await filled(tmp_path)
    for number in range(KEPT + 3):
        found = await started(tmp_path, NOON + timedelta(days=number), said=str(number))
    assert found == [f"record-2026-03-0{day}T120000Z.db" for day in range(4, 9)]


async def test_a_copy_holds_all_and_can_be_read_by_its_owner_alone(tmp_path: Path) -> None:
    await filled(tmp_path, events=300)
    (name,) = await started(tmp_path, NOON)
    copy = tmp_path / "backups" / name
    if sys.platform != "win32":
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600
        assert stat.S_IMODE(copy.parent.stat().st_mode) == 0o700
    original, reader = [await SqliteRecord.open_readonly(path) for path in (tmp_path / "record.db", copy)]
    stored = await original.events(ONE)
    assert await reader.events(ONE) == stored
    for one in stored[1::2]:
        assert await reader.blob(one.event.observation.tree) == await original.blob(one.event.observation.tree)
    await original.close()
    await reader.close()


async def test_what_is_written_while_a_copy_is_made_waits_for_no_more_than_a_part_of_it(tmp_path: Path) -> None:
    await filled(tmp_path)
    record = await SqliteRecord.open(tmp_path / "record.db")
    for number in range(12):
        picture = await record.put_blob(number.to_bytes(1, "big") + bytes(range(256)) * 4000 + samples.noise(1_000_000))
        await record.append(ONE, samples.answered("looked", picture=picture))
    await record.close()
    async with opened(tmp_path) as record:
        while not backups(tmp_path):
            await asyncio.sleep(0)
        written = await record.append(ONE, UserSaid("meanwhile"))
        assert backups(tmp_path)[0].endswith(".new"), "the copy was not made yet"
        await record.backed_up()
        (name,) = backups(tmp_path)
    copy = await SqliteRecord.open_readonly(tmp_path / "backups" / name)
    assert (await copy.events(ONE))[-1:] == written
    await copy.close()


async def test_a_copy_that_the_end_of_the_program_broke_off_leaves_nothing(tmp_path: Path) -> None:
    await filled(tmp_path, events=200)
    async with opened(tmp_path):
        pass
    assert not [name for name in backups(tmp_path) if "new" in name]
    (tmp_path / "backups").mkdir(exist_ok=True)
    (tmp_path / "backups" / "record-2026-01-01T000000Z.db.new").write_bytes(b"half of one, from a power cut")
    assert await started(tmp_path, NOON) == ["record-2026-03-01T120000Z.db"]


def damage_that_a_short_look_misses(path: Path) -> None:
    """The id of the conversation is changed in one entry of an index, and nowhere else."""
    sound = path.read_bytes()
    for place in [found.end() for found in re.finditer(ONE.encode(), sound)]:
        path.write_bytes(sound[: place - 1] + b"2" + sound[place:])
        db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
        short, whole = db.pragma("quick_check", 1), db.pragma("integrity_check", 1)
        db.close()
        if short == "ok" != whole:
            return
    pytest.fail("no such damage could be made")


async def test_a_damaged_record_pushes_no_sound_copy_out(tmp_path: Path) -> None:
    """What the short look at the start misses is found in the copy; then the next start checks the whole file."""
    await filled(tmp_path)
    first = await started(tmp_path, NOON, said="more")
    damage_that_a_short_look_misses(tmp_path / "record.db")
    assert await started(tmp_path, NOON + timedelta(days=1)) == first
    with pytest.raises(StoreError, match="the backup of 2026-03-01"):
        await started(tmp_path, NOON + timedelta(days=2))
    assert backups(tmp_path) == first


async def test_before_a_migration_the_record_is_checked_whole_and_copied(tmp_path: Path) -> None:
    await filled(tmp_path)
    copies = Backups(tmp_path / "backups", NOON.timestamp)
    open_for_writing(tmp_path / "record.db", copies, (*MIGRATIONS, NEXT_STEP)).close()
    (name,) = backups(tmp_path)
    for path, version in (
        (tmp_path / "backups" / name, len(MIGRATIONS)),
        (tmp_path / "record.db", len(MIGRATIONS) + 1),
    ):
        db = apsw.Connection(str(path))
        assert db.pragma("user_version") == version
        assert db.execute("SELECT count(*) FROM events").get == 6
        db.close()


async def test_without_a_copy_there_is_no_migration(tmp_path: Path) -> None:
    await filled(tmp_path)
    (tmp_path / "backups").write_text("a file where the folder should be")
    copies = Backups(tmp_path / "backups", NOON.timestamp)
    with pytest.raises(OSError, match="exists"):
        open_for_writing(tmp_path / "record.db", copies, (*MIGRATIONS, NEXT_STEP))
    db = apsw.Connection(str(tmp_path / "record.db"))
    assert db.pragma("user_version") == len(MIGRATIONS)
    db.close()
