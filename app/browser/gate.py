"""Lets an act through only while its target means what was decided on, up to the moment the input arrives."""

import asyncio
import contextlib
from collections.abc import Callable, Coroutine, Sequence
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import Error, Frame

from app.browser.console import SIGN
from app.browser.lifeline import give_up
from app.browser.network import UNSAFE_METHODS
from app.browser.outcomes import CHANGED, DONE, outcome_of
from app.browser.page_script import Answer, ask
from app.browser.probe import Bound
from app.domain.acts import Click, SetChecked, TargetAct, Type
from app.domain.pages import ActFault, Outcome

LIMIT_MS = 1000

_SHUT_MS = 300
_LIFT_LATE_MS = 8000  # a page that a dialog has frozen answers when that is closed
_OWN_FRAMES_SHUT = 8
_FIRST_PAUSE_S = 0.12  # most acts have arrived by then
_PAUSE_S = 0.06
_IN_PLACE = 3  # presses, of which the gate lets one through
_HINDRANCES = ("covered", "disabled", "invisible")
_SWALLOWED = Outcome(
    "failed", "Nothing was pressed: the page drew it anew under the press.", target_lost=True, fault="stale"
)
_MISSED = Outcome("failed", "Nothing was typed: the page drew the field anew.", target_lost=True, fault="stale")
_ASTRAY = Outcome("uncertain", "The page moved under the press; what it fell on is not known.")
_ELSEWHERE = Outcome(
    "failed",
    "Nothing was sent: another frame of the page came to lie there or took the focus, and it was held back.",
    fault="covered",
)
_ASIDE = Outcome(
    "failed", "Nothing was pressed: something else came to lie there or took the focus just now.", fault="changed"
)
_ASTRAY_KEY = Outcome(
    "failed",
    "The page moved the focus to something else; a key that would have pressed that was held back.",
    fault="changed",
)
_FROZEN = Outcome(
    "uncertain", "A dialog opened before it arrived; it may still come through once that is answered.", fault="dialog"
)


async def guarded(bound: Bound, act: TargetAct, work: Callable[[Answer], Coroutine[Any, Any, Outcome]]) -> Outcome:
    """The outcome of the work, which is told where to press. Raises the driver's Error unless the gate knows better."""
    return await _alone(bound, _guarded(bound, act, work))


async def kept_to(bound: Bound | None, work: Coroutine[Any, Any, Outcome]) -> Outcome:
    """The same for a press at a point or a key, which goes to the one thing that was prepared or nowhere."""
    if bound is None:
        return await work
    return await _alone(bound, _here(bound, work))


async def _here(bound: Bound, work: Coroutine[Any, Any, Outcome]) -> Outcome:
    try:
        with contextlib.suppress(Error):
            await ask(bound.frame, "armHere", bound.token, limit_ms=LIMIT_MS)
        outcome = await work
    finally:
        work.close()
    lifted = await _lift(bound)
    return _ASIDE if lifted.get("verdict") == "shut" or lifted.get("astray") else outcome


async def _alone(bound: Bound, work: Coroutine[Any, Any, Outcome]) -> Outcome:
    """The outcome while no other frame of the page takes input: one may be moved under the pointer at any time."""
    others = _others(bound)
    outcome, error = DONE, None
    try:
        await _ask_each(others, "shutOut", _SHUT_MS)
        outcome = await work
    except Error as exc:
        error = exc
    except asyncio.CancelledError:
        work.close()
        bound.tab.hold(_ask_each((bound.frame, *others), "lift", _LIFT_LATE_MS))
        raise
    if any(answer.get("caught") for answer in await _ask_each(others, "lift", LIMIT_MS)):
        return _ELSEWHERE
    if error is not None:
        raise error
    return outcome


def _others(bound: Bound) -> tuple[Frame, ...]:
    """All of other sites, which no script of this one could press otherwise, and a few of its own."""
    site = urlsplit(bound.frame.url).netloc
    found = [frame for frame in bound.tab.page.frames if frame != bound.frame and not frame.is_detached()]
    foreign = [frame for frame in found if urlsplit(frame.url).netloc not in ("", site)]
    return (*foreign, *[frame for frame in found if frame not in foreign][:_OWN_FRAMES_SHUT])


async def _ask_each(frames: Sequence[Frame], question: str, limit_ms: float) -> list[Answer]:
    """What they answer in time; a frame that cannot answer takes no input either."""
    if not frames:
        return []
    asked = (ask(frame, question, limit_ms=limit_ms) for frame in frames)
    return [one for one in await asyncio.gather(*asked, return_exceptions=True) if isinstance(one, dict)]


async def _guarded(bound: Bound, act: TargetAct, work: Callable[[Answer], Coroutine[Any, Any, Outcome]]) -> Outcome:
    writes = _writes(bound)
    outcome = await _through_gate(bound, act, work, writes)
    for _ in range(_IN_PLACE if act == Click() and bound.frame.parent_frame is None else 0):
        if not outcome.target_lost or outcome.fault in _HINDRANCES:
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
        watched = isinstance(act, Click | SetChecked | Type)
        outcome, error = await (_while_usable(bound, work(aim)) if watched else work(aim)), None
    except Error as exc:
        outcome, error = outcome_of(exc), exc
    lifted = await _lift(bound)
    if lifted.get("verdict") == "shut":
        return outcome if outcome.fault in _HINDRANCES else CHANGED
    if lifted.get("swallowed") and _writes(bound) == writes:
        return _SWALLOWED
    if lifted.get("missed") and isinstance(act, Type):
        return _MISSED
    if lifted.get("astray"):
        return _ASTRAY_KEY
    if error is not None and not outcome.target_lost:
        raise error
    return outcome


async def _while_usable(bound: Bound, work: Coroutine[Any, Any, Outcome]) -> Outcome:
    """The outcome of the work, which is given up once the target was hidden, disabled or covered before any input."""
    task, pause_s = asyncio.ensure_future(work), _FIRST_PAUSE_S
    try:
        while not (await asyncio.wait({task}, timeout=pause_s))[0]:
            pause_s = _PAUSE_S
            hindered = await _hindered(bound)
            if hindered is not None:
                await give_up(task)
                return hindered
        return task.result()
    finally:
        task.cancel()


async def _hindered(bound: Bound) -> Outcome | None:
    try:
        answer = await ask(bound.frame, "hindered", bound.token, limit_ms=LIMIT_MS)
    except Error:
        return None
    fault: ActFault | None = answer["fault"] or None
    return Outcome("failed", f"Nothing was sent: {answer['reason']}.", target_lost=True, fault=fault) if fault else None


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
