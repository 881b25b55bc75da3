"""The list of conversations: search, begin, open, rename, delete."""

import time

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QFrame,
    QHBoxLayout,
    QInputDialog,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QMenu,
    QMessageBox,
    QToolButton,
    QVBoxLayout,
)

from app.domain.commands import (
    DeleteConversation,
    ListConversations,
    NewConversation,
    OpenConversation,
    RenameConversation,
)
from app.domain.events import ConversationSummary
from app.domain.ids import ConversationId
from app.domain.passing import ConversationsListed, Event
from app.ui.conversation_delegate import ConversationDelegate
from app.ui.elements import IconMark, TextButton, Words

SEARCH_PAUSE_MS = 200
SUMMARY = Qt.ItemDataRole.UserRole


class Sidebar(QFrame):
    """Emits commands; shows what the engine lists."""

    command_wanted = Signal(object)
    settings_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("plane", "background")
        self._open_id: ConversationId | None = None
        self.search = QLineEdit()
        self.search.setProperty("look", "search")
        self.search.setPlaceholderText("Search conversations")
        self.search.setAccessibleName("Search conversations")
        self.search.setClearButtonEnabled(True)
        for button in self.search.findChildren(QToolButton):
            button.setAccessibleName("Clear the search")
        self._pause = QTimer(self, singleShot=True, interval=SEARCH_PAUSE_MS)
        self._pause.timeout.connect(self.ask)
        self.search.textChanged.connect(lambda _: self._pause.start())
        self.list = _List()
        self.list.setItemDelegate(ConversationDelegate(self.list))
        self.list.itemActivated.connect(self._open)
        self.list.itemClicked.connect(self._open)
        self.list.customContextMenuRequested.connect(self._offer)
        self.list.rename_wanted.connect(self._rename_current)
        self.list.delete_wanted.connect(self._delete_current)
        self._nothing = Words("", tone="muted")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        new = TextButton("New conversation", "primary", "plus", lambda: self.command_wanted.emit(NewConversation()))
        new.setToolTip("New conversation (Ctrl+N)")
        settings = TextButton("Settings", "quiet", "settings", self.settings_wanted.emit)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(12, 14, 12, 10)
        layout.setSpacing(10)
        layout.addLayout(_brand())
        layout.addWidget(new)
        layout.addWidget(self.search)
        layout.addWidget(self._nothing)
        layout.addWidget(self.list, 1)
        layout.addWidget(settings, 0, Qt.AlignmentFlag.AlignLeft)
        self.setMinimumWidth(210)

    def ask(self) -> None:
        self.command_wanted.emit(ListConversations(self.search.text().strip()))

    def receive(self, event: Event) -> None:
        if isinstance(event, ConversationsListed):
            self.show_list(event)

    def show_list(self, listed: ConversationsListed) -> None:
        if listed.query != self.search.text().strip():
            return
        self.list.clear()
        for summary in listed.conversations:
            item = QListWidgetItem(summary.title or "New conversation")
            item.setData(SUMMARY, summary)
            item.setData(Qt.ItemDataRole.AccessibleTextRole, spoken(summary))
            self.list.addItem(item)
        self._mark_open()
        self._nothing.say("" if listed.conversations else "Nothing found." if listed.query else "No conversations yet.")
        self._nothing.setVisible(not listed.conversations)

    def mark_open(self, id: ConversationId | None) -> None:
        if id != self._open_id:
            self._open_id = id
            self._mark_open()

    def summaries(self) -> tuple[ConversationSummary, ...]:
        return tuple(self.list.item(row).data(SUMMARY) for row in range(self.list.count()))

    def _mark_open(self) -> None:
        for row in range(self.list.count()):
            if self.list.item(row).data(SUMMARY).id == self._open_id:
                self.list.setCurrentRow(row)
                return
        self.list.setCurrentRow(-1)

    def _open(self, item: QListWidgetItem) -> None:
        summary: ConversationSummary = item.data(SUMMARY)
        if summary.id != self._open_id:
            self.command_wanted.emit(OpenConversation(summary.id))

    def _offer(self, at: QPoint) -> None:
        item = self.list.itemAt(at)
        if item is None:
            return
        summary: ConversationSummary = item.data(SUMMARY)
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction("Rename", lambda: self.rename(summary))
        menu.addAction("Delete", lambda: self.delete(summary))
        menu.popup(self.list.viewport().mapToGlobal(at))

    def _rename_current(self) -> None:
        if (item := self.list.currentItem()) is not None:
            self.rename(item.data(SUMMARY))

    def _delete_current(self) -> None:
        if (item := self.list.currentItem()) is not None:
            self.delete(item.data(SUMMARY))

    def rename(self, summary: ConversationSummary) -> None:
        """Ask for a new title."""
        dialog = QInputDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle("Rename conversation")
        dialog.setLabelText("Title")
        dialog.setTextValue(summary.title)
        dialog.textValueSelected.connect(lambda title: self._give_title(summary, title))
        dialog.open()

    def delete(self, summary: ConversationSummary) -> None:
        """Ask before anything goes."""
        box = QMessageBox(self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.setIcon(QMessageBox.Icon.Question)
        box.setWindowTitle("Delete conversation")
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText(f"Delete “{summary.title or 'New conversation'}”?")
        box.setInformativeText(
            "Its messages, receipts, quotes and pages are deleted from this machine. They cannot be brought back. "
            "Files that you gave stay where they are; those that pages sent stay in its folder unless you say so here."
        )
        with_files = QCheckBox("Also delete the files that pages sent")
        box.setCheckBox(with_files)
        delete = box.addButton("Delete", QMessageBox.ButtonRole.DestructiveRole)
        keep = box.addButton("Keep", QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(keep)
        delete.clicked.connect(lambda: self._delete(summary, with_files=with_files.isChecked()))
        box.open()

    def _give_title(self, summary: ConversationSummary, title: str) -> None:
        if title.strip() and title.strip() != summary.title:
            self.command_wanted.emit(RenameConversation(summary.id, title.strip()))
            self.ask()

    def _delete(self, summary: ConversationSummary, *, with_files: bool) -> None:
        self.command_wanted.emit(DeleteConversation(summary.id, with_files))
        self.ask()


class _List(QListWidget):
    """F2 renames and Delete deletes, as lists do everywhere."""

    rename_wanted = Signal()
    delete_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("look", "conversations")
        self.setAccessibleName("Conversations")
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setUniformItemSizes(False)
        self.setMouseTracking(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.setMinimumSize(QSize(120, 80))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_F2:
            self.rename_wanted.emit()
        elif event.key() == Qt.Key.Key_Delete:
            self.delete_wanted.emit()
        else:
            super().keyPressEvent(event)


def spoken(summary: ConversationSummary) -> str:
    demo = "Demo. " if summary.demo else ""
    return f"{demo}{summary.title or 'New conversation'}, {when(summary.updated_at)}"


def when(at: float) -> str:
    """The time today, else the day."""
    moment, now = time.localtime(at), time.localtime()
    if moment[:3] == now[:3]:
        return time.strftime("%H:%M", moment)
    return (
        f"{moment.tm_mday} {time.strftime('%b', moment)}"
        if moment.tm_year == now.tm_year
        else time.strftime("%Y-%m-%d", moment)
    )


def _brand() -> QHBoxLayout:
    line = QHBoxLayout()
    line.setSpacing(10)
    line.addWidget(IconMark("pilotfish", "text", size=26))
    line.addWidget(Words("Pilotfish", bold=True, scale=1.2), 1)
    return line
