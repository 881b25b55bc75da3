"""Reads a record from its file, the way a person with the file and a text search would."""

import asyncio
import sqlite3
import zlib
from collections.abc import Iterator
from pathlib import Path

from app.domain.events import AssistantSaid, HandedBack, StoredEvent, ToolAnswered
from app.domain.ids import ConversationId
from app.domain.observation import Observation
from app.store.record import SqliteRecord


def conversations(home: Path) -> list[ConversationId]:
    """Newest first."""

    async def read() -> list[ConversationId]:
        record = await SqliteRecord.open_readonly(home / "record.db")
        try:
            return [one.id for one in await record.conversations()]
        finally:
            await record.close()

    return asyncio.run(read())


def events(home: Path, conversation: ConversationId | None = None) -> list[StoredEvent]:
    """All events of a conversation, of the newest one when none is named."""
    wanted = conversation or conversations(home)[0]

    async def read() -> list[StoredEvent]:
        record = await SqliteRecord.open_readonly(home / "record.db")
        try:
            return list(await record.events(wanted))
        finally:
            await record.close()

    return asyncio.run(read())


def pages(home: Path, stored: list[StoredEvent]) -> list[tuple[Observation, str, str]]:
    """Every observation with the two texts that were kept of its page: the whole tree, and what a person reads."""

    async def read() -> list[tuple[Observation, str, str]]:
        record = await SqliteRecord.open_readonly(home / "record.db")
        try:
            return [
                (seen, (await record.blob(seen.tree)).decode(), (await record.blob(seen.reading)).decode())
                for seen in observations(stored)
            ]
        finally:
            await record.close()

    return asyncio.run(read())


def observations(stored: list[StoredEvent]) -> Iterator[Observation]:
    for one in stored:
        if isinstance(one.event, ToolAnswered | HandedBack) and one.event.observation is not None:
            yield one.event.observation


def results_per_call(stored: list[StoredEvent]) -> dict[str, int]:
    """How many results each call of the model has."""
    counts: dict[str, int] = {}
    for one in stored:
        if isinstance(one.event, AssistantSaid):
            counts.update({call.id: 0 for call in one.event.calls})
        elif isinstance(one.event, ToolAnswered):
            counts[one.event.call] += 1
    return counts


def traces(home: Path, text: str, *, without: str = "profile") -> list[str]:
    """The files below `home` that hold the text, as bytes or inside what is stored packed."""
    needle = text.casefold().encode()
    files = [file for file in home.rglob("*") if file.is_file() and without not in file.relative_to(home).parts]
    found = [str(file.relative_to(home)) for file in files if needle in file.read_bytes().lower()]
    return found + [f"blob {name}" for name, data in _blobs(home) if needle in data.lower()]


def _blobs(home: Path) -> Iterator[tuple[str, bytes]]:
    database = sqlite3.connect(f"file:{home / 'record.db'}?mode=ro", uri=True)
    try:
        for name, is_packed, data in database.execute("SELECT hash, packed, data FROM blobs").fetchall():
            yield name, zlib.decompress(data) if is_packed else data
    finally:
        database.close()
