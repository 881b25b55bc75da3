"""Turns the recorded events of a conversation into the rows of its chat; the same events always give the same rows."""

import re
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace

from app.domain.events import (
    ActIntended,
    AssistantSaid,
    ConversationStarted,
    Folded,
    PersonAnswered,
    PersonAsked,
    QuoteKept,
    QuotePinned,
    RecordedEvent,
    Resumed,
    StoredEvent,
    TakenOver,
    TaskCardKept,
    ToolAnswered,
    TurnEnded,
    UserSaid,
    WarningRaised,
)
from app.domain.ids import QuoteId, ToolCallId
from app.domain.records import Quote
from app.ui.event_rows import plain_rows, tool_row
from app.ui.rows import (
    AnswerRow,
    Cited,
    DayRow,
    EndRow,
    FoldRow,
    MarkerRow,
    PendingRow,
    QuestionRow,
    QuestionState,
    QuoteRow,
    ReceiptRow,
    Row,
    TaskCardRow,
    ToolRow,
    WarningRow,
)

_CITATION = re.compile(r"\[(q\d+)\]")
_WORK = (UserSaid, AssistantSaid, ToolAnswered, ActIntended, PersonAsked, PersonAnswered)


@dataclass(frozen=True, slots=True)
class Added:
    index: int


@dataclass(frozen=True, slots=True)
class Replaced:
    index: int


Change = Added | Replaced


class RowBook:
    """The rows so far. `apply` says what each event added or replaced, oldest first.

    `is_unfinished` says that work was begun whose end is not on record.
    """

    def __init__(self) -> None:
        self.rows: list[Row] = []
        self.is_demo = False
        self.is_unfinished = False
        self.last_seq = -1
        self._changes: list[Change] = []
        self._arguments: dict[ToolCallId, str] = {}
        self._pending: dict[ToolCallId, int] = {}
        self._questions: dict[str, int] = {}
        self._quotes: dict[QuoteId, Quote] = {}
        self._warning: int | None = None
        self._end: int | None = None
        self._newest_answer = ""
        self._answer: int | None = None  # the row that shows it
        self.task_card: TaskCardRow | None = None
        self._day = ""

    @property
    def has_waiting_question(self) -> bool:
        """Whether a card stands there that lets the agent go on."""
        return any(isinstance(row := self.rows[at], QuestionRow) and row.state == "waits" for at in self._unanswered)

    def apply(self, stored: StoredEvent) -> tuple[Change, ...]:
        if stored.seq <= self.last_seq:
            return ()
        self.last_seq = stored.seq
        self._changes = []
        self._close_what_is_over(stored.event)
        self._record(stored.event, str(stored.seq), stored.at)
        return tuple(self._changes)

    def work_is_over(self) -> tuple[Change, ...]:
        """Nothing runs: a question can only wait, and of an act that was begun nobody knows whether it happened."""
        self._changes = []
        self._leave_questions("waits")
        for index in self._pending.values():
            row = self.rows[index]
            if isinstance(row, PendingRow) and not row.is_lost:
                self._replace(index, replace(row, is_lost=True))
        return tuple(self._changes)

    def place_of_quote(self, id: QuoteId) -> int | None:
        return next((at for at, row in enumerate(self.rows) if isinstance(row, QuoteRow) and row.quote.id == id), None)

    @property
    def _unanswered(self) -> tuple[int, ...]:
        return tuple(self._questions.values())

    def _record(self, event: RecordedEvent, key: str, at: float) -> None:
        match event:
            case ConversationStarted():
                self.is_demo = event.demo
            case ToolAnswered():
                self._answer_call(event, key, at)
            case ActIntended():
                self._begin(PendingRow(key, at, event.what), event.call)
            case PersonAsked():
                self._questions[event.question_id] = self._add(QuestionRow(key, at, event, None, "open"))
            case PersonAnswered():
                self._answer_question(event)
            case WarningRaised():
                self._warning = self._add(WarningRow(key, at, event.warning, is_open=event.warning.rung != "hint"))
            case TurnEnded():
                self._end_turn(event, key, at)
            case AssistantSaid():
                self._say(event, key, at)
            case QuotePinned():
                self._pin(event)
            case TaskCardKept():
                cited = self._cited(fact.quote for fact in event.card.facts if fact.quote)
                self.task_card = TaskCardRow(key, at, event.card, cited)
                self._add(self.task_card)
            case _:
                self._record_plain(event, key, at)

    def _record_plain(self, event: RecordedEvent, key: str, at: float) -> None:
        if isinstance(event, QuoteKept):
            self._quotes[event.quote.id] = event.quote
        newest = self.rows[-1] if self.rows else None
        rows = plain_rows(event, key, at)
        if isinstance(event, Folded) and isinstance(newest, ReceiptRow) and isinstance(rows[0], FoldRow):
            self._replace(len(self.rows) - 1, replace(newest, fold=rows[0]))
            return
        if isinstance(event, TakenOver) and isinstance(newest, MarkerRow) and newest.tone == "person":
            return  # taken, handed back and taken again before the agent has looked
        for row in rows:
            self._add(row)

    def _say(self, event: AssistantSaid, key: str, at: float) -> None:
        self._arguments.update((call.id, call.arguments) for call in event.calls)
        self._newest_answer, self._answer = event.text, None
        if event.text.strip():
            cited = self._cited(QuoteId(name) for name in _CITATION.findall(event.text))
            self._answer = self._add(AnswerRow(key, at, event.text, event.model, cited))

    def _cited(self, names: Iterable[QuoteId]) -> Cited:
        return tuple((name, self._quotes.get(name)) for name in dict.fromkeys(names))

    def _pin(self, event: QuotePinned) -> None:
        place = self.place_of_quote(event.quote)
        row = self.rows[place] if place is not None else None
        if place is not None and isinstance(row, QuoteRow):
            self._replace(place, replace(row, is_pinned=event.pinned))

    def _mark_claims(self, event: TurnEnded) -> None:
        row = self.rows[self._answer] if self._answer is not None else None
        if self._answer is not None and event.claims and isinstance(row, AnswerRow) and row.text == event.text:
            self._replace(self._answer, replace(row, claims=event.claims))

    def _end_turn(self, event: TurnEnded, key: str, at: float) -> None:
        """The words of an end that stand above it already are not said again."""
        is_said = event.text == self._newest_answer or (event.end == "needs_person" and self.has_waiting_question)
        text = "" if is_said else event.text
        self._mark_claims(event)
        self._end = self._add(EndRow(key, at, event.end, text, event.open_items, is_last=True))

    def _begin(self, row: PendingRow, call: ToolCallId) -> None:
        """A call that acts several times shows the newest of its acts."""
        pending = self._pending.get(call)
        if pending is None:
            self._pending[call] = self._add(row)
        else:
            self._replace(pending, row)

    def _answer_call(self, event: ToolAnswered, key: str, at: float) -> None:
        row = tool_row(event, self._arguments.pop(event.call, ""), key, at)
        pending = self._pending.pop(event.call, None)
        if row is None:
            return
        if pending is None:
            self._add(row)
            return
        if isinstance(row, ToolRow):
            row = replace(row, may_have_happened=row.is_error)
        self._replace(pending, row)

    def _answer_question(self, event: PersonAnswered) -> None:
        index = self._questions.pop(event.question_id, None)
        row = self.rows[index] if index is not None else None
        if index is not None and isinstance(row, QuestionRow):
            self._replace(index, replace(row, answer=event, state="over"))

    def _close_what_is_over(self, event: RecordedEvent) -> None:
        """Choices that a later event has overtaken are shown no more."""
        if isinstance(event, (UserSaid, Resumed, AssistantSaid)):
            self._close_end()
            if self.has_waiting_question:
                self._leave_questions("over")
        if isinstance(event, (UserSaid, TurnEnded, WarningRaised, PersonAsked, PersonAnswered, TakenOver)):
            self._close_warning()
        if isinstance(event, TurnEnded):
            self._leave_questions("waits" if event.end == "needs_person" else "over")
        if isinstance(event, (*_WORK, TurnEnded)):
            self.is_unfinished = not isinstance(event, TurnEnded)

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

    def _leave_questions(self, state: QuestionState) -> None:
        for index in self._unanswered:
            row = self.rows[index]
            if isinstance(row, QuestionRow) and row.state != state:
                self._replace(index, replace(row, state=state))
        if state == "over":
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
