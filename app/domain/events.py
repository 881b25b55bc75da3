"""Everything that happens in a conversation, as frozen values.

They are stored first and shown after; the window can be rebuilt from them alone.
"""

from dataclasses import dataclass
from typing import Literal

from app.domain.files import KeptFile
from app.domain.ids import BlobHash, ConversationId, ObservationId, QuoteId, ToolCallId
from app.domain.messages import StopKind, ToolCall, ToolSpec, Usage, WireItems
from app.domain.observation import Observation
from app.domain.pages import Download
from app.domain.records import Claim, ProgressWarning, Quote, Receipt, TaskCard
from app.domain.submissions import Submission

Policy = Literal["chain", "newest", "two-pages", "off"]
POLICIES: tuple[Policy, ...] = ("chain", "newest", "two-pages", "off")
TurnEndKind = Literal["done", "partly", "stopped", "failed", "limit", "needs_person"]


@dataclass(frozen=True, slots=True)
class ConversationStarted:
    """First event; system prompt and tools never change inside a conversation."""

    system: str
    tools: tuple[ToolSpec, ...]
    policy: Policy
    demo: bool = False
    kind: Literal["conversation_started"] = "conversation_started"


@dataclass(frozen=True, slots=True)
class UserSaid:
    text: str
    kind: Literal["user_said"] = "user_said"


@dataclass(frozen=True, slots=True)
class AssistantSaid:
    """A judged, whole assistant turn, committed before any call of it runs; `step` counts from 1 in a conversation."""

    step: int
    text: str
    calls: tuple[ToolCall, ...]
    stop: StopKind
    usage: Usage
    provider: str
    model: str
    wire: WireItems
    kind: Literal["assistant_said"] = "assistant_said"


@dataclass(frozen=True, slots=True)
class TurnRejected:
    """An answer of a model that was not believed; no tool of it ran."""

    reason: str
    text: str
    model: str
    kind: Literal["turn_rejected"] = "turn_rejected"


@dataclass(frozen=True, slots=True)
class ActIntended:
    """Written before the first input event of an act that can start a request."""

    call: ToolCallId
    what: str
    kind: Literal["act_intended"] = "act_intended"


@dataclass(frozen=True, slots=True)
class SubmissionKept:
    """The whole record of a submission, as it stands from here on; written before its request is let go."""

    submission: Submission
    kind: Literal["submission_kept"] = "submission_kept"


@dataclass(frozen=True, slots=True)
class ToolAnswered:
    """The one result of a call. The model reads `text`, then the observation's `shown` while that is in view.

    `whole` is the blob of all of a text that was too long to be sent; `text` is then its beginning. A call that asked
    another model names it, with what it used.
    """

    call: ToolCallId
    name: str
    text: str
    is_error: bool
    receipt: Receipt | None = None
    observation: Observation | None = None
    picture: BlobHash | None = None
    picture_mime: str = ""
    whole: BlobHash | None = None
    asked_model: str = ""
    asked_usage: Usage | None = None
    kind: Literal["tool_answered"] = "tool_answered"


@dataclass(frozen=True, slots=True)
class QuoteKept:
    quote: Quote
    kind: Literal["quote_kept"] = "quote_kept"


@dataclass(frozen=True, slots=True)
class QuotePinned:
    """The person pinned a quote, so that it never leaves the model's view, or let it go."""

    quote: QuoteId
    pinned: bool
    kind: Literal["quote_pinned"] = "quote_pinned"


@dataclass(frozen=True, slots=True)
class TaskCardKept:
    card: TaskCard
    call: ToolCallId
    kind: Literal["task_card_kept"] = "task_card_kept"


@dataclass(frozen=True, slots=True)
class WarningRaised:
    warning: ProgressWarning
    call: ToolCallId | None = None
    kind: Literal["warning_raised"] = "warning_raised"


FoldReason = Literal["document", "cap", "room"]


@dataclass(frozen=True, slots=True)
class Folded:
    """What is named here left the model's view whole; in its place stands what is given with it.

    Pages and old results of tools are replaced by a stub, the arguments of calls by a shorter JSON text. `quotes` are
    out of view but stay citable. `notice` is what the model reads at the fold's own place. Characters before and after
    are of what was replaced; `resent` counts those after the first edit, which no cache serves for one request, and
    `expected_steps` is how often the fold was expected to pay.
    """

    stubs: tuple[tuple[ObservationId, str], ...]
    characters_before: int
    characters_after: int
    results: tuple[tuple[ToolCallId, str], ...] = ()
    calls: tuple[tuple[ToolCallId, str], ...] = ()
    quotes: tuple[QuoteId, ...] = ()
    notice: str = ""
    why: FoldReason = "document"
    resent: int = 0
    expected_steps: int = 0
    kind: Literal["folded"] = "folded"

    @property
    def what(self) -> str:
        """What was folded, in plain words."""
        counts = (("page", self.stubs), ("result", self.results), ("quote", self.quotes))
        parts = [f"{len(some)} older {name}{'' if len(some) == 1 else 's'}" for name, some in counts if some]
        return f"{' and '.join(parts) or 'Long texts of calls'} folded"

    @property
    def lines(self) -> tuple[str, ...]:
        """What the model sees in place of it all."""
        return (*[text for _, text in (*self.stubs, *self.results)], *([self.notice] if self.notice else []))


@dataclass(frozen=True, slots=True)
class RoomWarned:
    """The model was told what will soon leave its view, so that it can note what it needs."""

    text: str
    kind: Literal["room_warned"] = "room_warned"


@dataclass(frozen=True, slots=True)
class Summarised:
    """Everything up to the event numbered `upto` left the model's view; `text` stands for it.

    It holds the user's words, quotes and the task card as they are; only the rest is a summary, by the model named or,
    without one, by the program: `summed_up`.
    """

    upto: int
    text: str
    model: str = ""
    usage: Usage | None = None
    summed_up: str = ""
    kind: Literal["summarised"] = "summarised"


QuestionKind = Literal["ask", "consent", "progress", "limit", "takeover"]


@dataclass(frozen=True, slots=True)
class PersonAsked:
    """A question that waits without limit; `choices` are (id, label). `about` lists exactly what will leave."""

    question_id: str
    question_kind: QuestionKind
    text: str
    choices: tuple[tuple[str, str], ...]
    about: tuple[tuple[str, str], ...] = ()
    call: ToolCallId | None = None
    kind: Literal["person_asked"] = "person_asked"


@dataclass(frozen=True, slots=True)
class PersonAnswered:
    question_id: str
    choice: str
    text: str = ""
    kind: Literal["person_answered"] = "person_answered"


@dataclass(frozen=True, slots=True)
class TakenOver:
    """The person has the browser; what they type is not recorded."""

    reason: str = ""
    kind: Literal["taken_over"] = "taken_over"


@dataclass(frozen=True, slots=True)
class HandedBack:
    """The agent has the browser again; `text` says what the person changed, the observation is whole.

    With `by_person` false nothing changed hands: the model is only shown what it could not know of the page.
    """

    text: str
    note: str = ""
    observation: Observation | None = None
    by_person: bool = True
    kind: Literal["handed_back"] = "handed_back"


@dataclass(frozen=True, slots=True)
class BrowserNoticed:
    """Something that happened in the browser outside a tool call: a dialog, a download, a lost page.

    With `to_model` the model reads it at the start of its turn; else the result of a call has told it.
    """

    text: str
    download: Download | None = None
    to_model: bool = False
    kind: Literal["browser_noticed"] = "browser_noticed"


@dataclass(frozen=True, slots=True)
class FileKept:
    """The person gave a file, or one that a page sent was saved; from here on tools can be given its handle."""

    file: KeptFile
    kind: Literal["file_kept"] = "file_kept"


@dataclass(frozen=True, slots=True)
class Paused:
    kind: Literal["paused"] = "paused"


@dataclass(frozen=True, slots=True)
class Resumed:
    kind: Literal["resumed"] = "resumed"


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The agent stopped working; `text` is what the person reads, `open_items` what is not done.

    `claims` are the places of `text` that nothing seen or said bears out.
    """

    end: TurnEndKind
    text: str
    open_items: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    kind: Literal["turn_ended"] = "turn_ended"


@dataclass(frozen=True, slots=True)
class ModelChosen:
    """The model that answers from here on."""

    provider: str
    model: str
    base_url: str
    kind: Literal["model_chosen"] = "model_chosen"


RecordedEvent = (
    ConversationStarted
    | UserSaid
    | AssistantSaid
    | TurnRejected
    | ActIntended
    | SubmissionKept
    | ToolAnswered
    | QuoteKept
    | QuotePinned
    | TaskCardKept
    | WarningRaised
    | Folded
    | RoomWarned
    | Summarised
    | PersonAsked
    | PersonAnswered
    | TakenOver
    | HandedBack
    | BrowserNoticed
    | FileKept
    | Paused
    | Resumed
    | TurnEnded
    | ModelChosen
)


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """A recorded event at its place; `seq` rises by one in each conversation, `at` is seconds since the epoch."""

    conversation: ConversationId
    seq: int
    at: float
    event: RecordedEvent


@dataclass(frozen=True, slots=True)
class ConversationSummary:
    id: ConversationId
    title: str
    created_at: float
    updated_at: float
    events: int
    demo: bool = False
    snippet: str = ""  # where a search found it


def policy_named(name: str) -> Policy:
    """The policy of that name; the default for any other text."""
    return next((policy for policy in POLICIES if policy == name), "chain")
