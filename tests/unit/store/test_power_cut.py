import random
from pathlib import Path

import apsw
import pytest

from app.domain.events import StoredEvent, UserSaid
from app.domain.ids import BlobHash, ConversationId
from app.store.record import SqliteRecord
from tests.unit.store import samples
from tests.unit.store.power import ForgetfulDisk

ONE, TWO = ConversationId("c-1"), ConversationId("c-2")


@pytest.mark.parametrize("seed", range(12))
async def test_a_power_cut_takes_nothing_that_was_acknowledged(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    after = tmp_path / "after"
    (tmp_path / "before").mkdir()
    with ForgetfulDisk(tmp_path / "before") as disk:
        record = await SqliteRecord.open(tmp_path / "before" / "record.db")
        await record.create(ONE, "Mugs")
        await record.create(TWO, "Jugs")
        stored: list[StoredEvent] = []
        pages: list[BlobHash] = []
        for number in range(chance.randrange(1, 60)):
            pages.append(await record.put_blob(chance.randbytes(chance.randrange(1, 40_000))))
            stored += await record.append(ONE, UserSaid(f"{number}"), samples.answered("looked", pages[-1]))
            if number == 20:
                await record.delete(TWO)
            if chance.random() < 0.2:
                disk.cut(after, chance)
                await everything_is_there(after / "record.db", stored, pages, number < 20)
        disk.cut(after, chance)
        await record.close()
    await everything_is_there(after / "record.db", stored, pages, len(pages) <= 20)


async def everything_is_there(
    path: Path, stored: list[StoredEvent], pages: list[BlobHash], both_conversations: bool
) -> None:
    record = await SqliteRecord.open(path)
    assert await record.events(ONE) == tuple(stored)
    for page in pages:
        await record.blob(page)
    assert {found.id for found in await record.conversations()} == ({ONE, TWO} if both_conversations else {ONE})
    await record.close()
    db = apsw.Connection(str(path))
    assert db.pragma("integrity_check") == "ok"
    db.close()


def test_the_disk_of_these_tests_does_forget(tmp_path: Path) -> None:
    (tmp_path / "before").mkdir()
    with ForgetfulDisk(tmp_path / "before") as disk:
        db = apsw.Connection(str(tmp_path / "before" / "some.db"))
        db.pragma("journal_mode", "WAL")
        db.pragma("synchronous", "NORMAL")
        db.execute("CREATE TABLE a (x)")
        db.pragma("wal_checkpoint", "TRUNCATE")
        for number in range(20):
            db.execute("INSERT INTO a VALUES (?)", (number,))
        disk.cut(tmp_path / "after", random.Random(1))
        db.close()
    after = apsw.Connection(str(tmp_path / "after" / "some.db"))
    assert after.execute("SELECT count(*) FROM a").get < 20
    after.close()
