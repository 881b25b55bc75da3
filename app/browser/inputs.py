"""Input that goes to the page as a whole, and what it moved: keys, points, the wheel."""

import asyncio

from playwright.async_api import Error, Frame, Page

from app.browser.outcomes import DONE
from app.browser.page_script import ask
from app.browser.polling import poll
from app.domain.acts import ClickPoint, Wheel
from app.domain.pages import Outcome

_NOTHING_SCROLLED = "Nothing scrolled: it is at its end, or nothing under the pointer scrolls that way."
_SCROLLING_KEYS = frozenset({"PageUp", "PageDown", "Home", "End", "ArrowUp", "ArrowDown", "Space"})
_CARET_KEYS = frozenset({"ArrowLeft", "ArrowRight", "a", "A"})
_SCROLL_LIMIT_S = 0.3
_ASK_MS = 300
_FRAMES_ASKED = 10


async def press(page: Page, key: str) -> Outcome:
    """Press a key or a chord; of one that can move the caret or scroll it is told whether it did."""
    name = key.rpartition("+")[2]
    if name not in _SCROLLING_KEYS | _CARET_KEYS:
        await page.keyboard.press(key)
        return DONE
    stood = await _caret(page)
    before = await _scrolls(page) if name in _SCROLLING_KEYS and not stood else None
    await page.keyboard.press(key)
    caret = await _caret(page)
    scrolled = await _has_scrolled(page, before) if before is not None and not caret else None
    moved = "the caret moved" if stood and caret and caret != stood else ""
    return Outcome("done", moved, scrolled=scrolled, caret=caret)


async def press_point(page: Page, act: ClickPoint) -> Outcome:
    """Press the button at a point of the viewport, as often as the act says."""
    await page.mouse.click(act.x, act.y, button=act.button, click_count=act.count)
    return DONE


async def turn_wheel(page: Page, act: Wheel) -> Outcome:
    """Turn the wheel and wait a moment for anything to move, in whatever frame the pointer is."""
    before = await _scrolls(page)
    await page.mouse.wheel(act.delta_x, act.delta_y)
    if await _has_scrolled(page, before):
        return Outcome("done", scrolled=True)
    return Outcome("done", _NOTHING_SCROLLED, scrolled=False)


async def _caret(page: Page) -> str:
    """Where it stands in the frame that has the focus; empty when keys move none."""
    return "".join(map(str, await _asked(page, "caret", "at", "")))


async def _has_scrolled(page: Page, before: list[object]) -> bool:
    return await poll(lambda: _scrolls(page), lambda now: now != before, limit_s=_SCROLL_LIMIT_S) != before


async def _scrolls(page: Page) -> list[object]:
    """How often each frame was scrolled."""
    return await _asked(page, "scrollCount", "scrolls", 0)


async def _asked(page: Page, question: str, name: str, otherwise: object) -> list[object]:
    """That part of the answer of each frame; `otherwise` of one that does not answer."""

    async def one(frame: Frame) -> object:
        try:
            return (await ask(frame, question, limit_ms=_ASK_MS))[name]
        except Error:
            return otherwise

    frames = [frame for frame in page.frames[:_FRAMES_ASKED] if not frame.is_detached()]
    return await asyncio.gather(*map(one, frames))
