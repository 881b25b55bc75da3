"""The rows of a chat as values: what each one shows, free of any widget."""

from dataclasses import dataclass
from typing import Literal

from app.domain.events import PersonAnswered, PersonAsked, TurnEndKind
from app.domain.files import KeptFile
from app.domain.ids import QuoteId, SubmissionId
from app.domain.records import Claim, ProgressWarning, Quote, Receipt, TaskCard
from app.domain.submissions import Submission

Cited = tuple[tuple[QuoteId, Quote | None], ...]
Named = tuple[tuple[SubmissionId, Submission | None], ...]
Tone = Literal["muted", "agent", "person"]
QuestionState = Literal["open", "waits", "over"]


@dataclass(frozen=True, slots=True)
class DayRow:
    key: str
    at: float


@dataclass(frozen=True, slots=True)
class UserRow:
    key: str
    at: float
    text: str


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """`cited` and `named` hold what the text names in brackets, with None for what is not on record.

    `claims` are known only when the turn has ended.
    """

    key: str
    at: float
    text: str
    model: str
    cited: Cited = ()
    claims: tuple[Claim, ...] = ()
    named: Named = ()


@dataclass(frozen=True, slots=True)
class WithdrawnRow:
    """A turn that was not believed; its text stays readable, struck."""

    key: str
    at: float
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class PendingRow:
    """An act that was begun and has no result yet; when nothing runs any more, none will come by itself."""

    key: str
    at: float
    what: str
    is_lost: bool = False
    submitted: tuple[SubmissionId, ...] = ()


@dataclass(frozen=True, slots=True)
class FoldRow:
    key: str
    at: float
    what: str
    lines: tuple[str, ...]
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class ReceiptRow:
    """`fold` is the fold that followed at once; it has no row of its own then."""

    key: str
    at: float
    receipt: Receipt
    arguments: str
    result: str
    look: str
    fold: FoldRow | None = None
    submitted: tuple[SubmissionId, ...] = ()


@dataclass(frozen=True, slots=True)
class LookRow:
    key: str
    at: float
    title: str
    url: str
    how: str
    full: str


@dataclass(frozen=True, slots=True)
class ToolRow:
    """A call without a receipt: a search, a recall, a refusal; one that was broken off may still have happened."""

    key: str
    at: float
    name: str
    is_error: bool
    arguments: str
    result: str
    may_have_happened: bool = False
    submitted: tuple[SubmissionId, ...] = ()


@dataclass(frozen=True, slots=True)
class QuoteRow:
    key: str
    at: float
    quote: Quote
    is_pinned: bool = False


@dataclass(frozen=True, slots=True)
class FileRow:
    """A file that the person gave or a page sent."""

    key: str
    at: float
    file: KeptFile


@dataclass(frozen=True, slots=True)
class TaskCardRow:
    """Where the task stood at that time; `cited` are the quotes that its facts name."""

    key: str
    at: float
    card: TaskCard
    cited: Cited = ()


@dataclass(frozen=True, slots=True)
class WarningRow:
    """`is_open` as long as its choices make sense."""

    key: str
    at: float
    warning: ProgressWarning
    is_open: bool


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """Open as long as an answer would be heard; it waits when the work ended before one came.

    `earlier` is the submission that it would repeat, as it stood then.
    """

    key: str
    at: float
    asked: PersonAsked
    answer: PersonAnswered | None
    state: QuestionState
    earlier: Submission | None = None

    @property
    def is_open(self) -> bool:
        return self.state == "open"


@dataclass(frozen=True, slots=True)
class MarkerRow:
    key: str
    at: float
    tone: Tone
    icon: str
    text: str
    detail: str = ""
    full: str = ""


@dataclass(frozen=True, slots=True)
class EndRow:
    """`is_last` while nothing followed: then the person can let the agent go on."""

    key: str
    at: float
    end: TurnEndKind
    text: str
    open_items: tuple[str, ...]
    is_last: bool


StillRow = DayRow | UserRow | WithdrawnRow | PendingRow | ReceiptRow | LookRow | ToolRow | MarkerRow | FoldRow
Row = StillRow | AnswerRow | QuoteRow | FileRow | TaskCardRow | WarningRow | QuestionRow | EndRow


def searchable(row: Row) -> str:
    """The text that find in chat looks through."""
    match row:
        case AnswerRow():
            return row.text
        case QuoteRow():
            return f"{row.quote.text} {row.quote.title} {row.quote.url}"
        case FileRow():
            return f"{row.file.name} {row.file.type.words} {row.file.url}"
        case TaskCardRow():
            return " ".join((row.card.goal, *row.card.done, *row.card.open, *(fact.text for fact in row.card.facts)))
        case WarningRow():
            return f"{row.warning.what} {row.warning.advice}"
        case QuestionRow():
            return f"{row.asked.text} {' '.join(f'{name} {value}' for name, value in row.asked.about)}"
        case EndRow():
            return f"{row.text} {' '.join(row.open_items)}"
        case _:
            return _still_text(row)


def _still_text(row: StillRow) -> str:
    match row:
        case DayRow():
            return ""
        case UserRow():
            return row.text
        case WithdrawnRow():
            return f"{row.text} {row.reason}"
        case PendingRow():
            return row.what
        case ReceiptRow():
            fold = _still_text(row.fold) if row.fold else ""
            return f"{row.receipt.verb} {row.receipt.target} {row.receipt.effect} {row.receipt.page_after} {fold}"
        case LookRow():
            return f"{row.title} {row.url}"
        case ToolRow():
            return f"{row.name} {row.result}"
        case MarkerRow():
            return f"{row.text} {row.detail} {row.full}"
        case FoldRow():
            return " ".join((row.what, *row.lines))
