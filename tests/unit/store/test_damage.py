import shutil
from collections.abc import Awaitable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest

from app.domain.errors import StoreError
from app.domain.events import StoredEvent, UserSaid
from app.domain.ids import BlobHash, ConversationId
from app.store.record import SqliteRecord
from tests.unit.store import samples

IDS = [ConversationId(f"c-{number}") for number in range(4)]


class Before:
    """What was written, to compare with what is read after the damage."""

    def __init__(self) -> None:
        self.events: dict[ConversationId, tuple[StoredEvent, ...]] = {}
        self.blobs: dict[BlobHash, bytes] = {}


async def written(path: Path) -> Before:
    before = Before()
    record = await SqliteRecord.open(path)
    for id_ in IDS:
        await record.create(id_, f"Mugs {id_}")
        for number in range(12):
            data = f"- row {id_} {number}\n".encode() * 200
            page = await record.put_blob(data)
            before.blobs[page] = data
            await record.append(id_, UserSaid(f"buy {number} " * 40), samples.answered("looked", page))
        before.events[id_] = await record.events(id_)
    await record.close()
    return before


async def result_or_fault(work: Awaitable[Any]) -> Any:
    try:
        return await work
    except StoreError as exc:
        return exc.fault


async def a_fresh_record_can_be_opened(path: Path) -> None:
    record = await SqliteRecord.open(path)
    assert await record.conversations() == ()
    await record.create(IDS[0], "new")
    await record.close()


@pytest.mark.parametrize(
    "content",
    [b"not a database at all" * 500, b"SQLite format 3\0" + b"\xff" * 5000, b"\0" * 8192],
    ids=["foreign", "header only", "zeros"],
)
async def test_a_damaged_file_is_kept_and_the_message_says_where(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "record.db"
    path.write_bytes(content)
    with pytest.raises(StoreError) as caught:
        await SqliteRecord.open(path)
    (kept,) = [name for name in samples.names(tmp_path) if "damaged" in name]
    assert caught.value.fault == "damaged"
    assert str(tmp_path / kept) in caught.value.message
    assert (tmp_path / kept).read_bytes() == content
    await a_fresh_record_can_be_opened(path)


async def test_a_second_damaged_file_gets_a_name_of_its_own(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / "record.db").write_bytes(b"nothing " * 100 * (number + 1))
        with pytest.raises(StoreError):
            await SqliteRecord.open(tmp_path / "record.db")
    assert len([name for name in samples.names(tmp_path) if "damaged" in name]) == 3


async def test_an_empty_file_is_a_new_record(tmp_path: Path) -> None:
    (tmp_path / "record.db").touch()
    await a_fresh_record_can_be_opened(tmp_path / "record.db")


async def opened_again(path: Path, folder: Path) -> StoreError:
    """What the start after the damage tells; the second try must open what took the place of the file."""
    with pytest.raises(StoreError) as caught:
        await SqliteRecord.open(path, backups=folder)
    assert caught.value.fault == "damaged"
    return caught.value


async def backed_up(path: Path, folder: Path, at: datetime) -> None:
    record = await SqliteRecord.open(path, now=at.timestamp, backups=folder)
    await record.backed_up()
    await record.close()


async def test_the_newest_sound_backup_takes_the_place_of_a_damaged_record(tmp_path: Path) -> None:
    path, folder = tmp_path / "record.db", tmp_path / "backups"
    before = await written(path)
    first = datetime.now(UTC) - timedelta(days=3)
    for day in range(3):
        await backed_up(path, folder, first + timedelta(days=day))
        record = await SqliteRecord.open(path)
        before.events[IDS[day]] += await record.append(IDS[day], UserSaid(f"day {day}"))
        await record.close()
    newest = max(folder.iterdir())
    newest.write_bytes(newest.read_bytes()[:20_000])
    path.write_bytes(b"\0" * 5_000)
    told = await opened_again(path, folder)
    (kept,) = tmp_path.glob("record-damaged-*.db")
    assert kept.read_bytes() == b"\0" * 5_000
    since, until = ((first + timedelta(days=1)).astimezone(), datetime.now().astimezone())
    assert str(kept) in told.message
    assert f"from {since:%Y-%m-%d %H:%M} to {until:%Y-%m-%d}" in told.message
    assert "look at the sites" in told.message
    record = await SqliteRecord.open(path, backups=folder)
    assert await record.events(IDS[0]) == before.events[IDS[0]], "of the first day"
    assert await record.events(IDS[1]) == before.events[IDS[1]][:-1], "of the second one, whose backup is damaged too"
    assert [await record.blob(name) for name in before.blobs] == list(before.blobs.values())
    await record.close()


async def test_without_a_sound_backup_a_fresh_record_is_made(tmp_path: Path) -> None:
    path, folder = tmp_path / "record.db", tmp_path / "backups"
    await written(path)
    await backed_up(path, folder, datetime.now(UTC))
    (only,) = folder.iterdir()
    for file in (only, path):
        file.write_bytes(b"nothing of it " * 500)
    assert "a new, empty record is made" in (await opened_again(path, folder)).message
    await a_fresh_record_can_be_opened(path)


async def log_of_changes(folder: Path) -> Path:
    """That of another record, as a crash leaves it."""
    record = await SqliteRecord.open(folder / "record.db")
    await record.create(IDS[0], "Another one")
    await record.append(IDS[0], UserSaid("in another record " * 500))
    shutil.copy(folder / "record.db-wal", folder / "left")
    await record.close()
    return folder / "left"


async def test_a_backup_that_lost_a_part_of_its_layout_is_passed_over(tmp_path: Path) -> None:
    path, folder = tmp_path / "record.db", tmp_path / "backups"
    before = await written(path)
    for day in range(2):
        await backed_up(path, folder, datetime.now(UTC) - timedelta(days=2 - day))
        record = await SqliteRecord.open(path)
        before.events[IDS[1 - day]] += await record.append(IDS[1 - day], UserSaid(f"day {day}"))
        await record.close()
    db = apsw.Connection(str(max(folder.iterdir())))
    db.execute("DROP TRIGGER events_never_change")
    db.close()
    path.write_bytes(b"nothing of it " * 500)
    await opened_again(path, folder)
    record = await SqliteRecord.open(path, backups=folder)
    assert await record.events(IDS[1]) == before.events[IDS[1]][:-1]
    await record.close()


@pytest.mark.parametrize("left", ["beside the damaged file", "without it", "beside its log of changes"])
async def test_a_restoring_that_was_broken_off_is_done_at_the_next_start(tmp_path: Path, left: str) -> None:
    path, folder = tmp_path / "record.db", tmp_path / "backups"
    before = await written(path)
    await backed_up(path, folder, datetime.now(UTC))
    whole = next(folder.iterdir()).read_bytes()
    if left != "beside the damaged file":
        if left == "beside its log of changes":
            shutil.copy(await log_of_changes(tmp_path / "other"), f"{path}-wal")
        path.unlink()
        Path(f"{path}.restored").write_bytes(whole)
    else:
        path.write_bytes(b"damaged " * 900)
        Path(f"{path}.restored").write_bytes(whole[:5_000])
        await opened_again(path, folder)
    record = await SqliteRecord.open(path, backups=folder)
    assert await record.events(IDS[0]) == before.events[IDS[0]]
    assert not list(tmp_path.glob("*.restored"))
    await record.close()


def forge(path: Path) -> None:
    """Change one word of one event, as no program of ours would."""
    data = path.read_bytes()
    place = data.index(b"buy 7 buy")
    path.write_bytes(data[:place] + b"buy 9 buy" + data[place + 9 :])


async def test_a_changed_entry_is_reported_and_the_other_conversations_stay_readable(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    before = await written(path)
    forge(path)
    record = await SqliteRecord.open(path)
    found = [await result_or_fault(record.events(id_)) for id_ in IDS]
    assert found.count("damaged") == 1
    assert sum(found[number] == before.events[id_] for number, id_ in enumerate(IDS)) == len(IDS) - 1
    assert len(await record.conversations()) == len(IDS)
    await record.close()


async def test_a_record_that_lost_a_part_of_its_layout_is_damaged(tmp_path: Path) -> None:
    path, folder = tmp_path / "record.db", tmp_path / "backups"
    before = await written(path)
    await backed_up(path, folder, datetime.now(UTC))
    for statement in ("DROP TRIGGER events_never_change", "DROP INDEX blob_uses_by_hash", "DROP TABLE search"):
        db = apsw.Connection(str(path))
        db.execute(statement)
        db.close()
        await opened_again(path, folder)
    record = await SqliteRecord.open(path, backups=folder)
    assert await record.events(IDS[0]) == before.events[IDS[0]]
    await record.close()


async def test_an_emptied_file_is_damaged_where_there_is_a_backup(tmp_path: Path) -> None:
    path, folder = tmp_path / "record.db", tmp_path / "backups"
    before = await written(path)
    await backed_up(path, folder, datetime.now(UTC))
    path.write_bytes(b"")
    await opened_again(path, folder)
    record = await SqliteRecord.open(path, backups=folder)
    assert await record.events(IDS[0]) == before.events[IDS[0]]
    await record.close()


async def test_damage_that_is_met_while_running_is_looked_into_at_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    await written(path)
    forge(path)
    record = await SqliteRecord.open(path)
    assert "damaged" in [await result_or_fault(record.events(id_)) for id_ in IDS]
    assert "record.db.suspect" in samples.names(tmp_path)
    await record.close()
    again = await SqliteRecord.open(path)
    assert "record.db.suspect" not in samples.names(tmp_path)
    await again.close()


async def test_a_lost_entry_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    await written(path)
    db = apsw.Connection(str(path))
    trigger = "events_go_only_with_their_conversation"
    made_by = db.execute("SELECT sql FROM sqlite_schema WHERE name = ?", (trigger,)).get
    db.execute(f"DROP TRIGGER {trigger}; DELETE FROM events WHERE seq = 24; {made_by}")
    db.close()
    record = await SqliteRecord.open(path)
    assert [await result_or_fault(record.events(id_)) for id_ in IDS] == ["damaged"] * len(IDS)
    await record.close()
