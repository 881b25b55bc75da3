"""Drags one element or point onto, before or after another, and reads back where an element landed."""

from typing import Any

from playwright.async_api import Error

from app.browser.gate import kept_to
from app.browser.outcomes import DONE
from app.browser.page_script import Answer, ask
from app.browser.polling import poll
from app.browser.probe import Bound
from app.browser.tabs import Tab
from app.domain.acts import DragPoints, DropAt
from app.domain.pages import Outcome

_STEPS = 12
_SHARE: dict[DropAt, float] = {"before": 0.2, "on": 0.5, "after": 0.8}
_ASK_MS = 1000
_LANDS_S = 0.4
_STAYED = "it stands where it stood"


async def drag(start: Bound, end: Bound, at: DropAt, limit_ms: float) -> Outcome:
    """Press on one, move, let go over the other, nearer to its beginning or end when it is to stand beside it."""
    page = start.tab.page
    await end_stopped_drag(start.tab)
    await end.handle.scroll_into_view_if_needed(timeout=limit_ms)
    await start.handle.scroll_into_view_if_needed(timeout=limit_ms)
    here, there = await start.handle.bounding_box(), await end.handle.bounding_box()
    if here is None or there is None:
        return Outcome("failed", "Nothing was sent: one of the two cannot be seen.", fault="invisible")
    await _place(start)
    down = await _take_up(start.tab, start, _point(here, 0.5))
    if down.status != "done":
        return down
    await page.mouse.move(*_point(there, _SHARE[at]), steps=_STEPS)
    await _let_go(start.tab, _point(await _box_now(end, there), _SHARE[at]))
    return await _landed(start)


async def drag_points(tab: Tab, act: DragPoints, bound: Bound | None) -> Outcome:
    """Press at one point, move, let go at the other; only what is bound is taken up."""
    down = await _take_up(tab, bound, (act.x, act.y))
    if down.status == "done":
        await _let_go(tab, (act.to_x, act.to_y), steps=_STEPS)
    return down


async def _take_up(tab: Tab, bound: Bound | None, at: tuple[float, float]) -> Outcome:
    """Press the button on that target or on nothing; then it is let go of where that presses nothing either."""
    await tab.page.mouse.move(*at)
    tab.is_dragging = True
    down = await kept_to(bound, _down(tab))
    if down.status != "done":
        await kept_to(bound, end_stopped_drag(tab))
    return down


async def _let_go(tab: Tab, at: tuple[float, float], *, steps: int = 1) -> None:
    await tab.page.mouse.move(*at, steps=steps)
    await tab.page.mouse.up()
    tab.is_dragging = False


async def _down(tab: Tab) -> Outcome:
    await tab.page.mouse.down()
    return DONE


async def end_stopped_drag(tab: Tab) -> Outcome:
    """A drag that was stopped half-way must not end as a drop in the middle of the next act."""
    if tab.is_dragging:
        tab.is_dragging = False
        await tab.page.keyboard.press("Escape")
        await tab.page.mouse.up()
    return DONE


async def _box_now(end: Bound, before: Any) -> Any:
    """Lists that make room while something is dragged over them have moved the target."""
    try:
        return await end.handle.bounding_box() or before
    except Error:
        return before


async def _landed(start: Bound) -> Outcome:
    """Where it stands now; nothing is known of what the page drew anew."""
    answer = await poll(lambda: _place(start), lambda one: one is None or one["moved"], limit_s=_LANDS_S)
    if answer is None:
        return DONE
    return Outcome("done", value_after=str(answer["where"])) if answer["moved"] else Outcome("done", _STAYED)


async def _place(start: Bound) -> Answer | None:
    """Where it stands, and whether that is another place than when it was asked last; None when it is gone."""
    try:
        answer = await ask(start.frame, "place", start.token, limit_ms=_ASK_MS)
    except Error:
        return None
    return answer if answer["found"] else None


def _point(box: Any, share: float) -> tuple[float, float]:
    return box["x"] + box["width"] * share, box["y"] + box["height"] * share
