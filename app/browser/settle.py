"""Waits until a page is quiet: no navigation, no request that matters, no change of its content for a moment."""

import asyncio
import time

from playwright.async_api import Error, Frame

from app.browser.page_script import ask
from app.browser.tabs import Tab

LIMIT_S = 3.0
QUIET_S = 0.15

_POLL_S = 0.03
_FRAMES_ASKED = 10
_ANSWER_LIMIT_MS = 400


async def settle(tab: Tab, *, limit_s: float = LIMIT_S, quiet_s: float = QUIET_S) -> bool:
    """True as soon as it is quiet or a dialog holds it; False when it still moves at the limit."""
    started = time.monotonic()
    while True:
        if tab.page.is_closed() or tab.crashed or tab.dialogs.is_open.is_set():
            return True
        if await _is_quiet(tab, started, quiet_s):
            return True
        if time.monotonic() - started > limit_s:
            return False
        await asyncio.sleep(_POLL_S)


async def _is_quiet(tab: Tab, started: float, quiet_s: float) -> bool:
    now = time.monotonic()
    if tab.traffic.running(since=started) or now - max(tab.traffic.changed_at, started) < quiet_s:
        return False
    answers = await asyncio.gather(*(_stillness_s(frame) for frame in tab.page.frames[:_FRAMES_ASKED]))
    return all(still >= quiet_s for still in answers) and not tab.traffic.running(since=started)


async def _stillness_s(frame: Frame) -> float:
    """How long the frame's content has not changed; a frame without a document counts as still."""
    if frame.is_detached() or (not frame.url and frame.parent_frame is not None):
        return float("inf")
    try:
        answer = await ask(frame, "quiet", limit_ms=_ANSWER_LIMIT_MS)
    except Error:
        return 0.0 if frame.parent_frame is None else float("inf")
    if answer["ready"] == "loading" or answer["busy"]:
        return 0.0
    return float(answer["still"]) / 1000
