"""The card: one row of the chat with one focus stop, that opens to show everything it knows."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontDatabase, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QGridLayout, QVBoxLayout, QWidget

from app.domain.commands import Command
from app.domain.ids import ObservationId, QuoteId, SubmissionId
from app.ui.elements import IconButton, IconMark, Words, column, restyle
from app.ui.text_view import TextView
from app.ui.theme import scaled_font

CHEVRON_PX = 16
_OPENERS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


@dataclass(frozen=True, slots=True)
class Hands:
    """What a card can do for the person: send a command, show where a link leads, a file or a folder.

    It can also lead to where something else stands: a kept quote, a page that was seen, a submission.
    """

    submit: Callable[[Command], None]
    open_link: Callable[[str], None]
    show_quote: Callable[[QuoteId], None] = lambda quote: None
    open_file: Callable[[str], None] = lambda path: None
    show_observation: Callable[[ObservationId], None] = lambda observation: None
    show_submission: Callable[[SubmissionId], None] = lambda submission: None


class Card(QFrame):
    """`full` is everything there is to read, laid out only when the person opens the card."""

    def __init__(self, look: str, name: str, *, full: str = "", can_focus: bool = True) -> None:
        super().__init__()
        self._full = full
        self._details: TextView | None = None
        self._chevron: IconButton | None = None
        self.body: QVBoxLayout = column(margins=0, spacing=6)
        self.body.setContentsMargins(12, 9, 12, 9)
        self.setLayout(self.body)
        self.setProperty("card", look)
        self.setAccessibleName(name)
        if full:
            self.setAccessibleDescription("Enter shows everything.")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if can_focus else Qt.FocusPolicy.NoFocus)

    @property
    def is_open(self) -> bool:
        return self._details is not None

    def head(self, mark: IconMark, words: QWidget, *rest: QWidget, below: Sequence[QWidget] = ()) -> None:
        """A mark, words that take the room and what stands at the end of their line; then what is `below` the words."""
        line = QGridLayout()
        line.setHorizontalSpacing(10)
        line.setVerticalSpacing(3)
        line.setColumnStretch(1, 1)
        top = Qt.AlignmentFlag.AlignTop
        line.addWidget(mark, 0, 0, len(below) + 1, 1, top)
        line.addWidget(words, 0, 1, top)
        for place, widget in enumerate(rest, 2):
            line.addWidget(widget, 0, place, top)
        end = len(rest) + 2
        if self._full:
            self._chevron = IconButton("chevron-right", "Show everything", colour="muted_text", size=CHEVRON_PX)
            self._chevron.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            self._chevron.setProperty("look", "bare")
            self._chevron.setFixedSize(CHEVRON_PX, CHEVRON_PX)
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self._chevron.clicked.connect(self.toggle)
            line.addWidget(self._chevron, 0, end, top)
        elif rest:
            line.setColumnMinimumWidth(end, CHEVRON_PX + line.horizontalSpacing())
        for place, widget in enumerate(below, 1):
            line.addWidget(widget, place, 1, 1, end)
        self.body.addLayout(line)

    def toggle(self) -> None:
        """Open the card, or close it again."""
        if not self._full:
            return
        if self._details is None:
            self._details = TextView(font=_small_fixed_font())
            self._details.show_plain(self._full)
            self.body.addWidget(self._details)
            self._details.show()
        else:
            self.body.removeWidget(self._details)
            self._details.hide()
            self._details.deleteLater()
            self._details = None
        self.setAccessibleDescription("Enter shows less." if self.is_open else "Enter shows everything.")
        if self._chevron is not None:
            self._chevron.show_icon("chevron-down" if self.is_open else "chevron-right")
            self._chevron.call_it("Show less" if self.is_open else "Show everything")

    def show_ring(self, is_shown: bool) -> None:
        """The keyboard is inside: the card shows it for what it holds."""
        self.setProperty("ring", "true" if is_shown else "false")
        restyle(self)

    def mark_found(self, needle: str, is_current: bool) -> None:
        """Let find in chat show where it is."""
        self.setProperty("found", "true" if is_current else "false")
        restyle(self)
        for view in self.findChildren(TextView):
            view.mark_all(needle)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._full and event.key() in _OPENERS:
            self.toggle()
            return
        super().keyPressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.toggle()
        super().mouseReleaseEvent(event)


def clock(at: float) -> str:
    return time.strftime("%H:%M", time.localtime(at))


def date(at: float) -> str:
    moment = time.localtime(at)
    return f"{moment.tm_mday} {time.strftime('%B %Y', moment)}"


def time_words(at: float) -> Words:
    words = Words(clock(at), tone="muted", scale=0.88)
    words.setWordWrap(False)
    return words


def _small_fixed_font() -> QFont:
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPointSizeF(scaled_font(0.92).pointSizeF())
    return font
