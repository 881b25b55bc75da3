"""Chooses in native selects and in lists that the page draws: opens them, finds the option, picks it, reads back."""

import asyncio
import json
from typing import Any
from urllib.parse import quote

from app.browser.outcomes import CHANGED, DONE
from app.browser.page_script import Answer, ask, option
from app.browser.probe import Bound
from app.domain.pages import Outcome
from app.guard.consent import sounds_consequential

PUT_BACK_S = 0.18
"""Frameworks put a value back that they did not take for the person's within this time."""

_ASK_MS = 1000
_OPENS_S = 0.35
_OFFERS_S = 1.6
_POLL_S = 0.05
_KEYS_MOST = 80


async def choose(bound: Bound, values: tuple[str, ...], limit_ms: float) -> Outcome:
    """The options by label or value. Nothing is sent when one of them is not there."""
    facts = await ask(bound.frame, "chooser", bound.token, limit_ms=_ASK_MS)
    if facts["kind"] == "native":
        return await _choose_native(bound, values, limit_ms, heard=bool(facts["heard"]))
    if facts["kind"] == "named":
        return await _choose_named(bound, facts["options"], values[0], limit_ms)
    if facts["kind"] == "none":
        return _unfit("Nothing was sent: this is not a list to choose from. Click it, then click the option.")
    outcome = DONE
    for value in values:
        outcome = await _choose_drawn(bound, facts, value, limit_ms)
        if outcome.status != "done":
            break
    return outcome


async def _choose_native(bound: Bound, values: tuple[str, ...], limit_ms: float, *, heard: bool) -> Outcome:
    options: list[dict[str, Any]] = await bound.handle.evaluate(_OPTIONS)
    indexes: list[int] = []
    for value in values:
        found = _find(options, value)
        if isinstance(found, str):
            return _unfit(f"Nothing was sent: {found}")
        indexes.append(found)
    read = {"indexes": indexes, "labels": [str(one["label"]) for one in options]}
    if not (await ask(bound.frame, "pick", bound.token, quote(json.dumps(read)), limit_ms=limit_ms))["picked"]:
        return CHANGED
    wanted = ", ".join(str(options[index]["label"]) for index in sorted(indexes))
    now = await _kept(bound) if heard else await _value(bound, "value")
    if now not in (None, wanted) and len(indexes) == 1:
        await _choose_by_keys(bound, options, indexes[0], limit_ms)
        now = await _kept(bound)
        if now not in (None, wanted):
            return Outcome("failed", f"the page put it back to “{now}”, also after keys.", fault="failed")
    return Outcome("done", value_after=now)


async def _choose_named(bound: Bound, options: list[dict[str, Any]], value: str, limit_ms: float) -> Outcome:
    """A field with a list of values that the browser itself draws: it is set to the value."""
    found = _find(options, value)
    if isinstance(found, str):
        return _unfit(f"Nothing was sent: {found}")
    await bound.handle.fill(str(options[found]["value"]), timeout=limit_ms)
    return Outcome("done", value_after=await _value(bound, "value"))


async def _kept(bound: Bound) -> str | None:
    """What it holds after the moment in which the page may put it back."""
    await asyncio.sleep(PUT_BACK_S)
    return await _value(bound, "value")


async def _choose_by_keys(bound: Bound, options: list[dict[str, Any]], index: int, limit_ms: float) -> None:
    """As a person does without opening the list."""
    await bound.handle.focus()
    now = int(await bound.handle.evaluate("element => element.selectedIndex"))
    low, high = sorted((now, index))
    steps = sum(not option["disabled"] for option in options[low:high])
    for _ in range(min(steps, _KEYS_MOST)):
        await bound.handle.press("ArrowDown" if index > now else "ArrowUp", timeout=limit_ms)


async def _choose_drawn(bound: Bound, facts: Answer, value: str, limit_ms: float) -> Outcome:
    offered = await _offered(bound)
    found = _find(offered, value)
    if isinstance(found, str) and facts["kind"] != "list":
        await bound.handle.click(timeout=limit_ms)
        offered, found = await _wait_for(bound, value, _OPENS_S if facts["kind"] == "typed" else _OFFERS_S)
        if (
            isinstance(found, str)
            and facts["kind"] == "typed"
            and not facts["readonly"]
            and not _stands(offered, value)
        ):
            await type_with_last_key(bound, value, limit_ms)
            offered, found = await _wait_for(bound, value, _OFFERS_S)
    if isinstance(found, str):
        reason = found if offered else "no list opened. Click it, look, then click the option."
        return Outcome("failed", reason, fault="unfit")
    if offered[found]["control"] or (not offered[found]["choice"] and sounds_consequential(offered[found]["label"])):
        return Outcome("failed", f"“{value}” is more than a choice; click it with browser_click.", fault="unfit")
    await ask(bound.frame, "lift", limit_ms=_ASK_MS)  # what is pressed now lies elsewhere
    before = await _value(bound, "chosen")
    chosen = await option(bound.frame, found, limit_ms=_ASK_MS)
    await chosen.click(timeout=limit_ms)
    return Outcome("done", value_after=await _shown(bound, before))


async def _shown(bound: Bound, before: str | None) -> str | None:
    """What it shows as soon as that is something else than before, or after a moment."""
    loop = asyncio.get_running_loop()
    until = loop.time() + PUT_BACK_S
    while True:
        now = await _value(bound, "chosen")
        if now != before or loop.time() > until:
            return now
        await asyncio.sleep(_POLL_S)


async def type_with_last_key(bound: Bound, text: str, limit_ms: float) -> None:
    """The text at once and its last character by key, for what filters or suggests at each key."""
    await bound.handle.fill(text[:-1], timeout=limit_ms)
    await bound.handle.type(text[-1], timeout=limit_ms)


async def _offered(bound: Bound) -> list[dict[str, Any]]:
    answer = await ask(bound.frame, "options", bound.token, limit_ms=_ASK_MS)
    return list(answer["options"])


async def _wait_for(bound: Bound, value: str, limit_s: float) -> tuple[list[dict[str, Any]], int | str]:
    """The options as soon as the wanted one is among them, else those there are at the end."""
    loop = asyncio.get_running_loop()
    until = loop.time() + limit_s
    while True:
        offered = await _offered(bound)
        found = _find(offered, value)
        if isinstance(found, int) or loop.time() > until:
            return offered, found
        await asyncio.sleep(_POLL_S)


def _stands(offered: list[dict[str, Any]], value: str) -> bool:
    """Whether the wanted option is there, though not to be chosen."""
    return any(str(one["label"]).casefold() == value.casefold() for one in offered)


async def _value(bound: Bound, question: str) -> str | None:
    answer = await ask(bound.frame, question, bound.token, limit_ms=_ASK_MS)
    return str(answer["value"]) if answer["found"] else None


def _find(options: list[dict[str, Any]], wanted: str) -> int | str:
    """The index of an option by label or value, or a sentence that says why there is none."""
    squeezed = " ".join(wanted.split())
    for key, spelling in (("label", str), ("value", str), ("label", str.casefold)):
        found = [option for option in options if spelling(option[key]) == spelling(squeezed)]
        if len(found) == 1:
            one = found[0]
            return f"the option “{wanted}” is disabled." if one["disabled"] else int(one["index"])
        if found:
            values = [option for option in found if option["value"]]
            by_value = "; choose by value: " + _names(values, "value") if values else "; click the right one."
            return f"“{wanted}” stands in the list {len(found)} times{by_value}"
    return f"there is no option “{wanted}”. The options are: {_names(options, 'label')}"


def _names(options: list[dict[str, Any]], key: str) -> str:
    names = ", ".join(f"“{option[key]}”" for option in options[:40])
    return f"{names} and {len(options) - 40} more." if len(options) > 40 else f"{names}."


def _unfit(reason: str) -> Outcome:
    return Outcome("failed", reason, fault="unfit")


_OPTIONS = """element => [...element.options].map((option, index) => ({
  index, label: option.label.replace(/\\s+/g, ' ').trim(), value: option.value,
  disabled: option.disabled || (option.parentElement.localName === 'optgroup' && option.parentElement.disabled),
}))"""
