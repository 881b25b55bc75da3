"""What a conversation knows in memory is what its record holds, also when work on it is broken off."""

import asyncio
import contextlib

from app.agent.transcript import Transcript
from app.domain.events import RecordedEvent, StoredEvent, UserSaid
from app.domain.ids import ConversationId
from tests.fakes.record import MemoryRecord

NAME = ConversationId("c1")


class SlowRecord(MemoryRecord):
    """Writes only when it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.let_go = asyncio.Event(), asyncio.Event()

    async def append(self, conversation: ConversationId, *events: RecordedEvent) -> tuple[StoredEvent, ...]:
        self.asked.set()
        await self.let_go.wait()
        return await super().append(conversation, *events)


async def test_an_entry_whose_writer_is_cancelled_is_in_memory_and_on_record_or_in_neither() -> None:
    record = SlowRecord()
    await record.create(NAME, "test")
    shown: list[StoredEvent] = []
    transcript = Transcript(record, NAME, (), shown.append)
    adding = asyncio.create_task(transcript.add(UserSaid("keep me")))
    await record.asked.wait()
    adding.cancel()
    record.let_go.set()
    with contextlib.suppress(asyncio.CancelledError):
        await adding
    assert adding.cancelled()
    assert tuple(transcript.events) == tuple(shown) == await record.events(NAME)
    assert [one.event for one in shown] == [UserSaid("keep me")]
