"""The record in memory, for tests that need no disk."""

import hashlib
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from app.context.submissions.records import records_of
from app.domain.errors import StoreError
from app.domain.events import ConversationSummary, RecordedEvent, StoredEvent
from app.domain.ids import BlobHash, ConversationId
from app.domain.submissions import Submission
from app.store.codec import blobs_of
from app.store.search import searchable


@dataclass
class Kept:
    summary: ConversationSummary
    events: list[StoredEvent] = field(default_factory=list)


class MemoryRecord:
    """Implements `Record`; `break_with` makes every later call fail with an error of the test's choice."""

    def __init__(self, now: Callable[[], float] = lambda: 1_000_000.0) -> None:
        self._now = now
        self._kept: dict[ConversationId, Kept] = {}
        self._blobs: dict[BlobHash, bytes] = {}
        self._waiting: set[BlobHash] = set()  # put, and not yet named by an event
        self._broken: StoreError | None = None
        self._closed = False

    def reopened(self) -> "MemoryRecord":
        """The same record after the program started again."""
        self._closed = False
        return self

    def break_with(self, error: StoreError | None) -> None:
        self._broken = error

    async def create(self, id: ConversationId, title: str, *, demo: bool = False) -> None:
        self._check()
        if id in self._kept:
            raise StoreError("It exists already.", fault="in_use", next_step="")
        self._kept[id] = Kept(ConversationSummary(id, title, self._now(), self._now(), 0, demo))

    async def append(self, conversation: ConversationId, *events: RecordedEvent) -> tuple[StoredEvent, ...]:
        kept = self._find(conversation)
        if any(blob not in self._blobs for event in events for blob in blobs_of(event)):
            raise StoreError("A blob is not in the record.", fault="not_found", next_step="")
        self._waiting -= {blob for event in events for blob in blobs_of(event)}
        first = len(kept.events) + 1
        stored = tuple(StoredEvent(conversation, seq, self._now(), event) for seq, event in enumerate(events, first))
        kept.events.extend(stored)
        self._touch(kept, updated_at=self._now(), events=len(kept.events))
        return stored

    async def events(self, conversation: ConversationId) -> tuple[StoredEvent, ...]:
        return tuple(self._find(conversation).events)

    async def conversations(self, query: str = "") -> tuple[ConversationSummary, ...]:
        self._check()
        words = _folded(query).split()
        found = [kept for kept in reversed(self._kept.values()) if _holds(kept, words)]
        summaries = [replace(kept.summary, snippet=_snippet(kept, words)) for kept in found]
        return tuple(sorted(summaries, key=lambda summary: summary.updated_at, reverse=True))

    async def unsettled(self) -> tuple[tuple[ConversationId, Submission], ...]:
        found = [(name, one) for name, kept in self._kept.items() for one in records_of(kept.events)]
        return tuple(pair for pair in found if pair[1].state == "unknown")

    async def rename(self, conversation: ConversationId, title: str) -> None:
        self._touch(self._find(conversation), title=title)

    async def delete(self, conversation: ConversationId) -> None:
        self._check()
        gone = self._kept.pop(conversation, None)
        if gone is None:
            return
        needed = self._waiting | {
            blob for kept in self._kept.values() for stored in kept.events for blob in blobs_of(stored.event)
        }
        for blob in {blob for stored in gone.events for blob in blobs_of(stored.event)} - needed:
            self._blobs.pop(blob, None)

    async def put_blob(self, data: bytes) -> BlobHash:
        self._check()
        name = BlobHash(hashlib.sha256(data).hexdigest())
        self._blobs[name] = data
        self._waiting.add(name)
        return name

    async def blob(self, hash: BlobHash) -> bytes:
        self._check()
        if hash not in self._blobs:
            raise StoreError("It is not in the record.", fault="not_found", next_step="")
        return self._blobs[hash]

    async def close(self) -> None:
        self._closed = True

    def _check(self) -> None:
        if self._closed:
            raise StoreError("The record is closed.", fault="unreadable", next_step="")
        if self._broken is not None:
            raise self._broken

    def _find(self, conversation: ConversationId) -> Kept:
        self._check()
        if conversation not in self._kept:
            raise StoreError("The conversation is not in the record.", fault="not_found", next_step="")
        return self._kept[conversation]

    def _touch(self, kept: Kept, **changes: object) -> None:
        kept.summary = replace(kept.summary, **changes)


def _texts(kept: Kept) -> list[str]:
    return [kept.summary.title, *(searchable(stored.event) for stored in kept.events)]


def _holds(kept: Kept, words: list[str]) -> bool:
    texts = [_folded(text) for text in _texts(kept)]
    return all(any(word in text for text in texts) for word in words)


def _snippet(kept: Kept, words: list[str]) -> str:
    return next((text for word in words for text in reversed(_texts(kept)) if word in _folded(text)), "")


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
