"""One function for each act on a held element; none waits longer than its limit, each sends its input once."""

import math
from collections.abc import Sequence
from typing import Any, Literal

from playwright.async_api import ElementHandle

from app.browser.choosing import choose
from app.browser.dragging import end_stopped_drag
from app.browser.filling import read_value, type_into
from app.browser.outcomes import DONE
from app.browser.page_script import Answer, ask, stand_in
from app.browser.probe import Bound
from app.domain.acts import Click, Hover, ScrollBy, SelectOptions, SetChecked, SetSlider, TargetAct, Type
from app.domain.pages import Outcome

LIMIT_MS = 2500

_ASK_MS = 1000
_SLIDER_KEYS = 250


async def act_on(bound: Bound, act: TargetAct, aim: Answer, limit_ms: float = LIMIT_MS) -> Outcome:
    """Do it and read back what it set; `aim` is where the page script would press. Raises the driver's Error."""
    await end_stopped_drag(bound.tab)
    match act:
        case Click():
            return await _click(bound, act, aim, limit_ms)
        case Type():
            return await type_into(bound, act, limit_ms)
        case SetChecked():
            return await _set_checked(bound, act.checked, aim, limit_ms)
        case SetSlider():
            return await _set_slider(bound, act.value, limit_ms)
        case SelectOptions():
            return await choose(bound, act.values, limit_ms)
        case Hover():
            await bound.handle.hover(timeout=limit_ms)
            return DONE
        case ScrollBy():
            return await _scroll(bound, act.delta_x, act.delta_y, limit_ms)


async def _click(bound: Bound, act: Click, aim: Answer, limit_ms: float) -> Outcome:
    """On what stands in for it where it cannot be hit itself, and beside a control inside of it."""
    target = await _pressed(bound, aim)
    modifiers: Sequence[Literal["Alt", "Control", "ControlOrMeta", "Meta", "Shift"]] = act.modifiers
    given: dict[str, Any] = {"button": act.button, "modifiers": modifiers, "timeout": limit_ms}
    at = aim["at"]
    if act.at is not None and not aim["standIn"]:
        at = [act.at[0] - aim["border"][0], act.at[1] - aim["border"][1]]
    if at is not None:
        given["position"] = {"x": max(at[0], 0), "y": max(at[1], 0)}
    await (target.dblclick(**given) if act.double else target.click(**given))
    if not aim["toggle"]:
        return DONE
    now = await read_value(bound)
    return Outcome("done", value_after=now) if now and now != aim["toggle"] else DONE


async def _pressed(bound: Bound, aim: Answer) -> ElementHandle:
    return await stand_in(bound.frame, bound.token, limit_ms=_ASK_MS) if aim["standIn"] else bound.handle


async def _set_checked(bound: Bound, checked: bool, aim: Answer, limit_ms: float) -> Outcome:
    wanted = "checked" if checked else "unchecked"
    if not aim["standIn"]:
        await bound.handle.set_checked(checked, timeout=limit_ms)
    elif aim["toggle"] != wanted:
        await (await _pressed(bound, aim)).click(timeout=limit_ms)
    return Outcome("done", value_after=await read_value(bound))


async def _set_slider(bound: Bound, value: str, limit_ms: float) -> Outcome:
    tag = await bound.handle.evaluate("element => element.localName + ':' + element.type")
    if tag == "input:range":
        return await type_into(bound, Type(value), limit_ms)
    return await _push_slider(bound, value, limit_ms)


async def _push_slider(bound: Bound, value: str, limit_ms: float) -> Outcome:
    """A slider drawn by the page is moved by its keys until it says the value, or goes no further."""
    try:
        wanted = float(value)
    except ValueError:
        return Outcome("failed", f"Nothing was sent: {value!r} is not a number.", fault="unfit")
    await bound.handle.focus()
    last: float | None = None
    for _ in range(_SLIDER_KEYS):
        now = float(await bound.handle.get_attribute("aria-valuenow") or "nan")
        passed = last is not None and (last - wanted) * (now - wanted) < 0
        if now in (wanted, last) or math.isnan(now) or passed:
            break
        last = now
        await bound.handle.press("ArrowRight" if now < wanted else "ArrowLeft", timeout=limit_ms)
    return Outcome("done", value_after=await read_value(bound))


async def _scroll(bound: Bound, delta_x: float, delta_y: float, limit_ms: float) -> Outcome:
    if not delta_x and not delta_y:
        before = await bound.handle.bounding_box()
        await bound.handle.scroll_into_view_if_needed(timeout=limit_ms)
        return Outcome("done", scrolled=before != await bound.handle.bounding_box())
    answer = await ask(bound.frame, "scroll", bound.token, delta_x, delta_y, limit_ms=_ASK_MS)
    if answer["moved"]:
        return Outcome("done", value_after=str(answer["where"]) or None, scrolled=True)
    reason = "It did not move: it is already at its end, or nothing scrolls here."
    return Outcome("done", reason, scrolled=False)
