"""Everything that happens in a conversation, as frozen values.

Recorded events are stored first and shown after; the window can be rebuilt from them alone.
Passing events (text deltas, who drives, the state of the panel) are shown and forgotten.
"""

from dataclasses import dataclass
from typing import Literal

from app.domain.ids import BlobHash, ConversationId, ObservationId, TabId, ToolCallId
from app.domain.messages import StopKind, ToolCall, ToolSpec, Usage, WireItems
from app.domain.observation import Observation
from app.domain.pages import Dialog, Download, TabInfo
from app.domain.records import ProgressWarning, Quote, Receipt

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
class ToolAnswered:
    """The one result of a call. The model reads `text`, then the observation's `shown` while that is in view."""

    call: ToolCallId
    name: str
    text: str
    is_error: bool
    receipt: Receipt | None = None
    observation: Observation | None = None
    picture: BlobHash | None = None
    picture_mime: str = ""
    duration_ms: int = 0
    kind: Literal["tool_answered"] = "tool_answered"


@dataclass(frozen=True, slots=True)
class QuoteKept:
    quote: Quote
    kind: Literal["quote_kept"] = "quote_kept"


@dataclass(frozen=True, slots=True)
class WarningRaised:
    warning: ProgressWarning
    call: ToolCallId | None = None
    kind: Literal["warning_raised"] = "warning_raised"


@dataclass(frozen=True, slots=True)
class Folded:
    """The pages named here left the model's view; each is now its stub."""

    stubs: tuple[tuple[ObservationId, str], ...]
    characters_before: int
    characters_after: int
    kind: Literal["folded"] = "folded"


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
    """The agent has the browser again; `text` says what the person changed, the observation is whole."""

    text: str
    note: str = ""
    observation: Observation | None = None
    kind: Literal["handed_back"] = "handed_back"


@dataclass(frozen=True, slots=True)
class BrowserNoticed:
    """Something that happened in the browser outside a tool call: a dialog, a download, a lost page."""

    text: str
    download: Download | None = None
    kind: Literal["browser_noticed"] = "browser_noticed"


@dataclass(frozen=True, slots=True)
class Paused:
    kind: Literal["paused"] = "paused"


@dataclass(frozen=True, slots=True)
class Resumed:
    kind: Literal["resumed"] = "resumed"


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """The agent stopped working; `text` is what the person reads, `open_items` what is not done."""

    end: TurnEndKind
    text: str
    open_items: tuple[str, ...] = ()
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
    | ToolAnswered
    | QuoteKept
    | WarningRaised
    | Folded
    | PersonAsked
    | PersonAnswered
    | TakenOver
    | HandedBack
    | BrowserNoticed
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


# Passing events: engine to window, never stored.


@dataclass(frozen=True, slots=True)
class TextStreamed:
    conversation: ConversationId
    text: str


@dataclass(frozen=True, slots=True)
class TextWithdrawn:
    """What was streamed of a turn that proved bad."""

    conversation: ConversationId
    reason: str


RunState = Literal["idle", "working", "paused", "waiting", "stopping"]
Driver = Literal["agent", "person", "nobody"]


@dataclass(frozen=True, slots=True)
class RunStateChanged:
    """`detail` names the current work in a few words ("reading the page", "clicking Save")."""

    conversation: ConversationId | None
    state: RunState
    driver: Driver
    detail: str = ""


@dataclass(frozen=True, slots=True)
class PanelChanged:
    """What the panel shows around the picture."""

    tabs: tuple[TabInfo, ...]
    dialog: Dialog | None = None
    can_go_back: bool = False
    can_go_forward: bool = False


@dataclass(frozen=True, slots=True)
class TargetOutlined:
    """The agent is about to act here; CSS pixels of the viewport. Width 0 clears the outline."""

    tab: TabId
    x: float
    y: float
    width: float
    height: float
    label: str = ""


@dataclass(frozen=True, slots=True)
class SelectOpened:
    """The person pressed a page's own select: the window shows the list natively."""

    token: int
    options: tuple[tuple[str, bool], ...]  # label, disabled
    selected: int
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class CursorChanged:
    """The CSS cursor under the person's pointer."""

    cursor: str


@dataclass(frozen=True, slots=True)
class SelectionCopied:
    """Text the person copied in the page, for the system clipboard."""

    text: str


@dataclass(frozen=True, slots=True)
class FilesWanted:
    """The page opened a file chooser while the person drives."""

    multiple: bool


@dataclass(frozen=True, slots=True)
class ConversationsListed:
    conversations: tuple[ConversationSummary, ...]
    query: str = ""


@dataclass(frozen=True, slots=True)
class ConversationOpened:
    """All recorded events of a conversation, oldest first."""

    id: ConversationId
    title: str
    events: tuple[StoredEvent, ...]


@dataclass(frozen=True, slots=True)
class ModelView:
    """Which model is set; `ready` says whether a task could start, else `missing` says what is lacking."""

    provider: str
    model: str
    base_url: str
    key_known: bool
    key_place: str  # where the key is kept, in plain words
    ready: bool
    missing: str = ""


@dataclass(frozen=True, slots=True)
class SettingsShown:
    """The settings as the window shows them: declared options with their values, and the model."""

    values: tuple[tuple[str, str], ...]
    model: ModelView


@dataclass(frozen=True, slots=True)
class LocalModelsFound:
    """Servers on loopback that answer: (name, base URL, models)."""

    servers: tuple[tuple[str, str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class ModelsListed:
    """What the set provider offers; `trouble` says why there is no list."""

    provider: str
    models: tuple[str, ...]
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class ConnectionTested:
    """Stages of the connection test, in order: (stage, passed, plain sentence)."""

    stages: tuple[tuple[str, bool, str], ...]


@dataclass(frozen=True, slots=True)
class ErrorShown:
    """Something went wrong that a person must know: what happened, whether anything was lost, what to do."""

    what: str
    lost: str
    next_step: str
    conversation: ConversationId | None = None


@dataclass(frozen=True, slots=True)
class EngineStopped:
    """The engine is down; the window may go."""


PassingEvent = (
    TextStreamed
    | TextWithdrawn
    | RunStateChanged
    | PanelChanged
    | TargetOutlined
    | SelectOpened
    | CursorChanged
    | SelectionCopied
    | FilesWanted
    | ConversationsListed
    | ConversationOpened
    | SettingsShown
    | LocalModelsFound
    | ModelsListed
    | ConnectionTested
    | ErrorShown
    | EngineStopped
)

Event = StoredEvent | PassingEvent


def policy_named(name: str) -> Policy:
    """The policy of that name; the default for any other text."""
    return next((policy for policy in POLICIES if policy == name), "chain")
