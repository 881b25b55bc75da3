"""The lines above a shown page: where it is, what state it is in, how much of it is shown."""

import re
from dataclasses import dataclass

from app.context.page.poor import is_poor
from app.context.page.render import quoted
from app.domain.ids import ObservationId, Ref
from app.domain.pages import Dialog, Look, TabInfo
from app.domain.snapshot import SnapshotNode, walk

_TITLE_LIMIT = 120
_URL_LIMIT = 300
_TABS_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Known:
    """What the model knows of a page from the look before; of this only what is different is told again."""

    url: str
    title: str
    focus: str
    above: float  # screens
    tabs: str = ""
    missing: str = ""  # in kind, without its counts


def header(
    look: Look,
    id: ObservationId,
    *,
    tree: SnapshotNode,
    what: str,
    known: Known | None = None,
    acted_on: Ref | None = None,
) -> str:
    """Facts that the runtime vouches for; title and addresses are the page's words and stand in quotes or last.

    `tree` is the identified tree, for the focus; `what` says how this look is shown ("whole page", "same as o4" …).
    That the focus went to what was just `acted_on` goes without saying.
    """
    if known is None:
        lines = [_first_line(look, id), f"url: {_one_line(look.url, _URL_LIMIT)}", _state(look, tree), what]
    else:
        lines = [" · ".join([str(id), *_new_facts(look, known), what + _beside(look, tree, known, acted_on)])]
        lines += [f"url: {_one_line(look.url, _URL_LIMIT)}"] if look.url != known.url else []
    if known is None and is_poor(look, tree):
        lines.append("hint: much of this page is not in its text; look or browser_take_screenshot shows it")
    if modal := modal_of(tree):
        lines.append(f"modal: {modal}; what is outside of it is covered: {_covered_controls(tree)}")
    if look.dialog is not None:
        lines.append(dialog_line(look.dialog))
    tabs = _other_tabs(look)
    if tabs != (known.tabs if known else ""):
        lines.append(f"other tabs: {tabs or 'none'}")
    if known is None or _missing(look) != known.missing:
        lines += [f"missing: {_one_line(text, 200)}" for text in look.missing]
    return "\n".join(lines)


def focus_of(tree: SnapshotNode) -> str:
    """What has the focus, as its line shows it without its content; empty when nothing that can be acted on has it."""
    for node in walk(tree):
        if "active" in node.states and node.ref:
            return (
                f"{node.ref} {node.role} {quoted(_one_line(node.name, 60))}" if node.name else f"{node.ref} {node.role}"
            )
    return ""


def modal_of(tree: SnapshotNode) -> str:
    """The layer that covers the rest of the page; empty when nothing is covered."""
    if not any("covered" in node.marks for node in walk(tree)):
        return ""
    layers = [node for node in walk(tree) if node.role in ("dialog", "alertdialog") and "covered" not in node.marks]
    if not layers:
        return "a layer without a name"
    return f"{layers[-1].role} {quoted(_one_line(layers[-1].name, 80))}" if layers[-1].name else layers[-1].role


def _covered_controls(tree: SnapshotNode) -> str:
    count = sum(node.ref is not None and "covered" in node.marks for node in walk(tree))
    return "1 control" if count == 1 else f"{count} controls"


def dialog_line(dialog: Dialog) -> str:
    """An open dialog freezes its page; its message is the page's word and stands in quotes."""
    default = f", default {_quoted(dialog.default)}" if dialog.default else ""
    return f"open dialog: {dialog.kind} {_quoted(dialog.message)}{default}; answer it with browser_handle_dialog"


def scroll_of(look: Look) -> str:
    """Where the viewport stands on the page, in screens."""
    above, below = round(look.screens_above, 1), round(look.screens_below, 1)
    parts = [f"{above:g} screens above" if above else "", f"{below:g} screens below" if below else ""]
    return ", ".join(part for part in parts if part)


def known_of(look: Look, tree: SnapshotNode) -> Known:
    """What a model that was shown this look knows of it."""
    return Known(look.url, look.title, focus_of(tree), above_of(look), _other_tabs(look), _missing(look))


def above_of(look: Look) -> float:
    """How far the page is scrolled, in screens; how much of it lies below changes also when it grows."""
    return round(look.screens_above, 1)


def _first_line(look: Look, id: ObservationId) -> str:
    tab = [f"tab {look.tab}"] if len(look.tabs) > 1 else []
    title = [f"title {_quoted(look.title)}"] if look.title else []
    return " · ".join([str(id), *tab, *title, *_status(look)])


def _state(look: Look, tree: SnapshotNode) -> str:
    focus = focus_of(tree)
    return " · ".join(
        filter(None, [*(_unrest(look) or ["settled"]), f"focus {focus}" if focus else "", scroll_of(look)])
    )


def _new_facts(look: Look, known: Known) -> list[str]:
    title = [f"title {_quoted(look.title)}"] if look.title != known.title else []
    return [*title, *_status(look), *_unrest(look)]


def _missing(look: Look) -> str:
    return re.sub(r"\d+", "", "; ".join(look.missing))


def _beside(look: Look, tree: SnapshotNode, known: Known, acted_on: Ref | None) -> str:
    """What else is different that the page's lines do not show."""
    focus, scroll = focus_of(tree), scroll_of(look)
    notes = ["the address changed"] if look.url != known.url else []
    if focus != known.focus and not (acted_on and focus.startswith(f"{acted_on} ")):
        notes.append(f"the focus went to {focus}" if focus else "nothing has the focus any more")
    if above_of(look) != known.above:
        notes.append(f"now {scroll}" if scroll else "now all of it is in view")
    return "".join(f"; {note}" for note in notes)


def _status(look: Look) -> list[str]:
    bad = look.http_status is not None and not 200 <= look.http_status < 300
    return [f"HTTP {look.http_status}"] if bad else []


def _unrest(look: Look) -> list[str]:
    running = f"{look.requests_running} requests running" if look.requests_running else ""
    return [part for part in ("" if look.settled else "still changing", running) if part]


def _other_tabs(look: Look) -> str:
    others = [tab for tab in look.tabs if tab.id != look.tab]
    more = [f"{len(others) - _TABS_SHOWN} more (browser_tabs lists them)"] if len(others) > _TABS_SHOWN else []
    return "; ".join([*map(_tab, others[:_TABS_SHOWN]), *more])


def _tab(tab: TabInfo) -> str:
    who = "page" if tab.opened_by_page else "person" if tab.opened_by_person else ""
    opened = f", opened by the {who}" if who else ""
    opened += ", a dialog is open there" if tab.has_dialog else ""
    return f"tab {tab.id} {quoted(_one_line(tab.title, 60))} {_one_line(tab.url, 100)}{opened}"


def _quoted(text: str) -> str:
    return quoted(_one_line(text, _TITLE_LIMIT))


def _one_line(text: str, limit: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"
