"""A browser that plays a tape: every act leads to what the recorded one led to, without a page."""

from collections import deque
from typing import Any

from app.agent.ports import Gatekeeper
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
    Probe,
)
from app.domain.snapshot import walk
from tests.bench.tape import Moved, Tape

_PICTURE = Picture(b"a picture", "image/jpeg", 1280, 800)  # pictures are not recorded: drawings stand still


class TapeEnded(AssertionError):
    """More acts came than were recorded."""


class Replayer:
    """Implements the port `Browser`. `looked` is every look it gave, in order."""

    def __init__(self, tape: Tape) -> None:
        self._coming = deque(tape.moves)
        self._now: Moved | None = None
        self._looks = deque(tape.first)
        self._newest = tape.first[0]
        self._noticed = Happenings()
        self.looked: list[Look] = []

    async def start(self) -> None:
        return

    async def close(self) -> None:
        return

    async def look(self, near: tuple[str, ...] = ()) -> Look:
        """The recorded looks in their order; when more are asked for than were taken, the page stands still."""
        if self._looks:
            self._newest = self._looks.popleft()
        self.looked.append(self._newest)
        return self._newest

    async def text(self) -> str:
        return "\n".join(node.text or node.name for node in walk(self._newest.tree))

    async def picture(self, target: Prepared | None = None, **how: Any) -> Picture:
        return _PICTURE

    async def prepare(self, address: NodeAddress) -> Prepared:
        probed = self._coming[0].probed if self._coming else ()
        known = [one.probe for one in probed if one.address == address]
        return Prepared(1, address, known[-1] if known else self._probe_of(address))

    async def prepare_focus(self) -> Prepared:
        probed = self._coming[0].probed if self._coming else ()
        known = [one.probe for one in probed if one.address is None]
        address = NodeAddress(self._newest.tab, "", self._newest.document, "")
        return Prepared(1, address, known[-1] if known else Probe("ok"))

    async def prepare_point(self, x: float, y: float) -> Prepared:
        return await self.prepare_focus()

    async def outline(self, target: Prepared, label: str) -> None:
        return

    async def dispatch(self, target: Prepared, act: TargetAct) -> Outcome:
        return self._move()

    async def drag(self, start: Prepared, end: Prepared) -> Outcome:
        return self._move()

    async def perform(self, act: PageAct) -> Outcome:
        return self._move()

    def hold_for(self, gatekeeper: Gatekeeper | None) -> None:
        """A tape sends nothing."""

    async def settle(self) -> bool:
        return self._now.settled if self._now else True

    async def wait_for(self, *, text: str = "", gone: str = "", time_ms: int = 0) -> bool:
        return True

    def happenings(self) -> Happenings:
        noticed, self._noticed = self._noticed, Happenings()
        return noticed

    def console(self) -> tuple[ConsoleLine, ...]:
        return ()

    def network(self) -> tuple[NetworkEntry, ...]:
        return ()

    def _move(self) -> Outcome:
        if not self._coming:
            raise TapeEnded("the tape has no more acts")
        self._now = self._coming.popleft()
        self._looks = deque(self._now.looks)
        self._noticed = self._now.noticed
        return self._now.outcome

    def _probe_of(self, address: NodeAddress) -> Probe:
        """What a probe would say of a node that stands in the newest look."""
        found = next((node for node in walk(self._newest.tree) if node.driver_ref == address.driver_ref), None)
        if found is None or address.document not in {frame.document for frame in self._newest.frames}:
            return Probe("gone")
        frame = next(one for one in self._newest.frames if one.document == address.document)
        enabled = "disabled" not in found.states
        return Probe("ok", node=found, frame_url=frame.url, visible=True, enabled=enabled, href=found.url)
