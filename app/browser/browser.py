"""The live browser: one object that the agent and the panel hold, made of the modules beside it."""

import asyncio
import contextlib
import itertools
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Literal

from playwright.async_api import Error

from app.agent.ports import Gatekeeper
from app.browser import actions, dragging, gate, picture, settle, snapshot
from app.browser.driver import AheadOfTime
from app.browser.hiding import hide_in_console, hide_in_entries, hide_in_happenings
from app.browser.hits import spot_at
from app.browser.launcher import incoming, launch
from app.browser.lifeline import InterruptedByDialogError, InterruptedByHoldError, lost_error
from app.browser.options import BrowserOptions
from app.browser.outcomes import DONE, outcome_of
from app.browser.page_script import Answer
from app.browser.papers import READ_LIMIT_S, read_paper
from app.browser.probe import Bound, probe, probe_at
from app.browser.reactions import acted_in, acted_on
from app.browser.running_browser import RunningBrowser
from app.browser.tabs import Tab
from app.domain.acts import ClickPoint, DragPoints, DropAt, PageAct, PersonInput, PressKey, ScrollBy, TargetAct, Type
from app.domain.files import Paper
from app.domain.ids import DocumentId
from app.domain.pages import (
    ConsoleLine,
    Frame,
    Happenings,
    Located,
    Look,
    NetworkEntry,
    NodeAddress,
    Outcome,
    Picture,
    Prepared,
    Probe,
    Spot,
)
from app.domain.passing import PassingEvent, TargetOutlined

PREPARE_LIMIT_S = 4.0

_HANDLES_KEPT = 40
_FILES_LIMIT_S = 2.0  # a file that comes at once is told of whole
_WAIT_POLL_S = 0.1
_PERSON_ANSWERS_S = 3.0  # so long a wait goes on while a dialog is open
_PER_CHARACTER_S = 0.06


class PlaywrightBrowser:
    """Implements the ports Browser and Panel. Everything runs in the loop that called `start`."""

    def __init__(self, options: BrowserOptions, ahead: AheadOfTime | None = None) -> None:
        """`ahead` may hold a driver that was loaded before."""
        self._options = options
        self._ahead = ahead or AheadOfTime()
        self._tokens = itertools.count(1)
        self._bound: OrderedDict[int, Bound] = OrderedDict()
        self._running: RunningBrowser | None = None
        self._starting = asyncio.Lock()  # protects against two starts at once
        self._shown: tuple[Callable[[Frame], None], Callable[[PassingEvent], None]] | None = None
        self._folder = options.downloads
        self._gatekeeper: Gatekeeper | None = None

    @property
    def is_alive(self) -> bool:
        """Whether it was started and neither the browser nor its driver was lost since."""
        return self._running is not None and not self._running.lifeline.lost.is_set()

    async def start(self) -> None:
        """One that was lost comes back with the same profile, shown as before, at the address it was at."""
        async with self._starting:
            if self.is_alive:
                return
            place = self._running.tabs.place() if self._running is not None else None
            await self._end()
            running = self._running = RunningBrowser(
                await launch(self._options, self._ahead), self._options, lambda: self._gatekeeper
            )
            await running.hold_requests()
            await running.follow_downloads(self._folder, incoming(self._options))
            if self._shown is not None:
                await running.panel.show(*self._shown)
            if place is not None:
                await running.acts.return_to(place)

    async def close(self) -> None:
        self._shown = None
        await self._end()

    async def _end(self) -> None:
        running, self._running = self._running, None
        self._bound.clear()
        if running is not None:
            await running.close()

    def hold_for(self, gatekeeper: Gatekeeper | None) -> None:
        self._gatekeeper = gatekeeper

    def keep_files_in(self, folder: str) -> None:
        """Where files are saved from now on; the folder is made when the first one comes."""
        self._folder = Path(folder)
        if self._running is not None:
            self._running.downloads.folder = self._folder

    async def read_paper(self, path: str, first: int = 1) -> Paper:
        return await read_paper(path, first, limit_s=max(READ_LIMIT_S * self._options.time_scale, 5.0))

    async def look(self, near: tuple[str, ...] = ()) -> Look:
        running = self._alive()
        await running.acts.recover()
        tab = await self._active()
        await running.tabs.read_titles(but=tab)
        deadline_s = max(snapshot.DEADLINE_S * self._options.time_scale, 2.0)
        look = await snapshot.look(tab, running.lifeline, running.tabs.infos, deadline_s=deadline_s, near=near)
        return await running.papers.filled(tab, look)

    async def text(self) -> str:
        return await snapshot.visible_text(await self._active(), self._alive().lifeline)

    async def picture(
        self,
        target: Prepared | None = None,
        *,
        full_page: bool = False,
        kind: Literal["png", "jpeg"] = "png",
        sharp: bool = False,
        drawings: bool = False,
    ) -> Picture:
        tab = await self._active()
        handle = self._bound[target.token].handle if target is not None and target.token in self._bound else None
        shot = picture.Shot(handle, full_page, kind, sharp, drawings)
        return await picture.take(tab, self._alive().lifeline, shot)

    async def locate(self, taken: Picture, x: float, y: float) -> Located:
        return await picture.locate(await self._active(), self._alive().lifeline, taken, x, y)

    async def spot(self, x: float, y: float) -> Spot:
        tab = await self._active()
        if tab.dialogs.is_open.is_set():
            return Spot("unresponsive")
        try:
            work = spot_at(tab, next(self._tokens), x, y)
            return await self._alive().lifeline.run(work, limit_s=PREPARE_LIMIT_S, unless=tab.dialogs.is_open)
        except (InterruptedByDialogError, TimeoutError):
            return Spot("unresponsive")

    async def prepare(self, address: NodeAddress) -> Prepared:
        running = self._alive()
        tab = running.tabs.get(address.tab)
        if tab is None:
            return Prepared(next(self._tokens), address, Probe("gone"))
        if running.tabs.active_now() is not tab:
            return Prepared(next(self._tokens), address, Probe("other_tab"))

        async def read(token: int) -> tuple[Probe, Bound | None, NodeAddress]:
            return *(await probe(tab, address, token)), address

        return await self._prepare(tab, address, read)

    async def prepare_focus(self) -> Prepared:
        tab = await self._active()
        return await self._prepare(tab, _nowhere(tab), lambda token: probe_at(tab, "focus", token))

    async def prepare_point(self, x: float, y: float) -> Prepared:
        tab = await self._active()
        return await self._prepare(tab, _nowhere(tab), lambda token: probe_at(tab, "under", token, x, y))

    async def outline(self, target: Prepared, label: str) -> None:
        box = target.probe.box
        if box is not None:
            event = TargetOutlined(target.address.tab, box.x, box.y, box.width, box.height, label)
            self._alive().tabs.tell(event)

    async def dispatch(self, target: Prepared, act: TargetAct) -> Outcome:
        self._alive()
        bound = self._bound.pop(target.token, None)
        if bound is None:
            return Outcome("failed", "Nothing was sent: this target was already used or never found.", fault="stale")
        limit_s = self._act_limit_s()
        extra_s = len(act.text) * _PER_CHARACTER_S if isinstance(act, Type) and act.slowly else 0.0

        async def work(aim: Answer) -> Outcome:
            return await actions.act_on(bound, act, aim, limit_s * 1000)

        going = work({}) if isinstance(act, ScrollBy) else gate.guarded(bound, act, work)
        began, url = time.monotonic(), bound.tab.page.url
        bound.tab.traffic.acted_at = began
        with self._alive().tabs.acting():
            outcome = await self._act(bound.tab, going, limit_s * 2 + extra_s, lambda: gate.interrupted(bound, act))
        bound.tab.acted = acted_on(url, target, act, began) if outcome.status != "failed" else None
        return outcome

    async def drag(self, start: Prepared, end: Prepared, at: DropAt = "on") -> Outcome:
        self._alive()
        first, second = self._bound.pop(start.token, None), self._bound.pop(end.token, None)
        if first is None or second is None:
            return Outcome("failed", "Nothing was sent: a target was already used or never found.", fault="stale")
        limit_s = self._act_limit_s()
        return await self._act(first.tab, dragging.drag(first, second, at, limit_s * 1000), limit_s * 3)

    async def perform(self, act: PageAct) -> Outcome:
        running = self._alive()
        tab, began = running.tabs.active_now(), time.monotonic()
        if tab is not None:
            tab.traffic.acted_at = began
        bound = self._bound.pop(act.token, None) if isinstance(act, PressKey | ClickPoint | DragPoints) else None
        with running.tabs.acting():
            outcome = await running.acts.perform(act, bound)
        if tab is not None and outcome.status != "failed":
            tab.acted = acted_in(tab.page.url, act, began)
        return outcome

    async def asks_for_files(self) -> str:
        tab = await self._active()
        return await self._alive().lifeline.run(tab.chooser.asker(), limit_s=PREPARE_LIMIT_S)

    async def settle(self) -> bool:
        running = self._alive()
        with running.tabs.acting():
            await running.acts.recover()
            quiet = await settle.settle(running.tabs, running.lifeline, settle.Limits(self._options.time_scale))
        await running.downloads.finish(max(_FILES_LIMIT_S * self._options.time_scale, 0.5))
        return quiet

    async def wait_for(self, *, text: str = "", gone: str = "", time_ms: int = 0) -> bool:
        loop = asyncio.get_running_loop()
        until = loop.time() + (time_ms or 30_000) / 1000
        while text or gone:
            if await self._is_held_by_dialog():
                return False
            shown = await self.text()
            if (not text or text in shown) and (not gone or gone not in shown):
                return True
            if loop.time() > until:
                return False
            await self._pause(_WAIT_POLL_S)
        await self._pause(time_ms / 1000)
        return True

    async def _is_held_by_dialog(self) -> bool:
        """Whether a dialog is open that the person does not answer either."""
        tab = await self._active()
        until = asyncio.get_running_loop().time() + _PERSON_ANSWERS_S
        while tab.dialogs.is_open.is_set():
            if asyncio.get_running_loop().time() > until:
                return True
            await self._pause(_WAIT_POLL_S)
        return False

    def happenings(self) -> Happenings:
        running = self._alive()
        running.downloads.refresh()
        tab = running.tabs.active_now()
        is_open = tab is not None and tab.chooser.is_open
        happened = running.notices.take(running.tabs.infos(), file_chooser_open=is_open)
        return hide_in_happenings(happened, running.tabs.secrets)

    def console(self) -> tuple[ConsoleLine, ...]:
        tab = self._alive().tabs.active_now()
        return hide_in_console(tab.console.lines(), tab.secrets) if tab else ()

    def network(self) -> tuple[NetworkEntry, ...]:
        tab = self._alive().tabs.active_now()
        return hide_in_entries(tab.traffic.entries(), tab.secrets) if tab else ()

    async def show(self, on_frame: Callable[[Frame], None], on_event: Callable[[PassingEvent], None]) -> None:
        self._shown = (on_frame, on_event)
        await self._alive().panel.show(on_frame, on_event)

    async def hide(self) -> None:
        self._shown = None
        if self._running is not None:
            await self._running.panel.hide()

    async def send(self, item: PersonInput) -> None:
        await self._alive().panel.send(item)

    async def copy_selection(self, *, cut: bool) -> str:
        return await self._alive().panel.copy_selection(cut=cut)

    async def resize(self, width: int, height: int) -> None:
        await self._alive().panel.resize(width, height)

    async def release_input(self) -> None:
        if self._running is not None:
            await self._running.panel.release_input()

    def _alive(self) -> RunningBrowser:
        if self._running is None:
            raise lost_error()
        self._running.lifeline.check()
        return self._running

    async def _active(self) -> Tab:
        running = self._alive()
        try:
            return await running.lifeline.run(running.tabs.active(), limit_s=10)
        except Error as exc:  # no tab is left and none can be opened: its window is being closed
            running.lifeline.lost.set()
            raise lost_error() from exc

    async def _prepare(
        self,
        tab: Tab,
        address: NodeAddress,
        read: Callable[[int], Coroutine[Any, Any, tuple[Probe, Bound | None, NodeAddress]]],
    ) -> Prepared:
        token = next(self._tokens)
        if tab.dialogs.is_open.is_set():
            return Prepared(token, address, Probe("dialog_open"))
        try:
            probed, bound, where = await self._alive().lifeline.run(
                read(token), limit_s=PREPARE_LIMIT_S, unless=tab.dialogs.is_open
            )
        except InterruptedByDialogError:
            return Prepared(token, address, Probe("dialog_open"))
        except (TimeoutError, Error):
            return Prepared(token, address, Probe("unresponsive"))
        if bound is not None:
            self._keep(bound)
        return Prepared(token, where, probed)

    async def _act(
        self,
        tab: Tab,
        work: Coroutine[Any, Any, Outcome],
        limit_s: float,
        interrupted: Callable[[], Outcome] = lambda: DONE,
    ) -> Outcome:
        if tab.dialogs.is_open.is_set():
            work.close()
            return Outcome("failed", "Nothing was sent: a dialog is open.", fault="dialog")
        try:
            running = self._alive()
            waiting = running.hold.is_waiting
            held = None if waiting.is_set() else waiting  # what waits already is of another act
            return await running.lifeline.run(work, limit_s=limit_s, unless=tab.dialogs.is_open, held=held)
        except InterruptedByDialogError:
            return interrupted()
        except InterruptedByHoldError:
            return DONE
        except TimeoutError:
            return Outcome("uncertain", "The page did not come back in time.", fault="timeout")
        except Error as exc:
            return outcome_of(exc)

    def _act_limit_s(self) -> float:
        return max(actions.LIMIT_MS / 1000 * self._options.time_scale, 1.0)

    def _keep(self, bound: Bound) -> None:
        self._bound[bound.token] = bound
        while len(self._bound) > _HANDLES_KEPT:
            self._bound.popitem(last=False)

    async def _pause(self, seconds: float) -> None:
        """Wait, but not for a browser that is gone."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._alive().lifeline.lost.wait(), seconds)
        self._alive()


def _nowhere(tab: Tab) -> NodeAddress:
    return NodeAddress(tab.id, "", DocumentId(""), "")
