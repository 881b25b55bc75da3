"""Who holds the browser, and everything a person does with it by hand."""

import asyncio
import contextlib
from collections.abc import Callable

from app.agent.ports import Gatekeeper
from app.domain.acts import (
    AnswerDialog,
    ChooseFiles,
    CloseTab,
    GoBack,
    GoForward,
    Navigate,
    OpenTab,
    PageAct,
    PersonInput,
    Reload,
    SelectTab,
)
from app.domain.commands import (
    AddTab,
    AnswerPageDialog,
    ChooseTab,
    GiveFiles,
    GoInHistory,
    OpenAddress,
    RemoveTab,
)
from app.domain.errors import BrowserError
from app.domain.pages import Download, Frame
from app.domain.passing import Driver, ErrorShown, Event, FileSaved, PassingEvent, SelectionCopied
from app.runtime.factories import LiveBrowser

INPUT_QUEUE = 256
LAST_INPUTS_S = 4.0

PersonCommand = OpenAddress | GoInHistory | ChooseTab | AddTab | RemoveTab | AnswerPageDialog | GiveFiles


class Holding:
    """The one browser of the program and who drives it; used from the engine thread only."""

    def __init__(
        self,
        make_browser: Callable[[], LiveBrowser],
        show: Callable[[Event], None],
        show_frame: Callable[[Frame], None] | None,
        on_file: Callable[[Download], None] = lambda download: None,
    ) -> None:
        """`on_file` hears of each file that a page sent, when it is there or came to nothing."""
        self._make_browser = make_browser
        self._show = show
        self._show_frame = show_frame
        self._on_file = on_file
        self._folder = ""
        self._gatekeeper: Gatekeeper | None = None
        self._browser: LiveBrowser | None = None
        self._starting = asyncio.Lock()  # protects against two starts at once
        self._inputs: asyncio.Queue[PersonInput] = asyncio.Queue(INPUT_QUEUE)
        self._pump: asyncio.Task[None] | None = None
        self.driver: Driver = "nobody"
        self.touched = False

    @property
    def is_running(self) -> bool:
        return self._browser is not None and self._browser.is_alive

    async def started(self) -> LiveBrowser:
        """The running browser, started when there is none; one that was lost comes back. Raises BrowserError."""
        async with self._starting:
            browser = self._browser or self._made()
            if not browser.is_alive:
                try:
                    await browser.start()
                    if self._show_frame is not None:
                        await browser.show(self._show_frame, self._pass_on)
                except BaseException:
                    await self._end_pump()
                    self._browser = None
                    await browser.close()
                    raise
                self._browser = browser
            if self._pump is None or self._pump.done():
                self._pump = asyncio.create_task(self._send_inputs(browser))
            return browser

    def _made(self) -> LiveBrowser:
        browser = self._make_browser()
        if self._folder:
            browser.keep_files_in(self._folder)
        if self._gatekeeper is not None:
            browser.hold_for(self._gatekeeper)
        return browser

    def hold_for(self, gatekeeper: Gatekeeper) -> None:
        """Who is asked about what leaves from now on, also by a browser that is started later."""
        self._gatekeeper = gatekeeper
        if self._browser is not None:
            self._browser.hold_for(gatekeeper)

    def keep_files_in(self, folder: str) -> None:
        """Where files from pages are saved from now on, also by a browser that is started later."""
        self._folder = folder
        if self._browser is not None and folder:
            self._browser.keep_files_in(folder)

    async def close(self) -> None:
        await self._end_pump()
        if self._browser is not None:
            await self._browser.close()
            self._browser = None

    async def _end_pump(self) -> None:
        if self._pump is not None:
            self._pump.cancel()
            await asyncio.wait([self._pump])
            self._pump = None

    async def give_to(self, driver: Driver) -> None:
        """Change hands; what the person still holds down is let go."""
        if self.driver == "person" and driver != "person":
            await self._finish_inputs()
            if self._browser is not None:
                await self._browser.release_input()
        if driver == "person":
            self.touched = True
        self.driver = driver

    def take(self, item: PersonInput) -> None:
        """Input of the person; dropped unless they drive, and when the page does not keep up."""
        if self.driver != "person" or self._browser is None:
            return
        if not self._inputs.full():
            self._inputs.put_nowait(item)

    async def do(self, command: PersonCommand) -> None:
        """What the person does with the bars around the page."""
        browser = await self.started()
        self.touched = True
        outcome = await browser.perform(_act_of(command))
        if outcome.status == "failed" and outcome.reason:
            where = f"{command.url}: " if isinstance(command, OpenAddress) else ""
            way_on = "Choose another one." if isinstance(command, GiveFiles) else "Try again, or open another address."
            raise BrowserError(where + outcome.reason, fault="lost", next_step=way_on)

    async def copy(self, *, cut: bool) -> None:
        """After what was typed before it, so that select-all and copy in one breath copy everything."""
        if self._browser is not None:
            await self._inputs_sent()
            self._show(SelectionCopied(await self._browser.copy_selection(cut=cut)))

    async def resize(self, width: int, height: int) -> None:
        if self._browser is not None:
            await self._browser.resize(width, height)

    def _pass_on(self, event: PassingEvent) -> None:
        """A saved file goes on record first, which shows it."""
        if isinstance(event, FileSaved):
            self._on_file(event.download)
        else:
            self._show(event)

    async def _send_inputs(self, browser: LiveBrowser) -> None:
        while True:
            item = await self._inputs.get()
            try:
                await browser.send(item)
            except BrowserError as error:
                self._show(ErrorShown(error.what, error.lost, error.next_step))
                return
            finally:
                self._inputs.task_done()

    async def _inputs_sent(self) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._inputs.join(), LAST_INPUTS_S)

    async def _finish_inputs(self) -> None:
        """What the person did before they let go still reaches the page, unless the page does not keep up."""
        await self._inputs_sent()
        while not self._inputs.empty():
            self._inputs.get_nowait()
            self._inputs.task_done()


def _act_of(command: PersonCommand) -> PageAct:
    match command:
        case OpenAddress(url):
            return Navigate(url)
        case GoInHistory(steps):
            return GoBack() if steps < 0 else GoForward() if steps > 0 else Reload()
        case ChooseTab(tab):
            return SelectTab(tab)
        case AddTab():
            return OpenTab(by_person=True)
        case RemoveTab(tab):
            return CloseTab(tab, by_person=True)
        case AnswerPageDialog(accept, text):
            return AnswerDialog(accept, text, by_person=True)
        case GiveFiles(paths):
            return ChooseFiles(paths)
