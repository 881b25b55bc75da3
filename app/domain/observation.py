"""Refs with their meaning, and what one look at a page showed the model."""

from dataclasses import dataclass
from typing import Literal

from app.domain.ids import BlobHash, DocumentId, ObservationId, Ref, TabId

ShownAs = Literal["whole", "changes", "same", "partial", "recalled", "file", "none"]


@dataclass(frozen=True, slots=True)
class Meaning:
    """What tells a target apart: role, name, the stable text of its row, item or group, its frame's address path."""

    role: str
    name: str
    around: str = ""
    frame_path: str = ""


@dataclass(frozen=True, slots=True)
class RefRecord:
    """One ref ever given. `driver_ref` is where its node was in the newest look; dead refs stay for their story.

    `fate` says in a few words what became of a dead ref; `successor` is the ref of the same thing found again.
    """

    ref: Ref
    tab: TabId
    frame_prefix: str
    document: DocumentId
    driver_ref: str
    meaning: Meaning
    alive: bool = True
    fate: str = ""
    successor: Ref | None = None


@dataclass(frozen=True, slots=True)
class PictureFacts:
    """What is known of the picture in an observation: its pixels, `scale` of them to a CSS pixel, and its place.

    Places are CSS pixels of the document. `digest` is of its bytes, with secrets covered; `report` says that the model
    was not shown the picture but what another model reported of it.
    """

    of: Literal["viewport", "page", "element", "drawings"]
    width: int
    height: int
    scale: float
    left: float
    top: float
    scroll_x: float
    scroll_y: float
    digest: str
    report: bool = False


@dataclass(frozen=True, slots=True)
class Observation:
    """What one look returned and how it was shown.

    `tree` is the blob of the full masked snapshot as text, `reading` that of the page's text as a person reads it.
    `shown` is the exact text in the model's view, header and fence included, and `size` its characters.
    `fence` is the short marker that frames page text; it is made here and stored, so that no page can know it before.
    """

    id: ObservationId
    tab: TabId
    document: DocumentId
    url: str
    title: str
    shown_as: ShownAs
    shown: str
    tree: BlobHash
    reading: BlobHash
    fence: str
    nodes_shown: int
    nodes_total: int
    next_ref: int  # the conversation's ref counter after this look, so that no ref is given twice after a restart
    base: ObservationId | None = None
    is_paper: bool = False  # the text of a PDF, with marks for its pages
    picture: PictureFacts | None = None
