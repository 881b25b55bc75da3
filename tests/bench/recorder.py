"""A real browser with a tape running: it does everything as before, and what it reports is kept."""

from typing import Any

from app.agent.ports import Browser, Gatekeeper
from app.domain.acts import PageAct, TargetAct
from app.domain.pages import (
    ConsoleLine,
    Happenings,
    Look,
    NetworkEntry,
    NodeAddress,
    Outcome,
    Picture,
    Prepared,
)
from tests.bench.tape import Moved, Probed, Tape


class Recorder:
    """Implements the port `Browser` on another one."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._first: list[Look] = []
        self._moves: list[Moved] = []
        self._probed: list[Probed] = []
        self._outcome: Outcome | None = None
        self._settled = True
        self._noticed = Happenings()
        self._looks: list[Look] = []
        self._probed_of_it: tuple[Probed, ...] = ()

    def tape(self, walk: str, root: str) -> Tape:
        self._close()
        return Tape(walk, root, tuple(self._first), tuple(self._moves))

    async def start(self) -> None:
        await self._browser.start()

    async def close(self) -> None:
        await self._browser.close()

    async def look(self, near: tuple[str, ...] = ()) -> Look:
        look = await self._browser.look(near)
        (self._looks if self._outcome else self._first).append(look)
        return look

    async def text(self) -> str:
        return await self._browser.text()

    async def picture(self, target: Prepared | None = None, **how: Any) -> Picture:
        return await self._browser.picture(target, **how)

    async def prepare(self, address: NodeAddress) -> Prepared:
        prepared = await self._browser.prepare(address)
        self._probed.append(Probed(address, prepared.probe))
        return prepared

    async def prepare_focus(self) -> Prepared:
        prepared = await self._browser.prepare_focus()
        self._probed.append(Probed(None, prepared.probe))
        return prepared

    async def prepare_point(self, x: float, y: float) -> Prepared:
        return await self._browser.prepare_point(x, y)

    async def outline(self, target: Prepared, label: str) -> None:
        await self._browser.outline(target, label)

    async def dispatch(self, target: Prepared, act: TargetAct) -> Outcome:
        return self._acted(await self._browser.dispatch(target, act))

    async def drag(self, start: Prepared, end: Prepared) -> Outcome:
        return self._acted(await self._browser.drag(start, end))

    async def perform(self, act: PageAct) -> Outcome:
        return self._acted(await self._browser.perform(act))

    def hold_for(self, gatekeeper: Gatekeeper | None) -> None:
        self._browser.hold_for(gatekeeper)

    async def settle(self) -> bool:
        self._settled = await self._browser.settle()
        return self._settled

    async def wait_for(self, *, text: str = "", gone: str = "", time_ms: int = 0) -> bool:
        return await self._browser.wait_for(text=text, gone=gone, time_ms=time_ms)

    def happenings(self) -> Happenings:
        noticed = self._browser.happenings()
        if noticed != Happenings():
            self._noticed = noticed
        return noticed

    def console(self) -> tuple[ConsoleLine, ...]:
        return self._browser.console()

    def network(self) -> tuple[NetworkEntry, ...]:
        return self._browser.network()

    def _acted(self, outcome: Outcome) -> Outcome:
        self._close()
        self._outcome = outcome
        return outcome

    def _close(self) -> None:
        """The act before this one has its end here; what was probed since belongs to the next."""
        if self._outcome is not None:
            before = self._probed_of_it
            self._moves.append(Moved(before, self._outcome, self._settled, self._noticed, tuple(self._looks)))
        self._probed_of_it = tuple(self._probed)
        self._probed, self._looks, self._outcome = [], [], None
        self._settled, self._noticed = True, Happenings()
