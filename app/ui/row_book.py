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
    HandedBack,
    PersonAnswered,
    PersonAsked,
    QuoteKept,
    QuotePinned,
    RecordedEvent,
    Resumed,
    StoredEvent,
    SubmissionKept,
    TakenOver,
    TaskCardKept,
    ToolAnswered,
    TurnEnded,
    UserSaid,
    WarningRaised,
)
from app.domain.ids import ObservationId, QuoteId, SubmissionId, ToolCallId
from app.domain.records import Quote
from app.domain.submissions import Submission
from app.ui.course import Course, LeftOpen
from app.ui.event_rows import plain_rows, tool_row
from app.ui.rows import (
    AnswerRow,
    Cited,
    DayRow,
    EndRow,
    FoldRow,
    MarkerRow,
    Named,
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
from app.ui.sent_book import SentBook

_CITATION = re.compile(r"\[(q\d+)\]")
_NAMED = re.compile(r"\[(s\d+)\]")
_OF_A_CALL = (PendingRow, ReceiptRow, ToolRow)
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
        self._calls: dict[ToolCallId, int] = {}  # the row that tells of each
        self._seen: dict[ObservationId, int] = {}
        self._sent = SentBook()
        self._course = Course()
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

    @property
    def asks_of_unknown(self) -> bool:
        """Whether a question is open that offers the ways on after something nobody knows the outcome of."""
        rows = [self.rows[at] for at in self._unanswered]
        return any(isinstance(row, QuestionRow) and row.is_open and _offers_check(row.asked) for row in rows)

    @property
    def submissions(self) -> tuple[Submission, ...]:
        """Each as it stands now."""
        return self._sent.records

    @property
    def left_open(self) -> LeftOpen:
        return self._course.left_open()

    def apply(self, stored: StoredEvent) -> tuple[Change, ...]:
        if stored.seq <= self.last_seq:
            return ()
        self.last_seq = stored.seq
        self._changes = []
        self._close_what_is_over(stored.event)
        self._record(stored.event, str(stored.seq), stored.at)
        self._course.apply(stored.event)
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

    def place_of_observation(self, id: ObservationId) -> int | None:
        return self._seen.get(id)

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
                earlier = self._sent.earlier_in(event.about)
                self._questions[event.question_id] = self._add(QuestionRow(key, at, event, None, "open", earlier))
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
            case SubmissionKept():
                self._keep_submission(event)
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
            place = self._add(row)
            if isinstance(event, HandedBack) and event.observation is not None:
                self._seen[event.observation.id] = place

    def _say(self, event: AssistantSaid, key: str, at: float) -> None:
        self._arguments.update((call.id, call.arguments) for call in event.calls)
        self._newest_answer, self._answer = event.text, None
        if event.text.strip():
            cited = self._cited(QuoteId(name) for name in _CITATION.findall(event.text))
            self._answer = self._add(AnswerRow(key, at, event.text, event.model, cited, named=self._named(event.text)))

    def _cited(self, names: Iterable[QuoteId]) -> Cited:
        return tuple((name, self._quotes.get(name)) for name in dict.fromkeys(names))

    def _named(self, text: str) -> Named:
        names = dict.fromkeys(SubmissionId(name) for name in _NAMED.findall(text))
        return tuple((name, self._sent.get(name)) for name in names)

    def _keep_submission(self, event: SubmissionKept) -> None:
        """It has no row of its own: the row of its call names it."""
        self._sent.keep(event)
        call = event.submission.call
        if call is not None and (place := self._calls.get(call)) is not None:
            self._name_submissions(call, place)

    def _name_submissions(self, call: ToolCallId, place: int) -> None:
        row, submitted = self.rows[place], self._sent.of_call(call)
        if isinstance(row, _OF_A_CALL) and row.submitted != submitted:
            self._replace(place, replace(row, submitted=submitted))

    def _pin(self, event: QuotePinned) -> None:
        place = self.place_of_quote(event.quote)
        row = self.rows[place] if place is not None else None
        if place is not None and isinstance(row, QuoteRow):
            self._replace(place, replace(row, is_pinned=event.pinned))

    def _tell_whole(self, event: TurnEnded) -> None:
        """The answer as it ended the turn: with what nothing bears out, and with what the program added below it."""
        row = self.rows[self._answer] if self._answer is not None else None
        if self._answer is None or not isinstance(row, AnswerRow) or not self._is_said(event):
            return
        cited = self._cited(QuoteId(name) for name in _CITATION.findall(event.text))
        whole = replace(row, text=event.text, claims=event.claims, cited=cited, named=self._named(event.text))
        if whole != row:
            self._replace(self._answer, whole)

    def _end_turn(self, event: TurnEnded, key: str, at: float) -> None:
        """The words of an end that stand above it already are not said again."""
        is_said = self._is_said(event) or (event.end == "needs_person" and self.has_waiting_question)
        self._tell_whole(event)
        self._end = self._add(EndRow(key, at, event.end, "" if is_said else event.text, event.open_items, is_last=True))

    def _is_said(self, event: TurnEnded) -> bool:
        """Whether the newest answer says it, but for what the program added below."""
        said = self._newest_answer
        return event.text == said or (self._answer is not None and event.text.startswith(f"{said}\n\n"))

    def _begin(self, row: PendingRow, call: ToolCallId) -> None:
        """A call that acts several times shows the newest of its acts."""
        pending = self._pending.get(call)
        if pending is None:
            self._pending[call] = self._calls[call] = self._add(row)
        else:
            self._replace(pending, replace(row, submitted=self._sent.of_call(call)))

    def _answer_call(self, event: ToolAnswered, key: str, at: float) -> None:
        row = tool_row(event, self._arguments.pop(event.call, ""), key, at)
        pending = self._pending.pop(event.call, None)
        if row is None:
            return
        if pending is not None:
            row = replace(row, may_have_happened=row.is_error) if isinstance(row, ToolRow) else row
            self._replace(pending, row)
        place = self._calls[event.call] = self._add(row) if pending is None else pending
        self._name_submissions(event.call, place)
        if event.observation is not None:
            self._seen[event.observation.id] = place

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


def _offers_check(asked: PersonAsked) -> bool:
    return any(choice == "check" for choice, _ in asked.choices)
