"""Cards of what the agent did: receipts, looks, other tools, acts that are under way, folds."""

from urllib.parse import urlsplit

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.domain.ids import SubmissionId
from app.domain.records import ReceiptStatus
from app.ui.card import Card, Hands, time_words
from app.ui.elements import IconMark, Pill, TextButton, Words
from app.ui.rows import FoldRow, LookRow, PendingRow, ReceiptRow, ToolRow
from app.ui.safe_text import Link, host_of, web_link
from app.ui.state_words import capitalized, under_way

LONGEST_LINE = 200
STATUS: dict[ReceiptStatus, tuple[str, str]] = {
    "confirmed": ("confirmed", "success"),
    "not_confirmed": ("not confirmed", "muted"),
    "contradicted": ("did something else", "danger"),
    "failed": ("failed", "danger"),
    "uncertain": ("uncertain", "warning"),
}
_ICONS = {"typed": "edit", "filled": "edit", "went": "globe", "opened": "globe", "reloaded": "refresh", "closed": "tab"}
_SOFT = {"success": "success", "danger": "danger", "warning": "warning"}


def receipt_card(row: ReceiptRow, hands: Hands) -> Card:
    receipt = row.receipt
    words, tone = STATUS[receipt.status]
    title = _cut(capitalized(f"{receipt.verb} {receipt.target}".strip()))
    card = Card("plain", f"{title}. {words}. {receipt.effect}", full=_receipt_in_full(row))
    colour = _SOFT.get(tone, "agent")
    mark = IconMark(_icon_of(receipt.verb), colour, f"{colour}_soft", 16)
    value = f"; it now holds “{receipt.value_now}”" if receipt.value_now is not None else ""
    below = [_status(Pill(words, tone), _cut(f"{receipt.effect}{value}".strip()))]
    if facts := " · ".join(_facts(row)):
        below.append(Words(facts, tone="muted", scale=0.95))
    card.head(mark, Words(title, bold=True), *_chips(row.submitted, hands), time_words(row.at), below=below)
    return card


def look_card(row: LookRow) -> Card:
    page = f"“{row.title}”" if row.title else host_of(row.url) if web_link(row.url) else "an empty page"
    words = f"Looked at {page} — {row.how}"
    card = _quiet(words, row.full)
    card.head(IconMark("globe"), Words(words, tone="muted", scale=0.95), time_words(row.at))
    return card


def tool_card(row: ToolRow, hands: Hands) -> Card:
    full = "\n\n".join(part for part in (row.arguments, row.result) if part)
    if row.is_error:
        return _refusal_card(row, full, hands)
    words = f"{_plain_name(row.name)} — {_first_line(row.result).rstrip(':')}"
    card = _quiet(words, full)
    chips = _chips(row.submitted, hands)
    card.head(IconMark("search"), Words(words, tone="muted", scale=0.95), *chips, time_words(row.at))
    return card


def pending_card(row: PendingRow, hands: Hands) -> Card:
    if row.is_lost:
        words = f"It is not known whether this happened: {row.what}."
        card = Card("warning", words)
        chips = _chips(row.submitted, hands)
        card.head(IconMark("warning", "warning"), Words(words), *chips, time_words(row.at))
        return card
    card = _quiet(f"Begun: {row.what}. No result yet.", "")
    words = f"{capitalized(under_way(row.what))} …"
    card.head(IconMark("play", "agent"), Words(words, tone="agent", scale=0.95), time_words(row.at))
    return card


def fold_card(row: FoldRow) -> Card:
    words = f"{row.what} — {row.before:,} → {row.after:,} characters"
    card = _quiet(words, _fold_in_full(row))
    card.head(IconMark("tab"), Words(words, tone="muted", scale=0.95), time_words(row.at))
    return card


def _chips(submitted: tuple[SubmissionId, ...], hands: Hands) -> list[QWidget]:
    """What the step submitted, each a way to what is known of it."""
    return [_chip(name, hands) for name in submitted]


def _chip(name: SubmissionId, hands: Hands) -> TextButton:
    chip = TextButton(str(name), "inline", "", lambda: hands.show_submission(name))
    chip.setAccessibleName(f"Show submission {name}")
    chip.setToolTip(f"Show submission {name}")
    return chip


def _refusal_card(row: ToolRow, full: str, hands: Hands) -> Card:
    words = _first_line(row.result)
    state, tone = ("uncertain", "warning") if row.may_have_happened else ("not done", "danger")
    card = Card("plain", f"{_plain_name(row.name)}: {state}. {words}", full=full)
    mark = IconMark("cross", tone, f"{tone}_soft", 16)
    title = Words(_plain_name(row.name), bold=True)
    chips = _chips(row.submitted, hands)
    card.head(mark, title, *chips, time_words(row.at), below=[_status(Pill(state, tone), words)])
    return card


def _facts(row: ReceiptRow) -> list[str]:
    """What else is known of it, in a few words each; everything stands where the card is opened."""
    receipt = row.receipt
    before, after = web_link(receipt.page_before), web_link(receipt.page_after)
    here = before.host if before else ""
    facts = []
    if before and after and receipt.page_before != receipt.page_after:
        facts.append(f"{here} → {_place(after, here)}")
    for write in receipt.writes:
        link = web_link(write.url)
        to = _place(link, here) if link else host_of(write.url)
        facts.append(f"{write.method} {to} → {write.status or write.failure or 'no answer'}")
    facts += [f"downloaded {download.suggested_name}" for download in receipt.downloads]
    facts += [f"new tab “{tab}”" for tab in receipt.new_tabs]
    return [_cut(fact) for fact in (*facts, *([row.fold.what] if row.fold else []))]


def _fold_in_full(fold: FoldRow) -> str:
    kept = "The model sees these lines in place of what was folded; all of it stays in the record."
    return "\n".join((kept, "", *fold.lines))


def _place(link: Link, here: str) -> str:
    """The path alone on the same host."""
    path = urlsplit(link.url).path or "/"
    return path if link.host == here else link.host + path


def _receipt_in_full(row: ReceiptRow) -> str:
    receipt = row.receipt
    writes = [
        f"request: {write.method} {write.url} → {write.status or write.failure or 'no answer'}"
        for write in receipt.writes
    ]
    dialogs = [f"dialog: {dialog}" for dialog in receipt.dialogs]
    downloads = [f"download: {download.suggested_name} from {download.url}" for download in receipt.downloads]
    tabs = [f"new tab: {tab}" for tab in receipt.new_tabs]
    acted = f"{receipt.verb} {receipt.target}".strip() + f": {receipt.effect}"
    pages = f"page: {receipt.page_before} → {receipt.page_after}"
    facts = "\n".join([acted, pages, *writes, *dialogs, *downloads, *tabs])
    fold = _fold_in_full(row.fold) if row.fold else ""
    return "\n\n".join(part for part in (row.arguments, row.result, facts, row.look, fold) if part)


def _quiet(name: str, full: str) -> Card:
    card = Card("quiet", name, full=full)
    card.body.setContentsMargins(12, 2, 12, 2)
    return card


def _status(pill: Pill, text: str) -> QWidget:
    holder = QWidget()
    line = QHBoxLayout(holder)
    line.setContentsMargins(0, 0, 0, 0)
    line.setSpacing(8)
    line.addWidget(pill, 0, Qt.AlignmentFlag.AlignTop)
    line.addWidget(Words(text, tone="muted", scale=0.95), 1)
    return holder


def _icon_of(verb: str) -> str:
    return _ICONS.get(verb.split(" ", 1)[0].lower(), "hand")


def _plain_name(name: str) -> str:
    return capitalized(name.removeprefix("browser_").replace("_", " "))


def _first_line(text: str) -> str:
    return _cut(text.strip().split("\n", 1)[0])


def _cut(text: str) -> str:
    """What is too long for a card stands in whole where the card is opened."""
    return text if len(text) <= LONGEST_LINE else f"{text[:LONGEST_LINE]}…"
