"""The newest picture of a conversation, to which points are bound, and the newest report on one."""

import hashlib
from dataclasses import dataclass

from app.domain.ids import ObservationId
from app.domain.observation import PictureFacts
from app.domain.pages import Picture


@dataclass(frozen=True, slots=True)
class Taken:
    """A picture that was taken, under the id by which the model knows it; `unit` of its pixels to one of a point."""

    id: ObservationId
    picture: Picture
    digest: str
    unit: float = 1.0


@dataclass(frozen=True, slots=True)
class Report:
    """What was reported of a picture, and in answer to what."""

    id: ObservationId
    question: str
    digest: str


@dataclass(slots=True)
class Pictures:
    """Only the newest counts: every older one is dead, whatever the model says."""

    newest: Taken | None = None
    report: Report | None = None


def digest_of(picture: Picture) -> str:
    """Equal for pictures of the same part of the same document with the same bytes."""
    place = f"{picture.document} {picture.of} {picture.left} {picture.top} {picture.mime}".encode()
    return hashlib.blake2b(place + picture.data, digest_size=16).hexdigest()


def facts_of(picture: Picture, digest: str, *, report: bool = False) -> PictureFacts:
    """What is put on record of it."""
    return PictureFacts(
        of=picture.of,
        width=picture.width,
        height=picture.height,
        scale=picture.scale,
        left=picture.left,
        top=picture.top,
        scroll_x=picture.scroll_x,
        scroll_y=picture.scroll_y,
        digest=digest,
        report=report,
    )


def in_viewport(picture: Picture, x: float, y: float) -> tuple[float, float]:
    """Where a place on a picture was in the viewport when it was taken, in CSS pixels."""
    return picture.left + x / picture.scale - picture.scroll_x, picture.top + y / picture.scale - picture.scroll_y


def described(picture: Picture, id: ObservationId) -> str:
    """The line above a picture: what it is of, and what its pixels count."""
    parts = [f"{id} · picture of the {picture.of}", f"{picture.width} × {picture.height} pixels"]
    if round(picture.scale, 3) != 1:
        parts.append(f"{picture.scale:.3g} of them to a CSS pixel")
    if picture.of != "element" and picture.scroll_y:
        parts.append(f"scrolled {picture.scroll_y:.0f} px down")
    if picture.whole_height:
        shown = picture.height / picture.scale
        parts.append(f"cut: the upper {shown:.0f} of {picture.whole_height} CSS pixels; scroll to see the rest")
    return " · ".join(parts)
