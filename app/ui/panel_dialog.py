"""The bar that shows a page's own dialog and takes the person's answer."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QScrollArea, QWidget

from app.domain.pages import Dialog
from app.ui.elements import TextButton, Words, column
from app.ui.safe_text import host_of

_LONGEST_MESSAGE = 4_000
_MESSAGE_HEIGHT = 160
_MARGIN = 16
_ANSWERS = {
    "alert": ("OK", ""),
    "confirm": ("OK", "Cancel"),
    "prompt": ("OK", "Cancel"),
    "beforeunload": ("Leave the page", "Stay"),
}


class DialogBar(QFrame):
    """Lies over the page; the page keeps its size. `answered` carries (accept, text of a prompt or None)."""

    answered = Signal(bool, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", "question")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._dialog: Dialog | None = None
        self.title = Words(bold=True)
        self.message = Words()
        self.message.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.field = QLineEdit()
        self.field.setAccessibleName("Your answer to the page")
        self.field.returnPressed.connect(lambda: self.answer(accept=True))
        self.accept_button = TextButton("OK", "primary", on_click=lambda: self.answer(accept=True))
        self.dismiss_button = TextButton("Cancel", on_click=lambda: self.answer(accept=False))
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setWidget(self.message)
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.dismiss_button)
        buttons.addWidget(self.accept_button)
        stack = column(margins=_MARGIN, spacing=10)
        for widget in (self.title, self._scroll, self.field):
            stack.addWidget(widget)
        stack.addLayout(buttons)
        self.setLayout(stack)
        self.hide()

    @property
    def dialog(self) -> Dialog | None:
        return self._dialog

    def show_dialog(self, dialog: Dialog | None, url: str) -> None:
        """A dialog that is shown already keeps what the person has typed into it."""
        if dialog == self._dialog:
            return
        self._dialog = dialog
        if dialog is None:
            self.hide()
            return
        self._fill(dialog, url)
        self.show()
        self.raise_()

    def answer(self, *, accept: bool) -> None:
        dialog = self._dialog
        if dialog is None:
            return
        self._dialog = None
        self.hide()
        self.answered.emit(accept, self.field.text() if accept and dialog.kind == "prompt" else None)

    def fit(self, width: int) -> None:
        """As high as the message needs at this width; a long one scrolls."""
        self.setFixedWidth(width)
        inner = width - 2 * (_MARGIN + self.frameWidth())
        self._scroll.setFixedHeight(min(self.message.heightForWidth(inner) + 2, _MESSAGE_HEIGHT))
        self.adjustSize()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.answer(accept=False)
            return
        super().keyPressEvent(event)

    def _fill(self, dialog: Dialog, url: str) -> None:
        host = host_of(url) or "The page"
        leaving = dialog.kind == "beforeunload"
        title = "Leave this page?" if leaving else f"{host} says"
        message = dialog.message or ("What you changed there may be lost." if leaving else "")
        self.title.say(title)
        self.message.say(message[:_LONGEST_MESSAGE])
        self._scroll.setVisible(bool(message))
        self.setAccessibleName(f"{title}: {message[:_LONGEST_MESSAGE]}")
        accept, dismiss = _ANSWERS[dialog.kind]
        self.accept_button.setText(accept)
        self.accept_button.setAccessibleName(accept)
        self.dismiss_button.setText(dismiss)
        self.dismiss_button.setAccessibleName(dismiss)
        self.dismiss_button.setVisible(bool(dismiss))
        self.field.setVisible(dialog.kind == "prompt")
        self.field.setText(dialog.default)
