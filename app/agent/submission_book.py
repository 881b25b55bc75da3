"""The submissions of one conversation: kept as events, and told to the model when they changed."""

import time
from dataclasses import dataclass, replace

from app.agent.transcript import Transcript
from app.context.submissions.records import records_of, state_at
from app.context.submissions.wording import line_of
from app.domain.events import RecordedEvent, SubmissionKept
from app.domain.ids import SubmissionId
from app.domain.submissions import Submission, SubmissionState
from app.guard.ledger import UNSURE, after_loss, became

_LINES_OF_HELD_BACK = 3


@dataclass(frozen=True, slots=True)
class News:
    """Lines for the model: records that changed, and requests that were held back."""

    records: tuple[str, ...] = ()
    held_back: tuple[str, ...] = ()


class SubmissionBook:
    """Used from the engine thread only."""

    def __init__(self, transcript: Transcript, earlier: tuple[Submission, ...] = ()) -> None:
        """`earlier` are submissions of unknown outcome that stand in other records."""
        self._transcript = transcript
        self._earlier = earlier
        self._records = {one.id: one for one in records_of(transcript.events)}
        self._told: dict[SubmissionId, SubmissionState] = {one.id: one.state for one in self.records}
        self._newest = max((int(one.id[1:]) for one in self.records), default=0)
        self._held_back: list[str] = []
        self._is_restored = any(one.state in UNSURE for one in self.records)

    @property
    def records(self) -> tuple[Submission, ...]:
        """All of them, each as it stands now, oldest first."""
        return tuple(self._records.values())

    async def elsewhere(self) -> tuple[Submission, ...]:
        """What may have been sent in other conversations. Raises StoreError."""
        own, kept = self._transcript.conversation, await self._transcript.record.unsettled()
        found = (*(one for conversation, one in kept if conversation != own), *self._earlier)
        return tuple(_of_another(one) for one in found)

    @property
    def can_keep(self) -> bool:
        """Whether the conversation is on record yet."""
        return bool(self._transcript.events)

    def next_id(self) -> SubmissionId:
        """Each name is given once, also to two that are made at the same time."""
        self._newest += 1
        return SubmissionId(f"s{self._newest}")

    def get(self, name: SubmissionId | None) -> Submission | None:
        return self._records.get(name) if name else None

    async def keep(self, record: Submission, *before: RecordedEvent, tell: bool = True) -> None:
        """Put it on record as it stands now, in one go with what comes before. Raises StoreError."""
        if record != self._records.get(record.id):
            await self._transcript.add(*before, SubmissionKept(record))
            self._records[record.id] = record
        if not tell:
            self._told[record.id] = record.state

    def hold_back(self, line: str) -> None:
        """A line on something that was not let go, for the model."""
        self._held_back.append(line)

    async def lost(self, note: str) -> None:
        """Browser or program are gone: nobody knows what became of what was under way. Raises StoreError."""
        for record in self.records:
            if record.state in UNSURE:
                await self.keep(after_loss(record, note, time.time()))
        self._is_restored = False

    async def recover(self) -> None:
        """After a start of the program: what was under way when it ended. Raises StoreError."""
        if self._is_restored:
            await self.lost("Pilotfish ended before its outcome was known")

    async def did_not_happen(self, name: SubmissionId) -> bool:
        """The person says so of one that nobody knew of, so that it may be sent once; False when there is none."""
        record = self._records.get(name)
        if record is None or state_at(record, time.time()) != "unknown":
            return False
        note = "the person says that it did not happen"
        await self.keep(became(record, "not_sent", note=note, ended_at=time.time()))
        return True

    @property
    def has_news(self) -> bool:
        return bool(self._held_back or self._changed())

    def news(self) -> News:
        """What the model was not told yet."""
        now, changed = time.time(), self._changed()
        self._told.update({one.id: state_at(one, now) for one in changed})
        held_back, self._held_back = self._held_back[:_LINES_OF_HELD_BACK], []
        return News(tuple(line_of(one, now) for one in changed), tuple(held_back))

    def _changed(self) -> list[Submission]:
        now = time.time()
        return [one for one in self.records if self._told.get(one.id) != state_at(one, now)]


def _of_another(record: Submission) -> Submission:
    """As it counts here: what was left in the middle there is not known."""
    name = SubmissionId(f"{record.id} of an earlier conversation")
    return replace(record, id=name, state="unknown" if record.state in UNSURE else record.state)
