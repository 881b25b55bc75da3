"""Plain Playwright: the act by the driver's ref, our own rule of waiting, one snapshot; nothing is checked."""

import contextlib
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

from playwright.async_api import Error, Locator, Page

from app.browser.files import Downloads
from app.browser.launcher import launch, shut
from app.browser.notices import Notices
from app.browser.settle import settle
from app.browser.tabs import Tab, Tabs
from app.context.page.parse import parse
from tests.bench.hands.hand import Hand, Seen
from tests.bench.hands.ours import options
from tests.bench.hands.page import thing

PLAIN = "plain Playwright"
LIMIT_MS = 2500


class Plain:
    name = PLAIN

    def __init__(self, tab: Tab) -> None:
        self._tab = tab
        self._page: Page = tab.page

    async def open(self, url: str) -> Seen:
        return await self._after(self._page.goto(url))

    async def look(self, *, boxes: bool = False) -> Seen:
        return await self._seen("", False)

    async def click(self, ref: str, *, double: bool = False, modifiers: tuple[str, ...] = ()) -> Seen:
        target = self._at(ref)
        act: Callable[..., Awaitable[None]] = target.dblclick if double else target.click
        return await self._after(act(modifiers=list(modifiers), timeout=LIMIT_MS))

    async def type(self, ref: str, text: str, *, slowly: bool = False) -> Seen:
        target = self._at(ref)
        if slowly:
            return await self._after(target.press_sequentially(text, timeout=LIMIT_MS))
        return await self._after(target.fill(text, timeout=LIMIT_MS))

    async def select(self, ref: str, values: tuple[str, ...]) -> Seen:
        return await self._after(self._at(ref).select_option(list(values), timeout=LIMIT_MS))

    async def press(self, key: str) -> Seen:
        return await self._after(self._page.keyboard.press(key))

    async def hover(self, ref: str) -> Seen:
        return await self._after(self._at(ref).hover(timeout=LIMIT_MS))

    async def drag(self, start: str, end: str) -> Seen:
        return await self._after(self._at(start).drag_to(self._at(end), timeout=LIMIT_MS))

    async def slide(self, ref: str, value: str) -> Seen:
        return await self._after(self._at(ref).fill(value, timeout=LIMIT_MS))

    async def point(self, x: float, y: float) -> Seen:
        return await self._after(self._page.mouse.click(x, y))

    async def wait(self, seconds: float) -> Seen:
        return await self._after(self._page.wait_for_timeout(seconds * 1000))

    def _at(self, ref: str) -> Locator:
        return self._page.locator(f"aria-ref={ref}")

    async def _after(self, act: Awaitable[object]) -> Seen:
        try:
            await act
        except Error as error:
            return await self._seen(error.message, True)
        return await self._seen("", False)

    async def _seen(self, said: str, is_error: bool) -> Seen:
        await settle(self._tab)
        tree = parse(await self._page.aria_snapshot(mode="ai", boxes=True))
        return Seen(thing(tree, ours=False, boxes=True), said, is_error, says_done=not is_error)


@contextlib.asynccontextmanager
async def plain() -> AsyncIterator[Hand]:
    with tempfile.TemporaryDirectory(prefix="hands-", ignore_cleanup_errors=True) as folder:
        launched = await launch(options(Path(folder)))
        notices = Notices()
        downloads = Downloads(Path(folder) / "downloads", notices)
        try:
            yield Plain(await Tabs(launched.context, notices, downloads).active())
        finally:
            await downloads.stop()
            await shut(launched, is_lost=False)
