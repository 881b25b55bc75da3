"""The rows of the record: every statement that reads or writes them, for one thread."""

import contextlib
import hashlib
import json
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import apsw

from app.domain.errors import StoreError
from app.domain.events import ConversationSummary, RecordedEvent, StoredEvent
from app.domain.ids import BlobHash, ConversationId
from app.store import codec
from app.store.faults import damaged_blob, damaged_conversation, exists_already, not_found
from app.store.opening import BUSY_MS
from app.store.search import SHORTEST_INDEXED, folded, match, searchable, snippet, words_of

_ORPHAN_SECONDS = 600.0  # a blob waits no longer than this for the event that names it
_SWEEP_MS = 1_000
_TITLE = 0  # the seq under which the title of a conversation is searched


class Archive:
    """Reads and writes the rows. Each writing method is one transaction: all of it is on the disk, or none.

    Blobs live in the same file as the events that name them: one commit, one delete and one copy cover both, and what
    survives a power cut is the same for both. They are packed where that makes them smaller, as page trees are.
    """

    def __init__(
        self, db: apsw.Connection, now: Callable[[], float] = time.time, clean: Callable[[str], str] = str
    ) -> None:
        """`clean` takes out of every text what must not be stored."""
        self._db = db
        self._now = now
        self._clean = clean
        self._is_held_up = False
        self._waiting: dict[BlobHash, float] = {}  # put, and not yet named by an event

    def create(self, id: ConversationId, title: str, demo: bool) -> None:
        at, title = self._now(), self._clean(title)
        with self._db:
            if self._knows(id):
                raise exists_already(id)
            self._db.execute(
                "INSERT INTO conversations (id, title, demo, created_at, updated_at) VALUES (?, ?, ?, ?, ?)",
                (id, title, demo, at, at),
            )
            self._make_searchable(id, _TITLE, title)

    def append(self, conversation: ConversationId, events: tuple[RecordedEvent, ...]) -> tuple[StoredEvent, ...]:
        with self._db:
            row = self._db.execute("SELECT events FROM conversations WHERE id = ?", (conversation,)).fetchone()
            if row is None:
                raise not_found("The conversation")
            at, first = self._now(), row[0] + 1
            stored = tuple(self._write(conversation, seq, at, event) for seq, event in enumerate(events, first))
            self._db.execute(
                "UPDATE conversations SET events = events + ?, updated_at = ? WHERE id = ?",
                (len(events), at, conversation),
            )
        for item in stored:
            for blob in codec.blobs_of(item.event):
                self._waiting.pop(blob, None)
        return stored

    def events(self, conversation: ConversationId) -> tuple[StoredEvent, ...]:
        if not self._knows(conversation):
            raise not_found("The conversation")
        count = self._db.execute("SELECT events FROM conversations WHERE id = ?", (conversation,)).get
        rows = self._db.execute(
            "SELECT seq, at, kind, body, seal FROM events WHERE conversation = ? ORDER BY seq", (conversation,)
        )
        return tuple(_unsealed(conversation, rows, count))

    def conversations(self, query: str) -> tuple[ConversationSummary, ...]:
        words = words_of(query)
        parts = [self._holders_of(word) for word in words]
        among = f"WHERE id IN ({' INTERSECT '.join(sql for sql, _ in parts)})" if parts else ""
        rows: list[Any] = self._db.execute(
            f"SELECT id, title, created_at, updated_at, events, demo FROM conversations {among}"
            " ORDER BY updated_at DESC, rowid DESC",
            tuple(term for _, terms in parts for term in terms),
        ).fetchall()
        return tuple(
            ConversationSummary(name, title, created, updated, events, bool(demo), self._snippet(name, title, words))
            for name, title, created, updated, events, demo in rows
        )

    def rename(self, conversation: ConversationId, title: str) -> None:
        title = self._clean(title)
        with self._db:
            if not self._knows(conversation):
                raise not_found("The conversation")
            self._db.execute("UPDATE conversations SET title = ? WHERE id = ?", (title, conversation))
            self._db.execute("DELETE FROM texts WHERE conversation = ? AND seq = ?", (conversation, _TITLE))
            self._make_searchable(conversation, _TITLE, title)

    def delete(self, conversation: ConversationId) -> None:
        """The rows go, freed pages are overwritten and given back, and the log of changes is emptied."""
        with self._db:
            self._db.execute("DELETE FROM conversations WHERE id = ?", (conversation,))
            self._delete_orphans()
            self._db.execute("INSERT INTO search (search) VALUES ('optimize')")  # else the index keeps deleted words
        self.sweep()

    def put_blob(self, data: bytes) -> BlobHash:
        data = self._clean_bytes(data)
        name = BlobHash(hashlib.sha256(data).hexdigest())
        packed = zlib.compress(data, 6)
        is_packed = len(packed) < len(data)
        with self._db:
            self._db.execute(
                "INSERT INTO blobs (hash, packed, data) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                (name, is_packed, packed if is_packed else data),
            )
        self._waiting[name] = time.monotonic()
        return name

    def blob(self, hash: BlobHash) -> bytes:
        row = self._db.execute("SELECT packed, data FROM blobs WHERE hash = ?", (hash,)).fetchone()
        if row is None:
            raise not_found("The picture or page")
        data = _unpacked(*row)
        if hashlib.sha256(data).hexdigest() != hash:
            raise damaged_blob()
        return data

    def delete_orphans(self) -> None:
        """Blobs whose event never came, as after a crash."""
        with self._db:
            self._delete_orphans()

    def sweep(self) -> None:
        """Give freed pages back and empty the log of changes; what a reader holds up is done at the next sweep."""
        self._db.execute("PRAGMA incremental_vacuum").fetchall()
        self._db.set_busy_timeout(_SWEEP_MS)
        busy, _, _ = self._db.pragma("wal_checkpoint", "TRUNCATE")
        self._db.set_busy_timeout(BUSY_MS)
        self._is_held_up = bool(busy)

    def system_error(self) -> int:
        """The number the operating system gave for the last failure of the file."""
        return self._db.system_errno

    def close(self) -> None:
        if self._is_held_up:
            self.sweep()
        self._db.close()

    def _knows(self, id: ConversationId) -> bool:
        return self._db.execute("SELECT 1 FROM conversations WHERE id = ?", (id,)).fetchone() is not None

    def _write(self, conversation: ConversationId, seq: int, at: float, event: RecordedEvent) -> StoredEvent:
        body = codec.encode(event, self._clean)
        event = codec.decode(event.kind, body)
        seal = codec.seal(self._last_seal(conversation, seq), seq, at, event.kind, body)
        self._db.execute(
            "INSERT INTO events (conversation, seq, at, kind, body, seal) VALUES (?, ?, ?, ?, ?, ?)",
            (conversation, seq, at, event.kind, body, seal),
        )
        for blob in set(codec.blobs_of(event)):
            if self._db.execute("SELECT 1 FROM blobs WHERE hash = ?", (blob,)).fetchone() is None:
                raise not_found("A picture or page that the entry names")
            self._db.execute(
                "INSERT INTO blob_uses (conversation, seq, hash) VALUES (?, ?, ?)", (conversation, seq, blob)
            )
        self._make_searchable(conversation, seq, searchable(event))
        return StoredEvent(conversation, seq, at, event)

    def _last_seal(self, conversation: ConversationId, seq: int) -> bytes:
        row = self._db.execute(
            "SELECT seal FROM events WHERE conversation = ? AND seq = ?", (conversation, seq - 1)
        ).fetchone()
        return row[0] if row else b""

    def _make_searchable(self, conversation: ConversationId, seq: int, text: str) -> None:
        if text:
            self._db.execute(
                "INSERT INTO texts (conversation, seq, folded) VALUES (?, ?, ?)", (conversation, seq, folded(text))
            )

    def _holders_of(self, word: str) -> tuple[str, tuple[str, ...]]:
        """A statement that finds the conversations with the word, and its arguments."""
        holders = "SELECT conversation FROM texts WHERE instr(folded, ?)"
        if len(word) < SHORTEST_INDEXED:
            return holders, (word,)
        return f"{holders} AND id IN (SELECT rowid FROM search WHERE search MATCH ?)", (word, match(word))

    def _snippet(self, id: ConversationId, title: str, words: tuple[str, ...]) -> str:
        for word in words:
            row = self._db.execute(
                "SELECT seq, kind, body FROM texts JOIN events USING (conversation, seq)"
                " WHERE conversation = ? AND instr(folded, ?) ORDER BY seq LIMIT 1",
                (id, word),
            ).fetchone()
            if row is not None:
                with contextlib.suppress(StoreError):  # an entry that cannot be read must not spoil the whole list
                    return snippet(searchable(codec.decode(row[1], row[2])), word)
        return snippet(title, words[0]) if words else ""

    def _delete_orphans(self) -> None:
        oldest = time.monotonic() - _ORPHAN_SECONDS
        self._waiting = {blob: put for blob, put in self._waiting.items() if put > oldest}
        self._db.execute(
            "DELETE FROM blobs WHERE hash NOT IN (SELECT hash FROM blob_uses)"
            " AND hash NOT IN (SELECT value FROM json_each(?))",
            (json.dumps(list(self._waiting)),),
        )

    def _clean_bytes(self, data: bytes) -> bytes:
        """Pages are stored as UTF-8 text and cleaned like any text; pictures are no text and stay as they are."""
        try:
            return self._clean(data.decode("utf-8", "surrogatepass")).encode("utf-8", "surrogatepass")
        except UnicodeDecodeError:
            return data


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


def _unpacked(packed: int, data: bytes) -> bytes:
    try:
        return zlib.decompress(data) if packed else data
    except zlib.error as exc:
        raise damaged_blob() from exc
