"""The main window: conversations, chat and live panel side by side, and one place where events reach them."""

import itertools
from collections.abc import Callable

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QIcon, QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QApplication, QMainWindow, QSplitter, QVBoxLayout, QWidget

from app.domain.commands import (
    Command,
    DeleteConversation,
    FindLocalModels,
    ListConversations,
    NewConversation,
    OpenAddress,
    OpenUnfinished,
    SendMessage,
    ShowSettings,
    ShutDown,
)
from app.domain.ids import ConversationId
from app.domain.passing import (
    ConversationOpened,
    Driver,
    EngineStopped,
    ErrorShown,
    Event,
    RunState,
    RunStateChanged,
    SettingsShown,
)
from app.resources import path
from app.ui.bridge import Bridge
from app.ui.chat_pane import ChatPane
from app.ui.composer import is_inside
from app.ui.elements import focus_stops
from app.ui.file_card import open_local
from app.ui.link_dialog import LinkDialog, open_outside
from app.ui.panel import LivePanel
from app.ui.settings_dialog import SettingsDialog
from app.ui.sidebar import Sidebar
from app.ui.theme import installed_theme
from app.ui.top_bar import TopBar

SHUT_DOWN_LIMIT_MS = 15_000
ROOM_FOR_LIST = 1_100


class MainWindow(QMainWindow):
    """`closed` comes once, when the engine is down or its time to go down is over."""

    closed = Signal()

    def __init__(
        self,
        bridge: Bridge,
        panel: LivePanel,
        *,
        open_link: Callable[[str], None] = open_outside,
        open_file: Callable[[str], None] = open_local,
    ) -> None:
        super().__init__()
        installed_theme()
        self.bridge = bridge
        self._open_outside = open_link
        self._settings: SettingsShown | None = None
        self._states: dict[ConversationId, RunState] = {}
        self._driver: Driver = "nobody"
        self._is_closing = self._may_close = self._is_closed = False
        self.patience_ms = SHUT_DOWN_LIMIT_MS
        self._patience = QTimer(self, singleShot=True)
        self._patience.timeout.connect(self._go)
        self.panel = panel
        self.sidebar = Sidebar()
        self.top_bar = TopBar()
        self.chat = ChatPane(self.submit, self.show_link, open_file)
        self._splitter = self._lay_out()
        self.setWindowTitle("Pilotfish")
        self.setWindowIcon(QIcon(str(path("icons", "pilotfish.svg"))))
        self.resize(self.screen().availableSize().boundedTo(QSize(1400, 900)))
        self.setMinimumSize(760, 520)
        self._connect()
        self._add_shortcuts()
        self.chat.composer.field.setFocus()

    def start(self) -> None:
        """Begin to work with the engine, which its maker starts, where the last work broke off if it did."""
        for command in (ListConversations(), ShowSettings(), OpenUnfinished(), FindLocalModels()):
            self.submit(command)

    def submit(self, command: object) -> None:
        """Every command of every widget passes here."""
        wanted: Command = command  # type: ignore[assignment]
        if isinstance(wanted, SendMessage):
            self.chat.note_sent(wanted.text)
        if isinstance(wanted, DeleteConversation) and wanted.id == self.chat.conversation:
            self.chat.forget()
        self.bridge.submit(wanted)

    def receive(self, event: Event) -> None:
        """Called by the bridge, in the main thread."""
        match event:
            case EngineStopped():
                self._engine_stopped()
            case SettingsShown():
                self._take_settings(event)
            case ConversationOpened():
                self.chat.receive(event)
                self._show_state(self._states.get(event.id, "idle"), "")
            case RunStateChanged():
                self._take_state(event)
            case _:
                self.sidebar.receive(event)
                self.chat.receive(event)
        self.sidebar.mark_open(self.chat.conversation)
        self.top_bar.show_conversation(self.chat.title, self.chat.is_demo)

    def show_link(self, url: str) -> None:
        """Ask before a link is followed; a cited address shows itself in whole."""
        dialog = LinkDialog(
            url, in_panel=lambda at: self.submit(OpenAddress(at)), outside=self._open_outside, parent=self
        )
        dialog.open()

    def show_settings(self) -> SettingsDialog:
        dialog = SettingsDialog(self._settings, self)
        dialog.command_wanted.connect(self.submit)
        self.bridge.event_received.connect(dialog.receive)
        dialog.open()
        return dialog

    def closeEvent(self, event: QCloseEvent) -> None:
        """The window goes when the engine is down; until then it stays painted and says so."""
        if self._may_close:
            event.accept()
            self._tell_closed()
            return
        event.ignore()
        if not self._is_closing:
            self._is_closing = True
            self.setEnabled(False)
            self.setWindowTitle("Pilotfish is closing …")
            self._patience.start(self.patience_ms)
            self.bridge.submit(ShutDown())

    def raise_up(self) -> None:
        """Come to the front, as when the program is started a second time."""
        self.setWindowState(self.windowState() & ~Qt.WindowState.WindowMinimized)
        self.show()
        self.raise_()
        self.activateWindow()

    def _go(self) -> None:
        self._patience.stop()
        self._may_close = True
        self.close()

    def _tell_closed(self) -> None:
        if not self._is_closed:
            self._is_closed = True
            self.closed.emit()

    def _engine_stopped(self) -> None:
        if self._is_closing:
            self._go()
        else:
            self._may_close = True
            self.chat.notices.show_error(_ENGINE_IS_DOWN)

    def _take_state(self, event: RunStateChanged) -> None:
        """Another conversation's state is kept for when it is opened; who drives is the same for all."""
        here = self.chat.conversation
        self._driver = event.driver
        if event.conversation is not None:
            self._states[event.conversation] = event.state
        if event.conversation is None or here is None or event.conversation == here:
            self._show_state(event.state, event.detail)
        else:
            self._show_state(self._states.get(here, "idle"), "")

    def _show_state(self, state: RunState, detail: str) -> None:
        self.top_bar.show_state(state)
        self.chat.show_state(state, self._driver, detail)

    def _take_settings(self, event: SettingsShown) -> None:
        self._settings = event
        self.chat.welcome.show_model(event.model)
        installed_theme().choose(dict(event.values).get("theme", "system"))

    def _lay_out(self) -> QSplitter:
        middle = QWidget()
        right = QVBoxLayout(middle)
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(0)
        panes = QSplitter(Qt.Orientation.Horizontal)
        panes.setHandleWidth(1)
        for pane in (self.chat, self.panel):
            panes.addWidget(pane)
        panes.setStretchFactor(0, 2)
        panes.setStretchFactor(1, 3)
        panes.setSizes([560, 600])
        panes.setChildrenCollapsible(False)
        right.addWidget(self.top_bar)
        right.addWidget(panes, 1)
        whole = QSplitter(Qt.Orientation.Horizontal)
        whole.setHandleWidth(1)
        whole.addWidget(self.sidebar)
        whole.addWidget(middle)
        whole.setStretchFactor(1, 1)
        whole.setSizes([240, 1160])
        whole.setCollapsible(1, False)
        self.setCentralWidget(whole)
        return panes

    def _connect(self) -> None:
        for source in (self.sidebar, self.top_bar):
            source.command_wanted.connect(self.submit)
        self.sidebar.settings_wanted.connect(self.show_settings)
        self.chat.settings_wanted.connect(self.show_settings)
        self.top_bar.list_wanted.connect(self.toggle_list)
        self.chat.keyboard_left.connect(self._leave_chat)
        self.chat.sent.left.connect(self._leave_sent)
        for one, then in itertools.pairwise((self.top_bar.stop, self.chat.task.opener, self.chat.sent.opener)):
            self.setTabOrder(one, then)
        self.bridge.event_received.connect(self.receive)

    def _add_shortcuts(self) -> None:
        for keys, way in (
            ("Ctrl+N", lambda: self.submit(NewConversation())),
            ("Ctrl+.", self.panel.toggle_driver),
            ("Ctrl+B", self.toggle_list),
            ("Ctrl+F", self.chat.find_bar.open_bar),
            ("Ctrl+K", self._go_to_search),
            ("Ctrl+,", self.show_settings),
            ("F6", lambda: self._next_pane(1)),
            ("Shift+F6", lambda: self._next_pane(-1)),
            ("Esc", self._escape),
        ):
            QShortcut(QKeySequence(keys), self).activated.connect(way)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """A narrow window puts the list away by itself, a wide one brings it back."""
        super().resizeEvent(event)
        was_wide, is_wide = event.oldSize().width() >= ROOM_FOR_LIST, event.size().width() >= ROOM_FOR_LIST
        if was_wide != is_wide or not event.oldSize().isValid():
            self.sidebar.setVisible(is_wide)

    def toggle_list(self) -> None:
        self.sidebar.setVisible(not self.sidebar.isVisible())

    def _go_to_search(self) -> None:
        self.sidebar.show()
        self.sidebar.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.sidebar.search.selectAll()

    def _escape(self) -> None:
        """Stops the agent; closes the find bar when nothing runs."""
        if self.top_bar.can_stop:
            self.top_bar.press_stop()
        elif self.chat.find_bar.isVisible():
            self.chat.find_bar.close_bar()

    def _next_pane(self, by: int) -> None:
        """Field, chat, panel, list, bar, what stands above the chat, and round again."""
        panes: list[tuple[QWidget, Callable[[], None]]] = [
            (self.chat.composer, self.chat.composer.field.setFocus),
            (self.chat.view, self.chat.view.focus_newest),
            (self.panel, lambda: _focus(self.panel)),
            (self.sidebar, self.sidebar.list.setFocus),
            (self.top_bar, lambda: _focus(self.top_bar)),
            (self.chat.task, lambda: _focus(self.chat.task)),
            (self.chat.sent, lambda: _focus(self.chat.sent)),
        ]
        shown = [pane for pane in panes if pane[0].isVisible()]
        now = next((at for at, pane in enumerate(shown) if is_inside(QApplication.focusWidget(), pane[0])), -1)
        shown[(now + by) % len(shown)][1]()

    def _leave_chat(self, forward: bool) -> None:
        if forward:
            self.chat.composer.field.setFocus(Qt.FocusReason.TabFocusReason)
        else:
            self._go_above(self.chat.sent)

    def _leave_sent(self, forward: bool) -> None:
        if forward:
            self.chat.view.focus_newest()
        else:
            self._go_above(self.chat.task)

    def _go_above(self, pane: QWidget) -> None:
        """To the end of a pane above the chat, or of the first one above that which is there."""
        panes: list[QWidget] = [self.chat.sent, self.chat.task, self.top_bar]
        _focus(next(one for one in panes[panes.index(pane) :] if one.isVisible()), last=True)


def _focus(pane: QWidget, *, last: bool = False) -> None:
    stops = focus_stops(pane)
    if stops:
        stops[-1 if last else 0].setFocus(Qt.FocusReason.ShortcutFocusReason)


_ENGINE_IS_DOWN = ErrorShown(
    "The part of Pilotfish that works for you has stopped.",
    "Everything recorded is kept.",
    "Close the window and start again.",
)
