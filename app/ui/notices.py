"""What went wrong, said plainly: what happened, whether anything was lost, what to do next."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from app.domain.passing import ErrorShown
from app.ui.elements import IconButton, IconMark, TextButton, Words, column

MOST = 3


class Notices(QWidget):
    """The newest few errors above the composer; each stays until the person closes it."""

    settings_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._layout = column(spacing=6)
        self._layout.setContentsMargins(20, 0, 20, 4)
        self.setLayout(self._layout)
        self._shown: list[tuple[ErrorShown, QWidget]] = []
        self.hide()

    @property
    def errors(self) -> tuple[ErrorShown, ...]:
        return tuple(error for error, _ in self._shown)

    def show_error(self, error: ErrorShown) -> None:
        if error in self.errors:
            return
        card = self._card(error)
        self._shown.append((error, card))
        self._layout.addWidget(card)
        while len(self._shown) > MOST:
            self.close_error(self._shown[0][0])
        self.show()

    def close_error(self, error: ErrorShown) -> None:
        for entry in [entry for entry in self._shown if entry[0] == error]:
            self._shown.remove(entry)
            self._layout.removeWidget(entry[1])
            entry[1].hide()
            entry[1].deleteLater()
        self.setVisible(bool(self._shown))

    def leave(self) -> None:
        """Another conversation is opened: what is said of the program itself stays."""
        for error in [one for one in self.errors if one.conversation]:
            self.close_error(error)

    def clear(self) -> None:
        for error in self.errors:
            self.close_error(error)

    def _card(self, error: ErrorShown) -> QFrame:
        card = QFrame()
        card.setProperty("card", "danger")
        card.setAccessibleName(" ".join(part for part in (error.what, error.lost, error.next_step) if part))
        line = QHBoxLayout(card)
        line.setContentsMargins(14, 10, 8, 10)
        line.setSpacing(10)
        words = column(spacing=2)
        words.addWidget(Words(error.what, bold=True))
        words.addWidget(Words(" ".join(part for part in (error.lost, error.next_step) if part), tone="muted"))
        close = IconButton("cross", "Close this notice", size=14)
        close.clicked.connect(lambda: self.close_error(error))
        line.addWidget(IconMark("warning", "danger"), 0, Qt.AlignmentFlag.AlignTop)
        line.addLayout(words, 1)
        if "settings" in error.next_step.lower():
            line.addWidget(
                TextButton("Settings", "plain", "settings", self.settings_wanted.emit), 0, Qt.AlignmentFlag.AlignTop
            )
        line.addWidget(close, 0, Qt.AlignmentFlag.AlignTop)
        return card
