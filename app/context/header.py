"""The lines above a shown page: where it is, what state it is in, how much of it is shown."""

from app.context.render import quoted
from app.domain.ids import ObservationId
from app.domain.pages import Dialog, Look, TabInfo
from app.domain.snapshot import SnapshotNode, walk

_TITLE_LIMIT = 120
_URL_LIMIT = 300


def header(
    look: Look,
    id: ObservationId,
    *,
    tree: SnapshotNode,
    what: str,
) -> str:
    """Facts that the runtime vouches for; title and addresses are the page's words and stand in quotes or last.

    `tree` is the identified tree, for the focus; `what` says how this look is shown ("whole page", "same as o4" …).
    """
    lines = [_first_line(look, id), f"url: {_one_line(look.url, _URL_LIMIT)}", _state(look, tree)]
    lines += [what] if what else []
    if modal := modal_of(tree):
        lines.append(f"modal: {modal}; what is outside of it is covered")
    if look.dialog is not None:
        lines.append(dialog_line(look.dialog))
    others = [tab for tab in look.tabs if tab.id != look.tab]
    if others:
        lines.append("other tabs: " + "; ".join(_tab(tab) for tab in others))
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


def dialog_line(dialog: Dialog) -> str:
    """An open dialog freezes its page; its message is the page's word and stands in quotes."""
    default = f", default {_quoted(dialog.default)}" if dialog.default else ""
    return f"open dialog: {dialog.kind} {_quoted(dialog.message)}{default}; answer it with browser_handle_dialog"


def scroll_of(look: Look) -> str:
    """Where the viewport stands on the page, in screens."""
    above, below = round(look.screens_above, 1), round(look.screens_below, 1)
    parts = [f"{above:g} screens above" if above else "", f"{below:g} screens below" if below else ""]
    return ", ".join(part for part in parts if part)


def _first_line(look: Look, id: ObservationId) -> str:
    parts = [str(id), f"tab {look.tab}"]
    if look.title:
        parts.append(f"title {_quoted(look.title)}")
    if look.http_status is not None and not 200 <= look.http_status < 300:
        parts.append(f"HTTP {look.http_status}")
    return " · ".join(parts)


def _state(look: Look, tree: SnapshotNode) -> str:
    settled = "settled" if look.settled else "still changing"
    running = f", {look.requests_running} requests running" if look.requests_running else ""
    focus = focus_of(tree)
    return " · ".join(filter(None, [settled + running, f"focus {focus}" if focus else "", scroll_of(look)]))


def _tab(tab: TabInfo) -> str:
    opened = ", opened by the page" if tab.opened_by_page else ""
    return f"tab {tab.id} {_quoted(tab.title)} {_one_line(tab.url, 100)}{opened}"


def _quoted(text: str) -> str:
    return quoted(_one_line(text, _TITLE_LIMIT))


def _one_line(text: str, limit: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"
