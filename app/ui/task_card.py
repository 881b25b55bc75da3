"""The task card: in the chat where it was changed, and above it as it stands now."""

from collections.abc import Callable, Iterator

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QSizePolicy, QWidget

from app.domain.ids import QuoteId
from app.domain.records import TaskCard, TaskFact
from app.ui.card import Card, time_words
from app.ui.elements import IconButton, IconMark, OneLine, Pill, TextButton, Words, column, marked_line
from app.ui.rows import TaskCardRow

TALLEST = 260


def task_card_card(row: TaskCardRow) -> Card:
    """One quiet line; opened, the whole card as it was at that time."""
    now = f"next: {row.card.open[0]}" if row.card.open else row.card.goal
    words = f"Task card: {_how_far(row.card)} · {now}"
    card = Card("quiet", words, full="\n".join(_lines(row.card)))
    card.body.setContentsMargins(12, 2, 12, 2)
    line = OneLine(words, tone="muted", scale=0.95)
    line.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
    card.head(IconMark("list"), line, time_words(row.at))
    return card


class TaskStrip(QFrame):
    """Above the chat: the goal in one line; opened, what is done, what is open and what was found out."""

    quote_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("band", "task")
        self._row: TaskCardRow | None = None
        self.goal = OneLine("", bold=True, scale=0.95)
        self.goal_in_full = Words("", bold=True, scale=0.95)
        self.goal_in_full.hide()
        self.pill = Pill()
        self.opener = IconButton("chevron-right", "Show the task card", colour="muted_text", size=16)
        self.opener.setProperty("look", "small")
        self.opener.clicked.connect(self.toggle)
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(IconMark("list"))
        head.addWidget(self.goal, 1)
        head.addWidget(self.goal_in_full, 1)
        head.addWidget(self.pill)
        head.addWidget(self.opener)
        self.details = QScrollArea()
        self.details.setFrameShape(QFrame.Shape.NoFrame)
        self.details.setWidgetResizable(True)
        self.details.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.details.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.details.viewport().setAutoFillBackground(False)
        self.details.setMaximumHeight(TALLEST)
        self.details.hide()
        lines = column(spacing=6)
        lines.setContentsMargins(20, 5, 12, 5)
        lines.addLayout(head)
        lines.addWidget(self.details)
        self.setLayout(lines)
        self.hide()

    def show_card(self, row: TaskCardRow | None) -> None:
        """The card as it stands now; None hides the strip."""
        if row == self._row:
            return
        self._row = row
        self.setVisible(row is not None)
        if row is None:
            return
        for words in (self.goal, self.goal_in_full):
            words.say(row.card.goal)
        self.pill.say(_how_far(row.card), "success" if row.card.done and not row.card.open else "muted")
        self.details.setWidget(_details(row, self.quote_wanted.emit))
        self._fit()

    def toggle(self) -> None:
        """Open the strip, or close it again."""
        is_open = not self.details.isVisible()
        self.details.setVisible(is_open)
        self.goal.setVisible(not is_open)
        self.goal_in_full.setVisible(is_open)
        self.opener.show_icon("chevron-down" if is_open else "chevron-right")
        self.opener.call_it("Hide the task card" if is_open else "Show the task card")
        self._fit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and event.position().y() < self.opener.geometry().bottom():
            self.toggle()
        super().mouseReleaseEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """As tall as what it holds, up to a limit; a scroll area by itself takes what it likes."""
        inner = self.details.widget()
        if inner is not None:
            width = max(200, self.width() - 32)
            tall = inner.heightForWidth(width) if inner.hasHeightForWidth() else inner.sizeHint().height()
            self.details.setFixedHeight(min(TALLEST, tall + 4))


def _how_far(card: TaskCard) -> str:
    steps = len(card.done) + len(card.open)
    return f"{len(card.done)} of {steps} done" if steps else "begun"


def _lines(card: TaskCard) -> Iterator[str]:
    yield card.goal
    yield from (f"✓ {item}" for item in card.done)
    yield from (f"○ {item}" for item in card.open)
    yield from (f"· {fact.text}{f' [{fact.quote}]' if fact.quote else ''}" for fact in card.facts)


def _details(row: TaskCardRow, show_quote: Callable[[str], None]) -> QWidget:
    holder = QWidget()
    lines = column(spacing=5)
    lines.setContentsMargins(0, 2, 8, 4)
    holder.setLayout(lines)
    for item in row.card.done:
        lines.addLayout(marked_line(IconMark("check", "success"), Words(item, tone="muted", scale=0.95)))
    for item in row.card.open:
        lines.addLayout(marked_line(IconMark("circle"), Words(item, scale=0.95)))
    kept = {name for name, quote in row.cited if quote is not None}
    for fact in row.card.facts:
        lines.addLayout(_factmarked_line(fact, kept, show_quote))
    return holder


def _factmarked_line(fact: TaskFact, kept: set[QuoteId], show_quote: Callable[[str], None]) -> QHBoxLayout:
    words = Words(fact.text, scale=0.95)
    if fact.quote not in kept:
        return marked_line(IconMark("quote"), words)
    name = str(fact.quote)
    link = TextButton(name, "inline", on_click=lambda: show_quote(name))
    link.setAccessibleName(f"Go to quote {name}")
    return marked_line(IconMark("quote", "quote"), words, link)
