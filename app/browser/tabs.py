"""The tabs of the browser, each with our own id and with everything that was noticed about it."""

import asyncio
import contextlib
import itertools
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from playwright.async_api import BrowserContext, CDPSession, Error, Frame, Page

from app.browser.console import Console
from app.browser.dialogs import Dialogs
from app.browser.downloads import Downloads
from app.browser.files import Chooser
from app.browser.hiding import hide_in_tabs
from app.browser.listeners import Listeners
from app.browser.network import Traffic
from app.browser.notices import Notices
from app.browser.page_script import ask
from app.browser.reactions import Acted
from app.domain.ids import DocumentId, TabId
from app.domain.pages import Dialog, TabInfo
from app.domain.passing import PassingEvent

FRONT_LIMIT_S = 2.0

_TITLE_LIMIT_S = 0.5
_FRAMES_ASKED = 10
_SECRETS_MS = 400
_AT_ONCE_S = 1.0


Opener = Literal["agent", "page", "person"]


@dataclass(frozen=True, slots=True)
class Place:
    """An address to come back to; one that answered a form is not asked for again."""

    url: str
    answers_form: bool


@dataclass(frozen=True, slots=True)
class KnownFrame:
    """A frame of the newest look: its document then, and the driver's ref of its element in the frame around it."""

    frame: Frame
    document: DocumentId
    element_ref: str = ""


class Tab:
    """One tab; handlers run in the engine's loop."""

    def __init__(self, id: TabId, page: Page, tabs: "Tabs") -> None:
        self.id = id
        self.page = page
        self.opened_by: Opener = "page"
        self.opened_at = time.monotonic()
        self.opener: TabId | None = None
        self.is_replaced = False  # it crashed, and another stands in its place
        self.acted: Acted | None = None  # the newest act that this tab has yet to settle after
        self.vain_waits: dict[str, int] = {}  # document -> how often nothing came of what was typed
        self.crashed = False
        self.is_dragging = False
        self.title = ""
        self.settled = True
        self.secrets = tabs.secrets
        self.known_frames: dict[str, KnownFrame] = {}
        self.notices = tabs.notices
        self._prints: dict[str, int] = {}
        self._is_past_worker = False
        self._held: set[asyncio.Task[Any]] = set()
        self.session = asyncio.create_task(self._open_session(), name="tab-session")
        self.session.add_done_callback(_unread)
        self.listeners = Listeners(self.session)
        self.traffic = Traffic(page, tabs.notices)
        self.console = Console(page, tabs.notices)
        self.dialogs = Dialogs(id, page, tabs.secrets, tabs.dialog_changed, tabs.notices.dialog_answered)
        self.chooser = Chooser(page, tabs.tell_change)

    async def history(self) -> tuple[int, int]:
        """How many pages lie before the present one, and how many after it. Raises the driver's Error."""
        answer = await (await asyncio.shield(self.session)).send("Page.getNavigationHistory")
        index = int(answer["currentIndex"])
        return index, len(answer["entries"]) - 1 - index

    async def stop_scripts(self) -> None:
        """End a script that never ends by itself. Raises the driver's Error."""
        await (await asyncio.shield(self.session)).send("Runtime.terminateExecution")

    @property
    def place(self) -> Place:
        return Place(self.page.url, self.traffic.method != "GET")

    async def ask_past_worker(self, *, past: bool) -> None:
        """Whether the site's service worker is passed over. Raises the driver's Error."""
        if past != self._is_past_worker:
            session = await asyncio.shield(self.session)
            await session.send("Network.enable")
            await session.send("Network.setBypassServiceWorker", {"bypass": past})
            self._is_past_worker = past

    def hold(self, work: Coroutine[Any, Any, object]) -> None:
        """Let it run to its end although nobody waits for it."""
        task = asyncio.create_task(work, name="tab-afterwards")
        self._held.add(task)
        task.add_done_callback(self._held.discard)

    def note_prints(self, counts: dict[str, int]) -> None:
        """How often each document has asked to print so far."""
        new = sum(max(count - self._prints.get(document, 0), 0) for document, count in counts.items())
        self._prints.update(counts)
        if new:
            self.notices.asked_to_print(new)

    def info(self, *, active: bool) -> TabInfo:
        return TabInfo(
            self.id,
            self.page.url,
            self.title,
            active,
            opened_by_page=self.opened_by == "page",
            opened_by_person=self.opened_by == "person",
            has_dialog=self.dialogs.is_open.is_set(),
        )

    async def _open_session(self) -> CDPSession:
        session = await self.page.context.new_cdp_session(self.page)
        session.on("Page.javascriptDialogClosed", self._on_dialog_closed)
        await session.send("Page.enable")
        return session

    def _on_dialog_closed(self, event: dict[str, Any]) -> None:
        self.dialogs.closed_outside(bool(event.get("result")))


class Tabs:
    """All open tabs, oldest first; one of them is active while there is any."""

    def __init__(self, context: BrowserContext, notices: Notices, downloads: Downloads) -> None:
        self.notices = notices
        self.downloads = downloads
        self.on_change: Callable[[], None] = lambda: None
        self.on_event: Callable[[PassingEvent], None] = lambda _: None
        self._context = context
        self._ids = itertools.count(1)
        self.secrets: set[str] = set()  # values seen in secret fields, to be hidden wherever they turn up
        self._tabs: dict[TabId, Tab] = {}
        self._fronting: set[asyncio.Future[None]] = set()
        self._opening = 0  # tabs that are being opened by `open`
        self._acting = 0  # acts of the agent under way
        self._left: tuple[float, Place] | None = None  # the active tab that closed last
        self._active: TabId | None = None
        for page in context.pages:
            self._adopt(page).opened_by = "agent"
        context.on("page", self._on_page)
        downloads.follow(context)

    async def read_secrets(self) -> None:
        """Learn what stands in secret fields now: a person may have typed it since the page was read last."""
        tab = self.active_now()
        frames = tab.page.frames[:_FRAMES_ASKED] if tab is not None else []
        asked = (ask(frame, "hidden", limit_ms=_SECRETS_MS) for frame in frames if not frame.is_detached())
        for answer in await asyncio.gather(*asked, return_exceptions=True):
            if isinstance(answer, dict):
                self.secrets.update(answer["secrets"])

    async def active(self) -> Tab:
        """The active tab; a blank one when the last was closed."""
        if self._active is None:
            return await self.open()
        return self._tabs[self._active]

    def active_now(self) -> Tab | None:
        return None if self._active is None else self._tabs[self._active]

    def get(self, id: TabId) -> Tab | None:
        return self._tabs.get(id)

    def place(self) -> Place | None:
        """Where the active tab is, or was before all of them closed at once."""
        tab = self.active_now()
        if tab is not None and (self._left is None or time.monotonic() - self._left[0] > _AT_ONCE_S):
            return tab.place
        return self._left[1] if self._left is not None else None

    def all(self) -> tuple[Tab, ...]:
        return tuple(self._tabs.values())

    async def open(self, by: Opener = "agent") -> Tab:
        """A new blank tab, made active."""
        self._opening += 1
        try:
            page = await self._context.new_page()
        finally:
            self._opening -= 1
        tab = self._of(page) or self._adopt(page)
        tab.opened_by = by
        self._active = tab.id
        self.on_change()
        return tab

    def select(self, id: TabId) -> None:
        self._active = id
        self.on_change()

    @contextlib.contextmanager
    def acting(self) -> Iterator[None]:
        """While the agent acts, a tab that opens comes of it."""
        self._acting += 1
        try:
            yield
        finally:
            self._acting -= 1

    def opened_by_act(self, tab: Tab, acted: Acted) -> tuple[Tab, ...]:
        """The tabs that came of an act in this tab and are still open."""
        return tuple(one for one in self._tabs.values() if one.opener == tab.id and one.opened_at >= acted.began)

    def go_to(self, id: TabId) -> None:
        """Make it active and bring it to the front."""
        self.select(id)
        self._keep_in_front()

    def infos(self) -> tuple[TabInfo, ...]:
        infos = tuple(tab.info(active=tab.id == self._active) for tab in self._tabs.values())
        return hide_in_tabs(infos, self.secrets)

    async def read_titles(self, but: Tab | None = None) -> None:
        """Bring the titles up to date; a frozen tab keeps its old one."""
        await asyncio.gather(*(_read_title(tab) for tab in self._tabs.values() if tab is not but))

    def dialog_changed(self, dialog: Dialog | None) -> None:
        if dialog is not None:
            self.notices.dialog_opened(dialog)
        self.on_change()

    def tell_change(self) -> None:
        self.on_change()

    def tell(self, event: PassingEvent) -> None:
        self.on_event(event)

    def _of(self, page: Page) -> Tab | None:
        return next((tab for tab in self._tabs.values() if tab.page == page), None)

    def _on_page(self, page: Page) -> None:
        if not page.is_closed() and self._of(page) is None:
            tab = self._adopt(page)
            tab.opened_by = self._opener_of(page)
            tab.opener = self._active if tab.opened_by == "page" else None
            self.notices.tab_opened(tab.id)
            self._keep_in_front()
            self.on_change()

    def _opener_of(self, page: Page) -> Opener:
        """Of a tab that nobody of us opened; its page tells right afterwards when it was that page."""
        if self._opening:
            return "agent"
        return "page" if self._acting and not page.url.startswith("chrome://") else "person"

    def _on_popup(self, opener: Tab, page: Page) -> None:
        tab = self._of(page)
        if tab is not None:
            tab.opened_by, tab.opener = "page", opener.id
            self.on_change()

    def _keep_in_front(self) -> None:
        """A popup takes the front, and a tab that lost it paints no more frames."""
        tab = self.active_now()
        if tab is not None:
            task = asyncio.ensure_future(_to_front(tab.page))
            self._fronting.add(task)
            task.add_done_callback(self._fronting.discard)

    def _adopt(self, page: Page) -> Tab:
        tab = Tab(TabId(next(self._ids)), page, self)
        self._tabs[tab.id] = tab
        page.on("close", lambda _: self._on_close(tab))
        page.on("crash", lambda _: self._on_crash(tab))
        page.on("popup", lambda popup: self._on_popup(tab, popup))
        page.on("framenavigated", lambda frame: self.on_change() if frame == page.main_frame else None)
        page.on("domcontentloaded", lambda _: self.on_change())
        if self._active is None:
            self._active = tab.id
        return tab

    def _on_close(self, tab: Tab) -> None:
        if self._tabs.pop(tab.id, None) is None:
            return
        if not tab.is_replaced:
            self.notices.tab_closed(tab.id)
        if self._active == tab.id:
            if self._left is None or time.monotonic() - self._left[0] > _AT_ONCE_S:
                self._left = (time.monotonic(), tab.place)
            self._active = self._next_after(tab)
        self.on_change()

    def _next_after(self, closed: Tab) -> TabId | None:
        """Back to where it came from; a tab of the person is not taken over."""
        if closed.opener in self._tabs:
            return closed.opener
        return next((one.id for one in reversed(self._tabs.values()) if one.opened_by != "person"), None)

    def _on_crash(self, tab: Tab) -> None:
        tab.crashed = True
        tab.traffic.forget_running()
        self.notices.crashed()
        self.on_change()


def _unread(task: "asyncio.Task[CDPSession]") -> None:
    """A tab that closed at once never gets its session; whoever needs it meets the error then."""
    if not task.cancelled():
        task.exception()


async def _read_title(tab: Tab) -> None:
    if tab.dialogs.is_open.is_set() or tab.crashed:
        return
    try:
        tab.title = await asyncio.wait_for(tab.page.title(), _TITLE_LIMIT_S)
    except (Error, TimeoutError):
        return


async def _to_front(page: Page) -> None:
    with contextlib.suppress(Error, TimeoutError):
        await asyncio.wait_for(page.bring_to_front(), FRONT_LIMIT_S)
