"""What the engine tells the window and forgets: text as it streams, who drives, the state of the panel, settings."""

from dataclasses import dataclass
from typing import Literal

from app.domain.events import ConversationSummary, StoredEvent
from app.domain.ids import ConversationId, TabId
from app.domain.pages import Dialog, Download, FilesWanted, TabInfo


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
    files_wanted: FilesWanted | None = None
    arriving: tuple[Download, ...] = ()  # files under way


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
class FileSaved:
    """A file that a page sent is there, or came to nothing."""

    download: Download


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
    | FileSaved
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
