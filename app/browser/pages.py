"""Acts on the page or the tabs as a whole: navigation, keys, points, dialogs, files, size."""

import asyncio
import contextlib
from collections import deque
from dataclasses import replace
from urllib.parse import unquote, urlsplit

from playwright.async_api import Error, Page, Response

from app.browser.arrivals import MOST_TRIES, Patience, arrival_note
from app.browser.dragging import drag_points, end_stopped_drag
from app.browser.gate import kept_to
from app.browser.inputs import press, press_point, turn_wheel
from app.browser.lifeline import NO_ANSWER, InterruptedByDialogError, Lifeline
from app.browser.outcomes import DONE, navigation_outcome, never_reached, outcome_of
from app.browser.page_script import ask
from app.browser.probe import Bound
from app.browser.tabs import Place, Tab, Tabs
from app.domain.acts import (
    AnswerDialog,
    ChooseFiles,
    ClickPoint,
    CloseTab,
    DragPoints,
    GoBack,
    GoForward,
    Navigate,
    OpenTab,
    PageAct,
    PressKey,
    Reload,
    Resize,
    SelectTab,
    Wheel,
)
from app.domain.pages import Outcome

NAVIGATION_LIMIT_S = 20.0
INPUT_LIMIT_S = 5.0

_LOADED_LIMIT_S = 8.0
_BUSY_LIMIT_S = 1.0
_CRASHES_KEPT = 20
_RECOVERIES = 2  # a new tab may be given a process that is going down as well
_TRY_AGAIN_S = 0.4
_DIALOG_OPEN = Outcome("failed", "Nothing was sent: a dialog is open.", fault="dialog")
_SENDS_AGAIN = Outcome(
    "failed",
    "Nothing was sent: this page is the answer to a form, and loading it again would send the form again. Open an "
    "address, or go back.",
    fault="unfit",
)


class PageActs:
    """Does each act once; every wait is bounded and ends when a dialog opens or the browser is lost."""

    def __init__(self, tabs: Tabs, lifeline: Lifeline, time_scale: float) -> None:
        self._tabs = tabs
        self._lifeline = lifeline
        self._navigation_limit_s = NAVIGATION_LIMIT_S * time_scale
        self._loaded_limit_s = _LOADED_LIMIT_S * time_scale
        self._patience = Patience()
        self._crashed_before: deque[str] = deque(maxlen=_CRASHES_KEPT)
        self._input_limit_s = max(INPUT_LIMIT_S * time_scale, 1.0)

    async def perform(self, act: PageAct, bound: Bound | None = None) -> Outcome:
        """Input that goes to a place goes to `bound` alone, when that is given."""
        match act:
            case OpenTab():
                return await self._open(act)
            case SelectTab():
                return await self._select(act)
            case CloseTab():
                return await self._close(act)
            case Navigate() | GoBack() | GoForward() | Reload():
                return await self._navigate(await self._tabs.active(), act)
            case _:
                return await self._send(await self._tabs.active(), act, bound)

    async def _open(self, act: OpenTab) -> Outcome:
        try:
            opened = self._tabs.open("person" if act.by_person else "agent")
            tab = await self._lifeline.run(opened, limit_s=self._navigation_limit_s)
        except (Error, TimeoutError):
            return Outcome("failed", "The tab could not be opened.")
        return await self._navigate(tab, Navigate(act.url)) if act.url else DONE

    async def _select(self, act: SelectTab) -> Outcome:
        tab = self._tabs.get(act.tab)
        if tab is None:
            return Outcome("failed", f"There is no tab {act.tab}.", fault="not_found")
        self._tabs.select(tab.id)
        try:
            await self._lifeline.run(tab.page.bring_to_front(), limit_s=self._input_limit_s, unless=tab.dialogs.is_open)
        except NO_ANSWER:
            return Outcome("done", "The tab is selected; it does not answer at the moment.")
        return DONE

    async def _close(self, act: CloseTab) -> Outcome:
        tab = self._tabs.get(act.tab)
        if tab is None:
            return Outcome("failed", f"There is no tab {act.tab}.", fault="not_found")
        if tab.opened_by == "person" and not act.by_person:
            return Outcome("failed", f"Tab {act.tab}: the person opened it, so only they close it.", fault="unfit")
        may_ask = not tab.crashed and not tab.dialogs.is_endless
        if may_ask and tab.dialogs.is_open.is_set():
            return _DIALOG_OPEN
        try:
            await self._lifeline.run(
                _leave(tab) if may_ask else _shut(tab),
                limit_s=self._input_limit_s,
                unless=tab.dialogs.is_open if may_ask else None,
            )
        except InterruptedByDialogError:
            return self._held_by_dialog(tab)
        except (Error, TimeoutError):
            return Outcome("uncertain", "The tab does not close.")
        return DONE

    async def _navigate(self, tab: Tab, act: Navigate | GoBack | GoForward | Reload) -> Outcome:
        if tab.dialogs.is_open.is_set() and not (tab.dialogs.is_endless and isinstance(act, Navigate)):
            return _DIALOG_OPEN
        if tab.crashed or tab.dialogs.is_endless:
            act = act if isinstance(act, Navigate) else Navigate(tab.page.url)
            tab = await self._replaced(tab)
        if isinstance(act, Reload) and tab.place.answers_form:
            return _SENDS_AGAIN
        url = act.url if isinstance(act, Navigate) else tab.page.url
        if left_s := self._patience.left_s(url):
            reason = (
                f"Nothing was sent: it asked {MOST_TRIES} times to wait, {left_s} s more. Wait, or tell the person."
            )
            return Outcome("failed", reason, fault="network")
        try:
            await self._free(tab)
            return await self._lifeline.run(
                self._gone_to(tab, act), limit_s=self._navigation_limit_s + 2, unless=tab.dialogs.is_open
            )
        except InterruptedByDialogError:
            return self._held_by_dialog(tab)
        except TimeoutError:
            reason = f"The page did not answer within {self._navigation_limit_s:g} seconds."
            return Outcome("uncertain", reason, fault="timeout")
        except Error as exc:
            outcome = navigation_outcome(exc, self._navigation_limit_s)
            return replace(outcome, http_status=tab.traffic.http_status if outcome.status == "failed" else None)

    async def _gone_to(self, tab: Tab, act: Navigate | GoBack | GoForward | Reload) -> Outcome:
        """Tried once more only when the first try cannot have reached the site."""
        try:
            return await self._go(tab, act)
        except Error as exc:
            if not isinstance(act, Navigate) or not never_reached(exc):
                raise
        await asyncio.sleep(_TRY_AGAIN_S)
        return await self._go(tab, act)

    async def _free(self, tab: Tab) -> None:
        """A script that blocks the page would keep it from being left."""
        try:
            await ask(tab.page.main_frame, "quiet", limit_ms=_BUSY_LIMIT_S * 1000)
        except Error:
            with contextlib.suppress(Error, TimeoutError):
                await self._lifeline.run(tab.stop_scripts(), limit_s=_BUSY_LIMIT_S, unless=tab.dialogs.is_open)

    async def return_to(self, place: Place) -> None:
        """Open an address again, if that sends nothing; what became of it the next look tells."""
        if place.answers_form:
            self._tabs.notices.tell(f"{place.url} was the answer to a form and is not opened again by itself")
        elif place.url.startswith(("http://", "https://")):
            await self._navigate(await self._tabs.active(), Navigate(place.url))

    async def recover(self) -> None:
        """When the page of the active tab has crashed, load it again in a new tab, once."""
        tab = self._tabs.active_now()
        if tab is None or not tab.crashed or tab.place.url in self._crashed_before:
            return
        place = tab.place
        self._crashed_before.append(place.url)
        for _ in range(_RECOVERIES):
            try:
                await self._replaced(tab)
            except (Error, TimeoutError):
                return
            await self.return_to(place)
            tab = await self._tabs.active()
            if not tab.crashed:
                break
        self._tabs.notices.tell("the page crashed and was opened anew; what was typed and not sent is lost")

    async def _replaced(self, tab: Tab) -> Tab:
        """A page that crashed, or asks for ever, is not got out of: a new tab stands in the place of its own."""
        tab.is_replaced = True
        fresh = await self._lifeline.run(self._tabs.open(), limit_s=self._navigation_limit_s)
        fresh.opened_by, fresh.opener = tab.opened_by, tab.opener
        await self._lifeline.run(_shut(tab), limit_s=self._input_limit_s)
        return fresh

    async def _go(self, tab: Tab, act: Navigate | GoBack | GoForward | Reload) -> Outcome:
        page, limit_ms = tab.page, self._navigation_limit_s * 1000
        response: Response | None
        match act:
            case Navigate():
                self._tabs.secrets.update(_secrets_of(act.url))
                response = await page.goto(act.url, wait_until="commit", timeout=limit_ms)
            case Reload():
                await tab.ask_past_worker(past=tab.traffic.from_worker)
                try:
                    response = await page.reload(wait_until="commit", timeout=limit_ms)
                finally:
                    await tab.ask_past_worker(past=False)
            case GoBack() | GoForward():
                before, after = await tab.history()
                is_back = isinstance(act, GoBack)
                if not (before if is_back else after):
                    reason = f"There is no {'earlier' if is_back else 'later'} page to go to."
                    return Outcome("failed", reason, fault="not_found")
                go = page.go_back if is_back else page.go_forward
                response = await go(wait_until="commit", timeout=limit_ms)
        await self._wait_until_loaded(page)
        self._patience.note(act.url if isinstance(act, Navigate) else page.url, response)
        status = response.status if response else tab.traffic.http_status
        return Outcome("done", await arrival_note(page, response), http_status=status)

    async def _wait_until_loaded(self, page: Page) -> None:
        """A page that keeps loading is told by settle, not by a failed navigation."""
        try:
            await page.wait_for_load_state("domcontentloaded", timeout=self._loaded_limit_s * 1000)
        except Error:
            return

    def _held_by_dialog(self, tab: Tab) -> Outcome:
        dialog = tab.dialogs.current
        if dialog is not None and dialog.kind == "beforeunload":
            return Outcome("uncertain", "The page asks whether to leave it; answer the dialog first.", fault="dialog")
        return Outcome("done", "A dialog opened while the page was loading.")

    async def _send(self, tab: Tab, act: PageAct, bound: Bound | None) -> Outcome:
        unless = None if isinstance(act, AnswerDialog) else tab.dialogs.is_open
        if unless is not None and unless.is_set() and not isinstance(act, Resize):
            return _DIALOG_OPEN
        try:
            return await self._lifeline.run(self._input(tab, act, bound), limit_s=self._input_limit_s, unless=unless)
        except InterruptedByDialogError:
            return DONE
        except TimeoutError:
            return Outcome("uncertain", "The page did not come back in time.", fault="timeout")
        except Error as exc:
            return outcome_of(exc)

    async def _input(self, tab: Tab, act: PageAct, bound: Bound | None) -> Outcome:
        page = tab.page
        if not isinstance(act, AnswerDialog):
            await end_stopped_drag(tab)
        match act:
            case PressKey():
                return await kept_to(bound, press(page, act.key))
            case ClickPoint():
                return await kept_to(bound, press_point(page, act))
            case DragPoints():
                return await drag_points(tab, act, bound)
            case Wheel():
                return await turn_wheel(page, act)
            case Resize():
                await page.set_viewport_size({"width": act.width, "height": act.height})
            case AnswerDialog():
                if tab.dialogs.current is None:
                    return Outcome("failed", "The dialog is not open.", fault="not_found")
                await tab.dialogs.answer(act.accept, act.text, by_person=act.by_person)
            case ChooseFiles():
                return await tab.chooser.answer(act.paths, act.asker, limit_ms=self._input_limit_s * 1000)
        return DONE


def _secrets_of(url: str) -> set[str]:
    """The password in an address, which is told to nobody."""
    try:
        password = urlsplit(url).password or ""
    except ValueError:
        return set()
    return {password, unquote(password)} - {""}


async def _shut(tab: Tab) -> None:
    """Without asking its page."""
    tab.dialogs.let_go()
    await tab.page.close()


async def _leave(tab: Tab) -> None:
    """Close it as a person would: a page with unsaved input may ask first."""
    if tab.crashed or tab.page.url in ("", "about:blank"):
        await tab.page.close()
        return
    closed = asyncio.Event()
    tab.page.once("close", lambda _: closed.set())
    await tab.page.close(run_before_unload=True)
    if not tab.page.is_closed():
        await closed.wait()
