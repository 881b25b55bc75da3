"""Takes screenshots with secret fields covered."""

from dataclasses import dataclass
from typing import Literal

from playwright.async_api import ElementHandle, Error, FloatRect, Locator

from app.browser.lifeline import InterruptedByDialogError, Lifeline
from app.browser.page_script import secret_fields
from app.browser.tabs import Tab
from app.domain.pages import Picture

LIMIT_S = 6.0

_COVER = "#444444"


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


async def take(tab: Tab, lifeline: Lifeline, shot: Shot) -> Picture:
    """Without data when the page cannot be drawn, as while a dialog is open. Width and height are in CSS pixels."""
    mime = f"image/{shot.kind}"
    if tab.dialogs.is_open.is_set():
        return Picture(b"", mime, 0, 0)
    try:
        work = _taken(tab, shot)
        data, width, height = await lifeline.run(work, limit_s=LIMIT_S + 1, unless=tab.dialogs.is_open)
    except (Error, TimeoutError, InterruptedByDialogError):
        return Picture(b"", mime, 0, 0)
    return Picture(data, mime, width, height)


async def _taken(tab: Tab, shot: Shot) -> tuple[bytes, int, int]:
    width, height = await _size(tab, shot)
    mask: list[Locator] = [secret_fields(frame) for frame in tab.page.frames if not frame.is_detached()]
    scale: Literal["css", "device"] = "device" if shot.sharp else "css"
    limit_ms = LIMIT_S * 1000
    clip: FloatRect | None = await tab.page.evaluate(_CANVASES) if shot.drawings else None
    if shot.handle is not None:
        data = await shot.handle.screenshot(type=shot.kind, scale=scale, mask=mask, mask_color=_COVER, timeout=limit_ms)
    else:
        data = await tab.page.screenshot(
            type=shot.kind,
            scale=scale,
            mask=mask,
            mask_color=_COVER,
            full_page=shot.full_page,
            clip=clip,
            timeout=limit_ms,
        )
    return data, width, height


async def _size(tab: Tab, shot: Shot) -> tuple[int, int]:
    if shot.handle is not None:
        box = await shot.handle.bounding_box()
        return (round(box["width"]), round(box["height"])) if box else (0, 0)
    size = await tab.page.evaluate(_WHOLE if shot.full_page else _VIEWPORT)
    return int(size[0]), int(size[1])


_VIEWPORT = "[innerWidth, innerHeight]"
_WHOLE = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"

_CANVASES = """() => {
  const boxes = [...document.getElementsByTagName('canvas')].map(canvas => canvas.getBoundingClientRect())
    .filter(box => box.width >= 40 && box.height >= 40 && box.bottom > 0 && box.top < innerHeight);
  if (!boxes.length) return null;
  const x = Math.max(Math.min(...boxes.map(box => box.left)), 0);
  const y = Math.max(Math.min(...boxes.map(box => box.top)), 0);
  const right = Math.min(Math.max(...boxes.map(box => box.right)), innerWidth);
  const bottom = Math.min(Math.max(...boxes.map(box => box.bottom)), innerHeight);
  return right - x >= 1 && bottom - y >= 1 ? { x, y, width: right - x, height: bottom - y } : null;
}"""
