"""Acts by point: bound to the newest picture, judged by what lies there, done by its ref where it has one."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.agent.acting import Acting
from app.agent.answers import Answer
from app.agent.pictures import Taken
from app.agent.receipts import Applied
from app.context.page.shield import page_words
from app.domain.acts import Click, ClickPoint, DragPoints, MouseButton
from app.domain.ids import Ref, ToolCallId
from app.domain.pages import Located, Prepared, Spot
from app.guard.decide import Refused

_NEAR_PX = 10  # points that are closer are the same
_FROM_TOP_PX = 200  # where a point comes to lie that was scrolled into view


@dataclass(frozen=True, slots=True)
class Point:
    """A point in the pixels of a picture; of the newest one when none is named."""

    x: float
    y: float
    picture: str = ""

    def __str__(self) -> str:
        return f"the point {self.x:g}, {self.y:g}"

    @property
    def near(self) -> str:
        return f"{self.x // _NEAR_PX:g}, {self.y // _NEAR_PX:g}"


@dataclass(frozen=True, slots=True)
class Found:
    """Where a point is in the viewport now, and what lies there: by its ref, or else only by name."""

    x: float
    y: float
    spot: Spot
    name: str
    ref: Ref | None = None
    at: tuple[float, float] = (0.0, 0.0)  # from the corner of the ref's box

    @property
    def is_bare(self) -> bool:
        """Whether the text of the page tells nothing of what is there."""
        return self.ref is None or self.spot.is_drawn


class Pointing:
    """`again` says how a new picture is had, for the way on of a refusal."""

    def __init__(self, acting: Acting, again: str = "Take a new picture first.") -> None:
        self._acting = acting
        self._again = again

    async def click(self, call: ToolCallId, tool: str, point: Point, button: MouseButton, count: int) -> Answer:
        """A click by point, with the same checks as a click by ref."""
        tried, stopped = await self._acting.start(call, tool, str(point), f"{button} {count}", point.near)
        if stopped is not None:
            return stopped
        found = await self._find(point)
        if isinstance(found, Refused):
            return await self._acting.conclude(call, tried, (Applied("clicked", str(point), refused=found),))
        applied = await self._click(call, found, f"{point}{found.name}", button, count)
        answer = await self._acting.conclude(call, tried, (applied,))
        done = applied.outcome is not None and applied.outcome.status == "done"
        return await self._with_drawing(answer, point) if done and found.is_bare else answer

    async def drag(self, call: ToolCallId, tool: str, start: Point, end: Point) -> Answer:
        """A drag between two points, judged by what lies at both."""
        name = f"{start} to {end}"
        tried, stopped = await self._acting.start(call, tool, name, "", f"{start.near} to {end.near}")
        if stopped is not None:
            return stopped
        ends: list[tuple[Found, Prepared]] = []
        for point in (start, end):
            ready = await self._ready_at(call, point)
            if isinstance(ready, Refused):
                return await self._acting.conclude(call, tried, (Applied("dragged", name, refused=ready),))
            ends.append(ready)
        (here, held), (there, _) = ends
        act = DragPoints(here.x, here.y, there.x, there.y, held.token)
        applied = await self._acting.apply_page(call, act, "dragged", f"{start}{here.name} to {end}")
        answer = await self._acting.conclude(call, tried, (applied,))
        return await self._with_drawing(answer, end)

    def known(self, spot: Spot) -> tuple[Ref, tuple[float, float]] | None:
        """The ref of what a press there would use, and the point from its corner; None when it has none.

        Of a control only itself counts; else the innermost thing there that the model could act on.
        """
        for node in spot.nodes[:1] if spot.is_control else spot.nodes:
            ref = self._acting.observing.ref_of(spot.document, node.driver_ref) if node.driver_ref else None
            if ref is not None:
                return ref, node.at
        return None

    async def _find(self, point: Point) -> Found | Refused:
        taken = self._acting.observing.pictures.newest
        if taken is None:
            return Refused("unknown", "there is no picture to point at", self._again)
        if refused := self._unbound(point, taken):
            return refused
        browser = self._acting.browser
        located = await self._located(point, taken)
        spot = await browser.spot(located.x, located.y) if located.since in ("same", "moving") else None
        if spot is None or (located.since == "moving" and not spot.is_drawn):
            return self._moved(taken, located.since, located.y)
        if spot.state == "unresponsive":
            return Refused("unresponsive", "the page does not say what lies at that point", "Use a ref instead.")
        found = self.known(spot)
        if found is None and spot.is_control:
            await self._acting.observing.glance()
            spot = await browser.spot(located.x, located.y)
            found = self.known(spot)
        if found is None:
            return Found(located.x, located.y, spot, f" on {page_words(spot.name)}" if spot.name else "")
        ref, at = found
        name = page_words(spot.name) if spot.is_drawn and spot.name else self._acting.name_of(ref)
        return Found(located.x, located.y, spot, f": {name} [ref={ref}]", ref, at)

    async def _located(self, point: Point, taken: Taken) -> Located:
        return await self._acting.browser.locate(taken.picture, point.x * taken.unit, point.y * taken.unit)

    def _unbound(self, point: Point, taken: Taken) -> Refused | None:
        """Why the point means no place of the newest picture."""
        if point.picture and point.picture != taken.id:
            return Refused("dead", f"{point.picture} is an older picture, the newest is {taken.id}", self._again)
        width, height = (round(side / taken.unit) for side in (taken.picture.width, taken.picture.height))
        if not (0 <= point.x < width and 0 <= point.y < height):
            outside = f"{point} is not on {taken.id}, which is {width} × {height} pixels"
            return Refused("unknown", outside, "Points count in its pixels.")
        return None

    def _moved(self, taken: Taken, since: str, y: float) -> Refused:
        match since:
            case "document":
                return Refused("dead", f"{taken.id} is of a page that is no longer there", self._again)
            case "scrolled":
                return Refused("dead", f"the page was scrolled since {taken.id}", self._again)
            case "outside":
                way_on = f"Use browser_scroll with deltaY {y - _FROM_TOP_PX:.0f}, then: {self._again}"
                return Refused("invisible", "that point is not in the viewport", way_on)
            case "unknown":
                return Refused("unresponsive", "the page cannot be drawn now", "Use a ref of its text instead.")
            case "moving":
                return Refused("changed", "what is at that point never stands still", "Use its ref instead.")
        return Refused("changed", f"the page looks different there since {taken.id}", self._again)

    async def _click(self, call: ToolCallId, found: Found, name: str, button: MouseButton, count: int) -> Applied:
        act = Click(button, double=count == 2, at=found.at)
        if found.ref is not None and count < 3 and not found.spot.is_scaled:
            return replace(await self._acting.apply(call, found.ref, act, "clicked"), target=name)
        if found.ref is not None:  # the driver misses what stands in a frame of another scale, and knows no third click
            ready = await self._acting.check(call, found.ref, act)
        else:
            ready = await self._ready(call, found)
        if isinstance(ready, Refused):
            return Applied("clicked", name, refused=ready)
        press = ClickPoint(found.x, found.y, button, count, ready.token)
        return await self._acting.apply_page(call, press, "clicked", name)

    async def _ready_at(self, call: ToolCallId, point: Point) -> tuple[Found, Prepared] | Refused:
        found = await self._find(point)
        if isinstance(found, Refused):
            return found
        ready = await self._ready(call, found)
        return ready if isinstance(ready, Refused) else (found, ready)

    async def _ready(self, call: ToolCallId, found: Found) -> Prepared | Refused:
        browser = self._acting.browser
        return await self._acting.ready(call, lambda: browser.prepare_point(found.x, found.y), (Click(),))

    async def _with_drawing(self, answer: Answer, point: Point) -> Answer:
        """What a drawing made of it no text tells: whether the picture changed at the point."""
        taken = self._acting.observing.pictures.newest
        seen = await self._located(point, taken) if taken else None
        if seen is None or seen.since not in ("same", "changed", "moving"):
            return answer
        changed = "did not change" if seen.since == "same" else "changed"
        return replace(answer, text=f"{answer.text}\nThe picture {changed} at that point.")


def centre(box: Sequence[float], size: tuple[int, int], whole: float = 1000) -> tuple[float, float]:
    """The middle of a box whose sides count `whole` to a picture's, in the picture's pixels."""
    left, top, right, bottom = box
    return (left + right) / 2 / whole * size[0], (top + bottom) / 2 / whole * size[1]
