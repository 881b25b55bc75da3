"""The bar that says that the page asks for a file, and takes the person's choice or their no."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QBoxLayout, QFileDialog, QFrame, QHBoxLayout, QWidget

from app.domain.pages import FilesWanted
from app.domain.passing import Driver
from app.ui.elements import IconMark, OneLine, TextButton, column
from app.ui.safe_text import host_of

_AROUND = 90  # margins, icon and gaps
_AGENT = "The agent can answer with files you gave."
_PERSON = "Only what you choose goes to the page."


class FileBar(QFrame):
    """Lies over the page; the page keeps its size. `answered` carries the chosen paths; none means no."""

    answered = Signal(tuple)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", "question")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.wanted: FilesWanted | None = None
        self._dialog: QFileDialog | None = None
        self.title = OneLine(bold=True)
        self.message = OneLine(tone="muted", scale=0.95)
        self.choose_button = TextButton("Choose …", "primary", "clip", self.choose)
        self.cancel_button = TextButton("Cancel", on_click=lambda: self.answer(()))
        words = column(spacing=2)
        words.addWidget(self.title)
        words.addWidget(self.message)
        told, buttons = QHBoxLayout(), QHBoxLayout()
        told.setSpacing(10)
        told.addWidget(IconMark("file", "accent"), 0, Qt.AlignmentFlag.AlignTop)
        told.addLayout(words)
        told.addStretch(1)
        buttons.setSpacing(10)
        buttons.addStretch(1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.choose_button)
        self._line = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._line.setContentsMargins(16, 12, 12, 12)
        self._line.setSpacing(10)
        self._line.addLayout(told, 1)
        self._line.addLayout(buttons)
        self.hide()

    def show_wish(self, wanted: FilesWanted | None, url: str) -> None:
        """What the page asks for now; a wish that is gone takes the open dialog with it."""
        if wanted == self.wanted:
            return
        self.wanted = wanted
        if wanted is None:
            self._close_dialog()
            self.hide()
            return
        self.title.say(f"{host_of(url) or 'The page'} asks for {'files' if wanted.multiple else 'a file'}")
        self.setAccessibleName(self.title.text())
        self.show()
        self.raise_()

    def show_driver(self, driver: Driver) -> None:
        self.message.say(_AGENT if driver == "agent" else _PERSON)

    def choose(self) -> None:
        """Opens the system's dialog for files; closing that one leaves the page's question open."""
        if self.wanted is None or self._dialog is not None:
            return
        many = self.wanted.multiple
        dialog = QFileDialog(self, "Choose files for the page" if many else "Choose a file for the page")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles if many else QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.finished.connect(self._take)
        self._dialog = dialog
        dialog.open()

    def answer(self, paths: tuple[str, ...]) -> None:
        if self.wanted is None:
            return
        self.wanted = None
        self.hide()
        self.answered.emit(paths)

    def fit(self, width: int) -> None:
        """Where the words have no room beside the buttons, those stand below them."""
        words = max(self.title.sizeHint().width(), self.message.sizeHint().width())
        buttons = self.cancel_button.sizeHint().width() + self.choose_button.sizeHint().width()
        beside = words + buttons + _AROUND <= width
        self._line.setDirection(QBoxLayout.Direction.LeftToRight if beside else QBoxLayout.Direction.TopToBottom)
        self.setFixedWidth(width)
        self.adjustSize()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.answer(())
            return
        super().keyPressEvent(event)

    def _take(self, result: int) -> None:
        dialog, self._dialog = self._dialog, None
        if dialog is not None and result == QFileDialog.DialogCode.Accepted:
            self.answer(tuple(dialog.selectedFiles()))

    def _close_dialog(self) -> None:
        dialog, self._dialog = self._dialog, None
        if dialog is not None:
            dialog.close()
