"""The live panel: pictures and passing events of the active tab out, the person's input in."""

import asyncio
import contextlib
import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass

from playwright.async_api import ElementHandle, Error
from playwright.async_api import Frame as DriverFrame

from app.browser.lifeline import NO_ANSWER, Lifeline, give_up
from app.browser.page_script import Answer, ask, descend, held
from app.browser.person import PersonHands
from app.browser.screencast import Screencast
from app.browser.tabs import Tab, Tabs
from app.domain.acts import (
    CompositionInput,
    KeyInput,
    MouseInput,
    PersonInput,
    SelectInput,
    TextInput,
    WheelInput,
)
from app.domain.errors import BrowserError
from app.domain.pages import Frame
from app.domain.passing import CursorChanged, PanelChanged, PassingEvent, SelectOpened

_LOOKUP_LIMIT_S = 0.6
_CURSOR_EVERY_S = 0.1
_CALL_LIMIT_S = 3.0

FrameSink = Callable[[Frame], None]
EventSink = Callable[[PassingEvent], None]


@dataclass(frozen=True, slots=True)
class _Select:
    token: int
    handle: ElementHandle


class LivePanel:
    """Follows the active tab while it is shown."""

    def __init__(self, tabs: Tabs, lifeline: Lifeline) -> None:
        self._tabs = tabs
        self._lifeline = lifeline
        self._hands = PersonHands(lifeline)
        self._cast: Screencast | None = None
        self._on_event: EventSink | None = None
        self._changed = asyncio.Event()
        self._follower: asyncio.Task[None] | None = None
        self._tokens = itertools.count(1)
        self._select: _Select | None = None
        self._swallow_release = False
        self._order = asyncio.Lock()  # input reaches the page in the order it came, also when a lookup is slow
        self._cursor = ""
        self._cursor_asked_at = 0.0
        self._size: tuple[int, int] | None = None
        tabs.on_change = self._changed.set

    async def show(self, on_frame: FrameSink, on_event: EventSink) -> None:
        await self.hide()
        self._on_event = on_event
        self._tabs.on_event = on_event
        self._cast = Screencast(self._lifeline, on_frame)
        self._changed.set()
        self._follower = asyncio.create_task(self._follow(), name="panel")

    async def hide(self) -> None:
        follower, cast = self._follower, self._cast
        self._follower = self._cast = self._on_event = None
        self._tabs.on_event = _nobody
        if follower is not None:
            await give_up(follower)
        if cast is not None:
            await cast.stop()

    def refresh(self) -> None:
        """Something around the page is different."""
        self._changed.set()

    async def send(self, item: PersonInput) -> None:
        async with self._order:
            try:
                await self._send(item)
            except (Error, TimeoutError):
                return

    async def copy_selection(self, *, cut: bool) -> str:
        tab = self._tabs.active_now()
        if tab is None or tab.dialogs.is_open.is_set():
            return ""
        for frame in tab.page.frames:
            answer = await self._ask(tab, frame, "selection")
            if answer.get("text"):
                if cut:
                    await self.send(KeyInput("down", "Delete", "Delete", key_code=46))
                    await self.send(KeyInput("up", "Delete", "Delete", key_code=46))
                return str(answer["text"])
        return ""

    async def resize(self, width: int, height: int) -> None:
        if width < 1 or height < 1:
            return
        self._size = (width, height)
        tab = self._tabs.active_now()
        if tab is not None:
            await self._fit(tab, self._size)

    async def _fit(self, tab: Tab, size: tuple[int, int]) -> None:
        with contextlib.suppress(*NO_ANSWER):
            fitting = tab.page.set_viewport_size({"width": size[0], "height": size[1]})
            await self._lifeline.run(fitting, limit_s=_CALL_LIMIT_S, unless=tab.dialogs.is_open)

    async def release_input(self) -> None:
        async with self._order:
            await self._hands.release()
            self._select = None
            self._swallow_release = False

    async def _send(self, item: PersonInput) -> None:
        tab = self._tabs.active_now()
        if tab is None or tab.crashed:
            return
        await self._hands.use(tab)
        match item:
            case MouseInput():
                await self._mouse(tab, item)
            case WheelInput():
                await self._hands.wheel(item)
            case KeyInput():
                await self._hands.key(item)
            case TextInput():
                await self._hands.text(item)
            case CompositionInput():
                await self._hands.compose(item)
            case SelectInput():
                await self._choose(item)

    async def _mouse(self, tab: Tab, item: MouseInput) -> None:
        if item.kind == "press" and item.button == "left" and await self._opens_select(tab, item):
            self._swallow_release = True
            return
        if item.kind == "release" and item.button == "left" and self._swallow_release:
            self._swallow_release = False
            return
        await self._hands.mouse(item)
        if item.kind == "move" and not item.buttons:
            await self._tell_cursor(tab, item)

    async def _opens_select(self, tab: Tab, item: MouseInput) -> bool:
        """A page's own list would open where no picture shows it: the window shows it instead."""
        found = await self._lookup(tab, item.x, item.y)
        if found is None or found[1].get("kind") != "select":
            return False
        frame, answer, left, top = found
        token = int(answer["token"])
        try:
            self._select = _Select(token, await held(frame, token, limit_ms=_LOOKUP_LIMIT_S * 1000))
        except Error:
            return False
        options = tuple((str(label), bool(disabled)) for label, disabled in answer["options"])
        x, y, width, height = answer["box"]
        self._tell(SelectOpened(token, options, int(answer["selected"]), left + x, top + y, width, height))
        return True

    async def _choose(self, item: SelectInput) -> None:
        select, self._select = self._select, None
        if select is None or select.token != item.token or item.index < 0:
            return
        choice = select.handle.select_option(index=item.index, timeout=_CALL_LIMIT_S * 1000)
        await self._lifeline.run(choice, limit_s=_CALL_LIMIT_S)

    async def _tell_cursor(self, tab: Tab, item: MouseInput) -> None:
        now = time.monotonic()
        if now - self._cursor_asked_at < _CURSOR_EVERY_S:
            return
        self._cursor_asked_at = now
        found = await self._lookup(tab, item.x, item.y)
        cursor = str(found[1].get("cursor", "default")) if found else "default"
        if cursor != self._cursor:
            self._cursor = cursor
            self._tell(CursorChanged(cursor))

    async def _lookup(self, tab: Tab, x: float, y: float) -> tuple[DriverFrame, Answer, float, float] | None:
        """What lies under a point, through the frames, with the frame's place in the page."""
        if tab.dialogs.is_open.is_set():
            return None
        token = -next(self._tokens)
        try:
            work = descend(tab.page.main_frame, "point", token, x, y, limit_ms=_LOOKUP_LIMIT_S * 1000)
            return await self._lifeline.run(work, limit_s=_LOOKUP_LIMIT_S, unless=tab.dialogs.is_open)
        except NO_ANSWER:
            return None

    async def _ask(self, tab: Tab, frame: DriverFrame, question: str, *words: object) -> Answer:
        if tab.dialogs.is_open.is_set() or frame.is_detached():
            return {}
        try:
            work = ask(frame, question, *words, limit_ms=_LOOKUP_LIMIT_S * 1000)
            return await self._lifeline.run(work, limit_s=_LOOKUP_LIMIT_S, unless=tab.dialogs.is_open)
        except NO_ANSWER:
            return {}

    async def _follow(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            try:
                await self._catch_up()
            except (Error, TimeoutError, BrowserError):
                await asyncio.sleep(_CURSOR_EVERY_S)
                self._changed.set()

    async def _catch_up(self) -> None:
        tab = self._tabs.active_now()
        if tab is not None and self._cast is not None and self._cast.tab is not tab and not tab.crashed:
            if self._size is not None:
                await self._fit(tab, self._size)
            await self._cast.start(tab)
        await self._tabs.read_titles()
        back, forward = await self._history(tab)
        dialog = tab.dialogs.current if tab is not None else None
        wanted = tab.chooser.wanted if tab is not None else None
        self._tell(PanelChanged(self._tabs.infos(), dialog, back, forward, wanted, self._tabs.downloads.arriving))

    async def _history(self, tab: Tab | None) -> tuple[bool, bool]:
        if tab is None or tab.crashed or tab.dialogs.is_open.is_set():
            return False, False
        before, after = await self._lifeline.run(tab.history(), limit_s=_CALL_LIMIT_S)
        return before > 0, after > 0

    def _tell(self, event: PassingEvent) -> None:
        if self._on_event is not None:
            self._on_event(event)


def _nobody(_event: PassingEvent) -> None:
    return None
