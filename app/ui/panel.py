"""The live panel: the browser's tabs, address and page, who drives, and the person's hand on it."""

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeySequence, QResizeEvent, QShortcut, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.domain.commands import (
    AddTab,
    AnswerPageDialog,
    ChooseTab,
    GiveFiles,
    GoInHistory,
    HandBack,
    OpenAddress,
    RemoveTab,
    ResizePanel,
    TakeOver,
)
from app.domain.pages import Frame, TabInfo
from app.domain.passing import (
    CursorChanged,
    Driver,
    Event,
    PanelChanged,
    RunStateChanged,
    SelectionCopied,
    SelectOpened,
    TargetOutlined,
)
from app.ui.bridge import Bridge
from app.ui.panel_address import AddressRow
from app.ui.panel_arriving import ArrivingBar
from app.ui.panel_canvas import PageCanvas
from app.ui.panel_cursor import cursor_shape
from app.ui.panel_decoder import FrameDecoder
from app.ui.panel_dialog import DialogBar
from app.ui.panel_driver import DriverBar
from app.ui.panel_files import FileBar
from app.ui.panel_gate import InputGate
from app.ui.panel_placeholder import LOADING, NO_BROWSER
from app.ui.panel_requests import PageRequests
from app.ui.panel_tabs import TabStrip
from app.ui.safe_text import shown
from app.ui.theme import installed_theme

RESIZE_DELAY_MS = 150
_SMALLEST_PAGE = (320, 240)
_DIALOG_WIDTH = 460
_FILES_WIDTH = 600


class LivePanel(QWidget):
    """Shows what the engine's events say and sends what the person wants; call `stop` before the application ends."""

    def __init__(self, bridge: Bridge, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._bridge = bridge
        self._driver: Driver = "nobody"
        self._panel = PanelChanged(())
        self._frame: Frame | None = None
        self._sent_size = (0, 0)
        self.gate = InputGate(bridge.submit, self)
        self.decoder = FrameDecoder(self)
        self._resize_timer = QTimer(self, singleShot=True, interval=RESIZE_DELAY_MS)
        self._build()
        self._connect()

    @property
    def driver(self) -> Driver:
        return self._driver

    @property
    def is_settling_size(self) -> bool:
        """Whether a new size waits to be told."""
        return self._resize_timer.isActive()

    def stop(self) -> None:
        """Ends the decoding thread; no picture comes after."""
        self._requests.close_list()
        self._frame = None
        self.decoder.stop()

    def toggle_driver(self) -> None:
        """Take over or hand back, as the button does."""
        self.driver_bar.press()

    def focus_address(self) -> None:
        self.address.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def focus_page(self) -> None:
        self.canvas.setFocus(Qt.FocusReason.OtherFocusReason)

    def on_event(self, event: Event) -> None:
        match event:
            case PanelChanged():
                self._show_panel(event)
            case RunStateChanged():
                self._show_driver(event)
            case TargetOutlined():
                self._show_outline(event)
            case SelectOpened():
                self._requests.open_list(event)
            case CursorChanged():
                self._show_cursor(event.cursor)
            case SelectionCopied():
                self._requests.take_marked(event.text)
            case _:
                pass

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_dialog()
        self._place_bars()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._follow_size()

    def _build(self) -> None:
        self.tabs = TabStrip()
        self.address = AddressRow()
        self.driver_bar = DriverBar()
        self.canvas = PageCanvas(self.gate)
        self.canvas.show_placeholder(NO_BROWSER)
        self._requests = PageRequests(self._bridge.submit, self.gate, self.canvas)
        self.dialog_bar = DialogBar(self)
        self.file_bar = FileBar(self)
        self.arriving_bar = ArrivingBar(self)
        stack = QVBoxLayout(self)
        stack.setContentsMargins(0, 0, 0, 0)
        stack.setSpacing(0)
        for widget in (self.tabs, self.address, self.driver_bar):
            stack.addWidget(widget)
        stack.addWidget(self.canvas, 1)
        self.setFocusProxy(self.canvas)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Live browser")
        self.dialog_bar.raise_()

    def _connect(self) -> None:
        bridge, submit = self._bridge, self._bridge.submit
        bridge.event_received.connect(self.on_event)
        bridge.frame_arrived.connect(self._take_frame)
        self.decoder.decoded.connect(self._take_picture, Qt.ConnectionType.QueuedConnection)
        self.canvas.resized.connect(self._follow_size)
        self.canvas.menu_wanted.connect(self._requests.open_menu)
        self._resize_timer.timeout.connect(self._send_size)
        self._requests.notice.connect(self.driver_bar.notice)
        self.tabs.chosen.connect(lambda tab: submit(ChooseTab(tab)))
        self.tabs.closed.connect(lambda tab: submit(RemoveTab(tab)))
        self.tabs.added.connect(lambda: submit(AddTab()))
        self.address.went.connect(lambda steps: submit(GoInHistory(steps)))
        self.address.wanted.connect(self._open_address)
        self.address.edited.connect(self._take_over_from_agent)
        self.address.quote_wanted.connect(self._requests.keep_quote)
        self.address.refused.connect(self.driver_bar.notice)
        self.driver_bar.take_over_wanted.connect(lambda: submit(TakeOver()))
        self.driver_bar.hand_back_wanted.connect(self._hand_back)
        self.dialog_bar.answered.connect(self._answer_dialog)
        self.file_bar.answered.connect(self._give_files)
        QShortcut(QKeySequence("Ctrl+L"), self).activated.connect(self.focus_address)
        installed_theme().changed.connect(self.canvas.update)

    def _active(self) -> TabInfo | None:
        return next((tab for tab in self._panel.tabs if tab.active), None)

    def _show_panel(self, panel: PanelChanged) -> None:
        before, self._panel = self._active(), panel
        now = self._active()
        self.tabs.show_tabs(panel.tabs)
        self.address.show_panel(panel)
        self.driver_bar.show_page(is_there=now is not None)
        self.canvas.setAccessibleName(f"The page: {shown(now.title, 120)}" if now else "No page")
        self._show_dialog(now)
        self.file_bar.show_wish(panel.files_wanted, now.url if now else "")
        self.arriving_bar.show_files(panel.arriving)
        self._place_bars()
        if (before and before.id) != (now and now.id):
            self._change_page(now, is_first=before is None)
        elif before and now and before.url != now.url:
            self.canvas.outline.clear()
            if self.gate.is_waiting:
                self.gate.forget()

    def _change_page(self, now: TabInfo | None, *, is_first: bool) -> None:
        """Another tab: what was pressed, opened or drawn belonged to the one before."""
        self.gate.forget()
        self._requests.close_list()
        self.canvas.show_placeholder(LOADING if now else NO_BROWSER)
        if now is None:
            self._frame = None
        self._decode()
        if is_first:
            self._sent_size = (0, 0)
            self._resize_timer.start()

    def _show_dialog(self, now: TabInfo | None) -> None:
        dialog = self._panel.dialog
        had_focus = self.canvas.hasFocus()
        self.gate.block(dialog is not None)
        self.canvas.dim(dialog is not None)
        self.dialog_bar.show_dialog(dialog, now.url if now else "")
        self._place_dialog()
        if dialog is not None and had_focus:
            self.dialog_bar.setFocus(Qt.FocusReason.OtherFocusReason)

    def _place_dialog(self) -> None:
        width = min(_DIALOG_WIDTH, self.width() - 24)
        self.dialog_bar.fit(max(width, 120))
        self.dialog_bar.move((self.width() - self.dialog_bar.width()) // 2, self.canvas.y() + 12)

    def _place_bars(self) -> None:
        self.file_bar.fit(max(min(_FILES_WIDTH, self.width() - 24), 120))
        self.file_bar.move((self.width() - self.file_bar.width()) // 2, self.canvas.y() + 12)
        self.arriving_bar.place(self.canvas.x(), self.canvas.geometry().bottom(), self.canvas.width())

    def _show_driver(self, event: RunStateChanged) -> None:
        driver = event.driver
        if driver == "person":
            self.canvas.outline.clear()
        else:
            self._requests.close_list()
            self.canvas.unsetCursor()
        self._driver = driver
        self.gate.set_driver(driver)
        self.address.show_driver(driver)
        self.driver_bar.show_driver(driver, event.state, event.detail)
        self.file_bar.show_driver(driver)
        self._place_bars()
        self.canvas.update()
        QGuiApplication.inputMethod().update(Qt.InputMethodQuery.ImEnabled)

    def _take_over_from_agent(self) -> None:
        """Whoever steers, drives."""
        if self._driver == "agent":
            self.gate.take_over()

    def _open_address(self, url: str) -> None:
        self._bridge.submit(OpenAddress(url))
        self.focus_page()

    def _hand_back(self, note: str) -> None:
        self._requests.close_list()
        self.canvas.let_go()
        self._bridge.submit(HandBack(note))

    def _give_files(self, paths: tuple[str, ...]) -> None:
        self._bridge.submit(GiveFiles(paths))
        self.focus_page()

    def _answer_dialog(self, accept: bool, text: str | None) -> None:
        self._bridge.submit(AnswerPageDialog(accept, text))
        self.focus_page()

    def _take_frame(self) -> None:
        frame = self._bridge.take_frame()
        if frame is not None:
            self._frame = frame
            self._decode()

    def _decode(self) -> None:
        """Only the frame of the tab that is shown; the newest stays for another size of the window."""
        frame, now = self._frame, self._active()
        if frame is None or now is None or frame.tab != now.id or not self.isVisible():
            return
        self.decoder.offer(frame, self.canvas.pixels_for(frame.viewport_width, frame.viewport_height))

    def _take_picture(self) -> None:
        picture, now = self.decoder.take(), self._active()
        if picture is not None and now is not None and picture.tab == now.id:
            self.canvas.show_picture(picture)

    def _follow_size(self) -> None:
        self._decode()
        self._resize_timer.start()

    def _send_size(self) -> None:
        size = (max(self.canvas.width(), _SMALLEST_PAGE[0]), max(self.canvas.height(), _SMALLEST_PAGE[1]))
        if self.isVisible() and size != self._sent_size:
            self._sent_size = size
            self._bridge.submit(ResizePanel(*size))

    def _show_outline(self, target: TargetOutlined) -> None:
        now = self._active()
        if now is not None and target.tab == now.id:
            self.canvas.show_outline(target)

    def _show_cursor(self, cursor: str) -> None:
        if self.gate.is_open:
            self.canvas.setCursor(cursor_shape(cursor))
