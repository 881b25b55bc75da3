import contextlib
from pathlib import Path

import apsw
import pytest

from app.domain.errors import StoreError
from app.domain.events import Paused, UserSaid
from app.domain.ids import ConversationId
from app.store.record import SqliteRecord
from app.store.schema import APPLICATION_ID, MIGRATIONS, is_damaged_header, migrate
from tests.unit.store import samples

ONE = ConversationId("c-1")


@pytest.fixture
def db(tmp_path: Path) -> apsw.Connection:
    return apsw.Connection(str(tmp_path / "some.db"))


async def filled(path: Path) -> None:
    record = await SqliteRecord.open(path)
    await record.create(ONE, "Mugs")
    await record.append(ONE, UserSaid("buy"), samples.answered("looked", await record.put_blob(b"page")))
    await record.close()


async def test_the_file_is_written_so_that_a_power_cut_loses_nothing(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    await filled(path)
    db = apsw.Connection(str(path))
    assert db.pragma("journal_mode") == "wal"
    assert db.pragma("application_id") == APPLICATION_ID
    assert db.pragma("user_version") == len(MIGRATIONS)
    assert db.pragma("auto_vacuum") == 2
    assert db.pragma("foreign_key_check") is None


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE events SET body = '{}'",
        "UPDATE events SET seq = seq + 10",
        "DELETE FROM events",
        "DELETE FROM events WHERE seq = 2",
        "REPLACE INTO events SELECT conversation, seq, at, kind, '{}', seal FROM events",
        "DELETE FROM blobs",
        "INSERT INTO events SELECT conversation, 'nine', at, kind, body, seal FROM events LIMIT 1",
        "INSERT INTO events SELECT 'nobody', seq, at, kind, body, seal FROM events LIMIT 1",
    ],
)
async def test_the_file_itself_refuses_to_change_events(tmp_path: Path, statement: str) -> None:
    path = tmp_path / "record.db"
    await filled(path)
    db = apsw.Connection(str(path))
    db.pragma("foreign_keys", True)
    db.pragma("recursive_triggers", True)
    rows = db.execute("SELECT * FROM events").fetchall()
    with pytest.raises(apsw.ConstraintError):
        db.execute(statement)
    assert db.execute("SELECT * FROM events").fetchall() == rows
    assert len(rows) == 2


STEPS = (
    "CREATE TABLE a (x TEXT) STRICT; INSERT INTO a VALUES ('old')",
    "ALTER TABLE a ADD COLUMN y TEXT; UPDATE a SET y = x || '!'",
)


def test_steps_run_once_each_and_in_order(db: apsw.Connection) -> None:
    migrate(db, STEPS[:1])
    migrate(db, STEPS)
    migrate(db, STEPS)
    assert db.pragma("user_version") == 2
    assert db.execute("SELECT x, y FROM a").fetchall() == [("old", "old!")]


@pytest.mark.parametrize("allowed", range(1, 60))
def test_a_step_that_is_interrupted_leaves_the_file_as_it_was(db: apsw.Connection, allowed: int) -> None:
    migrate(db, STEPS[:1])
    left = [allowed]

    def interrupt() -> bool:
        left[0] -= 1
        return left[0] < 0

    db.set_progress_handler(interrupt, 1)
    with contextlib.suppress(apsw.InterruptError):
        migrate(db, STEPS)
    db.set_progress_handler(None)
    version = db.pragma("user_version")
    columns = [name for name, _ in db.execute("SELECT * FROM a").get_description()] if version else []
    assert (version, columns) in [(1, ["x"]), (2, ["x", "y"])]


def test_a_step_that_fails_half_way_leaves_the_file_as_it_was(db: apsw.Connection) -> None:
    migrate(db, STEPS[:1])
    with pytest.raises(apsw.SQLError):
        migrate(db, (STEPS[0], "ALTER TABLE a ADD COLUMN y TEXT; UPDATE nothing SET x = 1"))
    assert db.pragma("user_version") == 1
    assert db.execute("SELECT * FROM a").fetchall() == [("old",)]


def of_version(path: Path, version: int, *, also: str = "") -> None:
    db = apsw.Connection(str(path))
    db.execute(also)
    db.pragma("user_version", version)
    db.close()


async def test_a_file_of_a_newer_version_is_never_written_and_can_be_read(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    await filled(path)
    of_version(path, len(MIGRATIONS) + 1)
    before = path.read_bytes()
    with pytest.raises(StoreError, match="newer version of Pilotfish") as caught:
        await SqliteRecord.open(path, backups=tmp_path / "backups")
    assert caught.value.fault == "newer"
    assert "can be read and searched" in caught.value.message
    reader = await SqliteRecord.open_readonly(path)
    assert next(one.event for one in await reader.events(ONE)) == UserSaid("buy")
    assert [found.id for found in await reader.conversations("buy")] == [ONE]
    for change in (reader.append(ONE, Paused()), reader.create(ONE, "x"), reader.rename(ONE, "x"), reader.delete(ONE)):
        with pytest.raises(StoreError, match="nothing new can be recorded") as caught:
            await change
        assert caught.value.fault == "newer"
    await reader.close()
    assert path.read_bytes() == before
    assert not [name for name in samples.names(tmp_path) if "damaged" in name or "backup" in name]


async def test_what_a_newer_version_keeps_in_another_way_is_said_to_be_so(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    await filled(path)
    of_version(path, len(MIGRATIONS) + 1, also="ALTER TABLE events RENAME COLUMN body TO content")
    reader = await SqliteRecord.open_readonly(path)
    assert [found.id for found in await reader.conversations()] == [ONE]
    with pytest.raises(StoreError, match="in a way that this version cannot read") as caught:
        await reader.events(ONE)
    assert caught.value.fault == "newer"
    await reader.close()


async def test_a_refused_file_can_be_opened_once_it_fits_again(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    await filled(path)
    of_version(path, len(MIGRATIONS) + 1)
    with pytest.raises(StoreError):
        await SqliteRecord.open(path)
    of_version(path, len(MIGRATIONS))
    record = await SqliteRecord.open(path)
    (paused,) = await record.append(ONE, Paused())
    assert paused.seq == 3
    await record.close()


@pytest.mark.parametrize(
    ("application", "version", "is_damaged"),
    [
        (APPLICATION_ID, 1, False),
        (APPLICATION_ID, 2, False),
        (APPLICATION_ID, 0, True),
        (APPLICATION_ID, -1, True),
        (APPLICATION_ID, 1 << 24, True),
        (0, 0, True),
        (7, 1, True),
    ],
)
def test_wrong_marks_in_the_header_are_damage(
    db: apsw.Connection, application: int, version: int, is_damaged: bool
) -> None:
    assert not is_damaged_header(db), "an empty file is not damaged"
    db.execute("CREATE TABLE a (x)")
    db.pragma("application_id", application)
    db.pragma("user_version", version)
    assert is_damaged_header(db) is is_damaged
