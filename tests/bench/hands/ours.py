"""Our own tools on the guarded browser, called as a model calls them."""

import contextlib
import tempfile
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

from app.agent.control import NeedsPerson
from app.browser.browser import PlaywrightBrowser
from app.browser.options import BrowserOptions
from tests.bench.hands.clocked import ClockedBrowser
from tests.bench.hands.hand import Hand, Place, Seen
from tests.bench.hands.page import NotShown, Thing, thing
from tests.bench.peers.ours import Desk
from tests.bench.peers.peer import HEIGHT, OFFLINE, WIDTH
from tests.browser.steps import options_for

OURS = "Pilotfish"


class Ours:
    name = OURS

    def __init__(self, browser: ClockedBrowser, desk: Desk) -> None:
        self._browser = browser
        self._desk = desk

    async def open(self, url: str) -> Seen:
        """Each page is a conversation of its own."""
        self._desk = await _desk(self._browser)
        return await self._call("browser_navigate", url=url)

    async def look(self, *, boxes: bool = False) -> Seen:
        if not boxes:
            return await self._call("browser_snapshot")
        await self._desk.call("browser_snapshot", boxes=True)
        return self._seen(boxes=True)

    async def click(self, ref: str, *, double: bool = False, modifiers: tuple[str, ...] = ()) -> Seen:
        return await self._call("browser_click", target=ref, doubleClick=double, modifiers=list(modifiers))

    async def type(self, ref: str, text: str, *, slowly: bool = False) -> Seen:
        return await self._call("browser_type", target=ref, text=text, slowly=slowly)

    async def select(self, ref: str, values: tuple[str, ...]) -> Seen:
        return await self._call("browser_select_option", target=ref, values=list(values))

    async def press(self, key: str) -> Seen:
        return await self._call("browser_press_key", key=key)

    async def hover(self, ref: str) -> Seen:
        return await self._call("browser_hover", target=ref)

    async def drag(self, start: str, end: str, place: Place = "on") -> Seen:
        return await self._call("browser_drag", startTarget=start, endTarget=end, place=place)

    async def slide(self, ref: str, value: str) -> Seen:
        field = {"target": ref, "type": "slider", "value": value, "name": "slider"}
        return await self._call("browser_fill_form", fields=[field])

    async def point(self, x: float, y: float, count: int = 1) -> Seen:
        await self._desk.call("browser_take_screenshot")
        return await self._call("browser_mouse_click_xy", x=x, y=y, clickCount=count)

    async def scroll(self, ref: str, delta_y: float) -> Seen:
        return await self._call("browser_scroll", target=ref, deltaY=delta_y)

    async def wait(self, seconds: float) -> Seen:
        return await self._call("browser_wait_for", time=seconds)

    async def tool(self, name: str, **arguments: object) -> Seen:
        """Any other tool, as a model calls it."""
        return await self._call(name, **arguments)

    async def _call(self, tool: str, **arguments: object) -> Seen:
        try:
            await self._desk.call(tool, **arguments)
        except NeedsPerson as needed:  # in a conversation the person is asked here
            return replace(self._seen(boxes=False), said=str(needed), is_error=True, says_done=False)
        return self._seen(boxes=False)

    def _seen(self, *, boxes: bool) -> Seen:
        answer, seeing = self._desk.last, self._desk.seeing
        page = thing(seeing.shown.tree, ours=True, boxes=boxes) if seeing else Thing("page")
        self._check_shown(page)
        confirmed = answer.receipt is not None and answer.receipt.status == "confirmed"
        return Seen(page, answer.text, answer.is_error, says_done=confirmed, settled=self._browser.settled)

    def _check_shown(self, page: Thing) -> None:
        """A policy must know nothing that the texts did not say."""
        written = self._desk.page
        for one in page:
            if one.ref and f"[ref={one.ref}]" not in written:
                raise NotShown(f"{one.ref} is in the tree and not in the text")
            if one.box and f"[box={one.box.x:g},{one.box.y:g}," not in self._desk.text:
                one.box = None


@contextlib.asynccontextmanager
async def ours() -> AsyncIterator[Hand]:
    with tempfile.TemporaryDirectory(prefix="hands-", ignore_cleanup_errors=True) as folder:
        browser = ClockedBrowser(options(Path(folder)))
        try:
            await browser.start()
            yield Ours(browser, await _desk(browser))
        finally:
            await browser.close()


async def _desk(browser: PlaywrightBrowser) -> Desk:
    desk = await Desk.made(browser)
    assert isinstance(desk, Desk)
    return desk


def options(folder: Path) -> BrowserOptions:
    """The same browser for ours and for plain Playwright."""
    return options_for(folder, width=WIDTH, height=HEIGHT, extra_arguments=(OFFLINE,))
