"""Which acts are consequential, and what exactly a person is asked before one happens."""

import re
import unicodedata
from dataclasses import dataclass, field, replace

from app.context.refs.meaning import leads_elsewhere
from app.domain.acts import Click, TargetAct, Type
from app.domain.pages import Dialog, Probe
from app.domain.submissions import Consequence
from app.guard.classes import names_an_act
from app.guard.ledger import origin_of
from app.guard.payloads import address_fields

_PHRASES: dict[Consequence, str] = {
    "delete": "delete|erase|destroy|löschen|supprimer|eliminar|elimina|удалить|削除|删除",
    "pay": "place (?:your |my |the )?order|order now|buy|pay|purchase|donate|transfer|book now|"
    "confirm (?:order|payment|booking)|bestellen|kaufen|bezahlen|acheter|payer|comprar|pagar",
    "send": "send|post|publish|submit|tweet|reply|share|senden|envoyer|enviar|отправить|送信|发送",
    "account": "sign up|create account|change password|grant|authori[sz]e|allow access|(?:un)?subscribe|close account",
}
_TEXT_FIELDS = frozenset({"textbox", "searchbox", "spinbutton", "combobox"})
_BUTTONS = frozenset({"button", "menuitem"})
_CHOICES = frozenset({"radio", "checkbox", "option", "tab", "menuitemradio", "menuitemcheckbox", "slider", "listbox"})
_SHORT_LABEL = 60  # longer words are a text that can be clicked, not the name of what it does
_NO_WIDTH = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
_WORDS = {name: re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) for name, words in _PHRASES.items()}
_ONLY_AGREES = re.compile(
    r"\W*(?:yes|ok(?:ay)?|confirm|continue|proceed|go|next|apply|run|accept|agree|i agree|i['’]m sure|done|finish"
    r"|ja|oui|sí|si|weiter|да)\b",
    re.IGNORECASE,
)
_SAID_OF: dict[Consequence, re.Pattern[str]] = {
    "delete": _WORDS["delete"],
    "pay": re.compile(
        r"(?<!\w)(?:pay|order total|total to pay|(?:be|is) charged|purchase|checkout|bezahlen|payer)(?!\w)",
        re.IGNORECASE,
    ),
}


@dataclass(frozen=True, slots=True)
class Effect:
    """A consequential act with exactly what will leave; equal values mean the same effect.

    `sends` also has what the page put into the form by itself, such as tokens that differ each time.
    """

    consequence: Consequence
    control: str
    origin: str
    method: str
    action: str
    fields: tuple[tuple[str, str], ...]
    words: str = ""
    sends: tuple[tuple[str, str], ...] = field(default=(), compare=False)


def effect_of(probe: Probe, act: TargetAct) -> Effect | None:
    """The consequence of an act on a probed target, or None when it needs no person."""
    if probe.node is None:
        return None
    if isinstance(act, Click) or (isinstance(act, Type) and not _takes_text(probe)):
        return _of_press(probe)
    return _of_enter(probe) if isinstance(act, Type) and presses_enter(act) else None


def sounds_consequential(words: str) -> bool:
    """Whether a short label says that pressing it pays, sends, deletes or touches an account."""
    return len(words) <= _SHORT_LABEL and _consequence_of(words) is not None


def effect_of_dialog(dialog: Dialog, url: str) -> Effect | None:
    """The consequence of accepting a page's own question, by its words; telling something asks for nothing."""
    if dialog.kind not in ("confirm", "prompt"):
        return None
    consequence = _consequence_of(dialog.message)
    if consequence is None:
        return None
    return Effect(consequence, "OK", origin_of(url), "", "", (), words=dialog.message)


def place_of(probe: Probe) -> str:
    """Where an effect without a form would come about: what a form sends is told by its values alone."""
    if probe.form is not None or probe.node is None:
        return ""
    return f"{re.split('[?#]', probe.frame_url)[0]} {probe.node.around}"


def presses_enter(act: Type) -> bool:
    """Whether typing ends with Enter, or has it among its keys."""
    return act.submit or (act.slowly and ("\n" in act.text or "\r" in act.text))


def _of_press(probe: Probe) -> Effect | None:
    """Choosing sends nothing, and a plain link only leads elsewhere; anything else may send, whatever its role."""
    role = probe.node.role if probe.node else ""
    if role in _CHOICES or _takes_text(probe):
        return None
    names = _names(probe)
    if _is_plain_link(probe):
        return _of_link(probe, names)
    if role not in _BUTTONS and not probe.submits:
        names = [name for name in names if len(name) <= _SHORT_LABEL]
    return _by_names(probe, names, sends=probe.submits)


def _of_link(probe: Probe, names: list[str]) -> Effect | None:
    """A plain link leads elsewhere, unless name and address both say that opening it does something."""
    if origin_of(probe.href) != origin_of(probe.frame_url) or not names_an_act(probe.href):
        return None
    found = _by_names(probe, [name for name in names if len(name) <= _SHORT_LABEL], sends=False)
    return replace(found, method="GET", action=probe.href, fields=(), sends=()) if found else None


def _of_enter(probe: Probe) -> Effect | None:
    """Enter presses the button of the form; without one it is for the page, and in a long text it often sends."""
    if probe.form is not None and probe.tag != "textarea":
        return _by_names(probe, [probe.form.submit_name], sends=True)
    submit = [probe.form.submit_name] if probe.form is not None else []
    found = _by_names(probe, [*_names(probe), *submit], sends=False)
    return found or (_effect("send", _names(probe)[0], probe) if probe.tag != "input" else None)


def _by_names(probe: Probe, names: list[str], *, sends: bool) -> Effect | None:
    for name in names:
        if (consequence := _consequence_of(name)) is not None:
            return _effect(consequence, name, probe)
    form = probe.form
    if not sends or form is None or form.method == "GET" or not any(map(_ONLY_AGREES.match, names)):
        return None
    said = " ".join((form.words, form.action, *(value for _, value in form.fields)))
    consequence = next((one for one in ("delete", "pay") if _SAID_OF[one].search(_plain(said))), None)
    return _effect(consequence, names[0], probe) if consequence else None


def _consequence_of(name: str) -> Consequence | None:
    return next((consequence for consequence, words in _WORDS.items() if words.search(_plain(name))), None)


def _names(probe: Probe) -> list[str]:
    """What the control is called, and what a person reads on it, which a page can make differ."""
    node = probe.node
    called = (node.name or probe.value or node.text) if node else ""
    return [called, *([probe.words] if probe.words and probe.words != called else [])]


def _takes_text(probe: Probe) -> bool:
    return probe.node is not None and probe.node.role in _TEXT_FIELDS


def _is_plain_link(probe: Probe) -> bool:
    role = probe.node.role if probe.node else ""
    return role not in _BUTTONS and not probe.submits and leads_elsewhere(probe.href, probe.frame_url)


def _plain(text: str) -> str:
    """The text without what only looks different: wide letters, marks of no width."""
    return _NO_WIDTH.sub("", unicodedata.normalize("NFKC", text))


def _effect(consequence: Consequence, label: str, probe: Probe) -> Effect:
    form = probe.form
    return Effect(
        consequence=consequence,
        control=label,
        origin=origin_of(form.action if form else probe.frame_url),
        method=form.method if form else "",
        action=form.action if form else "",
        fields=form.fields if form else (),
        words=form.words if form else "",
        sends=(*(address_fields(form.action) if form.method != "GET" else ()), *form.sends) if form else (),
    )
