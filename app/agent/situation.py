"""What is known of the moment in which something may leave: the agent's act, whom to ask, who drives."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from app.agent.asking import Asking
from app.agent.consenting import Consenting
from app.agent.control import Interrupted
from app.agent.submission_book import SubmissionBook
from app.domain.ids import ToolCallId
from app.domain.submissions import Consequence, Leaving, Submission
from app.guard.classes import Class, belongs_to, is_same_site
from app.guard.ledger import became

WINDOW_S = 10.0
"""So long after an act a request may still come of it."""
LATE_S = 3.0
"""So long it is waited before what was allowed counts as never sent."""
_TYPED_KEPT = 20
_TELLING = 2  # characters


@dataclass(slots=True)
class Act:
    """What the agent does or did last; one that presses nothing brings a page to send nothing."""

    call: ToolCallId
    what: str
    presses: bool
    ended: float = 0.0  # on the monotonic clock, once it ended


class Situation:
    """Of one conversation. Used from the engine thread only."""

    def __init__(self, book: SubmissionBook, time_scale: float) -> None:
        self.book = book
        self.consenting = Consenting()
        self.asking: Asking | None = None
        self.act: Act | None = None
        self.in_fields: Callable[[], tuple[str, ...]] = tuple  # of the page as it was read last
        self.person_drives: Callable[[], bool] = lambda: False
        self._scale = time_scale

    def note_typed(self, text: str) -> None:
        """What the agent typed: a request that holds it carries what somebody entered."""
        if text:
            self.consenting.entered = (*self.consenting.entered[1 - _TYPED_KEPT :], (text, time.time()))

    @property
    def entered(self) -> tuple[str, ...]:
        """What was typed and what stands in the fields of the page, but for what is so short that anything holds it."""
        typed = (text for text, _ in self.consenting.entered)
        return tuple(text for text in (*typed, *self.in_fields()) if len(text) > _TELLING)

    def whom(self) -> Asking:
        """Raises Interrupted when nobody works on the conversation any more: what needs a person is not sent."""
        if self.asking is None:
            raise Interrupted("stopped")
        return self.asking

    @property
    def is_in_window(self) -> bool:
        """Whether what leaves now may come of the agent's act."""
        act = self.act
        if act is None or not act.presses:
            return False
        return not act.ended or time.monotonic() - act.ended < WINDOW_S * self._scale

    def allowed_for(self, leaving: Leaving, kind: Class) -> Submission | None:
        """The submission that was allowed and not sent yet which this request would be, the newest first."""
        if not self.is_in_window:
            return None
        return next((one for one in reversed(self.unsent()) if belongs_to(one, leaving, kind)), None)

    def is_part_of_allowed(self, leaving: Leaving, kind: Consequence) -> bool:
        """A site may send what was allowed in several requests of the same kind."""
        call = self.act.call if self.act else None
        return any(
            one.call == call
            and one.control
            and one.consequence == kind
            and one.state in ("sent", "answered", "settled")
            and is_same_site(one.origin, leaving.url)
            for one in self.book.records
        )

    def unsent(self) -> list[Submission]:
        """What was allowed, and of which nothing has left so far."""
        return [one for one in self.book.records if one.state == "intended"]

    def late_left_s(self, record: Submission) -> float:
        """How long something may still come of what was allowed."""
        if self.act is not None and record.call == self.act.call:
            since = time.monotonic() - self.act.ended if self.act.ended else 0.0
        else:
            since = time.time() - record.began_at
        return max(LATE_S * self._scale - since, 0.0)

    async def settle_unsent(self) -> None:
        """What nothing came of for so long was not sent. Raises StoreError."""
        for record in self.unsent():
            if not self.late_left_s(record):
                note = "nothing left the browser after it"
                await self.book.keep(became(record, "not_sent", note=note, ended_at=time.time()))
