import os
import time
from pathlib import Path

import pytest

from app.domain.events import ToolAnswered, UserSaid
from app.domain.ids import ConversationId, ToolCallId
from app.store.record import SqliteRecord


async def visited(visits: Path, name: str, *texts: str) -> SqliteRecord:
    """A record of another process, still open."""
    record = await SqliteRecord.open(visits / name / "record.db")
    await record.create(ConversationId(name), f"From {name}")
    for text in texts:
        await record.append(ConversationId(name), UserSaid(text))
    return record


async def test_what_another_process_recorded_is_taken_in_once_it_has_ended(tmp_path: Path) -> None:
    visits = tmp_path / "visits"
    visit = await visited(visits, "a1", "a pear", "an apple")
    picture = await visit.put_blob(b"\x89PNG a picture")
    await visit.append(
        ConversationId("a1"), ToolAnswered(ToolCallId("c1"), "browser_take_screenshot", "", False, picture=picture)
    )
    written = await visit.events(ConversationId("a1"))
    home = await SqliteRecord.open(tmp_path / "record.db", visits=visits)
    try:
        assert await home.conversations() == ()
        await visit.close()
        assert [one.title for one in await home.conversations("apple")] == ["From a1"]
        assert await home.events(ConversationId("a1")) == written
        assert await home.blob(picture) == b"\x89PNG a picture"
        assert list(visits.iterdir()) == []
    finally:
        await home.close()


async def test_conversations_of_two_visits_stand_beside_ones_own(tmp_path: Path) -> None:
    for name in ("a1", "b2"):
        await (await visited(tmp_path / "visits", name, f"said in {name}")).close()
    home = await SqliteRecord.open(tmp_path / "record.db", visits=tmp_path / "visits")
    try:
        await home.create(ConversationId("own"), "Own")
        assert {one.id for one in await home.conversations()} == {"own", "a1", "b2"}
        await home.append(ConversationId("a1"), UserSaid("gone on with"))
        assert len(await home.events(ConversationId("a1"))) == 2
    finally:
        await home.close()


async def test_a_visit_that_was_copied_but_not_removed_is_not_taken_in_twice(tmp_path: Path) -> None:
    visits = tmp_path / "visits"
    await (await visited(visits, "a1", "once")).close()
    left = {file.name: file.read_bytes() for file in (visits / "a1").iterdir()}
    home = await SqliteRecord.open(tmp_path / "record.db", visits=visits)
    try:
        (visits / "a1").mkdir()
        for name, data in left.items():
            (visits / "a1" / name).write_bytes(data)
        assert len(await home.conversations()) == 1
        assert len(await home.events(ConversationId("a1"))) == 1
        assert list(visits.iterdir()) == []
    finally:
        await home.close()


@pytest.mark.expected_log("could not be taken in and stays in", logger="app.store")
async def test_a_damaged_record_of_a_visit_stays_and_the_others_are_taken_in(tmp_path: Path) -> None:
    visits = tmp_path / "visits"
    await (await visited(visits, "b2", "sound")).close()
    (visits / "a1").mkdir()
    (visits / "a1" / "record.db").write_bytes(b"no database " * 400)
    home = await SqliteRecord.open(tmp_path / "record.db", visits=visits)
    try:
        long_ago = time.time() - 3_600
        os.utime(visits / "a1", (long_ago, long_ago))
        assert [one.id for one in await home.conversations()] == ["b2"]
        assert [file for file in (visits / "a1").iterdir() if b"no database" in file.read_bytes()]
    finally:
        await home.close()


async def test_a_folder_that_has_just_been_made_is_left_alone_and_an_old_empty_one_is_removed(tmp_path: Path) -> None:
    fresh, old = tmp_path / "visits" / "fresh", tmp_path / "visits" / "old"
    for folder in (fresh, old):
        (folder / "profile").mkdir(parents=True)
    long_ago = time.time() - 3_600
    os.utime(old, (long_ago, long_ago))
    home = await SqliteRecord.open(tmp_path / "record.db", visits=tmp_path / "visits")
    try:
        assert list((tmp_path / "visits").iterdir()) == [fresh]
    finally:
        await home.close()
