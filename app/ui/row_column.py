"""The cards of a stretch of rows, one below the other; the stretch slides along a conversation of any length."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import delete

from app.ui.card import Hands
from app.ui.cards import card_for
from app.ui.elements import focus_stops
from app.ui.rows import Row

MOST = 80
AT_ONCE = 4
GAP = 8
WIDEST_TEXT = 780
LEAST_MARGIN = 20


class RowColumn(QWidget):
    """Holds cards for `rows[first:last]` and lays them out when asked; `resettled` says that heights changed."""

    resettled = Signal()
    left = Signal(bool)  # the keyboard left at the end (True) or at the beginning

    def __init__(self, rows: list[Row], hands: Hands) -> None:
        super().__init__()
        self.first = 0
        self._rows = rows
        self._hands = hands
        self._cards: list[QWidget] = []
        self._footers: list[QWidget] = []

    @property
    def last(self) -> int:
        return self.first + len(self._cards)

    @property
    def cards(self) -> tuple[QWidget, ...]:
        return tuple(self._cards)

    def card_at(self, index: int) -> QWidget | None:
        return self._cards[index - self.first] if self.first <= index < self.last else None

    def start_over(self, rows: list[Row]) -> None:
        """Show none of the rows, then let `grow_up` and `grow_down` bring them."""
        for card in self._cards:
            self._drop(card)
        self._rows, self._cards, self.first = rows, [], len(rows)

    def stand_at(self, index: int) -> None:
        """Begin again around a row that is out of sight."""
        self.start_over(self._rows)
        self.first = max(0, min(index - AT_ONCE // 2, len(self._rows)))
        self.grow_down()

    def put_away(self) -> None:
        """Delete all cards at once, out of reach of anything that walks over widgets; the rows stay."""
        for card in self._cards:
            delete(card)
        self._cards = []

    def grow_up(self) -> int:
        """Bring earlier rows; answers how many came."""
        begin = max(0, self.first - AT_ONCE)
        made = [self._make(row) for row in self._rows[begin : self.first]]
        self._cards[:0] = made
        self.first = begin
        while len(self._cards) > MOST:
            self._drop(self._cards.pop())
        return len(made)

    def grow_down(self) -> int:
        """Bring later rows; answers how many came."""
        made = [self._make(row) for row in self._rows[self.last : self.last + AT_ONCE]]
        self._cards += made
        while len(self._cards) > MOST:
            self._drop(self._cards.pop(0))
            self.first += 1
        return len(made)

    def replace(self, index: int) -> None:
        """The row at this place is another one now."""
        if not self.first <= index < self.last:
            return
        old = self._cards[index - self.first]
        had_focus = old.isAncestorOf(QApplication.focusWidget() or self) or old.hasFocus()
        made = self._make(self._rows[index])
        self._cards[index - self.first] = made
        self._drop(old)
        if had_focus:
            made.setFocus()

    def set_footers(self, *widgets: QWidget) -> None:
        """What stands below the newest row."""
        self._footers = list(widgets)
        for widget in widgets:
            widget.setParent(self)

    def settle(self, width: int) -> None:
        """Give every card its place, now."""
        margin = max(LEAST_MARGIN, (width - WIDEST_TEXT) // 2)
        inner = max(60, width - 2 * margin)
        top = 16
        for widget in [*self._cards, *(footer for footer in self._footers if not footer.isHidden())]:
            height = widget.heightForWidth(inner) if widget.hasHeightForWidth() else widget.sizeHint().height()
            widget.setGeometry(margin, top, inner, height)
            top += height + GAP
        self.resize(width, top + 12)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.resettled.emit()
        return super().event(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab goes through the cards in the order of the eye, whenever they were made."""
        stops = [stop for card in [*self._cards, *self._footers] for stop in focus_stops(card)]
        now = QApplication.focusWidget()
        place = stops.index(now) if now in stops else -1
        place += 1 if forward else -1
        if not stops or not 0 <= place < len(stops):
            self.left.emit(forward)
            return True
        stops[place].setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
        return True

    def focus_last(self) -> bool:
        """Whether there was a card to take the keyboard."""
        stops = next((stops for card in reversed(self._cards) if (stops := focus_stops(card))), [])
        if stops:
            stops[0].setFocus(Qt.FocusReason.ShortcutFocusReason)
        return bool(stops)

    def _make(self, row: Row) -> QWidget:
        card = card_for(row, self._hands)
        card.setParent(self)
        card.show()
        return card

    def _drop(self, card: QWidget) -> None:
        card.hide()
        card.deleteLater()
