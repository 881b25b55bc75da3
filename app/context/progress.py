"""Sees when nothing moves: fingerprints of pages, repeats of acts, cycles, and a ladder of answers.

Looks, tab lists and recall neither count nor reset. Waiting, paging and scrolling that moved change the fingerprint
and so are progress.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.domain.records import ProgressWarning, WarningRung
from app.domain.snapshot import SnapshotNode, walk

WINDOW = 12
LONGEST_CYCLE = 4

_MOVING = re.compile(r"\b\d{1,2}:\d{2}(?::\d{2})?\b|\b\d+ (?:s|sec|seconds?|min|minutes?) ago\b", re.IGNORECASE)
_RUNGS: tuple[WarningRung, ...] = ("hint", "warning", "blocked", "paused")
_ADVICE: dict[WarningRung, str] = {
    "hint": "Read what the page says before you try again.",
    "warning": "Read the outcome back with browser_snapshot, try another way, or hand over with ask_user. "
    "Never repeat a possible submission.",
    "blocked": "It changed nothing before, so it was not done again. Use another control or page, or ask the person.",
    "paused": "The person decides how to go on.",
}


@dataclass(frozen=True, slots=True)
class Act:
    """One act with what tells it apart; `after` is the fingerprint of the page after it, empty before it is done."""

    tool: str
    target: str
    arguments: str
    before: str
    after: str = ""

    @property
    def moved(self) -> bool:
        return self.before != self.after

    @property
    def key(self) -> tuple[str, str, str, str]:
        return (self.tool, self.target, self.arguments, self.before)


@dataclass(frozen=True, slots=True)
class Progress:
    """The last acts of a turn and how high the ladder has been climbed."""

    acts: tuple[Act, ...] = ()
    standing_still: int = 0
    rung: int = -1


def fingerprint(tree: SnapshotNode, url: str, document: str, tab: int) -> str:
    """The same for two looks that a person would call the same page in the same state."""
    parts = [str(tab), url, document]
    for node in walk(tree):
        states = ",".join(state for state in node.states if state != "active")
        parts.append("\x1f".join((node.role, _MOVING.sub("#", node.name), _MOVING.sub("#", node.text), states)))
    return hashlib.blake2b("\x1e".join(parts).encode(), digest_size=16).hexdigest()


def before_act(progress: Progress, act: Act) -> tuple[Progress, ProgressWarning | None]:
    """Whether this act may still be tried: a warning of rung "blocked" or "paused" means it must not run."""
    repeats = sum(1 for one in progress.acts if one.key == act.key and not one.moved)
    if progress.rung < 1 or repeats < 1:
        return progress, None
    rung = min(max(progress.rung + 1, 2), 3)
    what = f"{_named(act)} was done {repeats} {'time' if repeats == 1 else 'times'} without effect"
    return replace(progress, rung=rung), _warning(rung, what, repeats)


def after_act(progress: Progress, act: Act) -> tuple[Progress, ProgressWarning | None]:
    """Count a finished act; a warning of rung "hint" or "warning" goes into its result."""
    acts = (*progress.acts, act)[-WINDOW:]
    still = 0 if act.moved else progress.standing_still + 1
    cycles = _full_cycles(acts)
    if act.moved and cycles < 2:
        return Progress(acts, 0, -1), None
    if still < 3 and cycles < 2:
        return Progress(acts, still, progress.rung), None
    rung = min(progress.rung + 1, 1)
    what = (
        f"the last {still} acts changed nothing, the newest was {_named(act)}"
        if still >= 3
        else f"the last acts go round in a circle, {cycles} times now; the newest was {_named(act)}"
    )
    return Progress(acts, still, rung), _warning(rung, what, max(still, cycles))


def _full_cycles(acts: Sequence[Act]) -> int:
    """How often the newest states went round a cycle of two to four, where a state is the page after an act."""
    states = [act.after for act in acts]
    best = 0
    for length in range(2, LONGEST_CYCLE + 1):
        tail = states[-length:]
        if len(set(tail)) < 2:
            continue
        rounds = 1
        while states[-length * (rounds + 1) : -length * rounds] == tail:
            rounds += 1
        same_acts = {act.key for act in acts[-length * rounds :]}
        if rounds > 1 and len(same_acts) <= length:
            best = max(best, rounds)
    return best


def _warning(rung: int, what: str, repeats: int) -> ProgressWarning:
    name = _RUNGS[rung]
    return ProgressWarning(rung=name, what=f"No progress: {what}", advice=_ADVICE[name], repeats=repeats)


def _named(act: Act) -> str:
    return f"{act.tool.removeprefix('browser_').replace('_', ' ')} on {act.target or 'the page'}"
