"""Plain Playwright as a hand: what an agent does that has no record of what it sent."""

from playwright.async_api import BrowserContext, Error, FilePayload, Frame, Locator, Page

from tests.bench.ledger.hand import NotThere, Said, Target

PLAIN = "plain Playwright"
_LIMIT_MS = 1500
_QUIET_MS = 150
_LOOKS = 8
_BETWEEN_LOOKS_MS = 100


class Plain:
    name = PLAIN

    def __init__(self, context: BrowserContext, page: Page) -> None:
        self._context = context
        self.page = page

    async def open(self, url: str) -> Said:
        return await self._said(self.page.goto(url, timeout=_LIMIT_MS * 4))

    async def press(self, target: Target, *, double: bool = False, old: bool = False) -> Said:
        place = await self._at(target)
        if target.enters:
            return await self._said(self._enter(place, target.enters))
        return await self._said((place.dblclick if double else place.click)(timeout=_LIMIT_MS))

    async def type(self, name: str, text: str, *, submit: bool = False) -> Said:
        place = await self._at(Target("textbox", name))
        return await self._said(self._enter(place, text) if submit else place.fill(text, timeout=_LIMIT_MS))

    async def key(self, key: str) -> Said:
        return await self._said(self.page.keyboard.press(key))

    async def reload(self) -> Said:
        return await self._said(self.page.reload(timeout=_LIMIT_MS))

    async def back(self) -> Said:
        return await self._said(self.page.go_back(timeout=_LIMIT_MS))

    async def forward(self) -> Said:
        return await self._said(self.page.go_forward(timeout=_LIMIT_MS))

    async def new_tab(self, url: str) -> Said:
        self.page = await self._context.new_page()
        return await self.open(url)

    async def wait(self, seconds: float) -> Said:
        return await self._said(self.page.wait_for_timeout(seconds * 1000))

    async def upload(self, target: Target, text: str) -> Said:
        file = FilePayload(name="report.txt", mimeType="text/plain", buffer=text.encode())
        return await self._said((await self._at(target)).set_input_files(file, timeout=_LIMIT_MS))

    async def press_at(self, target: Target) -> Said:
        box = await (await self._at(target)).bounding_box(timeout=_LIMIT_MS)
        if box is None:
            raise NotThere(target.name)
        return await self._said(self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2))

    async def press_in_batch(self, target: Target, times: int) -> Said:
        place = await self._at(target)
        for _ in range(times - 1):
            await self._said(place.click(timeout=_LIMIT_MS))
        return await self._said(place.click(timeout=_LIMIT_MS))

    async def press_by_drag(self, target: Target) -> Said:
        place = await self._at(target)
        return await self._said(place.drag_to(place, timeout=_LIMIT_MS))

    async def restart(self) -> Said:
        raise NotThere("another browser")

    async def _enter(self, place: Locator, text: str) -> None:
        await place.fill(text, timeout=_LIMIT_MS)
        await place.press("Enter", timeout=_LIMIT_MS)

    async def _at(self, target: Target) -> Locator:
        """In whichever frame it is, looked for a few times. Raises NotThere."""
        for _ in range(_LOOKS):
            for frame in self.page.frames:
                place: Frame | Locator = frame
                if target.within:
                    place = frame.get_by_role("listitem").filter(has_text=target.within)
                found = place.get_by_role(target.role, name=target.name, exact=True)  # type: ignore[arg-type]
                if await found.count() and await found.first.is_enabled():
                    return found.first
            await self.page.wait_for_timeout(_BETWEEN_LOOKS_MS)
        raise NotThere(target.name)

    async def _said(self, act: object) -> Said:
        try:
            await act  # type: ignore[misc]
        except Error as error:
            return Said(error.message.splitlines()[0], is_error=True)
        finally:
            self.page = next((one for one in reversed(self._context.pages) if not one.is_closed()), self.page)
        try:
            await self.page.wait_for_timeout(_QUIET_MS)
        except Error as error:
            return Said(error.message.splitlines()[0], is_error=True)
        return Said()
