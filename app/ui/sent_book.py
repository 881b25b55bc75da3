"""What was submitted in a conversation, as its events tell it: the records as they stand, and of which call."""

import re

from app.context.submissions.wording import values
from app.domain.events import SubmissionKept
from app.domain.ids import SubmissionId, ToolCallId
from app.domain.submissions import Submission

_EARLIER = re.compile(r"(s\d+) had ")


class SentBook:
    """Of several records with one id the newest counts, whole."""

    def __init__(self) -> None:
        self.records: tuple[Submission, ...] = ()
        self._newest: dict[SubmissionId, Submission] = {}

    def keep(self, event: SubmissionKept) -> None:
        self._newest[event.submission.id] = event.submission
        self.records = tuple(self._newest.values())

    def of_call(self, call: ToolCallId) -> tuple[SubmissionId, ...]:
        return tuple(one.id for one in self.records if one.call == call)

    def get(self, name: SubmissionId) -> Submission | None:
        return self._newest.get(name)

    def earlier_in(self, about: tuple[tuple[str, str], ...]) -> Submission | None:
        """The record whose values a question ends with.

        Fields are named by pages: only the very values of a record, at the very end, are taken for it.
        """
        found = _EARLIER.match(about[-1][0]) if about else None
        record = self.get(SubmissionId(found[1])) if found else None
        return record if record is not None and about[-len(told(record)) :] == told(record) else None


def told(record: Submission) -> tuple[tuple[str, str], ...]:
    """How a question names what an earlier submission held."""
    return tuple((f"{record.id} had {name}", value) for name, value in values(record))
