"""Several acts in one call: each target is checked again right before its act, and the first surprise ends them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from app.agent.acting import Acting
from app.agent.answers import NOTHING, Answer, together
from app.agent.receipts import Applied, Several, did_not_hold, went_wrong
from app.domain.acts import PressKey, TargetAct
from app.domain.ids import Ref, ToolCallId
from app.domain.pages import Happenings
from app.guard.decide import Refused


@dataclass(frozen=True, slots=True)
class Step:
    """One act of several, on a target; a key without a target goes to what has the focus."""

    verb: str
    act: TargetAct | PressKey
    target: Ref | None = None
    wanted: str | None = None  # what the target should hold then


async def fill(acting: Acting, call: ToolCallId, tool: str, steps: Sequence[Step]) -> Answer:
    """Fields that do not depend on each other: a value that the page writes in its own way is no surprise."""
    return await _in_order(acting, call, tool, steps, watched=False)


async def run(acting: Acting, call: ToolCallId, tool: str, steps: Sequence[Step]) -> Answer:
    """Steps that build on each other: the page may settle after each, and what it does then may end them."""
    return await _in_order(acting, call, tool, steps, watched=True)


async def _in_order(acting: Acting, call: ToolCallId, tool: str, steps: Sequence[Step], *, watched: bool) -> Answer:
    names = ", ".join(_name(acting, step) for step in steps)
    meanings = "; ".join(acting.meaning_of(step.target) if step.target else "" for step in steps)
    tried, stopped = await acting.start(call, tool, names, "; ".join(repr(step.act) for step in steps), meanings)
    if stopped is not None:
        return stopped
    applied: list[Applied] = []
    noticed, surprise = NOTHING, ""
    for step in steps:
        applied.append(await _apply(acting, call, step))
        is_last = len(applied) == len(steps)
        if watched and not is_last and not went_wrong(applied[-1]):
            await acting.settle()
            now = await acting.noticed()
            noticed, surprise = together(noticed, now), _surprise(applied[-1], now)
        if surprise or went_wrong(applied[-1]):
            break
    left = steps[len(applied) :]
    applied += [Applied(step.verb, _name(acting, step)) for step in left]
    unit: Literal["fields", "steps"] = "steps" if watched else "fields"
    return await acting.conclude(call, tried, tuple(applied), Several(unit, noticed, surprise))


async def _apply(acting: Acting, call: ToolCallId, step: Step) -> Applied:
    if isinstance(step.act, PressKey):
        left = await _document_left(acting)
        return Applied("pressed", step.act.key, refused=left) if left else await acting.apply_key(call, step.act.key)
    if step.target is None:
        raise ValueError("only a key needs no target")
    return await acting.apply(call, step.target, step.act, step.verb, step.wanted)


async def _document_left(acting: Acting) -> Refused | None:
    """A key has no target that could be checked, so the page it was meant for must still be there."""
    last = acting.observing.last
    focus = (await acting.browser.prepare_focus()).address
    known = {frame.document for frame in last.look.frames} if last else set()
    if focus.document in known or (not focus.document and last and (await _same_document(acting, last.look.document))):
        return None
    return Refused("gone", "another page is shown than the one it was meant for", "Read the page first.")


async def _same_document(acting: Acting, document: str) -> bool:
    return (await acting.observing.glance()).look.document == document


def _surprise(one: Applied, noticed: Happenings) -> str:
    """What a later step cannot have reckoned with; empty when there is nothing."""
    if did_not_hold(one):
        return "the field holds something else"
    failed = any(write.failure or (write.status or 0) >= 400 for write in noticed.writes)
    told = (
        (bool(noticed.dialogs), "a dialog opened"),
        (bool(noticed.new_tabs), "a new tab opened"),
        (bool(noticed.closed_tabs), "a tab closed"),
        (noticed.file_chooser_open, "a file chooser opened"),
        (noticed.crashed, "the page crashed"),
        (failed, "the site refused what was sent"),
    )
    return next((what for happened, what in told if happened), "")


def _name(acting: Acting, step: Step) -> str:
    if isinstance(step.act, PressKey):
        return step.act.key
    return acting.name_of(step.target) if step.target else ""
