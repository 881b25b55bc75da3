"""Cards of what the agent did: receipts, looks, other tools, acts that are under way."""

from urllib.parse import urlsplit

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.domain.records import Receipt, ReceiptStatus
from app.ui.card import Card, time_words
from app.ui.elements import IconMark, Pill, Words, column
from app.ui.rows import LookRow, PendingRow, ReceiptRow, ToolRow
from app.ui.safe_text import host_of, web_link

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


def receipt_card(row: ReceiptRow) -> Card:
    receipt = row.receipt
    words, tone = STATUS[receipt.status]
    title = _cut(f"{receipt.verb[:1].upper()}{receipt.verb[1:]} {receipt.target}".strip())
    card = Card("plain", f"{title}. {words}. {receipt.effect}", full=_receipt_in_full(row))
    colour = _SOFT.get(tone, "agent")
    mark = IconMark(_icon_of(receipt.verb), colour, f"{colour}_soft", 16)
    value = f" It now holds “{receipt.value_now}”." if receipt.value_now is not None else ""
    status = _status(Pill(words, tone), _cut(f"{receipt.effect}{value}".strip()))
    card.head(mark, _stack(Words(title, bold=True), status, *_receipt_lines(receipt)), time_words(row.at))
    return card


def look_card(row: LookRow) -> Card:
    title = row.title or host_of(row.url)
    words = f"looked at “{title}” — {row.how}"
    card = _quiet(words, row.full)
    card.head(IconMark("globe"), Words(words, tone="muted", scale=0.95), time_words(row.at))
    return card


def tool_card(row: ToolRow) -> Card:
    full = "\n\n".join(part for part in (row.arguments, row.result) if part)
    if row.is_error:
        return _refusal_card(row, full)
    words = f"{_plain_name(row.name)} — {_first_line(row.result)}"
    card = _quiet(words, full)
    card.head(IconMark("search"), Words(words, tone="muted", scale=0.95), time_words(row.at))
    return card


def pending_card(row: PendingRow) -> Card:
    card = _quiet(f"Begun: {row.what}. No result yet.", "")
    card.head(IconMark("play", "agent"), Words(f"{row.what} …", tone="agent", scale=0.95), time_words(row.at))
    return card


def _refusal_card(row: ToolRow, full: str) -> Card:
    words = _first_line(row.result)
    card = Card("plain", f"{_plain_name(row.name)} was not done. {words}", full=full)
    mark = IconMark("cross", "danger", "danger_soft", 16)
    title = Words(_plain_name(row.name), bold=True)
    card.head(mark, _stack(title, _status(Pill("not done", "danger"), words)), time_words(row.at))
    return card


def _receipt_lines(receipt: Receipt) -> list[QWidget]:
    lines = [_pages(receipt)]
    lines += [
        f"{write.method} {host_of(write.url)} → {write.status or write.failure or 'no answer'}"
        for write in receipt.writes
    ]
    lines += [f"downloaded {download.suggested_name}" for download in receipt.downloads]
    return [Words(line, tone="muted", scale=0.95) for line in lines if line]


def _pages(receipt: Receipt) -> str:
    """From where to where, when the page is another one."""
    before, after = web_link(receipt.page_before), web_link(receipt.page_after)
    if receipt.page_before == receipt.page_after:
        return ""
    if before is None or after is None:
        return ""
    path = urlsplit(after.url).path or "/"
    return f"{before.host} → {path if after.host == before.host else after.host + path}"


def _receipt_in_full(row: ReceiptRow) -> str:
    receipt = row.receipt
    writes = [
        f"request: {write.method} {write.url} → {write.status or write.failure or 'no answer'}"
        for write in receipt.writes
    ]
    dialogs = [f"dialog: {dialog}" for dialog in receipt.dialogs]
    downloads = [f"download: {download.suggested_name} from {download.url}" for download in receipt.downloads]
    tabs = [f"new tab: {tab}" for tab in receipt.new_tabs]
    acted = f"{receipt.verb} {receipt.target}: {receipt.effect}"
    pages = f"page: {receipt.page_before} → {receipt.page_after}"
    facts = "\n".join([acted, pages, *writes, *dialogs, *downloads, *tabs])
    return "\n\n".join(part for part in (row.arguments, row.result, facts, row.look) if part)


def _quiet(name: str, full: str) -> Card:
    card = Card("quiet", name, full=full)
    card.body.setContentsMargins(12, 2, 12, 2)
    return card


def _status(pill: Pill, text: str) -> QWidget:
    holder = QWidget()
    line = QHBoxLayout(holder)
    line.setContentsMargins(0, 2, 0, 2)
    line.setSpacing(8)
    line.addWidget(pill, 0, Qt.AlignmentFlag.AlignTop)
    line.addWidget(Words(text, tone="muted", scale=0.95), 1)
    return holder


def _stack(*widgets: QWidget) -> QWidget:
    holder = QWidget()
    layout = column(spacing=2)
    for widget in widgets:
        layout.addWidget(widget)
    holder.setLayout(layout)
    return holder


def _icon_of(verb: str) -> str:
    return _ICONS.get(verb.split(" ", 1)[0].lower(), "hand")


def _plain_name(name: str) -> str:
    words = name.removeprefix("browser_").replace("_", " ")
    return f"{words[:1].upper()}{words[1:]}"


def _first_line(text: str) -> str:
    return _cut(text.strip().split("\n", 1)[0])


def _cut(text: str) -> str:
    """What is too long for a card stands in whole where the card is opened."""
    return text if len(text) <= LONGEST_LINE else f"{text[:LONGEST_LINE]}…"
