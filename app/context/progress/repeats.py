"""Sees when nothing moves: repeats of acts, cycles of pages, errors of one kind, and a ladder of four answers.

Looks, tab lists and recall neither count nor reset. Waiting, paging and scrolling that moved change the page that is
compared and so are progress.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from app.domain.pages import ActFault
from app.domain.records import ProgressWarning, WarningRung

WINDOW = 12
LONGEST_CYCLE = 4
PATIENCE = 3  # acts without change, repeats with one outcome, errors of one kind
ROUNDS = 2  # full cycles

_RUNGS: tuple[WarningRung, ...] = ("hint", "warning", "blocked", "paused")
_ADVICE: dict[WarningRung, str] = {
    "hint": "Read what the page says before you try again.",
    "warning": "The page is shown below as it is now: read the outcome back from it. Then try another way, or hand "
    "over with ask_user. Never repeat a possible submission.",
    "blocked": "It was not done again. Use another control or page, or ask the person with ask_user.",
    "paused": "The person decides how to go on.",
}
_FAULT_WORDS: dict[ActFault, tuple[str, str]] = {
    "stale": ("the refs were dead", "Take refs from the newest page only; find the thing again with browser_find."),
    "changed": ("the targets had changed", "The page redraws itself: read the new name or row before you act on it."),
    "not_found": ("the targets were not there", "Search with browser_find, or open what holds it first."),
    "covered": ("the targets were covered", "Close or answer what lies over them first; its ref is in the refusal."),
    "disabled": ("the targets were disabled", "Fill in or choose what they need first; the page marks it required."),
    "readonly": ("the fields were read-only", "Look for the control that sets them, such as a picker button."),
    "invisible": ("the targets could not be seen", "Open the menu, tab or part that holds them first."),
    "secret": ("the fields are for secrets", "Only the person fills them in: use ask_user with takeOver."),
    "refused_by_person": ("the person did not allow it", "Ask with ask_user what they want instead; do not try again."),
    "bad_arguments": ("the arguments were wrong", "Read what the tool takes, in its answer, and call it so."),
    "dialog": ("a dialog is open", "Answer it with browser_handle_dialog before anything else."),
    "other_tab": ("the targets are on another tab", "Select that tab with browser_tabs first."),
    "timeout": ("the page did not answer in time", "Wait with browser_wait_for, or load the page again."),
    "network": ("the address could not be loaded", "Use a link of the page or another address; try no spelling twice."),
    "unfit": ("the value did not fit the field", "Use a value of the form or the list that the answer names."),
    "failed": ("the acts failed", "Use another control, or ask the person with ask_user."),
}


@dataclass(frozen=True, slots=True)
class Act:
    """One act with what tells it apart; `before` and `after` are fingerprints, `after` is empty before it is done.

    `target` is what the target means, whatever its ref; `name` is how it is told. `fault` says why it did not work.
    It is late when the page went on by itself since the act before. `sight` is the page after it as it looks, without
    what the act did beside it, such as scrolling; empty when that is `after`.
    """

    tool: str
    target: str
    arguments: str
    before: str
    after: str = ""
    name: str = ""
    fault: ActFault | None = None
    late: bool = False
    sight: str = ""

    @property
    def moved(self) -> bool:
        return self.before != self.after

    @property
    def what(self) -> tuple[str, str, str]:
        """The act whatever the page: what to compare when it is tried again."""
        return (self.tool, self.target, self.arguments)

    @property
    def key(self) -> tuple[str, str, str, str]:
        return (*self.what, self.before)


@dataclass(frozen=True, slots=True)
class Progress:
    """The last acts of a turn and how high the ladder has been climbed."""

    acts: tuple[Act, ...] = ()
    rung: int = -1


@dataclass(frozen=True, slots=True)
class _Trouble:
    what: str
    advice: str = ""


def before_act(progress: Progress, act: Act) -> tuple[Progress, ProgressWarning | None]:
    """Whether this act may still be tried: a warning of rung "blocked" or "paused" means it must not run."""
    if progress.rung < 1:
        return progress, None
    same = [one for one in progress.acts if one.key == act.key]
    vain = sum(not one.moved for one in same)
    if not vain and (len(same) < ROUNDS or len({one.after for one in same}) > 1):
        return progress, None
    rung = min(max(progress.rung + 1, 2), 3)
    count = vain or len(same)
    outcome = "without effect" if vain else "from here and led nowhere new"
    what = f"{_named(act)} was done {count} {'time' if count == 1 else 'times'} {outcome}"
    return replace(progress, rung=rung), _warning(rung, _Trouble(what))


def after_act(progress: Progress, act: Act) -> tuple[Progress, ProgressWarning | None]:
    """Count a finished act; a warning of rung "hint" or "warning" goes into its result."""
    acts = (*progress.acts, act)[-WINDOW:]
    trouble = _trouble(acts)
    if trouble is None:
        is_news = act.moved and (act.sight or act.after) not in {*_sights(progress.acts), act.before}
        return Progress(acts, -1 if is_news else progress.rung), None
    rung = min(progress.rung + 1, 1)
    return Progress(acts, rung), _warning(rung, trouble)


def _trouble(acts: Sequence[Act]) -> _Trouble | None:
    """What shows that the newest act led nowhere; None when it did not, or not often enough."""
    newest = acts[-1]
    named = f"the newest was {_named(newest)}"
    errors = _trailing(one.fault == newest.fault for one in reversed(acts)) if newest.fault else 0
    if newest.fault and errors >= PATIENCE:
        words, advice = _FAULT_WORDS[newest.fault]
        return _Trouble(f"{errors} errors of one kind in a row: {words}; {named}", advice)
    still = _standing_still(acts)
    if still >= PATIENCE:
        return _Trouble(f"the last {still} acts changed nothing, {named}")
    same = sum(one.key == newest.key and one.after == newest.after for one in acts)
    if same >= PATIENCE:
        return _Trouble(f"{_named(newest)} was done {same} times on the same page, with the same outcome")
    rounds = _full_cycles(acts)
    if rounds >= ROUNDS:
        return _Trouble(f"the last acts go round in a circle, {rounds} times now; {named}")
    return None


def _full_cycles(acts: Sequence[Act]) -> int:
    """How often the newest acts went round two to four pages in the same way."""
    states = [(act.what, act.after) for act in acts]
    best = 0
    for length in range(2, LONGEST_CYCLE + 1):
        tail = states[-length:]
        rounds = 1
        while states[-length * (rounds + 1) : -length * rounds] == tail:
            rounds += 1
        if rounds > 1 and len({page for _, page in tail}) > 1:
            best = max(best, rounds)
    return best


def _standing_still(acts: Sequence[Act]) -> int:
    """How many of the newest acts changed nothing, neither at once nor later."""
    count = 0
    for one in reversed(acts):
        if one.moved:
            break
        count += 1
        if one.late:
            break
    return count


def _trailing(holds: Iterable[bool]) -> int:
    count = 0
    for one in holds:
        if not one:
            break
        count += 1
    return count


def _sights(acts: Iterable[Act]) -> set[str]:
    return {sight for act in acts for sight in (act.before, act.sight or act.after)}


def _warning(rung: int, trouble: _Trouble) -> ProgressWarning:
    name = _RUNGS[rung]
    advice = f"{trouble.advice} {_ADVICE[name]}" if trouble.advice else _ADVICE[name]
    return ProgressWarning(rung=name, what=f"No progress: {trouble.what}", advice=advice)


def _named(act: Act) -> str:
    return f"{act.tool.removeprefix('browser_').replace('_', ' ')} on {act.name or act.target or 'the page'}"
