import asyncio
import threading
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.domain.errors import StoreError
from app.domain.events import ActIntended, Paused, RecordedEvent, UserSaid
from app.domain.ids import ConversationId, ToolCallId
from app.store.record import SqliteRecord
from tests.unit.store import samples, strategies

ONE, TWO = ConversationId("c-1"), ConversationId("c-2")
INTENT = ActIntended(ToolCallId("t1"), "click Pay")


async def test_a_reopened_record_is_exactly_as_it_was(tmp_path: Path) -> None:
    record = await SqliteRecord.open(tmp_path / "record.db")
    await record.create(ONE, "Mugs")
    page = await record.put_blob("- button “日本”".encode() * 100)
    written = await record.append(ONE, UserSaid("half \ud83d"), samples.answered("looked", page), samples.quote("12"))
    listed = await record.conversations()
    await record.close()
    again = await SqliteRecord.open(tmp_path / "record.db")
    assert await again.events(ONE) == written
    assert await again.conversations() == listed
    assert await again.blob(page) == "- button “日本”".encode() * 100
    await again.close()


@settings(max_examples=30, suppress_health_check=list(HealthCheck), deadline=None)
@given(events=st.lists(strategies.events(blobs=st.just(samples.NO_BLOB)), max_size=6))
async def test_any_events_are_stored_and_searched_without_complaint(
    tmp_path: Path, events: list[RecordedEvent]
) -> None:
    record = await SqliteRecord.open(tmp_path / "record.db")
    await record.create(ONE, "Mugs")
    await record.append(ONE, *events)
    assert [stored.event for stored in await record.events(ONE)] == events
    for query in ("a", "abc", "\ud83d", "\0", '"'):
        await record.conversations(query)
    await record.delete(ONE)
    await record.close()


async def test_the_folder_is_made_for_its_owner_only(tmp_path: Path) -> None:
    record = await SqliteRecord.open(tmp_path / "new" / "folder" / "record.db")
    assert (tmp_path / "new" / "folder").stat().st_mode & 0o077 == 0
    await record.close()


async def test_calls_from_many_tasks_are_done_one_after_the_other(tmp_path: Path) -> None:
    record = await SqliteRecord.open(tmp_path / "record.db")
    await record.create(ONE, "Mugs")
    await asyncio.gather(*(record.append(ONE, UserSaid(str(number))) for number in range(50)))
    assert [stored.event.text for stored in await record.events(ONE)] == [str(number) for number in range(50)]
    await record.close()


async def test_a_cancelled_append_is_whole_or_not_there(tmp_path: Path) -> None:
    record = await SqliteRecord.open(tmp_path / "record.db")
    await record.create(ONE, "Mugs")
    tasks = [asyncio.create_task(record.append(ONE, UserSaid(str(n)), Paused())) for n in range(20)]
    await tasks[0]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    stored = await record.events(ONE)
    assert len(stored) % 2 == 0
    assert [item.seq for item in stored] == list(range(1, len(stored) + 1))
    await record.close()


async def test_closing_does_first_what_was_asked_for_before(tmp_path: Path) -> None:
    record = await SqliteRecord.open(tmp_path / "record.db")
    await record.create(ONE, "Mugs")
    late = [asyncio.create_task(record.append(ONE, Paused())) for _ in range(10)]
    await asyncio.sleep(0)
    await record.close()
    assert [stored[0].seq for stored in await asyncio.gather(*late)] == list(range(1, 11))


async def test_no_thread_and_no_lock_stay_after_closing_or_a_failed_opening(tmp_path: Path) -> None:
    def workers() -> list[str]:
        return [thread.name for thread in threading.enumerate() if thread.name.startswith("pilotfish-store")]

    record = await SqliteRecord.open(tmp_path / "record.db")
    with pytest.raises(StoreError):
        await SqliteRecord.open(tmp_path / "record.db")
    await record.close()
    assert workers() == []
    again = await SqliteRecord.open(tmp_path / "record.db")
    await again.close()


async def test_an_opening_that_is_cancelled_leaves_no_lock(tmp_path: Path) -> None:
    opening = asyncio.create_task(SqliteRecord.open(tmp_path / "record.db"))
    await asyncio.sleep(0)
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    record = await SqliteRecord.open(tmp_path / "record.db")
    await record.close()


async def test_an_act_is_refused_while_the_disk_has_no_room_for_its_record(tmp_path: Path) -> None:
    record = await SqliteRecord.open(tmp_path / "record.db", min_free_bytes=1 << 60)
    await record.create(ONE, "Mugs")
    with pytest.raises(StoreError, match="did not act") as caught:
        await record.append(ONE, INTENT)
    assert caught.value.fault == "full"
    assert "Nothing was lost" in caught.value.message
    await record.append(ONE, UserSaid("what happened is still written"))
    assert [stored.event.kind for stored in await record.events(ONE)] == ["user_said"]
    await record.close()


async def test_an_act_is_recorded_while_there_is_room(tmp_path: Path) -> None:
    record = await SqliteRecord.open(tmp_path / "record.db", min_free_bytes=1)
    await record.create(ONE, "Mugs")
    (stored,) = await record.append(ONE, INTENT)
    assert stored.event == INTENT
    await record.close()


async def test_what_must_not_be_stored_is_taken_out_of_every_place(tmp_path: Path) -> None:
    record = await SqliteRecord.open(tmp_path / "record.db", clean=lambda text: text.replace("hunter2", "••••••"))
    await record.create(ONE, "my hunter2 mugs")
    page = await record.put_blob(b"- textbox: hunter2")
    picture = await record.put_blob(b"\xff\xd8 not a text")
    (stored,) = await record.append(ONE, samples.answered("typed hunter2", page, picture))
    await record.rename(ONE, "hunter2")
    assert stored.event.text == "typed ••••••"
    assert await record.events(ONE) == (stored,)
    assert await record.blob(page) == "- textbox: ••••••".encode()
    assert await record.blob(picture) == b"\xff\xd8 not a text"
    assert await record.conversations("hunter2") == ()
    await record.close()
    assert samples.files_with(tmp_path, b"hunter2") == []


async def test_a_record_open_to_read_follows_the_one_that_writes(tmp_path: Path) -> None:
    writer = await SqliteRecord.open(tmp_path / "record.db")
    await writer.create(ONE, "Mugs")
    reader = await SqliteRecord.open_readonly(tmp_path / "record.db")
    written = await writer.append(ONE, UserSaid("hello mug"))
    assert await reader.events(ONE) == written
    assert [found.id for found in await reader.conversations("mug")] == [ONE]
    for attempt in (reader.append(ONE, Paused()), reader.put_blob(b"x"), reader.delete(ONE), reader.create(TWO, "x")):
        with pytest.raises(StoreError, match="only read here") as caught:
            await attempt
        assert caught.value.fault == "unreadable"
    await writer.close()
    assert await reader.events(ONE) == written
    await reader.close()


async def test_a_reader_never_sees_half_of_what_is_being_written(tmp_path: Path) -> None:
    writer = await SqliteRecord.open(tmp_path / "record.db")
    await writer.create(ONE, "Mugs")
    reader = await SqliteRecord.open_readonly(tmp_path / "record.db")
    writing = asyncio.gather(*(writer.append(ONE, Paused(), UserSaid(f"mug {number}")) for number in range(100)))
    seen = set()
    while not writing.done():
        stored = await reader.events(ONE)
        assert len(stored) % 2 == 0
        seen.add(len(stored))
        await reader.conversations("mug")
    await writing
    assert len(seen) > 2
    await reader.close()
    await writer.close()


async def test_a_closed_record_can_be_opened_to_read(tmp_path: Path) -> None:
    writer = await SqliteRecord.open(tmp_path / "record.db")
    await writer.create(ONE, "Mugs")
    await writer.close()
    reader = await SqliteRecord.open_readonly(tmp_path / "record.db")
    assert await reader.events(ONE) == ()
    await reader.close()
    again = await SqliteRecord.open(tmp_path / "record.db")
    await again.close()


async def test_reading_before_there_is_anything_says_so_and_makes_nothing(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="no record yet") as caught:
        await SqliteRecord.open_readonly(tmp_path / "folder" / "record.db")
    assert caught.value.fault == "not_found"
    assert samples.names(tmp_path) == []


async def test_a_folder_in_the_way_is_reported_in_plain_words(tmp_path: Path) -> None:
    (tmp_path / "record.db").mkdir()
    with pytest.raises(StoreError, match="cannot be opened") as caught:
        await SqliteRecord.open(tmp_path / "record.db")
    assert caught.value.fault == "unreadable"
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError):
        await SqliteRecord.open(tmp_path / "file" / "record.db")


async def test_blobs_whose_event_never_came_are_gone_after_a_restart(tmp_path: Path) -> None:
    record = await SqliteRecord.open(tmp_path / "record.db")
    await record.create(ONE, "Mugs")
    named, orphan = await record.put_blob(b"named"), await record.put_blob(b"orphan")
    await record.append(ONE, samples.answered("looked", named))
    await record.close()
    again = await SqliteRecord.open(tmp_path / "record.db")
    assert await again.blob(named) == b"named"
    with pytest.raises(StoreError):
        await again.blob(orphan)
    await again.close()


async def test_a_page_tree_is_stored_in_less_room_than_it_has_characters(tmp_path: Path) -> None:
    record = await SqliteRecord.open(tmp_path / "record.db")
    await record.create(ONE, "Mugs")
    page = await record.put_blob(b'- row "Mug" [ref=e12]\n' * 20_000)
    await record.append(ONE, samples.answered("looked", page))
    await record.close()
    assert (tmp_path / "record.db").stat().st_size < 200_000
