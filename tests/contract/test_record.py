"""One suite for the record in memory and the record on disk."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.agent.ports import Record
from app.domain.errors import StoreError
from app.domain.events import Paused, SubmissionKept, TurnEnded, UserSaid
from app.domain.ids import BlobHash, ConversationId, SubmissionId
from app.domain.submissions import Submission
from app.store.record import SqliteRecord
from tests.fakes.record import MemoryRecord
from tests.unit.store import samples

ONE, TWO, THREE = ConversationId("c-1"), ConversationId("c-2"), ConversationId("c-3")


class Ticks:
    """A clock that moves on by one second at each look."""

    def __init__(self) -> None:
        self._at: Iterator[int] = iter(range(1_000, 9_000))

    def __call__(self) -> float:
        return float(next(self._at))


@pytest.fixture(params=["memory", "disk"])
async def record(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Record]:
    opened: Record
    if request.param == "memory":
        opened = MemoryRecord(now=Ticks())
    else:
        opened = await SqliteRecord.open(tmp_path / "record.db", now=Ticks())
    yield opened
    await opened.close()


async def test_events_come_back_in_order_and_numbered_from_one(record: Record) -> None:
    await record.create(ONE, "Mugs")
    first = await record.append(ONE, UserSaid("buy a mug"), samples.said("looking"))
    second = await record.append(ONE, TurnEnded("done", "bought"))
    assert await record.events(ONE) == (*first, *second)
    assert [stored.seq for stored in await record.events(ONE)] == [1, 2, 3]
    assert [stored.event.kind for stored in first] == ["user_said", "assistant_said"]
    assert first[0].at < second[0].at


async def test_each_conversation_counts_for_itself(record: Record) -> None:
    await record.create(ONE, "Mugs")
    await record.create(TWO, "Jugs")
    await record.append(ONE, Paused())
    (stored,) = await record.append(TWO, UserSaid("hello"))
    assert (stored.conversation, stored.seq) == (TWO, 1)
    assert [item.event for item in await record.events(ONE)] == [Paused()]


async def test_a_new_conversation_is_empty(record: Record) -> None:
    await record.create(ONE, "Mugs", demo=True)
    assert await record.events(ONE) == ()
    assert await record.append(ONE) == ()
    (summary,) = await record.conversations()
    assert (summary.id, summary.title, summary.events, summary.demo) == (ONE, "Mugs", 0, True)


async def test_conversations_are_listed_with_the_newest_work_first(record: Record) -> None:
    for each in (ONE, TWO, THREE):
        await record.create(each, f"title of {each}")
    await record.append(ONE, UserSaid("again"))
    listed = await record.conversations()
    assert [summary.id for summary in listed] == [ONE, THREE, TWO]
    assert listed[0].updated_at > listed[0].created_at
    assert listed[0].events == 1


@pytest.mark.parametrize("call", ["append", "events", "rename"])
async def test_an_unknown_conversation_is_reported(record: Record, call: str) -> None:
    calls = {
        "append": lambda: record.append(ONE, Paused()),
        "events": lambda: record.events(ONE),
        "rename": lambda: record.rename(ONE, "x"),
    }
    with pytest.raises(StoreError) as caught:
        await calls[call]()
    assert caught.value.fault == "not_found"


async def test_a_conversation_is_made_only_once(record: Record) -> None:
    await record.create(ONE, "Mugs")
    with pytest.raises(StoreError):
        await record.create(ONE, "Jugs")
    assert [summary.title for summary in await record.conversations()] == ["Mugs"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", [THREE, TWO, ONE]),
        ("mug", [TWO, ONE]),
        ("MUG", [TWO, ONE]),
        ("smug", [TWO]),
        ("blue mug", [ONE]),
        ("mug blue", [ONE]),
        ("買い物", [THREE]),
        ("買", [THREE]),
        ("い物リ", [THREE]),
        ("ｓｍｕｇ", [TWO]),
        ("crowns", [ONE]),
        ("basket", [ONE]),
        ("clicked", [ONE]),
        ("lis", [TWO]),
        ("ki", [ONE]),
        ("kettle", []),
        ("買kettle", []),
        ('"', []),
        ("%", []),
        ("mug*", []),
        ("mug OR kettle", []),
    ],
)
async def test_a_search_finds_the_conversations_that_hold_every_word(
    record: Record, query: str, found: list[ConversationId]
) -> None:
    await record.create(ONE, "Kitchen")
    await record.append(ONE, UserSaid("buy a blue Mug"), samples.answered("clicked Save", title="Basket"))
    await record.append(ONE, samples.quote("12 crowns"))
    await record.create(TWO, "Listing")
    await record.append(TWO, samples.said("you look smug"))
    await record.create(THREE, "買い物リスト")
    assert [summary.id for summary in await record.conversations(query)] == found


async def test_a_search_shows_where_it_found_the_word(record: Record) -> None:
    await record.create(ONE, "Kitchen")
    await record.append(ONE, UserSaid("please buy a blue Mug today"))
    (by_text,) = await record.conversations("mug")
    (by_title,) = await record.conversations("kitch")
    (listed,) = await record.conversations()
    assert "blue Mug" in by_text.snippet
    assert by_title.snippet == "Kitchen"
    assert listed.snippet == ""


async def test_a_new_title_takes_the_place_of_the_old_one(record: Record) -> None:
    await record.create(ONE, "Mugs")
    await record.rename(ONE, "Jugs")
    assert [summary.title for summary in await record.conversations("jugs")] == ["Jugs"]
    assert await record.conversations("mugs") == ()


async def test_blobs_come_back_and_are_kept_once(record: Record) -> None:
    first = await record.put_blob(b"\x89PNG\0\xff")
    assert await record.put_blob(b"\x89PNG\0\xff") == first
    assert await record.blob(first) == b"\x89PNG\0\xff"
    assert await record.blob(await record.put_blob(b"")) == b""
    assert await record.blob(await record.put_blob(b"- row\n" * 9_000)) == b"- row\n" * 9_000


async def test_an_unknown_blob_is_reported(record: Record) -> None:
    with pytest.raises(StoreError) as caught:
        await record.blob(BlobHash("0" * 64))
    assert caught.value.fault == "not_found"


async def test_an_event_that_names_an_unknown_blob_is_refused_with_all_that_came_with_it(record: Record) -> None:
    await record.create(ONE, "Mugs")
    with pytest.raises(StoreError) as caught:
        await record.append(ONE, Paused(), samples.answered("looked", BlobHash("0" * 64)))
    assert caught.value.fault == "not_found"
    assert await record.events(ONE) == ()


async def test_a_deleted_conversation_takes_its_own_blobs_with_it_and_no_others(record: Record) -> None:
    own, shared = await record.put_blob(b"own"), await record.put_blob(b"shared")
    await record.create(ONE, "Mugs")
    await record.create(TWO, "Jugs")
    await record.append(ONE, samples.answered("looked", own, shared))
    await record.append(TWO, samples.answered("looked", shared))
    await record.delete(ONE)
    assert [summary.id for summary in await record.conversations()] == [TWO]
    assert await record.conversations("mugs") == ()
    assert await record.blob(shared) == b"shared"
    for lost in (record.blob(own), record.events(ONE)):
        with pytest.raises(StoreError) as caught:
            await lost
        assert caught.value.fault == "not_found"


async def test_a_blob_that_waits_for_its_event_outlives_the_deletion_of_another_conversation(record: Record) -> None:
    await record.create(ONE, "Mugs")
    await record.create(TWO, "Jugs")
    await record.append(ONE, samples.answered("looked", await record.put_blob(b"page")))
    again = await record.put_blob(b"page")
    await record.delete(ONE)
    await record.append(TWO, samples.answered("looked", again))
    assert await record.blob(again) == b"page"


async def test_deleting_what_is_not_there_changes_nothing(record: Record) -> None:
    await record.create(ONE, "Mugs")
    await record.delete(TWO)
    assert [summary.id for summary in await record.conversations()] == [ONE]


async def test_what_is_unknown_is_told_of_all_conversations_as_it_stands_now(record: Record) -> None:
    sent = Submission(SubmissionId("s1"), "sent", "pay", "https://shop.example", began_at=900.0)
    unknown, settled = replace(sent, state="unknown"), replace(sent, state="settled")
    for name, states in ((ONE, (sent, unknown)), (TWO, (sent, unknown, settled)), (THREE, ())):
        await record.create(name, "Mugs")
        await record.append(name, UserSaid("order it"), *map(SubmissionKept, states))
    assert await record.unsettled() == ((ONE, unknown),)


async def test_a_closed_record_says_so_and_closes_twice(record: Record) -> None:
    await record.create(ONE, "Mugs")
    await record.close()
    await record.close()
    with pytest.raises(StoreError, match="closed"):
        await record.append(ONE, Paused())
