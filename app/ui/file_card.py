"""The card of a file: what it is, where it came from, and the ways to it, which only the person can take."""

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from app.context.files.wording import size_words
from app.ui.card import Card, Hands, time_words
from app.ui.elements import IconMark, Pill, TextButton, Words
from app.ui.flow import Flow
from app.ui.rows import FileRow
from app.ui.safe_text import host_of

GONE = "The file is no longer where it was saved."


def file_card(row: FileRow, hands: Hands) -> Card:
    """A file the person gave is theirs to find; of one a page sent the card shows the way."""
    file = row.file
    given = file.by == "person"
    what = "Gave" if given else "Saved"
    facts = f"{file.type.words} · {size_words(file.size_bytes)}{_source(row)}"
    full = f"where it is: {file.path}" + (f"\nfrom: {file.url}" if file.url else "")
    card = Card("plain", f"{what} {file.id}, {file.name}: {facts}", full=full)
    below = [Words(facts, tone="muted", scale=0.95)]
    if file.type.danger:
        below.append(Words(f"Careful: {file.type.danger}. It is not opened from here.", tone="danger", scale=0.95))
    mark = IconMark("clip" if given else "download", "person" if given else "agent", _ground(given=given), 16)
    card.head(
        mark, Words(f"{what} {file.name}", bold=True), Pill(str(file.id), "muted"), time_words(row.at), below=below
    )
    if not given:
        _add_ways(card, row, hands)
    return card


def open_local(path: str) -> None:
    """With the system's own program for it; a folder in its file manager."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(path))


def _add_ways(card: Card, row: FileRow, hands: Hands) -> None:
    path = Path(row.file.path)
    note = Words("", tone="muted", scale=0.95)
    note.hide()

    def go(to: Path) -> None:
        is_there = path.exists()
        note.say("" if is_there else GONE)
        note.setVisible(not is_there)
        if is_there:
            hands.open_file(str(to))

    ways = [TextButton("Show in folder", "plain", "folder", lambda: go(path.parent))]
    if not row.file.type.danger:
        ways.append(TextButton("Open", "plain", "file", lambda: go(path)))
    card.body.addLayout(Flow(*ways))
    card.body.addWidget(note)


def _source(row: FileRow) -> str:
    host = host_of(row.file.url) if row.file.url.startswith("http") else ""
    return f" · from {host}" if host else ""


def _ground(*, given: bool) -> str:
    return "person_soft" if given else "agent_soft"
