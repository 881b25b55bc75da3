"""Takes screenshots with secret fields covered."""

from playwright.async_api import ElementHandle, Error, Locator

from app.browser.lifeline import InterruptedByDialogError, Lifeline
from app.browser.page_script import secret_fields
from app.browser.tabs import Tab
from app.domain.pages import Picture

LIMIT_S = 6.0

_COVER = "#444444"
_EMPTY = Picture(b"", "image/png", 0, 0)


async def take(tab: Tab, lifeline: Lifeline, handle: ElementHandle | None, *, full_page: bool) -> Picture:
    """PNG in CSS pixels; without data when the page cannot be drawn, as while a dialog is open."""
    if tab.dialogs.is_open.is_set():
        return _EMPTY
    try:
        data = await lifeline.run(_shot(tab, handle, full_page), limit_s=LIMIT_S + 1, unless=tab.dialogs.is_open)
    except (Error, TimeoutError, InterruptedByDialogError):
        return _EMPTY
    return Picture(data, "image/png", int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big"))


async def _shot(tab: Tab, handle: ElementHandle | None, full_page: bool) -> bytes:
    mask: list[Locator] = [secret_fields(frame) for frame in tab.page.frames if not frame.is_detached()]
    if handle is not None:
        return await handle.screenshot(type="png", scale="css", mask=mask, mask_color=_COVER, timeout=LIMIT_S * 1000)
    return await tab.page.screenshot(
        type="png", scale="css", mask=mask, mask_color=_COVER, full_page=full_page, timeout=LIMIT_S * 1000
    )
