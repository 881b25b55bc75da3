"""Plain Playwright: the act by the driver's ref, our own rule of waiting, one snapshot; nothing is checked."""

import contextlib
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

from playwright.async_api import Error, Locator, Position

from app.browser.reactions import Acted, Kind
from app.browser.tabs import Tab
from app.context.page.parse import parse
from tests.bench.hands.clocked import ClockedBrowser
from tests.bench.hands.hand import Hand, Place, Seen
from tests.bench.hands.ours import options
from tests.bench.hands.page import Thing, thing

PLAIN = "plain Playwright"
LIMIT_MS = 2500


class Plain:
    """Our browser is only started and asked to settle; every act and every look is the driver's own."""

    name = PLAIN

    def __init__(self, browser: ClockedBrowser, tab: Tab) -> None:
        self._browser = browser
        self._tab = tab
        self._shown = Thing("page")

    async def open(self, url: str) -> Seen:
        return await self._after(self._tab.page.goto(url))

    async def look(self, *, boxes: bool = False) -> Seen:
        return await self._seen("", is_error=False)

    async def click(self, ref: str, *, double: bool = False, modifiers: tuple[str, ...] = ()) -> Seen:
        target = self._at(ref)
        act: Callable[..., Awaitable[None]] = target.dblclick if double else target.click
        return await self._after(act(modifiers=list(modifiers), timeout=LIMIT_MS), "click", ref)

    async def type(self, ref: str, text: str, *, slowly: bool = False) -> Seen:
        target = self._at(ref)
        act = target.press_sequentially if slowly else target.fill
        return await self._after(act(text, timeout=LIMIT_MS), "type", ref)

    async def select(self, ref: str, values: tuple[str, ...]) -> Seen:
        return await self._after(self._at(ref).select_option(list(values), timeout=LIMIT_MS), "click", ref)

    async def press(self, key: str) -> Seen:
        return await self._after(self._tab.page.keyboard.press(key), "type" if key != "Tab" else None)

    async def hover(self, ref: str) -> Seen:
        return await self._after(self._at(ref).hover(timeout=LIMIT_MS))

    async def drag(self, start: str, end: str, place: Place = "on") -> Seen:
        box = next((one.box for one in self._shown if one.ref == end), None)
        share = {"before": 0.2, "on": 0.5, "after": 0.8}[place]
        at: Position | None = {"x": box.width * share, "y": box.height * share} if box else None
        return await self._after(self._at(start).drag_to(self._at(end), target_position=at, timeout=LIMIT_MS))

    async def slide(self, ref: str, value: str) -> Seen:
        return await self._after(self._at(ref).fill(value, timeout=LIMIT_MS))

    async def point(self, x: float, y: float, count: int = 1) -> Seen:
        return await self._after(self._tab.page.mouse.click(x, y, click_count=count), "click", at=(x, y))

    async def scroll(self, ref: str, delta_y: float) -> Seen:
        await self._at(ref).hover(timeout=LIMIT_MS, force=True)
        return await self._after(self._tab.page.mouse.wheel(0, delta_y))

    async def wait(self, seconds: float) -> Seen:
        return await self._after(self._tab.page.wait_for_timeout(seconds * 1000))

    def _at(self, ref: str) -> Locator:
        return self._tab.page.locator(f"aria-ref={ref}")

    async def _after(
        self, act: Awaitable[object], kind: Kind | None = None, ref: str = "", at: tuple[float, float] | None = None
    ) -> Seen:
        """The rule of waiting is told of the act, as it is of ours."""
        began, url = time.monotonic(), self._tab.page.url
        try:
            await act
        except Error as error:
            return await self._seen(error.message, is_error=True)
        if kind:
            point = at or next((one.middle for one in self._shown if ref and one.ref == ref), None)
            self._tab.acted = Acted(kind, began, time.monotonic(), "", url, point=point)
        return await self._seen("", is_error=False)

    async def _seen(self, said: str, *, is_error: bool) -> Seen:
        await self._browser.settle()
        tree = parse(await self._tab.page.aria_snapshot(mode="ai", boxes=True))
        self._shown = thing(tree, ours=False, boxes=True)
        return Seen(self._shown, said, is_error, says_done=not is_error, settled=self._browser.settled)


@contextlib.asynccontextmanager
async def plain() -> AsyncIterator[Hand]:
    with tempfile.TemporaryDirectory(prefix="hands-", ignore_cleanup_errors=True) as folder:
        browser = ClockedBrowser(options(Path(folder)))
        try:
            await browser.start()
            yield Plain(browser, await browser._active())  # noqa: SLF001 - the driver's page is under it
        finally:
            await browser.close()
