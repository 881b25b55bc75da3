"""What the window (or the command line) asks of the engine."""

from dataclasses import dataclass

from app.domain.acts import PersonInput
from app.domain.ids import ConversationId, ObservationId, QuoteId, SubmissionId, TabId


@dataclass(frozen=True, slots=True)
class NewConversation:
    demo: bool = False


@dataclass(frozen=True, slots=True)
class OpenConversation:
    id: ConversationId


@dataclass(frozen=True, slots=True)
class RenameConversation:
    id: ConversationId
    title: str


@dataclass(frozen=True, slots=True)
class DeleteConversation:
    """`with_files`: also those that pages sent; files the person gave are never touched."""

    id: ConversationId
    with_files: bool = False


@dataclass(frozen=True, slots=True)
class ListConversations:
    """All of them, newest first; with a query those whose text holds it."""

    query: str = ""


@dataclass(frozen=True, slots=True)
class SendMessage:
    """A user message to the open conversation; while the agent works it is queued and read at the next step.

    `url` is a page to open before the agent begins; when it does not load, the agent does not begin.
    `files` are paths that the person gives with it.
    """

    text: str
    url: str = ""
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stop:
    pass


@dataclass(frozen=True, slots=True)
class Pause:
    pass


@dataclass(frozen=True, slots=True)
class Resume:
    """Goes on after a pause, a limit, a stop or a crash."""


@dataclass(frozen=True, slots=True)
class TakeOver:
    pass


@dataclass(frozen=True, slots=True)
class HandBack:
    """`note` is what the person says they did, if anything."""

    note: str = ""


@dataclass(frozen=True, slots=True)
class AnswerPerson:
    """The person's answer to a PersonAsked."""

    question_id: str
    choice: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class SendInput:
    """Input of the person; dropped unless the person holds the browser."""

    input: PersonInput


@dataclass(frozen=True, slots=True)
class CopySelection:
    cut: bool = False


@dataclass(frozen=True, slots=True)
class OpenAddress:
    """The person's own navigation; takes over first when the agent drives."""

    url: str


@dataclass(frozen=True, slots=True)
class GoInHistory:
    """-1 back, 1 forward, 0 reload."""

    steps: int


@dataclass(frozen=True, slots=True)
class ChooseTab:
    id: TabId


@dataclass(frozen=True, slots=True)
class AddTab:
    pass


@dataclass(frozen=True, slots=True)
class RemoveTab:
    id: TabId


@dataclass(frozen=True, slots=True)
class AnswerPageDialog:
    accept: bool
    text: str | None = None


@dataclass(frozen=True, slots=True)
class GiveFiles:
    """Files the person chose for the page's open chooser; empty closes it."""

    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ResizePanel:
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class KeepQuote:
    """The person marked text; with no observation given the engine takes a look first."""

    text: str
    observation: ObservationId | None = None


@dataclass(frozen=True, slots=True)
class PinQuote:
    """A pinned quote never leaves the model's view."""

    id: QuoteId
    pinned: bool


@dataclass(frozen=True, slots=True)
class AllowAgain:
    """The person says that a submission of unknown outcome did not happen: one like it may be sent.

    Nothing runs by it.
    """

    submission: SubmissionId


@dataclass(frozen=True, slots=True)
class OpenUnfinished:
    """Opens the newest conversation if it was left in the middle and nothing else is open; nothing runs by it."""


@dataclass(frozen=True, slots=True)
class ShowSettings:
    pass


@dataclass(frozen=True, slots=True)
class ChangeSettings:
    """(option name, value as text) pairs; all or none."""

    values: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class SetKey:
    """An API key for a provider; empty forgets it. Its `repr` shows nothing of it."""

    provider: str
    key: str

    def __repr__(self) -> str:
        return f"SetKey({self.provider})"


@dataclass(frozen=True, slots=True)
class FindLocalModels:
    pass


@dataclass(frozen=True, slots=True)
class ListModels:
    """The models that the set provider offers, for the person to choose from."""


@dataclass(frozen=True, slots=True)
class CheckConnection:
    pass


@dataclass(frozen=True, slots=True)
class ShutDown:
    pass


Command = (
    NewConversation
    | OpenConversation
    | RenameConversation
    | DeleteConversation
    | ListConversations
    | SendMessage
    | Stop
    | Pause
    | Resume
    | TakeOver
    | HandBack
    | AnswerPerson
    | SendInput
    | CopySelection
    | OpenAddress
    | GoInHistory
    | ChooseTab
    | AddTab
    | RemoveTab
    | AnswerPageDialog
    | GiveFiles
    | ResizePanel
    | KeepQuote
    | PinQuote
    | AllowAgain
    | OpenUnfinished
    | ShowSettings
    | ChangeSettings
    | SetKey
    | FindLocalModels
    | ListModels
    | CheckConnection
    | ShutDown
)
