"""The cards of what was submitted, one below the other in a room of limited height; a card that says the same stays."""

import time
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from app.domain.ids import SubmissionId
from app.domain.submissions import Submission
from app.ui.card import Card, Hands
from app.ui.elements import Words, column, focus_stops
from app.ui.submission_cards import submission_card
from app.ui.submission_words import is_unknown

MOST = 40
TALLEST = 320
_Look = tuple[Submission, bool, bool]  # the record, whether it counts as unknown, whether the ways on are offered


class SubmissionList(QScrollArea):
    """What nobody knows the outcome of comes first; of all others only the newest have a card."""

    def __init__(self, hands: Hands) -> None:
        super().__init__()
        self._hands = hands
        self._room = TALLEST
        self._cards: dict[SubmissionId, tuple[_Look, Card]] = {}
        self._order: list[SubmissionId] = []
        self._holder = QWidget()
        self._lines = column(spacing=6)
        self._lines.setContentsMargins(0, 2, 8, 4)
        self._more = Words("", tone="muted", scale=0.95)
        self._lines.addWidget(self._more)
        self._holder.setLayout(self._lines)
        self._holder.installEventFilter(self)
        self._fitter = QTimer(self, singleShot=True, interval=0)
        self._fitter.timeout.connect(self.fit)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(self._holder)
        for ground in (self.viewport(), self._holder):
            ground.setAutoFillBackground(False)

    @property
    def stops(self) -> list[QWidget]:
        """Where Tab would stop, in the order of the eye."""
        return [stop for name in self._order for stop in focus_stops(self._cards[name][1])]

    def card_of(self, name: SubmissionId) -> Card | None:
        return self._cards[name][1] if name in self._cards else None

    def show_records(self, records: Sequence[Submission], *, offers_ways: bool) -> None:
        now = time.time()
        looks = {one.id: (one, is_unknown(one, now), offers_ways) for one in records}
        unknown = [one for one in records if looks[one.id][1]]
        known = [one for one in records if not looks[one.id][1]]
        ordered = [*unknown, *known[-MOST:]]
        self._order = [one.id for one in ordered]
        for name in [name for name, (look, _) in self._cards.items() if name not in self._order or look != looks[name]]:
            self._drop(name)
        for place, one in enumerate(ordered):
            if one.id not in self._cards:
                made = submission_card(one, self._hands, now, offers_ways=offers_ways)
                self._cards[one.id] = (looks[one.id], made)
            card = self._cards[one.id][1]
            if self._lines.indexOf(card) != place:
                self._lines.insertWidget(place, card)
                card.show()
        more = len(records) - len(ordered)
        self._more.say(f"{more} earlier ones stand in the chat.")
        self._more.setVisible(more > 0)
        self.fit()

    def give_room(self, tallest: int) -> None:
        self._room = min(TALLEST, tallest)
        self.fit()

    def fit(self) -> None:
        """As tall as what it holds, up to a limit; a scroll area by itself takes what it likes."""
        width = max(200, self.width())
        has_height = self._holder.hasHeightForWidth()
        tall = self._holder.heightForWidth(width) if has_height else self._holder.sizeHint().height()
        self.setFixedHeight(min(self._room, tall + 4))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._fitter.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:  # a card was opened or closed
            self._fitter.start()
        return super().eventFilter(watched, event)

    def _drop(self, name: SubmissionId) -> None:
        _, card = self._cards.pop(name)
        self._lines.removeWidget(card)
        card.hide()
        card.deleteLater()
