"""Who plays the trials: our product with all its guards, and plain Playwright beside it, each in its own browser."""

import asyncio
import contextlib
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from playwright.async_api import BrowserContext, CDPSession, Error, async_playwright

from app.browser.browser import PlaywrightBrowser
from app.browser.options import BrowserOptions
from app.context.submissions.records import records_of
from app.domain.acts import AnswerDialog, CloseTab, OpenTab
from app.domain.submissions import Submission
from tests.bench.ledger.desk import OURS, Around, Desk, serving
from tests.bench.ledger.hand import Hand, Said
from tests.bench.ledger.person import Person
from tests.bench.ledger.plain import PLAIN, Plain
from tests.browser.inside import active_tab, has_dialog, open_tabs
from tests.browser.steps import options_for
from tests.fakes.record import MemoryRecord

SCALE = 1 / 20
_CRASH_S = 1.0


@dataclass
class Playing:
    """One trial as it is played: the hand, the person behind it, and how its tab is made to crash."""

    hand: Hand
    person: Person
    crash: Callable[[], Awaitable[None]]
    desk: Desk | None = None

    async def submissions(self) -> tuple[Submission, ...]:
        """What is on record, each as it stands now."""
        return records_of(await self.desk.events()) if self.desk else ()

    @property
    def returned(self) -> list[Said]:
        return self.desk.returned if self.desk else []


class Actor(Protocol):
    name: str

    def trial(self, allows: float = 1, silence_s: float = 0.0) -> contextlib.AbstractAsyncContextManager[Playing]:
        """A conversation of its own in the same browser, with nothing left over from the one before."""
        ...


class KeptBrowser(PlaywrightBrowser):
    """Outlives the conversations that use it."""

    async def close(self) -> None:
        """A conversation that ends leaves it as it is."""

    async def end(self) -> None:
        await super().close()


class Ours:
    name = OURS

    def __init__(self, browser: KeptBrowser, files: Path) -> None:
        self.browser = browser
        self._files = files

    @contextlib.asynccontextmanager
    async def trial(self, allows: float = 1, silence_s: float = 0.0) -> AsyncIterator[Playing]:
        person = Person(allows)
        record = MemoryRecord()
        served = serving(self.browser, record, silence_s)
        desk = Desk(served.call, record, served.conversation, person, Around(self._files, self.browser.end))
        await self._clear()
        try:
            yield Playing(desk, person, self._crash, desk)
        finally:
            await served.close()

    async def _clear(self) -> None:
        """One blank tab."""
        if not self.browser.is_alive:
            await self.browser.start()
        tabs = open_tabs(self.browser)
        if has_dialog(self.browser):
            await self.browser.perform(AnswerDialog(accept=True))
        await self.browser.perform(OpenTab())
        for tab in tabs:
            await self.browser.perform(CloseTab(tab.id))
        self.browser.happenings()

    async def _crash(self) -> None:
        await _crashed(await active_tab(self.browser).session)


class PlainActor:
    name = PLAIN

    def __init__(self, context: Callable[[], Awaitable[BrowserContext]]) -> None:
        self._context = context

    @contextlib.asynccontextmanager
    async def trial(self, allows: float = 1, silence_s: float = 0.0) -> AsyncIterator[Playing]:
        context = await self._context()
        hand = Plain(context, await context.new_page())

        async def crash() -> None:
            await _crashed(await context.new_cdp_session(hand.page))

        yield Playing(hand, Person(allows), crash)
        await context.close()


@contextlib.asynccontextmanager
async def ours(scale: float = SCALE) -> AsyncIterator[Ours]:
    with tempfile.TemporaryDirectory(prefix="ledger-", ignore_cleanup_errors=True) as folder:
        browser = KeptBrowser(options(Path(folder), scale))
        try:
            await browser.start()
            yield Ours(browser, Path(folder))
        finally:
            await browser.end()


@contextlib.asynccontextmanager
async def plain() -> AsyncIterator[PlainActor]:
    with tempfile.TemporaryDirectory(prefix="ledger-", ignore_cleanup_errors=True) as folder:
        given = options(Path(folder), SCALE)
        flags = ["--no-sandbox"] if given.without_sandbox else []
        async with async_playwright() as driver:
            browser = await driver.chromium.launch(executable_path=given.executable, args=flags)
            try:
                yield PlainActor(browser.new_context)
            finally:
                await browser.close()


def options(folder: Path, scale: float) -> BrowserOptions:
    return options_for(folder, time_scale=scale)


async def _crashed(session: CDPSession) -> None:
    """The page cannot answer that it crashed."""
    with contextlib.suppress(TimeoutError, Error):
        await asyncio.wait_for(session.send("Page.crash"), _CRASH_S)
