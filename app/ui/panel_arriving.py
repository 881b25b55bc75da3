"""Says over the foot of the page which files are on their way and how far they are."""

from collections.abc import Sequence

from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from app.context.files.wording import size_words
from app.domain.pages import Download
from app.ui.elements import IconMark, OneLine


class ArrivingBar(QFrame):
    """Hidden while nothing arrives; takes no input."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", "raised")
        self.words = OneLine(scale=0.95)
        line = QHBoxLayout(self)
        line.setContentsMargins(12, 6, 14, 6)
        line.setSpacing(8)
        line.addWidget(IconMark("download", "agent"))
        line.addWidget(self.words, 1)
        self.hide()

    def show_files(self, arriving: Sequence[Download]) -> None:
        self.setVisible(bool(arriving))
        if arriving:
            more = f", and {len(arriving) - 1} more" if len(arriving) > 1 else ""
            self.words.say(f"{_progress(arriving[0])}{more}")
            self.setAccessibleName(self.words.text())
            self.raise_()

    def place(self, left: int, bottom: int, width: int) -> None:
        height = self.sizeHint().height()
        self.setGeometry(left + 12, bottom - height - 12, min(width - 24, self.sizeHint().width()), height)


def _progress(download: Download) -> str:
    """With a share as long as the whole size is known."""
    name = f"Downloading {download.suggested_name}"
    if not download.expected_bytes:
        return f"{name}: {size_words(download.size_bytes)}" if download.size_bytes else f"{name} …"
    share = min(download.size_bytes * 100 // download.expected_bytes, 100)
    return f"{name}: {size_words(download.size_bytes)} of {size_words(download.expected_bytes)}, {share} %"
