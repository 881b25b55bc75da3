"""Takes screenshots with secret fields covered, small enough for a model, each with its own measured scale."""

import asyncio
from dataclasses import dataclass, replace
from typing import Literal

from playwright.async_api import ElementHandle, Error, FloatRect, Locator

from app.browser.lifeline import NO_ANSWER, InterruptedByDialogError, Lifeline
from app.browser.page_script import ask, secret_fields
from app.browser.pixels import difference, shrink, size_of
from app.browser.tabs import Tab
from app.domain.ids import DocumentId
from app.domain.pages import Located, Picture, PictureOf

LIMIT_S = 6.0
LONGEST = 1_568  # pixels of the longer side; what is longer is made smaller by the services themselves
MOST_BYTES = 900_000
TALLEST = 2 * LONGEST  # CSS pixels: what is taller would be too small to be read

_COVER = "#444444"
_NEAR = 24  # CSS pixels around a point
_LEAST_NEAR = 8  # pixels of the picture
_DIFFERENT = 0.003  # share of the pixels around a point
_ASK_LIMIT_MS = 1500
_PAUSES_S = (0.05, 0.11, 0.17)  # uneven, so that what swings does not seem to stand


@dataclass(frozen=True, slots=True)
class Shot:
    """Of an element, of the whole page, or of the viewport, with `drawings` of its part where canvases stand.

    `sharp` is in device pixels instead of CSS pixels.
    """

    handle: ElementHandle | None = None
    full_page: bool = False
    kind: Literal["png", "jpeg"] = "png"
    sharp: bool = False
    drawings: bool = False


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the viewport stands, in CSS pixels; the driver's own pixels are `zoom` to one of those."""

    document: DocumentId
    x: float
    y: float
    width: float
    height: float
    page_width: float
    page_height: float
    layout_x: float
    layout_y: float
    layout_width: float
    layout_height: float
    zoom: float
    pinch: float


@dataclass(frozen=True, slots=True)
class _Area:
    """What is on a picture, in CSS pixels of the document."""

    of: PictureOf
    left: float
    top: float
    width: float
    height: float
    whole_height: float


async def take(tab: Tab, lifeline: Lifeline, shot: Shot) -> Picture:
    """Without data when the page cannot be drawn, as while a dialog is open."""
    return await _bounded(tab, lifeline, shot, None)


async def locate(tab: Tab, lifeline: Lifeline, picture: Picture, x: float, y: float) -> Located:
    """Where the place at x and y of the picture is now; it is drawn again to see whether it still looks the same."""
    if tab.id != picture.tab:
        return Located("document")
    now = await _bounded(tab, lifeline, _like(picture), picture)
    if not now.data:
        return Located("unknown")
    if now.document != picture.document:
        return Located("document")
    if picture.of == "viewport" and (now.left, now.top) != (picture.left, picture.top):
        return Located("scrolled")
    work = _compared(tab, picture, now, (x, y))
    try:
        return await lifeline.run(work, limit_s=LIMIT_S, unless=tab.dialogs.is_open)
    except NO_ANSWER:
        return Located("unknown")


async def _compared(tab: Tab, picture: Picture, now: Picture, point: tuple[float, float]) -> Located:
    place = await _place(tab)
    left = picture.left + point[0] / picture.scale - place.layout_x
    top = picture.top + point[1] / picture.scale - place.layout_y
    if not (0 <= left < place.layout_width and 0 <= top < place.layout_height):
        return Located("outside", left, top)
    near = (*point, max(_NEAR * picture.scale, _LEAST_NEAR))
    if await difference(tab, picture.data, now.data, near) <= _DIFFERENT:
        return Located("same", left, top)
    for pause_s in _PAUSES_S:
        await asyncio.sleep(pause_s)
        later = await _taken(tab, _like(picture), picture)
        if await difference(tab, now.data, later.data, near) > _DIFFERENT:
            return Located("moving", left, top)
    return Located("changed", left, top)


def _like(picture: Picture) -> "Shot":
    return Shot(kind="jpeg" if picture.mime == "image/jpeg" else "png", sharp=picture.sharp)


async def _bounded(tab: Tab, lifeline: Lifeline, shot: Shot, like: Picture | None) -> Picture:
    nothing = Picture(b"", f"image/{shot.kind}", 0, 0)
    if tab.dialogs.is_open.is_set():
        return nothing
    for _ in range(2):  # a page that leaves while it is drawn is drawn once more
        try:
            work = _drawings(tab, shot) if shot.drawings else _taken(tab, shot, like)
            return await lifeline.run(work, limit_s=LIMIT_S + 1, unless=tab.dialogs.is_open)
        except (TimeoutError, InterruptedByDialogError):
            break
        except Error:
            if tab.page.is_closed() or tab.crashed:
                break
    return nothing


async def _drawings(tab: Tab, shot: Shot) -> Picture:
    clip: FloatRect | None = (await ask(tab.page.main_frame, "drawings", limit_ms=_ASK_LIMIT_MS))["box"]
    data = await _shoot(tab, shot, clip, beyond=False)
    return Picture(data, f"image/{shot.kind}", *size_of(data), of="drawings", tab=tab.id)


async def _taken(tab: Tab, shot: Shot, like: Picture | None = None) -> Picture:
    """`like` an older one: of the same part of the document, or of the viewport as it stands now."""
    if shot.handle is not None:
        await shot.handle.scroll_into_view_if_needed(timeout=_ASK_LIMIT_MS)
    drawn = await _drawn(tab, shot, like)
    if drawn is None:
        drawn = await _drawn(tab, shot, like, last=True)
    if drawn is None:
        raise Error("the page left while it was drawn")
    if max(drawn.width, drawn.height) <= LONGEST and len(drawn.data) <= MOST_BYTES:
        return drawn
    small = await shrink(tab, drawn.data, drawn.mime, longest=LONGEST, most_bytes=MOST_BYTES)
    width, height = size_of(small.data)
    scale = drawn.scale * width / drawn.width
    return replace(drawn, data=small.data, mime=small.mime, width=width, height=height, scale=scale)


async def _drawn(tab: Tab, shot: Shot, like: Picture | None, *, last: bool = False) -> Picture | None:
    """None when the page moved meanwhile; the last time only when it became another document."""
    before = await _place(tab)
    area = await _area(before, shot, like)
    shot = replace(shot, sharp=shot.sharp and await _can_be_sharp(tab, before, area))
    data = await _shoot(tab, shot, _clip(before, area), beyond=_is_beyond(before, area))
    after = await _place(tab)
    if before.document != after.document or (before != after and not last):
        return None
    return _bare(tab, shot, before, area, data)


async def _can_be_sharp(tab: Tab, place: _Place, area: _Area) -> bool:
    """Not when it would have to be made much smaller again; and of a zoomed page the driver would cut it."""
    ratio = float(await tab.page.evaluate("devicePixelRatio"))
    return place.zoom == 1 and max(area.width, area.height) * ratio <= 2 * LONGEST


def _bare(tab: Tab, shot: Shot, place: _Place, area: _Area, data: bytes) -> Picture:
    """One factor for both directions: what a pixel of the driver's is of the picture, times the page's zoom."""
    width, height = size_of(data)
    clip, size = _clip(place, area), tab.page.viewport_size
    asked = clip["width"] if clip else size["width"] if size else place.width
    unit = width / max(asked, 1) if shot.sharp else 1.0
    pinch = place.pinch if clip is None else 1.0
    return Picture(
        data=data,
        mime=f"image/{shot.kind}",
        width=width,
        height=height,
        scale=unit * place.zoom * pinch,
        of=area.of,
        tab=tab.id,
        document=place.document,
        left=area.left,
        top=area.top,
        scroll_x=place.layout_x,
        scroll_y=place.layout_y,
        whole_height=round(area.whole_height) if area.whole_height > area.height else 0,
        sharp=shot.sharp,
    )


async def _place(tab: Tab) -> _Place:
    document = await ask(tab.page.main_frame, "quiet", limit_ms=_ASK_LIMIT_MS)
    metrics = await (await tab.session).send("Page.getLayoutMetrics")
    seen, laid, page = metrics["cssVisualViewport"], metrics["cssLayoutViewport"], metrics["cssContentSize"]
    return _Place(
        document=DocumentId(str(document["document"])),
        x=round(seen["pageX"], 2),
        y=round(seen["pageY"], 2),
        width=seen["clientWidth"],
        height=seen["clientHeight"],
        page_width=page["width"],
        page_height=page["height"],
        layout_x=laid["pageX"],
        layout_y=laid["pageY"],
        layout_width=laid["clientWidth"],
        layout_height=laid["clientHeight"],
        zoom=float(seen.get("zoom", 1.0)),
        pinch=float(seen["scale"]),
    )


async def _area(place: _Place, shot: Shot, like: Picture | None) -> _Area:
    if like is not None and like.of != "viewport":
        width, height = like.width / like.scale, like.height / like.scale
        return _Area(like.of, like.left, like.top, width, height, like.whole_height or height)
    if shot.handle is not None:
        box = await shot.handle.bounding_box()
        if box is None or box["width"] < 1 or box["height"] < 1:
            raise Error("the element takes no room")
        left, top = box["x"] + place.x, box["y"] + place.y
        return _Area("element", left, top, box["width"], min(box["height"], TALLEST), box["height"])
    if shot.full_page:
        height = min(place.page_height, TALLEST)
        return _Area("page", 0, 0, place.page_width, height, place.page_height)
    return _Area("viewport", place.x, place.y, place.width, place.height, place.height)


def _clip(place: _Place, area: _Area) -> FloatRect | None:
    """In the driver's pixels, from the corner of the document or, within the viewport, from that of the viewport."""
    if area.of == "viewport":
        return None
    left, top = (area.left, area.top) if _is_beyond(place, area) else (area.left - place.x, area.top - place.y)
    zoom = place.zoom
    return {"x": left * zoom, "y": top * zoom, "width": area.width * zoom, "height": area.height * zoom}


def _is_beyond(place: _Place, area: _Area) -> bool:
    """Whether some of the area is not in the viewport."""
    right, bottom = area.left + area.width, area.top + area.height
    within = area.left >= place.x and area.top >= place.y
    return not (within and right <= place.x + place.width + 1 and bottom <= place.y + place.height + 1)


async def _shoot(tab: Tab, shot: Shot, clip: FloatRect | None, *, beyond: bool) -> bytes:
    mask: list[Locator] = [secret_fields(frame) for frame in tab.page.frames if not frame.is_detached()]
    return await tab.page.screenshot(
        type=shot.kind,
        scale="device" if shot.sharp else "css",
        mask=mask,
        mask_color=_COVER,
        full_page=beyond,
        clip=clip,
        timeout=LIMIT_S * 1000,
    )
