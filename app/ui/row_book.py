"""Turns the recorded events of a conversation into the rows of its chat; the same events always give the same rows."""

import time
from dataclasses import dataclass, replace

from app.domain.events import (
    ActIntended,
    AssistantSaid,
    BrowserNoticed,
    ConversationStarted,
    Folded,
    HandedBack,
    ModelChosen,
    Paused,
    PersonAnswered,
    PersonAsked,
    QuoteKept,
    RecordedEvent,
    Resumed,
    StoredEvent,
    TakenOver,
    ToolAnswered,
    TurnEnded,
    TurnRejected,
    UserSaid,
    WarningRaised,
)
from app.domain.ids import ToolCallId
from app.domain.observation import Observation
from app.ui.rows import (
    AnswerRow,
    DayRow,
    EndRow,
    FoldRow,
    LookRow,
    MarkerRow,
    PendingRow,
    QuestionRow,
    QuoteRow,
    ReceiptRow,
    Row,
    ToolRow,
    UserRow,
    WarningRow,
    WithdrawnRow,
)

_SHOWN_ELSEWHERE = ("keep_quote", "ask_user")


@dataclass(frozen=True, slots=True)
class Added:
    index: int


@dataclass(frozen=True, slots=True)
class Replaced:
    index: int


Change = Added | Replaced


class RowBook:
    """The rows so far. `apply` says what each event added or replaced, oldest first."""

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.is_demo = False
        self.last_seq = -1
        self._changes: list[Change] = []
        self._arguments: dict[ToolCallId, str] = {}
        self._pending: dict[ToolCallId, int] = {}
        self._questions: dict[str, int] = {}
        self._warning: int | None = None
        self._end: int | None = None
        self._day = ""

    def apply(self, stored: StoredEvent) -> tuple[Change, ...]:
        if stored.seq <= self.last_seq:
            return ()
        self.last_seq = stored.seq
        self._changes = []
        self._close_what_is_over(stored.event)
        self._record(stored.event, str(stored.seq), stored.at)
        return tuple(self._changes)

    def _record(self, event: RecordedEvent, key: str, at: float) -> None:
        match event:
            case ConversationStarted():
                self.is_demo = event.demo
            case ToolAnswered():
                self._answer_call(event, key, at)
            case ActIntended():
                self._begin(PendingRow(key, at, event.what), event.call)
            case PersonAsked():
                self._questions[event.question_id] = self._add(QuestionRow(key, at, event, None, is_open=True))
            case PersonAnswered():
                self._answer_question(event)
            case WarningRaised():
                self._warning = self._add(WarningRow(key, at, event.warning, is_open=event.warning.rung != "hint"))
            case TurnEnded():
                self._end = self._add(EndRow(key, at, event.end, event.text, event.open_items, is_last=True))
            case AssistantSaid():
                self._arguments.update((call.id, call.arguments) for call in event.calls)
                if event.text.strip():
                    self._add(AnswerRow(key, at, event.text, event.model))
            case _:
                self._record_plain(event, key, at)

    def _record_plain(self, event: RecordedEvent, key: str, at: float) -> None:
        row = _plain_row(event, key, at)
        if row is not None:
            self._add(row)
        if isinstance(event, HandedBack) and event.observation is not None:
            self._add(_look_row(event.observation, f"{key}-look", at))

    def _begin(self, row: PendingRow, call: ToolCallId) -> None:
        """A call that acts several times shows the newest of its acts."""
        pending = self._pending.get(call)
        if pending is None:
            self._pending[call] = self._add(row)
        else:
            self._replace(pending, row)

    def _answer_call(self, event: ToolAnswered, key: str, at: float) -> None:
        arguments = self._arguments.pop(event.call, "")
        row = _tool_row(event, arguments, key, at)
        pending = self._pending.pop(event.call, None)
        if row is None:
            return
        if pending is None:
            self._add(row)
        else:
            self._replace(pending, row)

    def _answer_question(self, event: PersonAnswered) -> None:
        index = self._questions.pop(event.question_id, None)
        row = self.rows[index] if index is not None else None
        if index is not None and isinstance(row, QuestionRow):
            self._replace(index, replace(row, answer=event, is_open=False))

    def _close_what_is_over(self, event: RecordedEvent) -> None:
        """Choices that a later event has overtaken are shown no more."""
        if isinstance(event, (UserSaid, Resumed, AssistantSaid)):
            self._close_end()
        if isinstance(event, (UserSaid, TurnEnded, WarningRaised, PersonAsked, PersonAnswered, TakenOver)):
            self._close_warning()
        if isinstance(event, TurnEnded) and event.end in ("done", "stopped", "failed"):
            self._close_questions()

    def _close_end(self) -> None:
        index, self._end = self._end, None
        row = self.rows[index] if index is not None else None
        if index is not None and isinstance(row, EndRow):
            self._replace(index, replace(row, is_last=False))

    def _close_warning(self) -> None:
        index, self._warning = self._warning, None
        row = self.rows[index] if index is not None else None
        if index is not None and isinstance(row, WarningRow) and row.is_open:
            self._replace(index, replace(row, is_open=False))

    def _close_questions(self) -> None:
        for index in self._questions.values():
            row = self.rows[index]
            if isinstance(row, QuestionRow):
                self._replace(index, replace(row, is_open=False))
        self._questions.clear()

    def _add(self, row: Row) -> int:
        day = time.strftime("%Y-%m-%d", time.localtime(row.at))
        if day != self._day:
            self._day = day
            self._append(DayRow(f"day-{row.key}", row.at))
        return self._append(row)

    def _append(self, row: Row) -> int:
        self.rows.append(row)
        self._changes.append(Added(len(self.rows) - 1))
        return len(self.rows) - 1

    def _replace(self, index: int, row: Row) -> None:
        self.rows[index] = row
        self._changes.append(Replaced(index))


def _plain_row(event: RecordedEvent, key: str, at: float) -> Row | None:
    match event:
        case UserSaid():
            return UserRow(key, at, event.text)
        case TurnRejected():
            return WithdrawnRow(key, at, event.text, event.reason)
        case QuoteKept():
            return QuoteRow(key, at, event.quote)
        case Folded():
            return FoldRow(key, at, event.stubs, event.characters_before, event.characters_after)
        case TakenOver():
            return MarkerRow(key, at, "person", "hand", "You took over. What you type is not recorded.", event.reason)
        case HandedBack():
            said = "\n".join(part for part in (f"You said: {event.note}" if event.note else "", event.text) if part)
            return MarkerRow(key, at, "agent", "hand-back", "You handed back.", said)
        case BrowserNoticed():
            return MarkerRow(key, at, "muted", "globe", event.text, event.download.path if event.download else "")
        case Paused():
            return MarkerRow(key, at, "muted", "pause", "Paused.")
        case Resumed():
            return MarkerRow(key, at, "muted", "play", "Going on.")
        case ModelChosen():
            return MarkerRow(
                key, at, "muted", "pilot", f"Answers come from {event.model} ({event.provider}).", event.base_url
            )
        case _:
            return None


def _tool_row(event: ToolAnswered, arguments: str, key: str, at: float) -> Row | None:
    look = event.observation
    if event.receipt is not None:
        shown = f"{_how(look)}\n{look.shown}" if look is not None else ""
        return ReceiptRow(key, at, event.receipt, arguments, event.text, shown)
    if event.is_error:
        return ToolRow(key, at, event.name, True, arguments, event.text)
    if event.name in _SHOWN_ELSEWHERE:
        return None
    if look is not None:
        return _look_row(look, key, at)
    return ToolRow(key, at, event.name, False, arguments, event.text)


def _look_row(look: Observation, key: str, at: float) -> LookRow:
    return LookRow(key, at, look.title, look.url, _how(look), look.shown)


def _how(look: Observation) -> str:
    nodes = "1 node" if look.nodes_shown == 1 else f"{look.nodes_shown:,} nodes"
    of_all = f" of {look.nodes_total:,}" if look.nodes_total > look.nodes_shown else ""
    words = {
        "whole": "whole page",
        "changes": "changes",
        "same": "nothing changed",
        "partial": "a part",
        "none": "not shown",
    }
    return f"{nodes}{of_all}, {words[look.shown_as]}"
