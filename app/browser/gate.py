"""Lets an act through only while its target means what was decided on, up to the moment the input arrives."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from playwright.async_api import Error

from app.browser.console import SIGN
from app.browser.network import UNSAFE_METHODS
from app.browser.outcomes import CHANGED, DONE, outcome_of
from app.browser.page_script import Answer, ask
from app.browser.probe import Bound
from app.domain.acts import Click, SetChecked, TargetAct, Type
from app.domain.pages import Outcome

LIMIT_MS = 1000

_IN_PLACE = 3  # presses, of which the gate lets one through
_SWALLOWED = Outcome(
    "failed", "Nothing was pressed: the page drew it anew under the press.", target_lost=True, fault="stale"
)
_MISSED = Outcome("failed", "Nothing was typed: the page drew the field anew.", target_lost=True, fault="stale")
_ASTRAY = Outcome("uncertain", "The page moved under the press; what it fell on is not known.")
_FROZEN = Outcome(
    "uncertain", "A dialog opened before it arrived; it may still come through once that is answered.", fault="dialog"
)


async def guarded(bound: Bound, act: TargetAct, work: Callable[[Answer], Coroutine[Any, Any, Outcome]]) -> Outcome:
    """The outcome of the work, which is told where to press. Raises the driver's Error unless the gate knows better."""
    writes = _writes(bound)
    outcome = await _through_gate(bound, act, work, writes)
    for _ in range(_IN_PLACE if act == Click() and bound.frame.parent_frame is None else 0):
        if not outcome.target_lost or outcome.fault == "covered":
            break
        again = await _press_in_place(bound, writes)
        if again is None:
            break
        outcome = again
    return outcome


async def _through_gate(
    bound: Bound, act: TargetAct, work: Callable[[Answer], Coroutine[Any, Any, Outcome]], writes: int
) -> Outcome:
    aim = await _arm(bound)
    if aim is None:
        return CHANGED
    try:
        outcome, error = await work(aim), None
    except Error as exc:
        outcome, error = outcome_of(exc), exc
    lifted = await _lift(bound)
    if lifted.get("verdict") == "shut":
        return CHANGED
    if lifted.get("swallowed") and _writes(bound) == writes:
        return _SWALLOWED
    if lifted.get("missed") and isinstance(act, Type):
        return _MISSED
    if error is not None and not outcome.target_lost:
        raise error
    return outcome


async def _press_in_place(bound: Bound, writes: int) -> Outcome | None:
    """A press at once on what took the target's place and means the same; None when nothing does."""
    try:
        point = (await ask(bound.frame, "armInPlace", bound.token, SIGN, limit_ms=LIMIT_MS))["point"]
    except Error:
        return None
    if point is None:
        return None
    mouse = bound.tab.page.mouse
    await asyncio.gather(mouse.move(*point), mouse.down(), mouse.up())
    lifted = await _lift(bound)
    if lifted.get("swallowed") and _writes(bound) == writes:
        return _SWALLOWED
    verdict = lifted.get("verdict", "open")
    return DONE if verdict == "open" else _ASTRAY if verdict == "" else None


def interrupted(bound: Bound, act: TargetAct) -> Outcome:
    """The outcome of an act during which a dialog opened: a press that did not arrive before may come later."""
    presses = isinstance(act, Click | SetChecked)
    return _FROZEN if presses and str(bound.token) not in bound.tab.console.signs else DONE


async def _arm(bound: Bound) -> Answer | None:
    """Where to press the target; None when it means something else by now."""
    try:
        answer = await ask(bound.frame, "arm", bound.token, SIGN, limit_ms=LIMIT_MS)
    except Error:
        return None
    return dict(answer["aim"]) if answer["armed"] else None


async def _lift(bound: Bound) -> Answer:
    """Empty when the act led to another document."""
    try:
        return await ask(bound.frame, "lift", limit_ms=LIMIT_MS)
    except Error:
        return {}


def _writes(bound: Bound) -> int:
    return sum(entry.method in UNSAFE_METHODS for entry in bound.tab.traffic.entries())
