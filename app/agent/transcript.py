"""The recorded events of one conversation, and the only way to add to them: stored first, shown after."""

import asyncio
from collections.abc import Callable

from app.agent.ports import Record
from app.domain.events import ActIntended, RecordedEvent, StoredEvent
from app.domain.ids import BlobHash, ConversationId, ToolCallId


class Transcript:
    """Used from the engine thread only."""

    def __init__(
        self,
        record: Record,
        conversation: ConversationId,
        events: tuple[StoredEvent, ...],
        show: Callable[[StoredEvent], None],
    ) -> None:
        self.record = record
        self.conversation = conversation
        self.naming = asyncio.Lock()  # protects the handles of files: two kept at once would get the same
        self._events = list(events)
        self._show = show

    @property
    def events(self) -> list[StoredEvent]:
        """Oldest first; read it, never change it."""
        return self._events

    def intent_of(self, call: ToolCallId) -> str | None:
        """What a call last set out to do; None when nothing of it can have happened."""
        events = (one.event for one in reversed(self._events))
        return next((one.what for one in events if isinstance(one, ActIntended) and one.call == call), None)

    async def add(self, *events: RecordedEvent) -> None:
        """Raises StoreError, and then nothing was added or shown.

        A cancelled caller waits for the record all the same, so that what is read here is what is on the disk.
        """
        writing = asyncio.ensure_future(self._write(events))
        try:
            await asyncio.shield(writing)
        except asyncio.CancelledError:
            await asyncio.wait([writing])
            if not writing.cancelled():
                writing.exception()  # the turn is over; who writes next meets the same fault
            raise

    async def put_text(self, text: str) -> BlobHash:
        """Keep a text beside the events. A page can hold half a character pair, which no encoding knows."""
        return await self.record.put_blob(text.encode(errors="replace"))

    async def _write(self, events: tuple[RecordedEvent, ...]) -> None:
        stored = await self.record.append(self.conversation, *events)
        self._events.extend(stored)
        for one in stored:
            self._show(one)
