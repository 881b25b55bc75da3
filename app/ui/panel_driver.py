"""Who drives, in words and colour, and the button that changes it."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QSizePolicy, QWidget

from app.domain.events import Driver
from app.ui.elements import Pill, TextButton
from app.ui.safe_text import shown
from app.ui.theme import installed_theme

BADGES: dict[Driver, tuple[str, str]] = {
    "agent": ("Agent is driving", "agent"),
    "person": ("You are driving", "person"),
    "nobody": ("Nobody is driving", "muted"),
}
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
        self.badge = Pill()
        self.detail = ElidedLabel(self)
        self.note = QLineEdit()
        self.note.setPlaceholderText("What did you do? (a note for the agent)")
        self.note.setAccessibleName("Note for the agent, optional")
        self.note.setMaxLength(_LONGEST_NOTE)
        self.note.returnPressed.connect(self.press)
        self.button = TextButton("Take over", "person", "hand", self.press)
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
        installed_theme().changed.connect(self.update)
        self._arrange()

    def show_driver(self, driver: Driver, detail: str) -> None:
        has_changed, self._driver = driver != self._driver, driver
        self._words = detail
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
        self._notice.start()

    def press(self) -> None:
        """What the button does: take over, or hand back with the note."""
        if self._driver == "person":
            self.hand_back_wanted.emit(self.note.text().strip())
        elif self._has_page:
            self.take_over_wanted.emit()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = installed_theme()
        ground = {"agent": "agent_soft", "person": "person_soft", "nobody": "background"}[self._driver]
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme.colour(ground))

    def _arrange(self) -> None:
        words, tone = BADGES[self._driver]
        self.badge.say(words, tone)
        is_person = self._driver == "person"
        self.note.setVisible(is_person)
        if is_person:
            self.button.say("Hand back", "primary", "hand-back")
        else:
            self.button.say("Take over", "person", "hand")
        self.button.setEnabled(is_person or self._has_page)
        self.update()

    def _show_detail(self) -> None:
        self.detail.say(self._words if self._driver == "agent" else "")


class ElidedLabel(QLabel):
    """One line that gives way instead of pushing its neighbours."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._whole = ""
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setProperty("tone", "muted")

    def say(self, words: str) -> None:
        self._whole = shown(words, 300).replace("\n", " ")
        self.setAccessibleName(self._whole)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        self.setText(self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, self.width()))
