"""A conversation that goes out as one text and comes back is the same, byte for byte; a changed text is refused."""

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.domain.errors import StoreError, UsageError
from app.domain.events import RecordedEvent, UserSaid
from app.domain.ids import ConversationId
from app.guard.redact import redact
from app.store.blobs import hash_of
from app.store.codec import blobs_of
from app.store.record import SqliteRecord
from tests.unit.store import samples, strategies

ONE, TWO = ConversationId("c-1"), ConversationId("c-2")
KEY = "sk-" + "proj-" + "q1w2e3r4t5y6u7i8o9p0a1s2"
PAGES = [b"", b"page " * 300, b"\x89PNG\0\xff" + samples.noise(2_000), "half \ud83d".encode("utf-8", "surrogatepass")]
TABLES = (
    "SELECT id, title, demo, created_at, updated_at, events FROM conversations",
    "SELECT seq, at, kind, body, seal FROM events ORDER BY seq",
    "SELECT seq, hash FROM blob_uses ORDER BY seq, hash",
    "SELECT hash, packed, data FROM blobs ORDER BY hash",
    "SELECT seq, folded FROM texts ORDER BY seq",
)


def rows(path: Path) -> list[list[Any]]:
    db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    found = [db.execute(statement).fetchall() for statement in TABLES]
    db.close()
    return found


@pytest.fixture
async def record(tmp_path: Path) -> AsyncIterator[SqliteRecord]:
    opened = await SqliteRecord.open(tmp_path / "record.db")
    yield opened
    await opened.close()


async def exported(record: SqliteRecord) -> str:
    page, picture = await record.put_blob(PAGES[1]), await record.put_blob(PAGES[2])
    await record.create(ONE, "Mugs ☕", demo=True)
    await record.append(ONE, UserSaid("buy 日本 \ud83d"), samples.said("I look"))
    await record.append(ONE, samples.answered("looked", page, picture), samples.quote("12 crowns"))
    return await record.whole_text(ONE, str)


@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(events=strategies.one_of_each(st.sampled_from([hash_of(page) for page in PAGES])))
async def test_a_conversation_with_every_kind_of_event_comes_back_row_by_row(
    tmp_path_factory: pytest.TempPathFactory, events: tuple[RecordedEvent, ...]
) -> None:
    folder = tmp_path_factory.mktemp("trip")
    there, back = [await SqliteRecord.open(folder / name) for name in ("there.db", "back.db")]
    await there.create(ONE, "Mugs")
    needed = {blob for event in events for blob in blobs_of(event)}
    for page in PAGES:
        if hash_of(page) in needed:
            await there.put_blob(page)
    await there.append(ONE, *events)
    text = await there.whole_text(ONE, str)
    assert text.isascii()
    assert await back.take_whole_text(text) == ONE
    assert await back.events(ONE) == await there.events(ONE)
    await there.close()
    await back.close()
    assert rows(folder / "back.db") == rows(folder / "there.db")


async def test_what_came_back_is_found_and_goes_on(record: SqliteRecord) -> None:
    text = await exported(record)
    await record.delete(ONE)
    await record.take_whole_text(text)
    assert [found.id for found in await record.conversations("crowns")] == [ONE]
    (stored,) = await record.append(ONE, UserSaid("more"))
    assert stored.seq == 5
    assert len(await record.events(ONE)) == 5


async def test_a_conversation_that_is_there_is_never_replaced(record: SqliteRecord) -> None:
    text = await exported(record)
    before = await record.append(ONE, UserSaid("newer than the file"))
    with pytest.raises(StoreError, match="exists already"):
        await record.take_whole_text(text)
    assert (await record.events(ONE))[-1:] == before


@pytest.mark.parametrize(
    "change",
    [
        lambda held: held["events"][0]["body"].update(text="buy nothing"),
        lambda held: held["events"].pop(1),
        lambda held: held["events"].pop(),
        lambda held: held["events"].reverse(),
        lambda held: held["events"][1].update(seq=7),
        lambda held: held["events"][1].update(at=0.5),
        lambda held: held["events"][1].update(seal="00" * 32),
        lambda held: held["blobs"].pop(),
        lambda held: held["blobs"][0].update(data="AAAA"),
        lambda held: held["blobs"].append({"hash": "0" * 64, "data": ""}),
    ],
    ids=["word", "missing", "end missing", "order", "number", "time", "seal", "page missing", "page", "page too many"],
)
async def test_a_text_that_was_changed_is_refused(record: SqliteRecord, change: Any) -> None:
    held = json.loads(await exported(record))
    await record.delete(ONE)
    change(held)
    with pytest.raises(UsageError, match="was changed or is not complete"):
        await record.take_whole_text(json.dumps(held))
    assert await record.conversations() == ()


@pytest.mark.parametrize(
    "text", ["", "no JSON", "[]", "{}", "[" * 100_000, '{"pilotfish_conversation": 2}', '{"events": [], "blobs": []}']
)
async def test_another_text_is_refused_in_plain_words(record: SqliteRecord, text: str) -> None:
    with pytest.raises(UsageError, match="is not an export of a conversation as JSON"):
        await record.take_whole_text(text)


async def test_no_key_goes_out_and_what_is_left_can_be_taken_back(record: SqliteRecord) -> None:
    """The record itself was cleaned when it was written; this is a key that was not known then."""
    page = await record.put_blob(f"- textbox: {KEY}".encode())
    await record.create(ONE, f"Use {KEY}")
    await record.append(ONE, UserSaid(f"my key is {KEY}"), samples.answered("looked", page))
    text = await record.whole_text(ONE, redact)
    assert "q1w2e3r4" not in text
    await record.delete(ONE)
    await record.take_whole_text(text)
    said, looked = await record.events(ONE)
    assert said.event == UserSaid("my key is [key hidden]")
    assert await record.blob(looked.event.observation.tree) == b"- textbox: [key hidden]"
