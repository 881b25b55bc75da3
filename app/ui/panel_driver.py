"""Who drives, in words and colour, and the button that changes it."""

from PySide6.QtCore import QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QWidget

from app.domain.passing import Driver, RunState
from app.ui import icons
from app.ui.elements import OneLine, TextButton
from app.ui.state_words import DRIVERS, doing
from app.ui.theme import installed_theme, scaled_font

_GROUNDS = {"agent": "agent_soft", "person": "person_soft", "nobody": "background"}
_BADGES = {
    "agent": ("agent", "agent_text", "pilot"),
    "person": ("person", "person_text", "person"),
    "nobody": ("raised", "muted_text", ""),
}
_BADGE_ICON = 15
_LONGEST_NOTE = 500
_NOTICE_MS = 6_000


class DriverBar(QWidget):
    """Always as high, so that the page keeps its size when the driver changes."""

    take_over_wanted = Signal()
    hand_back_wanted = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._driver: Driver = "nobody"
        self._has_page = False
        self.badge = DriverBadge()
        self.detail = OneLine(tone="muted")
        self.detail.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.note = QLineEdit()
        self.note.setPlaceholderText("What did you do? (optional)")
        self.note.setAccessibleName("Note for the agent, optional")
        self.note.setMaxLength(_LONGEST_NOTE)
        self.note.returnPressed.connect(self.press)
        self.button = TextButton("Take over", "person", "hand", self.press)
        self.button.setToolTip("Take over or hand back (Ctrl+.)")
        self.button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._notice = QTimer(self, singleShot=True, interval=_NOTICE_MS)
        self._notice.timeout.connect(self._show_detail)
        self._words = ""
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 5, 8, 5)
        row.setSpacing(8)
        row.addWidget(self.badge)
        row.addWidget(self.detail, 1)
        row.addWidget(self.note, 2)
        row.addWidget(self.button)
        for widget in (self.note, self.button):
            widget.ensurePolished()
        self.setMinimumHeight(max(self.note.sizeHint().height(), self.button.sizeHint().height()) + 10)
        installed_theme().changed.connect(self.update)
        self._arrange()

    def show_driver(self, driver: Driver, state: RunState, detail: str) -> None:
        has_changed, self._driver = driver != self._driver, driver
        self._words = doing(state, detail) if state == "working" and detail else ""
        if has_changed:
            self.note.clear()
            self._notice.stop()
        self._arrange()
        if not self._notice.isActive():
            self._show_detail()

    def show_page(self, *, is_there: bool) -> None:
        self._has_page = is_there
        self._arrange()

    def notice(self, words: str) -> None:
        """Say something for a moment."""
        self.detail.say(words)
        self.detail.show()
        self._notice.start()

    def press(self) -> None:
        """What the button does: take over, or hand back with the note."""
        if self._driver == "person":
            self.hand_back_wanted.emit(self.note.text().strip())
        elif self._has_page:
            self.take_over_wanted.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = installed_theme()
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour(_GROUNDS[self._driver]))

    def _arrange(self) -> None:
        self.badge.show_driver(self._driver)
        is_person = self._driver == "person"
        self.note.setVisible(is_person)
        if is_person:
            self.button.say("Hand back", "primary", "hand-back")
        else:
            self.button.say("Take over", "person" if self._has_page else "plain", "hand")
        self.button.setEnabled(is_person or self._has_page)
        self.update()

    def _show_detail(self) -> None:
        """The note takes the whole room while there is nothing to say beside it."""
        self.detail.say(self._words)
        self.detail.setVisible(bool(self._words) or self._driver != "person")


class DriverBadge(QWidget):
    """Icon and words on a full ground; a change is read aloud."""

    def __init__(self) -> None:
        super().__init__()
        self._driver: Driver = "nobody"
        self.setFont(scaled_font(0.95, weight=QFont.Weight.DemiBold))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(DRIVERS["nobody"])

    @property
    def words(self) -> str:
        return DRIVERS[self._driver]

    def show_driver(self, driver: Driver) -> None:
        if driver == self._driver:
            return
        self._driver = driver
        self.setAccessibleName(self.words)
        self.updateGeometry()
        self.update()
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, self.words))

    def sizeHint(self) -> QSize:
        widest = max(self.fontMetrics().horizontalAdvance(words) for words in DRIVERS.values())
        return QSize(widest + _BADGE_ICON + 30, self.fontMetrics().height() + 10)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = installed_theme()
        ground, ink, icon = _BADGES[self._driver]
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour(ground))
        painter.drawRoundedRect(self.rect(), self.height() / 2, self.height() / 2)
        words = QRect(self.rect()).adjusted(10, 0, -10, 0)
        if icon:
            top = (self.height() - _BADGE_ICON) // 2
            painter.drawPixmap(11, top, icons.pixmap(icon, theme.colour(ink).name(), _BADGE_ICON))
            words.setLeft(11 + _BADGE_ICON + 5)
        painter.setPen(theme.colour(ink))
        painter.drawText(words, Qt.AlignmentFlag.AlignCenter, self.words)
