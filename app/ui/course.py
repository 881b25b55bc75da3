"""How far the work had come when it broke off: what is done, what is not, what nobody knows."""

from dataclasses import dataclass

from app.domain.events import ActIntended, AssistantSaid, RecordedEvent, SubmissionKept, ToolAnswered, TurnEnded
from app.domain.ids import SubmissionId, ToolCallId
from app.domain.submissions import Submission
from app.ui.state_words import doing


@dataclass(frozen=True, slots=True)
class LeftOpen:
    """Where work broke off; `submitted` are the records of that work, `unknown` acts whose outcome no record tells."""

    done: tuple[str, ...] = ()
    not_done: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    submitted: tuple[Submission, ...] = ()


class Course:
    """Follows the events of the work that has no end yet."""

    def __init__(self) -> None:
        self._calls: dict[ToolCallId, str] = {}
        self._intents: dict[ToolCallId, str] = {}
        self._acts: list[str] = []
        self._submitted: dict[SubmissionId, Submission] = {}

    def apply(self, event: RecordedEvent) -> None:
        match event:
            case TurnEnded():
                for kept in (self._calls, self._intents, self._acts, self._submitted):
                    kept.clear()
            case AssistantSaid(calls=calls):
                self._calls = {call.id: call.name for call in calls}
            case ActIntended(call, what):
                self._intents[call] = what
            case SubmissionKept(submission):
                self._submitted[submission.id] = submission
            case ToolAnswered(call=call, receipt=receipt):
                self._calls.pop(call, None)
                intent = self._intents.pop(call, None)
                if receipt is not None and receipt.status not in ("failed", "uncertain"):
                    self._acts.append(f"{receipt.verb} {receipt.target}".strip())
                elif receipt is not None and intent and receipt.status == "uncertain":
                    self._intents[call] = intent
            case _:
                pass

    def left_open(self) -> LeftOpen:
        """What a person must know before the work goes on."""
        calls = {record.call for record in self._submitted.values()}
        begun = {call for call in self._calls if call in self._intents}
        return LeftOpen(
            self._done(),
            tuple(f"{_plain(name)}: not begun." for call, name in self._calls.items() if call not in begun),
            tuple(
                f"It is not known whether this happened: {what}."
                for call, what in self._intents.items()
                if call not in calls
            ),
            tuple(self._submitted.values()),
        )

    def _done(self) -> tuple[str, ...]:
        if not self._acts:
            return ()
        return (
            f"{len(self._acts)} step{'s are' if len(self._acts) > 1 else ' is'} done, the newest: {self._acts[-1]}.",
        )


def _plain(name: str) -> str:
    return doing("working", name.removeprefix("browser_").replace("_", " "))
