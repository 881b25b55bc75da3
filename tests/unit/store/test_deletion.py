"""Deleted means gone: the bytes are sought in every file of the folder."""

import asyncio
import random
import zlib
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import pytest

from app.domain.events import HandedBack, PersonAsked, RecordedEvent, TurnEnded, UserSaid
from app.domain.ids import BlobHash, ConversationId
from app.store.record import SqliteRecord
from tests.unit.store import samples

GONE, KEPT = ConversationId("c-gone"), ConversationId("c-kept")
CANARY = "Zqxjvk-7731-キャナリ猫砂"


def telling(page: BlobHash, picture: BlobHash, number: int) -> tuple[RecordedEvent, ...]:
    filler = f"{CANARY} {number} " * random.Random(number).randrange(1, 400)
    return (
        UserSaid(filler),
        samples.said(f"I saw {CANARY}"),
        samples.answered(f"clicked {CANARY}", page, picture, shown=filler, title=CANARY),
        samples.quote(CANARY),
        PersonAsked("p1", "consent", CANARY, (("yes", "Yes"),), (("card", CANARY),)),
        HandedBack(CANARY, CANARY, samples.observation(page, title=CANARY)),
        TurnEnded("done", CANARY),
    )


def traces(pages: list[bytes], pictures: list[bytes]) -> dict[str, bytes]:
    """Everything by which a byte search could find the conversation again."""
    found = {"text": CANARY.encode(), "folded": b"zqxjvk", "original": b"Zqxjvk", "cjk": "キャナリ".encode()}
    found |= {f"trigram {term}": term.encode() for term in ("zqx", "qxj", "xjv", "ャナリ", "リ猫砂")}
    found["rarest page"] = min((zlib.compress(page, 6) for page in pages), key=len)[8:40]
    found["picture"] = pictures[0][100:140]
    return found


@pytest.mark.parametrize("seed", range(4))
async def test_no_byte_of_a_deleted_conversation_is_left_in_any_file(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    pages, pictures = [], []
    record = await SqliteRecord.open(tmp_path / "record.db")
    await record.create(KEPT, "Mugs")
    await record.create(GONE, CANARY)
    shared = await record.put_blob(b"shared page " * 50)
    for number in range(12):
        pages.append(f"- {CANARY} {number}\n".encode() * chance.randrange(2, 900))
        pictures.append(chance.randbytes(chance.randrange(200, 60_000)))
        own, picture = await record.put_blob(pages[-1]), await record.put_blob(pictures[-1])
        await record.append(GONE, *telling(own, picture, number))
        await record.append(KEPT, UserSaid(f"mug {number} " * chance.randrange(1, 300)), samples.answered("ok", shared))
    await record.rename(GONE, f"{CANARY} renamed")
    kept = await record.events(KEPT)
    sought = traces(pages, pictures)
    there = {name for name, needle in sought.items() if samples.files_with(tmp_path, needle)}
    assert there >= {"text", "cjk", "rarest page", "picture"}, "the search must be able to find something"
    await record.delete(GONE)
    assert {name for name, needle in sought.items() if samples.files_with(tmp_path, needle)} == set()
    assert await record.events(KEPT) == kept
    assert await record.blob(shared) == b"shared page " * 50
    assert [found.id for found in await record.conversations("mug 11")] == [KEPT]
    await record.close()
    assert {name for name, needle in sought.items() if samples.files_with(tmp_path, needle)} == set()


@pytest.mark.parametrize("seed", range(2))
async def test_a_deleted_conversation_is_gone_from_every_backup_too(tmp_path: Path, seed: int) -> None:
    chance, first, pages, pictures = random.Random(seed), datetime(2026, 3, 1, tzinfo=UTC), [], []
    for day in range(4):
        now = (first + timedelta(days=day)).timestamp
        record = await SqliteRecord.open(tmp_path / "record.db", now=now, backups=tmp_path / "backups")
        await record.backed_up()
        if day == 0:
            await record.create(KEPT, "Mugs")
            await record.create(GONE, CANARY)
        pages.append(f"- {CANARY} {day}\n".encode() * chance.randrange(2, 900))
        pictures.append(chance.randbytes(chance.randrange(200, 60_000)))
        own, picture = await record.put_blob(pages[-1]), await record.put_blob(pictures[-1])
        await record.append(GONE, *telling(own, picture, day))
        kept = await record.append(KEPT, UserSaid(f"mug {day} " * chance.randrange(1, 300)))
        if day < 3:
            await record.close()
    sought = traces(pages[:1], pictures)
    backups = samples.names(tmp_path / "backups")
    assert len(backups) == 3
    for name in backups:
        assert samples.files_with(tmp_path / "backups", sought["picture"]) == backups, name
    await record.delete(GONE)
    assert {name for name, needle in sought.items() if samples.files_with(tmp_path, needle)} == set()
    assert samples.names(tmp_path / "backups") == backups
    await record.close()
    assert {name for name, needle in sought.items() if samples.files_with(tmp_path, needle)} == set()
    newest = await SqliteRecord.open_readonly(tmp_path / "backups" / backups[-1])
    assert [found.id for found in await newest.conversations("mug")] == [KEPT]
    assert len(await newest.events(KEPT)) == kept[-1].seq - 1
    await newest.close()


async def test_a_backup_of_which_nothing_can_be_deleted_goes_whole(tmp_path: Path) -> None:
    record = await SqliteRecord.open(tmp_path / "record.db", backups=tmp_path / "backups")
    await record.create(GONE, CANARY)
    (tmp_path / "backups").mkdir(exist_ok=True)
    (tmp_path / "backups" / "record-2026-03-01T000000Z.db").write_bytes(CANARY.encode() * 500)
    await record.delete(GONE)
    await record.close()
    assert samples.files_with(tmp_path, CANARY.encode()) == []


async def test_no_copy_that_is_on_its_way_keeps_what_is_deleted_meanwhile(tmp_path: Path) -> None:
    record = await SqliteRecord.open(tmp_path / "record.db")
    await record.create(GONE, CANARY)
    for number in range(8):
        picture = await record.put_blob(samples.noise(1_000_000, number))
        await record.append(GONE, UserSaid(CANARY), samples.answered("looked", picture=picture))
    await record.close()
    record = await SqliteRecord.open(tmp_path / "record.db", backups=tmp_path / "backups")
    while not (tmp_path / "backups").exists() or not samples.names(tmp_path / "backups"):
        await asyncio.sleep(0)
    assert samples.names(tmp_path / "backups")[0].endswith(".new")
    await record.delete(GONE)
    assert samples.files_with(tmp_path, CANARY.encode()) == []
    await record.close()
    assert samples.files_with(tmp_path, CANARY.encode()) == []


async def test_an_old_title_leaves_no_byte_after_the_next_deletion_or_start(tmp_path: Path) -> None:
    record = await SqliteRecord.open(tmp_path / "record.db")
    await record.create(KEPT, CANARY)
    await record.rename(KEPT, "Mugs")
    await record.close()
    assert samples.files_with(tmp_path, CANARY.encode()) == []


async def test_the_file_gives_its_room_back(tmp_path: Path) -> None:
    record = await SqliteRecord.open(tmp_path / "record.db")
    await record.create(GONE, "Mugs")
    for number in range(20):
        picture = await record.put_blob(random.Random(number).randbytes(100_000))
        await record.append(GONE, samples.answered("looked", picture=picture))
    full = size(tmp_path)
    await record.delete(GONE)
    assert size(tmp_path) < full / 10
    await record.close()


def size(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


@pytest.mark.parametrize("released", ["before closing", "after closing"])
async def test_what_a_reader_held_up_is_gone_after_closing_or_the_next_start(tmp_path: Path, released: str) -> None:
    record = await SqliteRecord.open(tmp_path / "record.db")
    await record.create(GONE, "Mugs")
    await record.append(GONE, UserSaid(CANARY))
    reader = apsw.Connection(str(tmp_path / "record.db"), flags=apsw.SQLITE_OPEN_READONLY)
    reader.execute("BEGIN")
    assert reader.execute("SELECT count(*) FROM events").get == 1
    await record.delete(GONE)
    assert samples.files_with(tmp_path, CANARY.encode()), "the reader still needs the old rows"
    if released == "before closing":
        reader.execute("ROLLBACK")
    await record.close()
    reader.close()
    if released == "after closing":
        again = await SqliteRecord.open(tmp_path / "record.db")
        await again.close()
    assert samples.files_with(tmp_path, CANARY.encode()) == []
