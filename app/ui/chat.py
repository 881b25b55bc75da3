"""The chat: the rows of one conversation, the text that is still streaming, and where the person stands in it."""

from collections.abc import Iterable
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QScrollBar, QStackedLayout, QVBoxLayout, QWidget

from app.domain.events import AssistantSaid, StoredEvent, TurnEnded, TurnRejected, UserSaid
from app.domain.ids import ObservationId, QuoteId
from app.domain.passing import RunState
from app.domain.submissions import Submission
from app.ui.card import Card, Hands
from app.ui.elements import TextButton, Words
from app.ui.row_book import Added, Change, RowBook
from app.ui.row_column import RowColumn
from app.ui.rows import Row, TaskCardRow
from app.ui.text_view import TextView
from app.ui.theme import installed_theme
from app.ui.unfinished_line import UnfinishedLine
from app.ui.working_line import WorkingLine

NEAR_PX = 600
BEHIND_PX = 24
FIRST_SCREENS = 40


class ChatView(QWidget):
    """Recorded rows come from `open` and `apply` alone; streamed text is gone once its event is there."""

    keyboard_left = Signal(bool)

    def __init__(self, hands: Hands, empty: QWidget) -> None:
        super().__init__()
        self._book = RowBook()
        self._follows = True
        self._is_placing = False
        self.hands = replace(hands, show_quote=self.show_quote, show_observation=self.show_observation)
        self._column = RowColumn(self._book.rows, self.hands)
        self._tail = _Tail()
        self.working = WorkingLine()
        self.unfinished = UnfinishedLine(self.hands)
        self._column.set_footers(self._tail, self.working, self.unfinished)
        self._area = _scroll_area(self._column)
        self.jump = TextButton("Jump to newest", "chip", "chevron-down", self.jump_to_newest)
        self.jump.setParent(self)
        self.jump.hide()
        self._stack = QStackedLayout()
        self._stack.addWidget(empty)
        self._stack.addWidget(self._area)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addLayout(self._stack)
        self._area.viewport().installEventFilter(self)
        self._area.verticalScrollBar().valueChanged.connect(self._look_around)
        self._column.resettled.connect(self._settle)
        self._column.left.connect(self.keyboard_left)
        theme = installed_theme()
        theme.about_to_change.connect(self._put_away)
        theme.changed.connect(self._bring_back)
        self._place = 0
        self._settler = QTimer(self, singleShot=True, interval=0)
        self._settler.timeout.connect(self._settle)
        self._filler = QTimer(self, singleShot=True, interval=0)
        self._filler.timeout.connect(self._fill)
        self.working.shown_or_hidden.connect(self._settle)

    @property
    def rows(self) -> tuple[Row, ...]:
        return tuple(self._book.rows)

    @property
    def scroll_bar(self) -> QScrollBar:
        return self._area.verticalScrollBar()

    @property
    def column(self) -> RowColumn:
        return self._column

    @property
    def is_demo(self) -> bool:
        return self._book.is_demo

    @property
    def task_card(self) -> TaskCardRow | None:
        """The newest one; None before the first."""
        return self._book.task_card

    @property
    def submissions(self) -> tuple[Submission, ...]:
        """Each as it stands now."""
        return self._book.submissions

    @property
    def asks_of_unknown(self) -> bool:
        """Whether an open question offers what to do about a submission of unknown outcome."""
        return self._book.asks_of_unknown

    @property
    def streamed_text(self) -> str:
        return self._tail.text

    def open(self, events: Iterable[StoredEvent]) -> None:
        """Show a conversation from its events; whatever stood here is gone."""
        self._book = RowBook()
        for event in events:
            self._book.apply(event)
        self._tail.clear()
        self.unfinished.hide()
        self._column.start_over(self._book.rows)
        self._follows = True
        self._show_rows_or_welcome()
        self._fill()

    def apply(self, stored: StoredEvent) -> None:
        """Show one more event."""
        at_end = self._column.last == len(self._book.rows)
        changes = self._book.apply(stored)
        if isinstance(stored.event, (AssistantSaid, TurnRejected, TurnEnded, UserSaid)):
            self._tail.clear()
        self._replace(changes)
        self.unfinished.hide()
        if at_end:
            while self._column.last < len(self._book.rows):
                self._column.grow_down()
        self._show_rows_or_welcome()
        self._settle()

    def show_state(self, state: RunState, detail: str) -> None:
        """While nothing runs, work without an end and questions without an answer are no longer under way."""
        self.working.show_state(state, detail)
        if state == "idle":
            self._replace(self._book.work_is_over())
        is_left = state == "idle" and self._book.is_unfinished and not self._book.has_waiting_question
        if is_left:
            self.unfinished.show_left(self._book.left_open)
        self.unfinished.setVisible(is_left)
        self._settle()

    def stream(self, text: str) -> None:
        self._tail.append(text)
        self._show_rows_or_welcome()
        self._settle()

    def withdraw(self, reason: str) -> None:
        """Strike what was streamed; the record says the same when its event comes."""
        self._tail.withdraw(reason)
        self._settle()

    def jump_to_newest(self) -> None:
        self._follows = True
        if self._column.last < len(self._book.rows):
            self._column.start_over(self._book.rows)
            self._fill()
        self._settle()

    def reveal(self, index: int) -> QWidget | None:
        """Bring a row into sight; answers its card."""
        if self._column.card_at(index) is None:
            self._column.stand_at(index)
        self._follows = False
        self._settle()
        card = self._column.card_at(index)
        if card is not None:
            self._area.verticalScrollBar().setValue(card.y() - self._area.viewport().height() // 3)
        return card

    def show_quote(self, id: QuoteId) -> None:
        """Go to the card of a kept quote, and let the keyboard go on from there."""
        place = self._book.place_of_quote(id)
        card = self.reveal(place) if place is not None else None
        if card is not None:
            card.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def show_observation(self, id: ObservationId) -> None:
        """Go to the step that saw a page, and open it."""
        place = self._book.place_of_observation(id)
        card = self.reveal(place) if place is not None else None
        if isinstance(card, Card):
            if not card.is_open:
                card.toggle()
            card.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def focus_newest(self) -> None:
        if not self._column.focus_last():
            self._area.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize:
            self._settle()
            self._settler.start()  # the scroll bar learns of the new height only after this
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_chip()

    def _replace(self, changes: Iterable[Change]) -> None:
        for change in changes:
            if not isinstance(change, Added):
                self._column.replace(change.index)

    def _show_rows_or_welcome(self) -> None:
        has_something = bool(self._book.rows) or self._tail.is_in_use
        self._stack.setCurrentIndex(1 if has_something else 0)
        self._place_chip()

    def _fill(self) -> None:
        """Bring a few rows from beyond an edge that is near, and again whenever the window has nothing else to do."""
        bar = self._area.verticalScrollBar()
        is_short = self._follows and len(self._column.cards) < FIRST_SCREENS
        if self._column.first > 0 and (is_short or bar.value() < NEAR_PX):
            came = self._column.grow_up()
        elif bar.value() > bar.maximum() - NEAR_PX:
            came = self._column.grow_down()
        else:
            return
        self._settle()
        if came:
            self._filler.start()

    def _settle(self) -> None:
        """Lay out again; what the person reads stays where it is."""
        if self._is_placing:
            return
        self._is_placing = True
        bar = self._area.verticalScrollBar()
        anchor = next((card for card in self._column.cards if not self._is_above(card)), None)
        offset = bar.value() - anchor.y() if anchor is not None else 0
        self._column.settle(self._area.viewport().width())
        if self._follows:
            bar.setValue(bar.maximum())
        elif anchor is not None:
            bar.setValue(anchor.y() + offset)
        self._is_placing = False
        self._place_chip()

    def _put_away(self) -> None:
        self._place = self._column.first + len([card for card in self._column.cards if self._is_above(card)])
        self._column.put_away()

    def _bring_back(self) -> None:
        if self._follows:
            self.jump_to_newest()
        else:
            self.reveal(self._place)

    def _is_above(self, card: QWidget) -> bool:
        return card.y() + card.height() <= self._area.verticalScrollBar().value()

    def _look_around(self) -> None:
        """The person scrolled: bring rows from beyond the edge, follow the newest only from the bottom."""
        if self._is_placing:
            return
        bar = self._area.verticalScrollBar()
        is_at_end = self._column.last == len(self._book.rows)
        self._follows = is_at_end and bar.value() >= bar.maximum() - BEHIND_PX
        if (bar.value() < NEAR_PX and self._column.first > 0) or (
            bar.value() > bar.maximum() - NEAR_PX and not is_at_end
        ):
            self._filler.start()
        self._place_chip()

    def _place_chip(self) -> None:
        is_behind = not self._follows and self._stack.currentIndex() == 1
        self.jump.setVisible(is_behind)
        if is_behind:
            size = self.jump.sizeHint()
            self.jump.setGeometry(
                (self.width() - size.width()) // 2, self.height() - size.height() - 12, size.width(), size.height()
            )
            self.jump.raise_()


class _Tail(Card):
    """The answer while it streams: plain text at the end of the chat."""

    def __init__(self) -> None:
        super().__init__("answer", "The answer as it is written", can_focus=False)
        self.body.setContentsMargins(2, 6, 2, 6)
        self.text = ""
        self._view = TextView()
        self._view.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._reason = Words("", tone="danger")
        self.body.addWidget(self._view)
        self.body.addWidget(self._reason)
        self._is_withdrawn = False
        self.clear()

    @property
    def is_in_use(self) -> bool:
        return bool(self.text)

    def clear(self) -> None:
        self.text, self._is_withdrawn = "", False
        self._view.show_plain("")
        self._reason.hide()
        self.hide()

    def append(self, text: str) -> None:
        if self._is_withdrawn:
            self.clear()
        self.text += text
        self._view.append_plain(text)
        self.show()

    def withdraw(self, reason: str) -> None:
        if not self.text:
            return
        self._is_withdrawn = True
        self._view.strike()
        self._reason.say(f"Withdrawn: {reason}")
        self._reason.show()


def _scroll_area(column: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setWidgetResizable(False)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
    area.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
    area.setAccessibleName("Conversation")
    area.setWidget(column)
    column.setAutoFillBackground(False)
    area.viewport().setAutoFillBackground(False)
    area.verticalScrollBar().setSingleStep(28)
    return area
