"""What the browser reports: looks, probes of a target, outcomes of acts, things that happened meanwhile."""

from dataclasses import dataclass
from typing import Literal

from app.domain.files import FileType
from app.domain.ids import DocumentId, FileId, TabId
from app.domain.snapshot import Box, FrameInfo, SnapshotNode

DialogKind = Literal["alert", "confirm", "prompt", "beforeunload"]


@dataclass(frozen=True, slots=True)
class TabInfo:
    """One tab; a tab that was opened by neither a page nor the person is the agent's."""

    id: TabId
    url: str
    title: str
    active: bool
    opened_by_page: bool = False
    opened_by_person: bool = False
    has_dialog: bool = False


@dataclass(frozen=True, slots=True)
class Dialog:
    """An open native dialog; the page is frozen until it is answered."""

    tab: TabId
    kind: DialogKind
    message: str
    default: str = ""


@dataclass(frozen=True, slots=True)
class DialogAnswer:
    """What the person answered to a dialog, in the panel or in the browser's own window."""

    dialog: Dialog
    accepted: bool


@dataclass(frozen=True, slots=True)
class Download:
    """A file the page sent; `path` is empty until it is saved, `failure` is empty when it went well.

    While it arrives, `size_bytes` are those that are there and `expected_bytes` all of them, as far as that is known.
    `file` is its handle once it is on record.
    """

    suggested_name: str
    url: str
    path: str = ""
    size_bytes: int = 0
    failure: str = ""
    expected_bytes: int = 0
    type: FileType | None = None
    file: FileId | None = None


@dataclass(frozen=True, slots=True)
class FilesWanted:
    """The page asks the person for a file, or for several."""

    multiple: bool


@dataclass(frozen=True, slots=True)
class NetworkWrite:
    """A request with an unsafe method (POST, PUT, PATCH, DELETE); `status` is None while unanswered or lost."""

    method: str
    url: str
    status: int | None
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Happenings:
    """What the browser noticed since it was asked last."""

    new_tabs: tuple[TabInfo, ...] = ()
    closed_tabs: tuple[TabId, ...] = ()
    dialogs: tuple[Dialog, ...] = ()  # opened, whether or not still open
    answered: tuple[DialogAnswer, ...] = ()  # by the person
    prints: int = 0  # how often a page asked to print; nothing is printed
    downloads: tuple[Download, ...] = ()
    writes: tuple[NetworkWrite, ...] = ()
    console_errors: tuple[str, ...] = ()
    file_chooser_open: bool = False
    crashed: bool = False
    told: tuple[str, ...] = ()  # by the browser, in words of our own


@dataclass(frozen=True, slots=True)
class Look:
    """One look at the active tab: the masked tree and everything the header needs.

    `screens_above` and `screens_below` count viewport heights. `missing` names what could not be read, in plain words.
    While a dialog is open the tree is an empty root and `dialog` is set. A page too large to be read whole is read
    `in_parts`; `searched` then says what was searched for the texts that the look was to be near to.
    """

    tab: TabId
    document: DocumentId
    url: str
    title: str
    tree: SnapshotNode
    frames: tuple[FrameInfo, ...]
    tabs: tuple[TabInfo, ...]
    viewport_width: int
    viewport_height: int
    http_status: int | None = None
    screens_above: float = 0.0
    screens_below: float = 0.0
    settled: bool = True
    requests_running: int = 0
    dialog: Dialog | None = None
    missing: tuple[str, ...] = ()
    in_parts: bool = False
    searched: str = ""
    draws: bool = False  # a canvas is in the viewport, whose picture no tree shows
    restless: bool = False  # drawn anew while it was read, each time: what was not found may still be there
    drawn: float = 0.0  # share of the viewport that canvases, pictures and videos cover
    is_paper: bool = False  # the tree is the text of a PDF, a group for each of its pages


@dataclass(frozen=True, slots=True)
class NodeAddress:
    """Where the driver finds a node: valid only for the newest look at that document."""

    tab: TabId
    frame_prefix: str
    document: DocumentId
    driver_ref: str


@dataclass(frozen=True, slots=True)
class Cover:
    """What lies over the middle of a target; `driver_ref` is empty when it cannot be acted on.

    `way_past` is the driver's ref of the control in it that most likely takes it away; what fades goes by itself soon.
    """

    description: str
    driver_ref: str = ""
    way_past: str = ""
    fades: bool = False


@dataclass(frozen=True, slots=True)
class FormFacts:
    """The form a control would submit; `method` is upper case, `action` an absolute URL.

    `submit_name` is the name of the button that Enter in one of its fields presses; empty when there is none.
    `words` is what the page says inside the form, beside its controls: often the amount. `sends` is what it would send
    as it stands, hidden fields too, under the names that the site knows.
    """

    method: str
    action: str
    fields: tuple[tuple[str, str], ...] = ()  # name, value as shown; secrets masked
    submit_name: str = ""
    words: str = ""
    sends: tuple[tuple[str, str], ...] = ()


ProbeState = Literal["ok", "gone", "other_document", "other_tab", "dialog_open", "unresponsive"]


@dataclass(frozen=True, slots=True)
class Probe:
    """A target as it is now, read in one go right before an act.

    `node` is the target as the driver sees it now: role, name and states; its `around` is read by the same page script
    as at a look, so that both compare equal while nothing changed. Probing leaves the other refs of the look usable.
    """

    state: ProbeState
    node: SnapshotNode | None = None
    frame_url: str = ""
    visible: bool = False
    enabled: bool = False
    readonly: bool = False
    cover: Cover | None = None
    box: Box | None = None  # in page viewport pixels
    tag: str = ""
    input_type: str = ""
    value: str = ""
    submits: bool = False
    form: FormFacts | None = None
    href: str = ""
    words: str = ""  # what a person reads on what a press sets off; empty on what takes text


@dataclass(frozen=True, slots=True)
class Prepared:
    """A probed target that can be dispatched once; `token` names the handle the browser holds."""

    token: int
    address: NodeAddress
    probe: Probe


OutcomeStatus = Literal["done", "failed", "uncertain"]
ActFault = Literal[
    "stale",
    "changed",
    "not_found",
    "covered",
    "disabled",
    "readonly",
    "invisible",
    "secret",
    "refused_by_person",
    "submitted",
    "bad_arguments",
    "dialog",
    "other_tab",
    "timeout",
    "network",
    "unfit",
    "failed",
]
"""Why an act did not work, in classes that each have a way out of their own."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the driver says about an act: failed = nothing was sent, uncertain = it may have happened.

    `reason` is a plain sentence for failed and uncertain. `value_after` is read back from a field after it was set.
    `target_lost` says that the target went away or was covered between probe and act; it may be looked for once more.
    `fault` is the class of what stood in the way, where the browser can tell one.
    """

    status: OutcomeStatus
    reason: str = ""
    value_after: str | None = None
    http_status: int | None = None
    target_lost: bool = False
    fault: ActFault | None = None
    scrolled: bool | None = None  # of an act that scrolls: whether anything moved
    caret: str = ""  # of a key that moves it: where the caret or the selection is now


PictureOf = Literal["viewport", "page", "element", "drawings"]


@dataclass(frozen=True, slots=True)
class Picture:
    """A screenshot; width and height are its own pixels, `scale` of them to a CSS pixel, as measured on it.

    `left` and `top` are where its corner stands in the document, `scroll_x` and `scroll_y` where the viewport stood,
    all in CSS pixels. `whole_height` is that of what it shows, when only the upper part of that is on it.
    """

    data: bytes
    mime: str
    width: int
    height: int
    scale: float = 1.0
    of: PictureOf = "viewport"
    tab: TabId | None = None
    document: DocumentId | None = None
    left: float = 0.0
    top: float = 0.0
    scroll_x: float = 0.0
    scroll_y: float = 0.0
    whole_height: int = 0
    sharp: bool = False


Since = Literal["same", "document", "scrolled", "outside", "changed", "moving", "unknown"]


@dataclass(frozen=True, slots=True)
class Located:
    """A place on a picture as it is now: what became of it since, and where it lies in the viewport, in CSS pixels.

    "outside": it is not in the viewport; "moving": it never stands still.
    """

    since: Since
    x: float = 0.0
    y: float = 0.0


@dataclass(frozen=True, slots=True)
class SpotNode:
    """A node at a point that the driver has a ref for, with the point as CSS pixels from the corner of its box."""

    driver_ref: str
    at: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Spot:
    """What lies topmost at a point of the viewport, through frames and open roots.

    `nodes` are those at the point with a driver ref, the innermost first; with `is_control` the first is the control
    that a press there would use, and has an empty driver ref when the newest look does not know it.
    """

    state: Literal["ok", "nothing", "unresponsive"]
    document: DocumentId | None = None
    nodes: tuple[SpotNode, ...] = ()
    is_control: bool = False
    is_drawn: bool = False  # a canvas, a picture or a video: the tree shows nothing of what is on it
    is_scaled: bool = False  # in a frame with other pixels than the page around it
    name: str = ""


@dataclass(frozen=True, slots=True)
class Frame:
    """The newest picture of the live panel: JPEG bytes; sizes in CSS pixels of the page's viewport."""

    tab: TabId
    data: bytes
    viewport_width: int
    viewport_height: int


@dataclass(frozen=True, slots=True)
class ConsoleLine:
    """One line of a page's console."""

    level: str
    text: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class NetworkEntry:
    """One request of the page as the network list shows it."""

    method: str
    url: str
    resource: str
    status: int | None
    failure: str = ""
