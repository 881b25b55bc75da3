"""Decides whether one act on one target may happen: pure, right before the act, on facts read just now."""

from dataclasses import dataclass
from typing import Literal

from app.context.page.shield import page_words
from app.context.refs.identity import describe
from app.context.refs.meaning import difference, probe_meaning
from app.domain.acts import Click, ScrollBy, SetChecked, SetSlider, TargetAct, Type
from app.domain.observation import Meaning, RefRecord
from app.domain.pages import ActFault, Probe
from app.guard.consent import Effect, effect_of

RefusalKind = Literal[
    "dead",
    "unknown",
    "person",
    "submitted",
    "gone",
    "other_tab",
    "dialog",
    "changed",
    "unresponsive",
    "secret",
    "invisible",
    "disabled",
    "readonly",
    "covered",
]


_FAULTS: dict[RefusalKind, ActFault] = {
    "dead": "stale",
    "gone": "stale",
    "unknown": "not_found",
    "person": "refused_by_person",
    "submitted": "submitted",
    "unresponsive": "timeout",
    "other_tab": "other_tab",
    "dialog": "dialog",
    "changed": "changed",
    "secret": "secret",
    "invisible": "invisible",
    "disabled": "disabled",
    "readonly": "readonly",
    "covered": "covered",
}


@dataclass(frozen=True, slots=True)
class Allowed:
    pass


@dataclass(frozen=True, slots=True)
class Refused:
    """Nothing was done; `reason` stands first in the one line the model reads, `way_on` follows."""

    kind: RefusalKind
    reason: str
    way_on: str = ""

    @property
    def fault(self) -> ActFault:
        """The class of error it counts as."""
        return _FAULTS[self.kind]


@dataclass(frozen=True, slots=True)
class AskPerson:
    """The act is consequential and the person has not allowed exactly this effect."""

    effect: Effect


Decision = Allowed | Refused | AskPerson


def decide(record: RefRecord, probe: Probe, act: TargetAct, allowed: Effect | None) -> Decision:
    """Check the target against what the model last read, then whether it can be used, then what it would cause.

    `allowed` is the effect the person has just allowed; it counts only while the effect is still exactly that one.
    """
    refused = _same_target(record, probe) or _usable(record, probe, act)
    if refused is not None:
        return refused
    effect = effect_of(probe, act)
    if effect is None or effect == allowed:
        return Allowed()
    return AskPerson(effect)


def _same_target(record: RefRecord, probe: Probe) -> Refused | None:
    what = _name(record)
    if probe.state == "dialog_open":
        return Refused(
            "dialog", "a dialog is open and the page is frozen", "Answer it with browser_handle_dialog first."
        )
    if probe.state == "other_tab":
        return Refused("other_tab", f"{record.ref} is on tab {record.tab}", "Select that tab with browser_tabs first.")
    if probe.state == "unresponsive":
        return Refused("unresponsive", "the page does not answer", "Wait a moment, or open another address.")
    if probe.state != "ok" or probe.node is None:
        return Refused("gone", f"{what} is no longer on the page")
    now = probe_meaning(probe)
    if now != record.meaning:
        return Refused("changed", f"{what} is now {_difference(record.meaning, now)}")
    return None


def _difference(then: Meaning, now: Meaning) -> str:
    if (then.role, then.name) != (now.role, now.name):
        return page_words(describe(now))
    return difference(then, now)


def _usable(record: RefRecord, probe: Probe, act: TargetAct) -> Refused | None:
    what = _name(record)
    if isinstance(act, ScrollBy):
        return None
    if isinstance(act, Type) and probe.node is not None and "password" in probe.node.marks:
        return Refused("secret", f"{what} is for a secret, and secrets are the person's", "Use ask_user with takeOver.")
    if not probe.visible:
        return Refused("invisible", f"{what} cannot be seen", "Something may have to be opened first.")
    if not probe.enabled:
        return Refused("disabled", f"{what} is disabled", "Something else on the page may have to be filled in first.")
    if isinstance(act, Type | SetSlider | SetChecked) and probe.readonly:
        return Refused(
            "readonly", f"{what} is read-only", "Look for the control that sets it, such as a picker button."
        )
    if probe.cover is not None and not (isinstance(act, Click) and act.at is not None):  # a point is on top itself
        return Refused(
            "covered", f"{what} is covered by {page_words(probe.cover.description)}", "Deal with what covers it first."
        )
    return None


def _name(record: RefRecord) -> str:
    """What the page calls a thing can imitate no words of ours."""
    return f"{record.ref} {page_words(describe(record.meaning))}"
