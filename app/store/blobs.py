"""Page trees and pictures, kept once each under the hash of their bytes."""

import hashlib
import json
import time
import zlib
from collections.abc import Callable, Iterable, Iterator

import apsw

from app.domain.events import RecordedEvent, StoredEvent
from app.domain.ids import BlobHash, ConversationId
from app.store.codec import blobs_of
from app.store.faults import damaged_blob, not_found

_ORPHAN_SECONDS = 600.0  # a blob waits no longer than this for the event that names it


class Blobs:
    """The rows of blobs and of the events that name them; the caller holds the transaction.

    Blobs live in the same file as the events that name them: one commit, one delete and one copy cover both, and what
    survives a power cut is the same for both. They are packed where that makes them smaller, as page trees are.
    """

    def __init__(self, db: apsw.Connection, clean: Callable[[str], str]) -> None:
        self._db = db
        self._clean = clean
        self._waiting: dict[BlobHash, float] = {}  # put, and not yet named by an event

    def put(self, data: bytes) -> BlobHash:
        data = without_secrets(data, self._clean)
        name = hash_of(data)
        packed = zlib.compress(data, 6)
        is_packed = len(packed) < len(data)
        self._db.execute(
            "INSERT INTO blobs (hash, packed, data) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
            (name, is_packed, packed if is_packed else data),
        )
        self._waiting[name] = time.monotonic()
        return name

    def get(self, hash: BlobHash) -> bytes:
        row = self._db.execute("SELECT packed, data FROM blobs WHERE hash = ?", (hash,)).fetchone()
        if row is None:
            raise not_found("The picture or page")
        data = _unpacked(*row)
        if hash_of(data) != hash:
            raise damaged_blob()
        return data

    def name(self, conversation: ConversationId, seq: int, event: RecordedEvent) -> None:
        """Note which blobs the event needs. Raises StoreError when one is not there."""
        for blob in set(blobs_of(event)):
            if self._db.execute("SELECT 1 FROM blobs WHERE hash = ?", (blob,)).fetchone() is None:
                raise not_found("A picture or page that the entry names")
            self._db.execute(
                "INSERT INTO blob_uses (conversation, seq, hash) VALUES (?, ?, ?)", (conversation, seq, blob)
            )

    def needed_by(self, conversation: ConversationId) -> Iterator[BlobHash]:
        rows = self._db.execute(
            "SELECT DISTINCT hash FROM blob_uses WHERE conversation = ? ORDER BY hash", (conversation,)
        )
        return (BlobHash(name) for (name,) in rows)

    def settle(self, stored: Iterable[StoredEvent]) -> None:
        """The events are on the disk: their blobs wait no longer."""
        for item in stored:
            for blob in blobs_of(item.event):
                self._waiting.pop(blob, None)

    def delete_orphans(self) -> None:
        """Blobs that no event names, unless one was put just now and its event is still to come."""
        oldest = time.monotonic() - _ORPHAN_SECONDS
        self._waiting = {blob: put for blob, put in self._waiting.items() if put > oldest}
        self._db.execute(
            "DELETE FROM blobs WHERE hash NOT IN (SELECT hash FROM blob_uses)"
            " AND hash NOT IN (SELECT value FROM json_each(?))",
            (json.dumps(list(self._waiting)),),
        )


def hash_of(data: bytes) -> BlobHash:
    return BlobHash(hashlib.sha256(data).hexdigest())


def without_secrets(data: bytes, clean: Callable[[str], str]) -> bytes:
    """Pages are stored as UTF-8 text and cleaned like any text; pictures are no text and stay as they are."""
    try:
        return clean(data.decode("utf-8", "surrogatepass")).encode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data


def _unpacked(packed: int, data: bytes) -> bytes:
    try:
        return zlib.decompress(data) if packed else data
    except zlib.error as exc:
        raise damaged_blob() from exc
