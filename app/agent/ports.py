"""What the agent and the runtime need of the world, named for the need, not for the library behind it."""

from collections.abc import Callable
from typing import Literal, Protocol

from app.domain.acts import DropAt, PageAct, PersonInput, TargetAct
from app.domain.events import ConversationSummary, RecordedEvent, StoredEvent
from app.domain.files import Paper
from app.domain.ids import BlobHash, ConversationId
from app.domain.messages import Economy, ModelTurn, Request
from app.domain.pages import (
    ConsoleLine,
    Frame,
    Happenings,
    Located,
    Look,
    NetworkEntry,
    NodeAddress,
    Outcome,
    Picture,
    Prepared,
    Spot,
)
from app.domain.passing import PassingEvent
from app.domain.submissions import CameBack, Leaving, Submission


class Browser(Protocol):
    """A live browser with one active tab. Every method ends within its own time limit, whatever the page does."""

    async def start(self) -> None:
        """Start it, with one tab. Raises BrowserError."""

    async def close(self) -> None:
        """End it and all its processes; safe to call twice."""

    async def look(self, near: tuple[str, ...] = ()) -> Look:
        """Read the active tab; the only function that takes a snapshot, masked before it is returned.

        A page that is too large to be read whole is read near the viewport, and around the texts of `near`.
        """

    async def read_paper(self, path: str, first: int = 1) -> Paper:
        """The text of a PDF from that page on, as much as can be read within bounds; nothing waits for it."""

    async def text(self) -> str:
        """The visible text of the active tab with its frames, masked; for search."""

    async def picture(
        self,
        target: Prepared | None = None,
        *,
        full_page: bool = False,
        kind: Literal["png", "jpeg"] = "png",
        sharp: bool = False,
        drawings: bool = False,
    ) -> Picture:
        """A screenshot of the viewport, of a target or of the whole page; password fields are covered.

        `sharp` is in device pixels instead of CSS pixels; `drawings` is only the part where canvases stand. It is
        made small enough for a model, and of what is very tall it shows the upper part.
        """

    async def locate(self, picture: Picture, x: float, y: float) -> Located:
        """Where a place on a picture, in the picture's pixels, is now, and whether it still looks the same."""

    async def spot(self, x: float, y: float) -> Spot:
        """What lies topmost at a point of the viewport; nothing moves by it."""

    async def prepare(self, address: NodeAddress) -> Prepared:
        """Bind the node to a handle and probe it, in milliseconds; never waits for it to appear."""

    async def prepare_focus(self) -> Prepared:
        """The same for whatever has the focus, so that a key is judged by what it would press."""

    async def prepare_point(self, x: float, y: float) -> Prepared:
        """The same for the topmost element at a point of the viewport."""

    async def outline(self, target: Prepared, label: str) -> None:
        """Tell the panel where the agent is about to act."""

    async def dispatch(self, target: Prepared, act: TargetAct) -> Outcome:
        """Act on the prepared handle, once."""

    async def drag(self, start: Prepared, end: Prepared, at: DropAt = "on") -> Outcome:
        """Drag one prepared handle onto another, or to before or after it, once."""

    async def perform(self, act: PageAct) -> Outcome:
        """An act on the page or the tabs as a whole, once."""

    async def asks_for_files(self) -> str:
        """The address of the document whose file chooser is open; empty when none is."""

    async def settle(self) -> bool:
        """Wait until the page is quiet, bounded; False when it still moves."""

    async def wait_for(self, *, text: str = "", gone: str = "", time_ms: int = 0) -> bool:
        """Wait for a text, for its absence, or for a time; False when the time ran out."""

    def happenings(self) -> Happenings:
        """What was noticed since the last call."""

    def console(self) -> tuple[ConsoleLine, ...]:
        """Console lines of the active tab's current document, oldest first."""

    def network(self) -> tuple[NetworkEntry, ...]:
        """Requests of the active tab's current document, oldest first."""

    def hold_for(self, gatekeeper: "Gatekeeper | None") -> None:
        """Ask it from here on about everything that leaves to change something; without one everything passes."""


LetGo = Literal["dropped", "passed", "followed"]
"""What becomes of a held request: nothing of it leaves, it leaves, or it leaves and is told of when it came back."""


class Gatekeeper(Protocol):
    """Decides on requests that are held in the browser, of whatever tab, frame or worker."""

    async def may_leave(self, leaving: Leaving) -> LetGo:
        """May take as long as a person does."""

    async def came_back(self, back: CameBack) -> None:
        """How a request ended that was let go to be followed; the page gets the answer only after this."""


class Panel(Protocol):
    """The live picture of the browser and the person's hands on it."""

    async def show(self, on_frame: Callable[[Frame], None], on_event: Callable[[PassingEvent], None]) -> None:
        """Stream frames of the active tab and passing events (PanelChanged, SelectOpened, CursorChanged …)."""

    async def hide(self) -> None:
        """Stop streaming."""

    async def send(self, item: PersonInput) -> None:
        """Input of the person; the caller has made sure that the person holds the browser."""

    async def copy_selection(self, *, cut: bool) -> str:
        """The selected text of the active tab, cut from it when asked."""

    async def resize(self, width: int, height: int) -> None:
        """The panel's size in CSS pixels."""

    async def release_input(self) -> None:
        """Let go of every key and button that is still down."""


class Model(Protocol):
    """A model behind a wire. Retries are not its business."""

    @property
    def provider(self) -> str:
        """The name of the provider as the settings know it."""

    @property
    def economy(self) -> Economy:
        """What it costs there to edit what was sent before."""

    async def answer(self, request: Request, on_text: Callable[[str], None]) -> ModelTurn:
        """One whole turn; `on_text` gets text as it arrives. Raises ProviderError. Cancelling closes the stream."""

    async def models(self) -> tuple[str, ...]:
        """The models the endpoint offers. Raises ProviderError."""

    async def close(self) -> None:
        """Close connections; safe to call twice."""


class Record(Protocol):
    """The append-only record. Every call returns only after what it wrote is on the disk. Raises StoreError."""

    async def create(self, id: ConversationId, title: str, *, demo: bool = False) -> None: ...

    async def append(self, conversation: ConversationId, *events: RecordedEvent) -> tuple[StoredEvent, ...]:
        """All of them in one transaction."""

    async def events(self, conversation: ConversationId) -> tuple[StoredEvent, ...]: ...

    async def conversations(self, query: str = "") -> tuple[ConversationSummary, ...]:
        """Newest first; with a query only those whose text holds it, with a snippet."""

    async def unsettled(self) -> tuple[tuple[ConversationId, Submission], ...]:
        """Submissions of all conversations that may stand in the way of the same in another one, as they stand."""

    async def rename(self, conversation: ConversationId, title: str) -> None: ...

    async def delete(self, conversation: ConversationId) -> None:
        """Rows, blobs that nothing else needs, search text; not to be had back."""

    async def put_blob(self, data: bytes) -> BlobHash: ...

    async def blob(self, hash: BlobHash) -> bytes: ...

    async def close(self) -> None: ...


class Settings(Protocol):
    """Declared options and secrets. Raises SettingsError. Called from the engine thread; may take a moment."""

    def value(self, name: str) -> str: ...

    def values(self) -> tuple[tuple[str, str], ...]: ...

    def change(self, values: tuple[tuple[str, str], ...]) -> None:
        """All or none; an unknown name or a bad value raises."""

    def key(self, provider: str) -> str:
        """The key, or an empty text."""

    def set_key(self, provider: str, key: str) -> None:
        """Into the system's key store, or memory until exit when there is none."""

    def key_place(self) -> str:
        """Where keys are kept, in plain words."""

    def notices(self) -> tuple[str, ...]:
        """What a person should know about how they were read and what wins over them, oldest first."""
