"""One episode: a policy acts through a hand on a task with a seed, while the bench watches the page itself."""

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from tests.bench.hands.hand import Hand, Place, Seen
from tests.bench.hands.page import NotShown, Thing
from tests.bench.hands.probe import Probe, State

MOST_ACTS = 80
LOOKS = 4
T = TypeVar("T")


class Judged(Exception):
    """The page has judged the episode; nothing more is to be done."""


@dataclass(frozen=True, slots=True)
class Act:
    """One act: how long it took with its look, whether it was said to be done, and whether the page saw any of it.

    Of its seconds, `to_input_s` went by before it waited for the page, for all checks and the input itself.
    """

    kind: str
    seconds: float
    is_error: bool
    says_done: bool
    page_saw: bool
    said: str = ""
    to_input_s: float | None = None


@dataclass(frozen=True, slots=True)
class Episode:
    """`reward` is the page's own; None when it has not judged. `stopped` says why the policy gave up."""

    actor: str
    task: str
    seed: int
    reward: float | None
    reason: str
    acts: tuple[Act, ...]
    stopped: str = ""

    @property
    def is_won(self) -> bool:
        return self.reward is not None and self.reward > 0


@dataclass(slots=True)
class Run:
    """What a policy holds: the goal, the newest page, and the acts of its hand."""

    hand: Hand
    probe: Probe
    goal: str
    page: Thing
    before: State
    acts: list[Act] = field(default_factory=list)

    async def click(self, target: Thing, *, double: bool = False, modifiers: tuple[str, ...] = ()) -> Thing:
        return await self._do("click", self.hand.click(target.ref, double=double, modifiers=modifiers))

    async def type(self, target: Thing, text: str, *, slowly: bool = False) -> Thing:
        return await self._do("type", self.hand.type(target.ref, text, slowly=slowly))

    async def select(self, target: Thing, *values: str) -> Thing:
        return await self._do("select", self.hand.select(target.ref, values))

    async def press(self, key: str, times: int = 1) -> Thing:
        for _ in range(times):
            await self._do("press", self.hand.press(key))
        return self.page

    async def hover(self, target: Thing) -> Thing:
        return await self._do("hover", self.hand.hover(target.ref))

    async def drag(self, start: Thing, end: Thing, place: Place = "on") -> Thing:
        return await self._do("drag", self.hand.drag(start.ref, end.ref, place))

    async def slide(self, target: Thing, value: str) -> Thing:
        return await self._do("slide", self.hand.slide(target.ref, value))

    async def point(self, x: float, y: float, count: int = 1) -> Thing:
        return await self._do("point", self.hand.point(x, y, count))

    async def middle(self, target: Thing, count: int = 1) -> Thing:
        """A click on the middle of a thing that was shown with its box. Raises NotShown."""
        if target.middle is None:
            raise NotShown(f"no box of {target.words!r}")
        return await self.point(*target.middle, count)

    async def scroll(self, target: Thing, delta_y: float) -> Thing:
        return await self._do("scroll", self.hand.scroll(target.ref, delta_y))

    async def until(self, wanted: Callable[[Thing], T]) -> T:
        """What is wanted, once the page shows it; it is looked for a few times. Raises NotShown."""
        for _ in range(LOOKS):
            try:
                return wanted(self.page)
            except NotShown:
                await self.wait(0.3)
        return wanted(self.page)

    async def wait(self, seconds: float) -> Thing:
        return self._take(await self.hand.wait(seconds))

    async def look(self, *, boxes: bool = False) -> Thing:
        return self._take(await self.hand.look(boxes=boxes))

    def _take(self, seen: Seen) -> Thing:
        self.page = seen.page
        return seen.page

    async def _do(self, kind: str, act: Awaitable[Seen]) -> Thing:
        started = time.perf_counter()
        seen = await act
        seconds = time.perf_counter() - started
        after = await self.probe.state()
        saw = (after.events, after.moved) != (self.before.events, self.before.moved)
        to_input_s = seen.settled[0] - started if seen.settled is not None and seen.settled[0] > started else None
        said = seen.said if seen.is_error else ""
        self.acts.append(Act(kind, seconds, seen.is_error, seen.says_done, saw, said, to_input_s))
        self.before = after
        if after.reward is not None:
            raise Judged
        if len(self.acts) >= MOST_ACTS:
            raise NotShown(f"the goal, after {MOST_ACTS} acts")
        return self._take(seen)


Policy = Callable[[Run], Awaitable[None]]


async def play(hand: Hand, probe: Probe, root: str, task: str, seed: int, policy: Policy) -> Episode:
    """Play it once, to its judgement or to where the policy finds no way on."""
    mark = f"seed={seed}"
    probe.begin(mark)
    seen = await hand.open(f"{root}/miniwob/{task}.html?{mark}")
    state = await probe.ready()
    run = Run(hand, probe, state.goal, seen.page, state)
    stopped = ""
    try:
        await policy(run)
    except Judged:
        pass
    except NotShown as reason:
        stopped = str(reason)
    except (LookupError, ValueError) as unread:  # a page that the policy cannot read
        stopped = f"the policy could not go on: {unread}"
    after = await probe.state()
    errors = "; ".join(act.said.splitlines()[0] for act in run.acts if act.said)
    told = " · ".join(filter(None, (stopped, errors)))
    return Episode(hand.name, task, seed, after.reward, after.reason, tuple(run.acts), told)
