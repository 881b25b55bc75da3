"""The rows of the record, for one thread: each method is one transaction."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

from app.domain.events import ConversationSummary, RecordedEvent, StoredEvent
from app.domain.ids import BlobHash, ConversationId
from app.store import codec
from app.store.blobs import Blobs
from app.store.faults import damaged_conversation, exists_already, not_found
from app.store.finding import TITLE, Finding, condition
from app.store.opening import BUSY_MS
from app.store.search import searchable, words_of
from app.store.visits import take_in

_SWEEP_MS = 1_000


class Archive:
    """When a writing method returns, all of what it was given is on the disk; when it raises, nothing of it is."""

    def __init__(
        self, db: apsw.Connection, now: Callable[[], float] = time.time, clean: Callable[[str], str] = str
    ) -> None:
        """`clean` takes out of every text what must not be stored."""
        self._db = db
        self._now = now
        self._clean = clean
        self._blobs = Blobs(db, clean)
        self._finding = Finding(db)
        self._is_held_up = False

    def create(self, id: ConversationId, title: str, demo: bool) -> None:
        at, title = self._now(), self._clean(title)
        with self._transaction():
            if self._count(id) is not None:
                raise exists_already(id)
            self._db.execute(
                "INSERT INTO conversations (id, title, demo, created_at, updated_at) VALUES (?, ?, ?, ?, ?)",
                (id, title, demo, at, at),
            )
            self._finding.keep(id, TITLE, title)

    def append(self, conversation: ConversationId, events: tuple[RecordedEvent, ...]) -> tuple[StoredEvent, ...]:
        with self._transaction():
            at, count = self._now(), self._known_count(conversation)
            stored = tuple(self._write(conversation, seq, at, event) for seq, event in enumerate(events, count + 1))
            self._db.execute(
                "UPDATE conversations SET events = events + ?, updated_at = ? WHERE id = ?",
                (len(events), at, conversation),
            )
        self._blobs.settle(stored)
        return stored

    def events(self, conversation: ConversationId) -> tuple[StoredEvent, ...]:
        with self._transaction():
            count = self._known_count(conversation)
            rows = self._db.execute(
                "SELECT seq, at, kind, body, seal FROM events WHERE conversation = ? ORDER BY seq", (conversation,)
            )
            return tuple(_unsealed(conversation, rows, count))

    def conversations(self, query: str) -> tuple[ConversationSummary, ...]:
        words = words_of(query)
        where, terms = condition(words)
        with self._transaction():
            rows: list[Any] = self._db.execute(
                f"SELECT id, title, created_at, updated_at, events, demo FROM conversations WHERE {where}"
                " ORDER BY updated_at DESC, rowid DESC",
                terms,
            ).fetchall()
            return tuple(self._summary(row, words) for row in rows)

    def rename(self, conversation: ConversationId, title: str) -> None:
        title = self._clean(title)
        with self._transaction():
            self._known_count(conversation)
            self._db.execute("UPDATE conversations SET title = ? WHERE id = ?", (title, conversation))
            self._finding.keep(conversation, TITLE, title)

    def delete(self, conversation: ConversationId) -> None:
        """The rows go, freed pages are overwritten and given back, and the log of changes is emptied."""
        with self._transaction():
            self._db.execute("DELETE FROM conversations WHERE id = ?", (conversation,))
            self._blobs.delete_orphans()
            self._finding.forget_deleted()
        self._sweep()

    def put_blob(self, data: bytes) -> BlobHash:
        with self._transaction():
            return self._blobs.put(data)

    def blob(self, hash: BlobHash) -> bytes:
        return self._blobs.get(hash)

    def tidy(self) -> None:
        """Do what a crash or a reader held up before."""
        with self._transaction():
            self._blobs.delete_orphans()
        self._sweep()

    def take_in(self, visits: Path) -> None:
        """What other processes recorded beside this one and have ended since."""
        take_in(self._db, visits)

    def system_error(self) -> int:
        """The number the operating system gave for the last failure of the file."""
        return self._db.system_errno

    def close(self) -> None:
        if self._is_held_up:
            self._sweep()
        self._db.close()

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._db:
            yield

    def _sweep(self) -> None:
        """Give freed pages back and empty the log of changes; what a reader holds up is done at the next sweep."""
        self._db.execute("PRAGMA incremental_vacuum").fetchall()
        self._db.set_busy_timeout(_SWEEP_MS)
        busy, _, _ = self._db.pragma("wal_checkpoint", "TRUNCATE")
        self._db.set_busy_timeout(BUSY_MS)
        self._is_held_up = bool(busy)

    def _count(self, id: ConversationId) -> int | None:
        """How many events the conversation has; None when there is no such conversation."""
        row = self._db.execute("SELECT events FROM conversations WHERE id = ?", (id,)).fetchone()
        return row[0] if row else None

    def _known_count(self, id: ConversationId) -> int:
        count = self._count(id)
        if count is None:
            raise not_found("The conversation")
        return count

    def _write(self, conversation: ConversationId, seq: int, at: float, event: RecordedEvent) -> StoredEvent:
        body = codec.encode(event, self._clean)
        event = codec.decode(event.kind, body)
        seal = codec.seal(self._last_seal(conversation, seq), seq, at, event.kind, body)
        self._db.execute(
            "INSERT INTO events (conversation, seq, at, kind, body, seal) VALUES (?, ?, ?, ?, ?, ?)",
            (conversation, seq, at, event.kind, body, seal),
        )
        self._blobs.name(conversation, seq, event)
        self._finding.keep(conversation, seq, searchable(event))
        return StoredEvent(conversation, seq, at, event)

    def _last_seal(self, conversation: ConversationId, seq: int) -> bytes:
        row = self._db.execute(
            "SELECT seal FROM events WHERE conversation = ? AND seq = ?", (conversation, seq - 1)
        ).fetchone()
        return row[0] if row else b""

    def _summary(self, row: Any, words: tuple[str, ...]) -> ConversationSummary:
        name, title, created_at, updated_at, events, demo = row
        found = self._finding.snippet(name, title, words)
        return ConversationSummary(name, title, created_at, updated_at, events, bool(demo), found)


def _unsealed(conversation: ConversationId, rows: Iterable[Any], count: int) -> Iterator[StoredEvent]:
    """The rows as events. Raises StoreError when one was changed or is missing."""
    last, seen = b"", 0
    for seq, at, kind, body, seal in rows:
        if seal != codec.seal(last, seq, at, kind, body):
            raise damaged_conversation()
        yield StoredEvent(conversation, seq, at, codec.decode(kind, body))
        last, seen = seal, seq
    if seen != count:
        raise damaged_conversation()
