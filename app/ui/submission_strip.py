"""The strip above the chat that keeps what was submitted in this task, with what nobody knows the outcome of on top."""

import time
from dataclasses import replace

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QScrollArea, QWidget

from app.domain.commands import Command, Stop
from app.domain.ids import SubmissionId
from app.domain.submissions import Submission
from app.ui.announcing import announce
from app.ui.card import Card, Hands
from app.ui.elements import IconButton, IconMark, OneLine, Pill, Words, column, focus_stops, restyle
from app.ui.submission_cards import submission_card
from app.ui.submission_words import is_unknown, spoken, summary_of, unknown_in_ms
from app.ui.theme import installed_theme

TITLE = "Submitted in this task"
MOST = 40
TALLEST = 320


class SubmissionStrip(QFrame):
    """Hidden while nothing was submitted; opens by itself for what nobody knows the outcome of."""

    left = Signal(bool)  # the keyboard left at the end (True) or at the beginning

    def __init__(self, hands: Hands) -> None:
        super().__init__()
        self._hands = replace(hands, submit=self._submit)
        self._send = hands.submit
        self._records: tuple[Submission, ...] = ()
        self._unknown: frozenset[SubmissionId] = frozenset()
        self._opened_itself = False
        self._offers_ways = True
        self._cards: dict[SubmissionId, Card] = {}
        self.setAccessibleName(TITLE)
        self._mark, self._alarm = IconMark("send"), IconMark("warning", "warning")
        self.title = OneLine(TITLE, bold=True, scale=0.95)
        self.pill = Pill()
        self.opener = IconButton("chevron-right", "Show what was submitted", colour="muted_text", size=16)
        self.opener.setProperty("look", "small")
        self.opener.clicked.connect(self.toggle)
        self.details = _scroll_area()
        lines = column(spacing=6)
        lines.setContentsMargins(20, 5, 12, 5)
        lines.addLayout(self._head())
        lines.addWidget(self.details)
        self.setLayout(lines)
        self._clock = QTimer(self, singleShot=True)
        self._clock.timeout.connect(self._redraw)
        self._fitter = QTimer(self, singleShot=True, interval=0)
        self._fitter.timeout.connect(self._fit)
        installed_theme().changed.connect(self._redraw)
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
        """While an open question offers the ways on, the strip stays out of its way, and its cards point to it."""
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
        card = self._cards.get(name)
        if card is not None:
            self._fit()
            self.details.ensureWidgetVisible(card)
            card.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes through the strip in the order of the eye, whenever its cards were made."""
        stops = focus_stops(self)
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
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # a card was opened or closed
            self._fitter.start()
        return super().eventFilter(watched, event)

    def _head(self) -> QHBoxLayout:
        head = QHBoxLayout()
        head.setSpacing(10)
        head.addWidget(self._mark)
        head.addWidget(self._alarm)
        head.addWidget(self.title)
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
        counts = summary_of(self._records, now)
        self.pill.say(counts[0] if counts else "", "warning" if unknown else "muted")
        self.pill.setToolTip(" · ".join(counts))
        self._mark.setVisible(not unknown)
        self._alarm.setVisible(bool(unknown))
        self.setProperty("band", "attention" if unknown else "task")
        restyle(self)
        if came:
            self._opened_itself = self._opened_itself or not self.is_open
            announce(self, spoken(came[-1], now))
        opens = bool(came) and self._offers_ways
        self._show_details(opens or (self.is_open and not (self._opened_itself and not unknown)))
        self._wait_for_silence(now)

    def _show_details(self, is_shown: bool) -> None:
        had_keyboard = self.details.isAncestorOf(QApplication.focusWidget() or self)
        self._fill(is_shown)
        self.details.setVisible(is_shown)
        self.opener.show_icon("chevron-down" if is_shown else "chevron-right")
        self.opener.call_it("Hide what was submitted" if is_shown else "Show what was submitted")
        if had_keyboard:
            self.opener.setFocus()
        self._opened_itself = self._opened_itself and is_shown
        self._fit()

    def _fill(self, is_shown: bool) -> None:
        """What nobody knows the outcome of comes first; closed, the strip holds no cards."""
        now = time.time()
        holder = QWidget()
        lines = column(spacing=6)
        lines.setContentsMargins(0, 2, 8, 4)
        holder.setLayout(lines)
        unknown = [one for one in self._records if one.id in self._unknown]
        known = [one for one in self._records if one.id not in self._unknown]
        ordered = [*unknown, *known[-MOST:]] if is_shown else []
        self._cards = {one.id: submission_card(one, self._hands, now, offers_ways=self._offers_ways) for one in ordered}
        for card in self._cards.values():
            lines.addWidget(card)
        if is_shown and (more := len(self._records) - len(ordered)):
            lines.addWidget(Words(f"{more} earlier ones stand in the chat.", tone="muted", scale=0.95))
        self.details.setWidget(holder)
        holder.installEventFilter(self)
        holder.setAutoFillBackground(False)  # the scroll area has just turned it on

    def _wait_for_silence(self, now: float) -> None:
        """What gets no answer for long counts as unknown, without any event."""
        waits = [ms for one in self._records if (ms := unknown_in_ms(one, now)) is not None]
        self._clock.stop()
        if waits:
            self._clock.start(min(waits))

    def _fit(self) -> None:
        """As tall as what it holds, up to a limit; a scroll area by itself takes what it likes."""
        inner = self.details.widget()
        if inner is None or not self.is_open:
            return
        width = max(200, self.width() - 32)
        tall = inner.heightForWidth(width) if inner.hasHeightForWidth() else inner.sizeHint().height()
        pane = self.parentWidget()
        room = pane.height() * 2 // 5 if pane is not None else TALLEST
        self.details.setFixedHeight(min(TALLEST, room, tall + 4))


def _scroll_area() -> QScrollArea:
    area = QScrollArea()
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.viewport().setAutoFillBackground(False)
    area.hide()
    return area
