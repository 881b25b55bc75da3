"""Waits until a page is quiet, no longer: for what is under way, what moves, and what an act may bring about later."""

import asyncio
import time
from dataclasses import dataclass

from playwright.async_api import Error, Frame

from app.browser.lifeline import InterruptedByDialogError, Lifeline
from app.browser.page_script import Answer, ask
from app.browser.reactions import Acted, may_react
from app.browser.tabs import Tab, Tabs

LIMIT_S = 3.0
QUIET_S = 0.1
LATE_S = 1.05
"""So long the first sign of an effect may take, where the page listens to such acts and nothing at all has changed."""

_LATE_WHEN_VAIN_S = 0.4  # in a document where typing was answered by nothing before
_VAIN_ENOUGH = 2
_LOOKS_BUSY_S = 1.5  # for what only looks busy
_POLL_S = 0.025
_MOST_MOVES = 4  # from tab to tab
_BLANK_ELEMENTS = 3  # html, head and body
_FRAMES_ASKED = 10
_ANSWER_LIMIT_MS = 400
_NOTHING: Answer = {
    "document": "",
    "still": 1e9,
    "effect": 1e9,
    "focus": 1e9,
    "ready": "complete",
    "busy": 0,
    "moving": 0,
    "prints": 0,
}
_LOADING: Answer = {**_NOTHING, "ready": "loading"}


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds; `scale` multiplies all of them."""

    scale: float = 1.0

    @property
    def whole_s(self) -> float:
        return LIMIT_S * self.scale

    @property
    def quiet_s(self) -> float:
        return QUIET_S * self.scale


async def settle(tabs: Tabs, lifeline: Lifeline, limits: Limits) -> bool:
    """Settle the active tab: go along when the page went on in a new tab, and back when a tab closed itself."""
    tab = await lifeline.run(tabs.active(), limit_s=10)
    for _ in range(_MOST_MOVES):
        waiting = _Waiting(tab, limits, time.monotonic())
        try:
            whole = _settle(waiting)
            tab.settled = await lifeline.run(whole, limit_s=limits.whole_s + 2, unless=tab.dialogs.is_open)
            went_on = await lifeline.run(_went_on_in(tabs, waiting), limit_s=limits.whole_s + 2)
        except InterruptedByDialogError:
            tab.settled, went_on = True, None
        except TimeoutError:
            tab.settled, went_on = False, None
        tab.acted = None
        if went_on is not None:
            tabs.go_to(went_on.id)
        elif tabs.active_now() is tab:
            break
        tab = await lifeline.run(tabs.active(), limit_s=10)
    return tab.settled


async def _settle(waiting: "_Waiting") -> bool:
    """True as soon as it is quiet or a dialog holds it; False when it still moves at the limit."""
    tab, limits = waiting.tab, waiting.limits
    await waiting.begin()
    while True:
        if tab.page.is_closed() or tab.crashed or tab.dialogs.is_open.is_set():
            return True
        if await waiting.is_over():
            return True
        if time.monotonic() - waiting.started > limits.whole_s:
            await waiting.give_up()
            return False
        await asyncio.sleep(_POLL_S * min(limits.scale, 1.0))


async def _went_on_in(tabs: Tabs, waiting: "_Waiting") -> Tab | None:
    """The tab in which the page goes on: the only one that the act opened, when nothing else can be seen of the act."""
    tab, acted = waiting.tab, waiting.tab.acted
    opened = tabs.opened_by_act(tab, acted) if acted is not None else ()
    if acted is None or len(opened) != 1 or waiting.changed_at > acted.began or tab.page.url != acted.url:
        return None
    until = time.monotonic() + waiting.limits.whole_s
    while not await _is_filled(opened[0]):
        if time.monotonic() > until or opened[0].page.is_closed():
            return None
        await asyncio.sleep(_POLL_S)
    return opened[0]


async def _is_filled(tab: Tab) -> bool:
    """A new tab is blank until its address answers, or until its opener has written into it."""
    if tab.page.url not in ("", ":", "about:blank") or tab.dialogs.is_open.is_set():
        return True
    try:
        return int((await ask(tab.page.main_frame, "watch", limit_ms=_ANSWER_LIMIT_MS))["elements"]) > _BLANK_ELEMENTS
    except Error:
        return False


class _Waiting:
    """One wait, for one tab."""

    def __init__(self, tab: Tab, limits: Limits, started: float) -> None:
        self.started = started
        self.changed_at = 0.0  # when the page last changed where it can be seen
        self.tab = tab
        self.limits = limits
        self._reacts: bool | None = None  # unknown until it is asked

    async def begin(self) -> None:
        """A new document watches itself from the first question on, so that is asked at once."""
        if not self.tab.dialogs.is_open.is_set() and not self.tab.crashed:
            await self._answers()

    async def is_over(self) -> bool:
        now, traffic = time.monotonic(), self.tab.traffic
        if traffic.running(since=self.started) or now - max(traffic.changed_at, self.started) < self.limits.quiet_s:
            return False
        answers = await self._answers()
        if not all(map(self._is_still, answers)) or traffic.running(since=self.started):
            return False
        return not await self._comes_late(answers)

    async def give_up(self) -> None:
        """What moved or was busy all the time is not waited for again in this document."""
        await self._answers("vain")

    async def _answers(self, waiting: str = "") -> list[Answer]:
        frames = self.tab.page.frames[:_FRAMES_ASKED]
        answers = await asyncio.gather(*(_ask(frame, waiting) for frame in frames))
        self.tab.note_prints({str(answer["document"]): int(answer["prints"]) for answer in answers})
        now = time.monotonic()
        self.changed_at = max((now - answer["still"] / 1000 for answer in answers), default=0.0)
        return list(answers)

    def _is_still(self, answer: Answer) -> bool:
        looks_busy = answer["busy"] == 1 and time.monotonic() - self.started < _LOOKS_BUSY_S * self.limits.scale
        moves = answer["ready"] == "loading" or answer["busy"] == 2 or looks_busy or answer["moving"]
        return not moves and answer["still"] >= self.limits.quiet_s * 1000

    async def _comes_late(self, answers: list[Answer]) -> bool:
        """Whether nothing at all came of the act yet, and something still may."""
        tab, acted = self.tab, self.tab.acted
        if acted is None or _has_effect(tab, acted, answers):
            return False
        if self._reacts is None:
            self._reacts = await may_react(tab.session, acted)
        is_vain = acted.kind == "type" and not acted.searches and tab.vain_waits.get(acted.document, 0) >= _VAIN_ENOUGH
        late_s = (_LATE_WHEN_VAIN_S if is_vain else LATE_S) * self.limits.scale
        if self._reacts and time.monotonic() - acted.ended < late_s:
            return True
        if self._reacts:
            tab.vain_waits[acted.document] = tab.vain_waits.get(acted.document, 0) + 1
        return False


def _has_effect(tab: Tab, acted: Acted, answers: list[Answer]) -> bool:
    """A new address alone is none: routes change it first and draw later."""
    now = time.monotonic()
    signs = ("effect", "focus") if acted.kind == "click" else ("effect",)
    changed = any(now - answer[sign] / 1000 > acted.began for answer in answers for sign in signs)
    beside = max(tab.traffic.began_at, tab.notices.changed_at) > acted.began
    return changed or beside


async def _ask(frame: Frame, waiting: str) -> Answer:
    """A frame without a document counts as still, a main frame that does not answer as loading."""
    is_main = frame.parent_frame is None
    if frame.is_detached() or (not frame.url and not is_main):
        return _NOTHING
    try:
        return await ask(frame, "quiet", *([waiting] if waiting else []), limit_ms=_ANSWER_LIMIT_MS)
    except Error:
        return _LOADING if is_main else _NOTHING
