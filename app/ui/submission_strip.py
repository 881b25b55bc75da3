"""The strip above the chat that keeps what was submitted in this task, with what nobody knows the outcome of on top."""

import time
from dataclasses import replace

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout

from app.domain.commands import Command, Stop
from app.domain.ids import SubmissionId
from app.domain.submissions import Submission
from app.ui.announcing import announce
from app.ui.card import Hands
from app.ui.elements import IconButton, IconMark, OneLine, Pill, column, restyle
from app.ui.submission_list import TALLEST, SubmissionList
from app.ui.submission_words import is_unknown, spoken, summary_of, unknown_in_ms

TITLE = "Submitted in this task"


class SubmissionStrip(QFrame):
    """Hidden while nothing was submitted; opens by itself for what nobody knows the outcome of."""

    left = Signal(bool)  # the keyboard left at the end (True) or at the beginning

    def __init__(self, hands: Hands) -> None:
        super().__init__()
        self._send = hands.submit
        self._records: tuple[Submission, ...] = ()
        self._unknown: frozenset[SubmissionId] = frozenset()
        self._opened_itself = False
        self._offers_ways = True
        self.setAccessibleName(TITLE)
        self._mark, self._alarm = IconMark("send"), IconMark("warning", "warning")
        self.title = OneLine(TITLE, bold=True, scale=0.95)
        self.pill = Pill()
        self.opener = IconButton("chevron-right", "Show what was submitted", colour="muted_text", size=16)
        self.opener.setProperty("look", "small")
        self.opener.clicked.connect(self.toggle)
        self.details = SubmissionList(replace(hands, submit=self._submit))
        self.details.hide()
        lines = column(spacing=6)
        lines.setContentsMargins(20, 5, 12, 5)
        lines.addLayout(self._head())
        lines.addWidget(self.details)
        self.setLayout(lines)
        self._clock = QTimer(self, singleShot=True)
        self._clock.timeout.connect(self._redraw)
        self.hide()

    @property
    def is_open(self) -> bool:
        return not self.details.isHidden()

    def start_over(self) -> None:
        """Another conversation: nothing is known of it yet."""
        self._unknown = frozenset()
        self.show_records(())
        self._show_details(False)

    def show_records(self, records: tuple[Submission, ...]) -> None:
        """The submissions as they stand now."""
        if records != self._records:
            self._records = records
            self._redraw()

    def offer_ways(self, offers: bool) -> None:
        """While an open question offers the ways on, the strip stays out of its way and its cards point to it."""
        if offers != self._offers_ways:
            self._offers_ways = offers
            self._opened_itself = offers
            self._show_details(offers and bool(self._unknown))

    def toggle(self) -> None:
        """Open the strip, or close it again."""
        self._opened_itself = False
        self._show_details(not self.is_open)

    def reveal(self, name: SubmissionId) -> None:
        """Open the strip at one submission, and let the keyboard go on from there."""
        self._show_details(True)
        if (card := self.details.card_of(name)) is not None:
            self.details.ensureWidgetVisible(card)
            card.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes through the strip in the order of the eye, whenever its cards were made."""
        stops = [self.opener, *(self.details.stops if self.is_open else [])]
        now = QApplication.focusWidget()
        place = (stops.index(now) if now in stops else -1) + (1 if forward else -1)
        if not 0 <= place < len(stops):
            self.left.emit(forward)
            return True
        stops[place].setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
        self.details.ensureWidgetVisible(stops[place])
        return True

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and event.position().y() < self.opener.geometry().bottom():
            self.toggle()
        super().mouseReleaseEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._give_room()

    def _head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(10)
        for widget in (self._mark, self._alarm, self.title):
            head.addWidget(widget)
        head.addStretch(1)
        head.addWidget(self.pill)
        head.addWidget(self.opener)
        return head

    def _submit(self, command: Command) -> None:
        """Whoever stops here has read it."""
        self._send(command)
        if isinstance(command, Stop):
            self._show_details(False)

    def _redraw(self) -> None:
        now = time.time()
        unknown = frozenset(one.id for one in self._records if is_unknown(one, now))
        came = [one for one in self._records if one.id in unknown - self._unknown]
        self._unknown = unknown
        self.setVisible(bool(self._records))
        self._show_head(now)
        if came:
            self._opened_itself = self._opened_itself or not self.is_open
            announce(self, spoken(came[-1], now))
        opens = bool(came) and self._offers_ways
        self._show_details(opens or (self.is_open and not (self._opened_itself and not unknown)))
        self._wait_for_silence(now)

    def _show_head(self, now: float) -> None:
        counts, is_alarmed = summary_of(self._records, now), bool(self._unknown)
        self.pill.say(counts[0] if counts else "", "warning" if is_alarmed else "muted")
        self.pill.setToolTip(" · ".join(counts))
        self._mark.setVisible(not is_alarmed)
        self._alarm.setVisible(is_alarmed)
        band = "attention" if is_alarmed else "task"
        if self.property("band") != band:
            self.setProperty("band", band)
            restyle(self)

    def _show_details(self, is_shown: bool) -> None:
        """Closed, the strip holds no cards."""
        had_keyboard = self.details.isAncestorOf(QApplication.focusWidget() or self)
        self.details.show_records(self._records if is_shown else (), offers_ways=self._offers_ways)
        self.details.setVisible(is_shown)
        self.opener.show_icon("chevron-down" if is_shown else "chevron-right")
        self.opener.call_it("Hide what was submitted" if is_shown else "Show what was submitted")
        if had_keyboard and not self.details.isAncestorOf(QApplication.focusWidget() or self):
            self.opener.setFocus()
        self._opened_itself = self._opened_itself and is_shown
        self._give_room()

    def _give_room(self) -> None:
        """The chat keeps the larger part."""
        pane = self.parentWidget()
        self.details.give_room(pane.height() * 2 // 5 if pane is not None else TALLEST)

    def _wait_for_silence(self, now: float) -> None:
        """What gets no answer for long counts as unknown, without any event."""
        waits = [ms for one in self._records if (ms := unknown_in_ms(one, now)) is not None]
        self._clock.stop()
        if waits:
            self._clock.start(min(waits))
