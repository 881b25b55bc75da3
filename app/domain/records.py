"""What is kept beside the pages: receipts of acts, quotes of evidence, warnings about progress."""

from dataclasses import dataclass
from typing import Literal

from app.domain.ids import ObservationId, QuoteId, ToolCallId
from app.domain.pages import Download, NetworkWrite

ReceiptStatus = Literal["confirmed", "not_confirmed", "contradicted", "failed", "uncertain"]


@dataclass(frozen=True, slots=True)
class Receipt:
    """What one action did, as far as the page and the network show it.

    `verb` is a short past form ("clicked", "typed"); `effect` a plain sentence ("no visible effect", "2 added …").
    """

    tool_call_id: ToolCallId
    verb: str
    target: str
    status: ReceiptStatus
    effect: str
    page_before: str = ""
    page_after: str = ""
    value_now: str | None = None
    writes: tuple[NetworkWrite, ...] = ()
    dialogs: tuple[str, ...] = ()
    downloads: tuple[Download, ...] = ()
    new_tabs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Quote:
    """A piece of text that stood in a stored observation; `offset` counts characters in its text for search."""

    id: QuoteId
    text: str
    why: str
    observation: ObservationId
    url: str
    title: str
    offset: int
    taken_at: float  # seconds since the epoch
    digest: str  # SHA-256 of URL + text
    by: Literal["agent", "person"] = "agent"


@dataclass(frozen=True, slots=True)
class TaskFact:
    """Something the agent found out; `quote` is the evidence it rests on, where there is any."""

    text: str
    quote: QuoteId | None = None


@dataclass(frozen=True, slots=True)
class TaskCard:
    """Where the task stands, in the agent's own words; the newest card counts, whole."""

    goal: str
    done: tuple[str, ...] = ()
    open: tuple[str, ...] = ()
    facts: tuple[TaskFact, ...] = ()


@dataclass(frozen=True, slots=True)
class Claim:
    """A figure, date or quotation of an answer that stands in nothing that was seen or said.

    `start` and `end` are characters of the answer. A "computed" one follows from known figures, as `basis` says.
    """

    start: int
    end: int
    text: str
    about: Literal["figure", "date", "quotation"]
    verdict: Literal["unverified", "computed"]
    basis: str = ""


WarningRung = Literal["hint", "warning", "blocked", "paused"]


@dataclass(frozen=True, slots=True)
class ProgressWarning:
    """No progress was seen; `rung` is the step of the ladder."""

    rung: WarningRung
    what: str
    advice: str
