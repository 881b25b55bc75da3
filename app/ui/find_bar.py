"""Find in chat: looks through the rows of the conversation, also those that are not laid out."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit

from app.ui.card import Card
from app.ui.chat import ChatView
from app.ui.elements import IconButton, Words
from app.ui.rows import searchable


class FindBar(QFrame):
    """Enter goes to the next place, Shift+Enter to the one before, Esc closes."""

    closed = Signal()

    def __init__(self, chat: ChatView) -> None:
        super().__init__()
        self.setProperty("bar", "find")
        self._chat = chat
        self._places: list[int] = []
        self._now = -1
        self._marked: Card | None = None
        self.field = QLineEdit()
        self.field.setPlaceholderText("Find in this conversation")
        self.field.setAccessibleName("Find in this conversation")
        self.field.textChanged.connect(self._search)
        self.count = Words("", tone="muted")
        self.count.setWordWrap(False)
        back = IconButton("back", "Previous place", hint="Shift+Enter", size=16)
        back.clicked.connect(lambda: self.go(-1))
        forward = IconButton("forward", "Next place", hint="Enter", size=16)
        forward.clicked.connect(lambda: self.go(1))
        close = IconButton("cross", "Close find", hint="Esc", size=16)
        close.clicked.connect(self.close_bar)
        line = QHBoxLayout(self)
        line.setContentsMargins(20, 8, 16, 8)
        line.addWidget(self.field, 1)
        for widget in (self.count, back, forward, close):
            line.addWidget(widget)
        self.hide()

    def open_bar(self) -> None:
        self.show()
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.field.selectAll()
        self._search(self.field.text())

    def close_bar(self) -> None:
        self._unmark()
        self.hide()
        self.closed.emit()

    def go(self, by: int) -> None:
        """To the next or the previous place, around the ends."""
        if not self._places:
            return
        self._now = (self._now + by) % len(self._places)
        self._unmark()
        card = self._chat.reveal(self._places[self._now])
        marked = card if isinstance(card, Card) else card.findChild(Card) if card is not None else None
        if isinstance(marked, Card):
            marked.mark_found(self.field.text().strip(), True)
            self._marked = marked
            marked.destroyed.connect(self._forget)
        self.count.say(f"{self._now + 1} of {len(self._places)}")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.go(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        else:
            super().keyPressEvent(event)

    def _search(self, text: str) -> None:
        needle = text.strip().casefold()
        rows = self._chat.rows
        self._places = [place for place, row in enumerate(rows) if needle and needle in searchable(row).casefold()]
        self._now = 0
        self._unmark()
        if self._places:
            self.go(-1)
        else:
            self.count.say("Not found" if needle else "")

    def _unmark(self) -> None:
        marked, self._marked = self._marked, None
        if marked is not None:
            marked.destroyed.disconnect(self._forget)
            marked.mark_found("", False)

    def _forget(self) -> None:
        self._marked = None
