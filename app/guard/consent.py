"""Which acts are consequential, and what exactly a person is asked before one happens."""

import re
from dataclasses import dataclass
from typing import Literal

from app.domain.acts import Click, TargetAct, Type
from app.domain.pages import Probe

Consequence = Literal["pay", "send", "delete", "account"]

_PHRASES: dict[Consequence, str] = {
    "delete": "delete|erase|destroy|löschen|supprimer|eliminar|elimina|удалить|削除|删除",
    "pay": "place (?:your |my |the )?order|order now|buy|pay|purchase|donate|transfer|book now|"
    "confirm (?:order|payment|booking)|bestellen|kaufen|bezahlen|acheter|payer|comprar|pagar",
    "send": "send|post|publish|submit|tweet|reply|share|senden|envoyer|enviar|отправить|送信|发送",
    "account": "sign up|create account|change password|grant|authori[sz]e|allow access|(?:un)?subscribe|close account",
}
_WORDS = {name: re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) for name, words in _PHRASES.items()}


@dataclass(frozen=True, slots=True)
class Effect:
    """A consequential act with exactly what will leave; equal values mean the same effect."""

    consequence: Consequence
    control: str
    origin: str
    method: str
    action: str
    fields: tuple[tuple[str, str], ...]
    words: str = ""


def effect_of(probe: Probe, act: TargetAct) -> Effect | None:
    """The consequence of an act on a probed target, or None when it needs no person."""
    if probe.node is None or not _can_submit(probe, act):
        return None
    label = _pressed(probe, act)
    for consequence, words in _WORDS.items():
        if words.search(label):
            return _effect(consequence, label, probe)
    return None


def _pressed(probe: Probe, act: TargetAct) -> str:
    """The name of the button that the act presses, be it by Enter in one of its fields."""
    if isinstance(act, Type) and probe.form is not None:
        return probe.form.submit_name
    return (probe.node.name if probe.node else "") or probe.value


def _can_submit(probe: Probe, act: TargetAct) -> bool:
    """A plain link is a navigation; a button, a submit control or Enter in a form can send."""
    if probe.node is None:
        return False
    if isinstance(act, Type):
        return act.submit and probe.form is not None and probe.form.method != "GET"
    if not isinstance(act, Click):
        return False
    if probe.form is not None and probe.submits and probe.form.method == "GET":
        return False
    return probe.submits or probe.node.role in ("button", "menuitem")


def _effect(consequence: Consequence, label: str, probe: Probe) -> Effect:
    form = probe.form
    return Effect(
        consequence=consequence,
        control=label,
        origin=_origin(form.action if form else probe.frame_url),
        method=form.method if form else "",
        action=form.action if form else "",
        fields=form.fields if form else (),
        words=form.words if form else "",
    )


def _origin(url: str) -> str:
    match = re.match(r"[a-z][a-z0-9+.-]*://[^/?#]*", url, re.IGNORECASE)
    return match.group(0).lower() if match else url
