"""One function for each act on a held element; none waits longer than its limit, each sends its input once."""

import math
import re
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal

from playwright.async_api import ElementHandle, Error

from app.browser.outcomes import DONE
from app.browser.page_script import ask, held_label
from app.browser.probe import Bound
from app.browser.tabs import Tab
from app.domain.acts import Click, Hover, ScrollBy, SelectOptions, SetChecked, SetSlider, TargetAct, Type
from app.domain.pages import Outcome

LIMIT_MS = 2500

_VALUE_LIMIT_MS = 1000
_DRAG_STEPS = 12
_SLIDER_KEYS = 250
_KEY_DELAY_MS = 15
_NOT_TYPED = frozenset({"checkbox", "radio", "file", "button", "submit", "reset", "image"})
_FORMS = {
    "date": (r"\d{4,6}-\d\d-\d\d", "2024-05-17"),
    "time": (r"\d\d:\d\d(:\d\d(\.\d{1,3})?)?", "13:45"),
    "datetime-local": (r"\d{4,6}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?", "2024-05-17T13:45"),
    "month": (r"\d{4,6}-\d\d", "2024-05"),
    "week": (r"\d{4,6}-W\d\d", "2024-W20"),
    "color": (r"#[0-9a-fA-F]{6}", "#ff8800"),
    "number": (r"-?\d*\.?\d+([eE][-+]?\d+)?", "12.5"),
}


async def act_on(bound: Bound, act: TargetAct, limit_ms: float = LIMIT_MS) -> Outcome:
    """Do it. Raises the driver's Error; what it set is read back from the page."""
    await end_stopped_drag(bound.tab)
    match act:
        case Click():
            return await _click(bound, act, limit_ms)
        case Type():
            return await _type(bound, act, limit_ms)
        case SetChecked():
            return await _set_checked(bound, act.checked, limit_ms)
        case SetSlider():
            return await _set_slider(bound, act.value, limit_ms)
        case SelectOptions():
            return await _select(bound, act.values, limit_ms)
        case Hover():
            await bound.handle.hover(timeout=limit_ms)
            return DONE
        case ScrollBy():
            return await _scroll(bound, act.delta_x, act.delta_y, limit_ms)


async def drag(start: Bound, end: Bound, limit_ms: float = LIMIT_MS) -> Outcome:
    """Press on one, move, let go over the other."""
    page = start.tab.page
    await end_stopped_drag(start.tab)
    await end.handle.scroll_into_view_if_needed(timeout=limit_ms)
    await start.handle.scroll_into_view_if_needed(timeout=limit_ms)
    here, there = await start.handle.bounding_box(), await end.handle.bounding_box()
    if here is None or there is None:
        return Outcome("failed", "Nothing was sent: one of the two cannot be seen.", fault="invisible")
    await page.mouse.move(*_middle(here))
    start.tab.is_dragging = True
    await page.mouse.down()
    await page.mouse.move(*_middle(there), steps=_DRAG_STEPS)
    await page.mouse.move(*_middle(there))
    await page.mouse.up()
    start.tab.is_dragging = False
    return DONE


async def end_stopped_drag(tab: Tab) -> None:
    """A drag that was stopped half-way must not end as a drop in the middle of the next act."""
    if tab.is_dragging:
        tab.is_dragging = False
        await tab.page.keyboard.press("Escape")
        await tab.page.mouse.up()


async def read_value(bound: Bound) -> str | None:
    """What the field holds now, masked when it is secret; None when it is gone."""
    try:
        answer = await ask(bound.frame, "value", bound.token, limit_ms=_VALUE_LIMIT_MS)
    except Error:
        return None
    return str(answer["value"]) if answer.get("found") else None


async def _click(bound: Bound, act: Click, limit_ms: float) -> Outcome:
    modifiers: Sequence[Literal["Alt", "Control", "ControlOrMeta", "Meta", "Shift"]] = act.modifiers
    click: Callable[..., Awaitable[Any]] = bound.handle.dblclick if act.double else bound.handle.click
    target = await _visible_stand_in(bound, limit_ms)
    if target is not None:
        click = target.dblclick if act.double else target.click
    await click(button=act.button, modifiers=modifiers, timeout=limit_ms)
    return DONE


async def _type(bound: Bound, act: Type, limit_ms: float) -> Outcome:
    if bound.input_type.startswith("select"):
        return await _select(bound, (act.text,), limit_ms)
    misfit = _misfit(bound.input_type, act.text)
    if misfit:
        return Outcome("failed", f"Nothing was sent: {misfit}.", fault="unfit")
    if act.slowly or not bound.is_editable:
        await _type_by_keys(bound, act.text, limit_ms)
    else:
        await bound.handle.fill(act.text, timeout=limit_ms)
    value = await read_value(bound)
    if act.submit:
        await bound.handle.press("Enter", timeout=limit_ms, no_wait_after=True)
    return Outcome("done", value_after=value)


def _misfit(input_type: str, text: str) -> str:
    """Why a field of this type cannot take the text."""
    if input_type in _NOT_TYPED:
        return f"a {input_type} field cannot be typed into"
    pattern, example = _FORMS.get(input_type, ("", ""))
    if text and pattern and not re.fullmatch(pattern, text):
        return f"a {input_type} field takes what looks like {example}"
    return ""


async def _type_by_keys(bound: Bound, text: str, limit_ms: float) -> None:
    """Key by key, after what a field held; something that is no field may still listen to keys."""
    await bound.handle.focus()
    if bound.is_editable:
        await bound.handle.select_text(timeout=limit_ms)
        await bound.handle.press("Delete", timeout=limit_ms)
    await bound.handle.type(text, delay=_KEY_DELAY_MS, timeout=limit_ms + 4 * _KEY_DELAY_MS * len(text))


async def _set_checked(bound: Bound, checked: bool, limit_ms: float) -> Outcome:
    wanted = "checked" if checked else "unchecked"
    stand_in = await _visible_stand_in(bound, limit_ms)
    if stand_in is None:
        await bound.handle.set_checked(checked, timeout=limit_ms)
    elif await read_value(bound) != wanted:
        await stand_in.click(timeout=limit_ms)
    return Outcome("done", value_after=await read_value(bound))


async def _visible_stand_in(bound: Bound, limit_ms: float) -> ElementHandle | None:
    """The label of a checkbox or radio that is itself hidden; None when the element can be clicked as it is."""
    return await held_label(bound.frame, bound.token, limit_ms=limit_ms)


async def _set_slider(bound: Bound, value: str, limit_ms: float) -> Outcome:
    tag = await bound.handle.evaluate("element => element.localName + ':' + element.type")
    if tag == "input:range":
        await bound.handle.fill(value, timeout=limit_ms)
        return Outcome("done", value_after=await read_value(bound))
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


async def _select(bound: Bound, values: tuple[str, ...], limit_ms: float) -> Outcome:
    options: list[dict[str, Any]] | None = await bound.handle.evaluate(_OPTIONS)
    if options is None:
        reason = "Nothing was sent: this is not a native list. Click it, then click the option."
        return Outcome("failed", reason, fault="unfit")
    indexes: list[int] = []
    for value in values:
        found = _find_option(options, value)
        if isinstance(found, str):
            return Outcome("failed", f"Nothing was sent: {found}", fault="unfit")
        indexes.append(found)
    await bound.handle.select_option(index=indexes, timeout=limit_ms)
    return Outcome("done", value_after=await read_value(bound))


def _find_option(options: list[dict[str, Any]], wanted: str) -> int | str:
    """The index of an option by label or value, or a sentence that says why there is none."""
    squeezed = " ".join(wanted.split())
    for key, spelling in (("label", str), ("value", str), ("label", str.casefold)):
        found = [option for option in options if spelling(option[key]) == spelling(squeezed)]
        if len(found) == 1:
            option = found[0]
            return f"the option “{wanted}” is disabled." if option["disabled"] else int(option["index"])
        if found:
            return f"“{wanted}” stands in the list {len(found)} times; choose by value: " + _names(found, "value")
    return f"there is no option “{wanted}”. The options are: {_names(options, 'label')}"


def _names(options: list[dict[str, Any]], key: str) -> str:
    names = ", ".join(f"“{option[key]}”" for option in options[:40])
    return f"{names} and {len(options) - 40} more." if len(options) > 40 else f"{names}."


async def _scroll(bound: Bound, delta_x: float, delta_y: float, limit_ms: float) -> Outcome:
    if not delta_x and not delta_y:
        before = await bound.handle.bounding_box()
        await bound.handle.scroll_into_view_if_needed(timeout=limit_ms)
        return Outcome("done", scrolled=before != await bound.handle.bounding_box())
    if await bound.handle.evaluate(_SCROLL, [delta_x, delta_y]):
        return Outcome("done", scrolled=True)
    reason = "It did not move: it is already at its end, or nothing scrolls here."
    return Outcome("done", reason, scrolled=False)


def _middle(box: Any) -> tuple[float, float]:
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


_OPTIONS = """element => element.localName !== 'select' ? null : [...element.options].map((option, index) => ({
  index, label: option.label.replace(/\\s+/g, ' ').trim(), value: option.value,
  disabled: option.disabled || (option.parentElement.localName === 'optgroup' && option.parentElement.disabled),
}))"""

_SCROLL = """(element, [x, y]) => {
  for (let at = element; at; at = at.parentElement || at.getRootNode().host) {
    const style = getComputedStyle(at), root = at === document.scrollingElement;
    if (!root && !/auto|scroll|overlay/.test(y ? style.overflowY : style.overflowX)) continue;
    const before = [at.scrollLeft, at.scrollTop];
    at.scrollBy({ left: x, top: y, behavior: 'instant' });
    if (before[0] !== at.scrollLeft || before[1] !== at.scrollTop) return true;
  }
  return false;
}"""
