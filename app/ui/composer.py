"""Where the person writes: a field that grows, what waits to be read, and whether the person has the browser."""

import itertools

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QKeyEvent
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QPlainTextEdit, QVBoxLayout, QWidget

from app.domain.commands import SendMessage
from app.domain.passing import Driver, RunState
from app.ui.elements import IconButton, IconMark, Words, restyle
from app.ui.given_files import GivenFiles, local_files
from app.ui.theme import scaled_font

MOST_LINES = 8
AGENT_WAITS = "You are driving. The agent waits until you hand back; what you type into the page is not recorded."
NOBODY_WAITS = "You are driving; what you type into the page is not recorded. Send a message, and the agent takes over."
_ONLY_FILES = "I give you these files."
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class Composer(QWidget):
    """Emits commands; a message that is sent while the agent works stays in sight until the agent has read it."""

    command_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.field = _Field()
        self.field.sent.connect(self.send)
        self.field.textChanged.connect(self._follow_text)
        self._send = IconButton("send", "Send", hint="Enter", colour="accent_text")
        self._send.setProperty("look", "send")
        self._send.clicked.connect(self.send)
        self._queued: list[str] = []
        self._queue = _Strip("send", "muted_text", "raised")
        self._hands = _Strip("hand", "person", "person")
        self.files = GivenFiles()
        self.files.changed.connect(self._follow_files)
        self._given: tuple[str, ...] = ()  # with the newest message
        self._clip = IconButton("clip", "Give files", hint="or drop them here", colour="muted_text")
        self._clip.clicked.connect(self.choose_files)
        self.setAcceptDrops(True)
        self._frame = QFrame()
        self._frame.setProperty("look", "composer")
        line = QHBoxLayout(self._frame)
        line.setContentsMargins(8, 8, 8, 8)
        line.addWidget(self._clip, 0, Qt.AlignmentFlag.AlignBottom)
        line.addWidget(self.field, 1)
        line.addWidget(self._send, 0, Qt.AlignmentFlag.AlignBottom)
        self.field.focus_changed.connect(self._show_focus)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 4, 20, 16)
        layout.setSpacing(8)
        layout.addWidget(self._hands)
        layout.addWidget(self._queue)
        layout.addWidget(self.files)
        layout.addWidget(self._frame)
        self._follow_files()

    @property
    def queued(self) -> tuple[str, ...]:
        return tuple(self._queued)

    def send(self) -> None:
        text = self.field.toPlainText().strip()
        if not text and not self.files.paths:
            return
        self._given = self.files.take()
        self.field.clear()
        self.command_wanted.emit(SendMessage(text or _ONLY_FILES, files=self._given))

    def choose_files(self) -> None:
        """Opens the system's dialog; what is chosen becomes chips."""
        dialog = QFileDialog(self, "Give files to the agent")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.filesSelected.connect(self.files.add)
        dialog.open()

    def take_files_back(self) -> None:
        """The files of a message that could not be taken."""
        self.files.add(self._given)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if local_files(event.mimeData()):
            event.acceptProposedAction()
            self._show_focus(True)

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        self._show_focus(self.field.hasFocus())

    def dropEvent(self, event: QDropEvent) -> None:
        self.files.add(local_files(event.mimeData()))
        event.acceptProposedAction()
        self.field.setFocus()
        self._show_focus(True)

    def queue(self, text: str) -> None:
        """Show a message that the agent reads at its next step."""
        self._queued.append(text)
        self._show_queue()

    def was_read(self, text: str) -> None:
        if text in self._queued:
            self._queued.remove(text)
            self._show_queue()

    def forget_queue(self) -> None:
        self._queued.clear()
        self._show_queue()

    def show_state(self, state: RunState, driver: Driver) -> None:
        busy = state in ("working", "paused", "waiting")
        self._hands.say("" if driver != "person" else AGENT_WAITS if busy else NOBODY_WAITS)
        self.field.setPlaceholderText("Write to the agent" if busy else "What shall we do?")

    def take(self, text: str) -> None:
        """Put words into the field for the person to send or to change."""
        self.field.setPlainText(text)
        self.field.moveCursor(self.field.textCursor().MoveOperation.End)
        self.field.setFocus()

    def _follow_files(self) -> None:
        """The Tab key goes from the clip over the files to the words and to Send."""
        for one, then in itertools.pairwise([self._clip, *self.files.buttons, self.field, self._send]):
            self.setTabOrder(one, then)
        self._follow_text()

    def _follow_text(self) -> None:
        self._send.setEnabled(bool(self.field.toPlainText().strip() or self.files.paths))

    def _show_focus(self, has_focus: bool) -> None:
        self._frame.setProperty("active", "true" if has_focus else "false")
        restyle(self._frame)

    def _show_queue(self) -> None:
        self._queue.say("Waiting to be read: " + " · ".join(self._queued) if self._queued else "")


class _Field(QPlainTextEdit):
    """Enter sends, Shift+Enter begins a line; as high as its text up to a limit."""

    sent = Signal()
    focus_changed = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.setFont(scaled_font(1.08))
        self.setAccessibleName("Message")
        self.setAccessibleDescription("Enter sends. Shift and Enter begin a new line.")
        self.setPlaceholderText("What shall we do?")
        self.setTabChangesFocus(True)
        self.setAcceptDrops(False)  # files that are dropped are given, not written as text
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.document().setDocumentMargin(4)
        self.textChanged.connect(self._grow)
        self._grow()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _ENTER and not event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.sent.emit()
            return
        super().keyPressEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.focus_changed.emit(event.type() == QEvent.Type.FocusIn)
        if event.type() == QEvent.Type.Resize:
            self._grow()
        return super().event(event)

    def _grow(self) -> None:
        lines = max(1, min(MOST_LINES, round(self.document().size().height())))
        self.setFixedHeight(lines * self.fontMetrics().lineSpacing() + 14)


class _Strip(QFrame):
    """A quiet strip above the field; hidden while it has nothing to say."""

    def __init__(self, icon: str, colour: str, card: str) -> None:
        super().__init__()
        self.setProperty("card", card)
        self.whole = QVBoxLayout(self)
        self.whole.setContentsMargins(12, 8, 12, 8)
        line = QHBoxLayout()
        line.setSpacing(10)
        line.addWidget(IconMark(icon, colour), 0, Qt.AlignmentFlag.AlignTop)
        self._words = Words("", tone="muted", scale=0.95)
        line.addWidget(self._words, 1)
        self.whole.addLayout(line)
        self.hide()

    def say(self, text: str) -> None:
        self._words.say(text)
        self.setVisible(bool(text))


def is_inside(widget: QObject | None, pane: QWidget) -> bool:
    """Whether the focus is somewhere in this pane."""
    return isinstance(widget, QWidget) and (widget is pane or pane.isAncestorOf(widget))
