"""What lives from one start of the browser to its end, and is replaced when the browser is lost."""

import asyncio
import contextlib
from collections.abc import Callable
from pathlib import Path

from playwright.async_api import Error

from app.agent.ports import Gatekeeper
from app.browser.downloads import Downloads
from app.browser.hold import Hold
from app.browser.launcher import Launched, shut
from app.browser.lifeline import Lifeline, lost_error
from app.browser.notices import Notices
from app.browser.options import BrowserOptions
from app.browser.pages import PageActs
from app.browser.panel import LivePanel
from app.browser.papers import Papers
from app.browser.tabs import Tabs
from app.domain.passing import ErrorShown, FileSaved


class RunningBrowser:
    """The parts of a browser that runs, made of one launch."""

    def __init__(
        self, launched: Launched, options: BrowserOptions, gatekeeper: Callable[[], Gatekeeper | None]
    ) -> None:
        self._launched = launched
        self.notices = Notices()
        self.lifeline = Lifeline(launched.pulse)
        launched.context.on("close", lambda _: self.lifeline.lost.set())
        self.downloads = Downloads(options.downloads, self.notices)
        self.tabs = Tabs(launched.context, self.notices, self.downloads)
        requests = launched.context.request if options.single_shot else None
        self.hold = Hold(launched.pulse, self.tabs, gatekeeper, requests)
        self.acts = PageActs(self.tabs, self.lifeline, options.time_scale)
        self.panel = LivePanel(self.tabs, self.lifeline)
        for told in launched.told:
            self.notices.tell(told)
        self._is_ending = False
        self._tell = asyncio.create_task(self._tell_loss(), name="browser-loss")
        self.papers = Papers(self.downloads, options.time_scale)
        self.downloads.on_progress = self.panel.refresh
        self.downloads.on_saved = lambda download: self.tabs.tell(FileSaved(download))

    async def follow_downloads(self, folder: Path, arrive_in: Path) -> None:
        """A browser that does not tell of progress saves files all the same."""
        self.downloads.folder = folder
        with contextlib.suppress(Error):
            await self.downloads.watch(self._launched.pulse, arrive_in)

    async def hold_requests(self) -> None:
        """Raises BrowserError: a browser that cannot hold requests is not used."""
        try:
            await self.hold.begin()
            self.hold.follow(self._launched.context)
            await self.hold.hold_messages(self._launched.context)
        except Error as exc:
            raise lost_error() from exc

    async def _tell_loss(self) -> None:
        """The person hears of it at once, the agent at its next call."""
        await self.lifeline.lost.wait()
        if not self._is_ending:
            error = lost_error()
            self.tabs.tell(ErrorShown(error.what, error.lost, "It starts again as soon as it is needed."))

    async def close(self) -> None:
        self._is_ending = True
        is_lost = self.lifeline.lost.is_set()
        await self.panel.hide()
        await self.downloads.stop()
        await self.hold.stop()
        await self.lifeline.stop()
        await shut(self._launched, is_lost=is_lost)
