"""The rows of the record, for one thread: each method is one transaction."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import apsw

from app.domain.events import ConversationSummary, RecordedEvent, StoredEvent, SubmissionKept
from app.domain.ids import BlobHash, ConversationId
from app.domain.submissions import Submission
from app.store import codec
from app.store.backups import Backups, Copying
from app.store.blobs import Blobs
from app.store.connecting import BUSY_MS
from app.store.faults import damaged_conversation, exists_already, not_found
from app.store.finding import TITLE, Finding, condition
from app.store.search import searchable, words_of
from app.store.visits import take_in
from app.store.whole import Row, Whole

UNSETTLED_S = 7 * 86_400.0
"""So long something of unknown outcome stands in the way of the same in another conversation."""
FRESH_S = 600.0
SUBMISSION_KEPT = "submission_kept"
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
            rows = _sealed(self._rows(conversation), self._known_count(conversation))
            return tuple(StoredEvent(conversation, row.seq, row.at, codec.decode(row.kind, row.body)) for row in rows)

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

    def unsettled(self, under_way_s: float) -> tuple[tuple[ConversationId, Submission], ...]:
        """Submissions of all conversations that may stand in the way of the same in another, each as it stands.

        What is younger than that may be under way in the process that writes the record.
        """
        rows = self._db.execute(
            "SELECT conversation, body FROM events WHERE kind = ? AND at > ? ORDER BY rowid",
            (SUBMISSION_KEPT, self._now() - UNSETTLED_S),
        )
        newest: dict[tuple[str, str], Submission] = {}
        for conversation, body in rows:
            event = codec.decode(SUBMISSION_KEPT, body)
            if isinstance(event, SubmissionKept):
                newest[conversation, event.submission.id] = event.submission
        since = self._now() - under_way_s
        found = ((ConversationId(conversation), one) for (conversation, _), one in newest.items())
        return tuple(pair for pair in found if _is_open(pair[1], since, self._now()))

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

    def whole(self, conversation: ConversationId) -> Whole:
        with self._transaction():
            known = self._db.execute(
                "SELECT title, demo, created_at, updated_at, events FROM conversations WHERE id = ?", (conversation,)
            ).fetchone()
            if known is None:
                raise not_found("The conversation")
            title, demo, created_at, updated_at, count = known
            rows = tuple(_sealed(self._rows(conversation), count))
            blobs = tuple((name, self._blobs.get(name)) for name in list(self._blobs.needed_by(conversation)))
        return Whole(conversation, title, bool(demo), created_at, updated_at, rows, blobs)

    def take_whole(self, whole: Whole) -> None:
        with self._transaction():
            if self._count(whole.id) is not None:
                raise exists_already(whole.id)
            self._db.execute(
                "INSERT INTO conversations (id, title, demo, created_at, updated_at, events) VALUES (?, ?, ?, ?, ?, ?)",
                (whole.id, whole.title, whole.demo, whole.created_at, whole.updated_at, len(whole.rows)),
            )
            self._finding.keep(whole.id, TITLE, whole.title)
            for _, data in whole.blobs:
                self._blobs.put(data)
            for row in whole.rows:
                self._keep(whole.id, row)

    def tidy(self) -> None:
        """Do what a crash or a reader held up before."""
        with self._transaction():
            self._blobs.delete_orphans()
        self._sweep()

    def take_in(self, visits: Path) -> None:
        """What other processes recorded beside this one and have ended since."""
        take_in(self._db, visits)

    def copy_to(self, backups: Backups) -> Copying | None:
        """A copy that has begun, when one is due."""
        return backups.begin(self._db) if backups.is_due(self._db) else None

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
        seal = codec.seal(self._last_seal(conversation, seq), seq, at, event.kind, body)
        return self._keep(conversation, Row(seq, at, event.kind, body, seal))

    def _keep(self, conversation: ConversationId, row: Row) -> StoredEvent:
        event = codec.decode(row.kind, row.body)
        self._db.execute(
            "INSERT INTO events (conversation, seq, at, kind, body, seal) VALUES (?, ?, ?, ?, ?, ?)",
            (conversation, row.seq, row.at, row.kind, row.body, row.seal),
        )
        self._blobs.name(conversation, row.seq, event)
        self._finding.keep(conversation, row.seq, searchable(event))
        return StoredEvent(conversation, row.seq, row.at, event)

    def _rows(self, conversation: ConversationId) -> Iterator[Row]:
        rows = self._db.execute(
            "SELECT seq, at, kind, body, seal FROM events WHERE conversation = ? ORDER BY seq", (conversation,)
        )
        return (Row(*row) for row in rows)

    def _last_seal(self, conversation: ConversationId, seq: int) -> bytes:
        row = self._db.execute(
            "SELECT seal FROM events WHERE conversation = ? AND seq = ?", (conversation, seq - 1)
        ).fetchone()
        return row[0] if row else b""

    def _summary(self, row: Any, words: tuple[str, ...]) -> ConversationSummary:
        name, title, created_at, updated_at, events, demo = row
        found = self._finding.snippet(name, title, words)
        return ConversationSummary(name, title, created_at, updated_at, events, bool(demo), found)


def _sealed(rows: Iterable[Row], count: int) -> Iterator[Row]:
    """The rows as they are. Raises StoreError when one was changed or is missing."""
    last, seen = b"", 0
    for row in rows:
        if row.seal != codec.seal(last, row.seq, row.at, row.kind, row.body):
            raise damaged_conversation()
        yield row
        last, seen = row.seal, row.seq
    if seen != count:
        raise damaged_conversation()


def _is_open(record: Submission, since: float, now: float) -> bool:
    """Unknown, left behind before anybody could tell, or so fresh that who asked for it may not have heard."""
    is_left = record.state in ("intended", "sent") and record.began_at <= since
    is_fresh = record.state in ("answered", "settled") and record.consequence in ("pay", "send", "delete")
    return record.state == "unknown" or is_left or (is_fresh and record.ended_at > now - FRESH_S)
