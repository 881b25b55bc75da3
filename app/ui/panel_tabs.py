"""The strip that mirrors the browser's tabs."""

from PySide6.QtCore import QEvent, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QTabBar, QWidget

from app.domain.ids import TabId
from app.domain.pages import TabInfo
from app.ui.colours import Colours
from app.ui.elements import IconButton
from app.ui.safe_text import host_of, plain_tip, shown
from app.ui.theme import installed_theme

_LONGEST_TITLE = 120


class TabStrip(QWidget):
    """Says what the person wants of the tabs; changes only when told what the browser has."""

    chosen = Signal(object)
    closed = Signal(object)
    added = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._tabs: tuple[TabInfo, ...] = ()
        self.bar = _Bar(self)
        self.add_button = IconButton("plus", "New tab", size=16)
        self.add_button.clicked.connect(self.added)
        row = QHBoxLayout(self)
        row.setContentsMargins(6, 4, 6, 0)
        row.setSpacing(2)
        row.addWidget(self.bar, 0)
        row.addWidget(self.add_button, 0)
        row.addStretch(1)
        self.setFixedHeight(max(self.bar.fontMetrics().height() + 14, self.add_button.sizeHint().height()) + 6)
        self.bar.currentChanged.connect(self._choose)
        self.bar.close_wanted.connect(self._close)

    def show_tabs(self, tabs: tuple[TabInfo, ...]) -> None:
        """Keeps what is there, so that the focus stays where it is."""
        with QSignalBlocker(self.bar):
            self._remove_missing({tab.id for tab in tabs})
            for at, tab in enumerate(tabs):
                self._put(at, tab)
            self._tabs = tabs
            active = next((at for at, tab in enumerate(tabs) if tab.active), -1)
            if active >= 0:
                self.bar.setCurrentIndex(active)
        self.bar.setVisible(bool(tabs))

    def _remove_missing(self, kept: set[TabId]) -> None:
        for at in reversed(range(self.bar.count())):
            if self.bar.tabData(at) not in kept:
                self.bar.removeTab(at)

    def _put(self, at: int, tab: TabInfo) -> None:
        now = next((n for n in range(self.bar.count()) if self.bar.tabData(n) == tab.id), -1)
        if now < 0:
            self.bar.insert(at, tab.id)
        elif now != at:
            self.bar.moveTab(now, at)
        self.bar.describe(at, tab)

    def _choose(self, at: int) -> None:
        if 0 <= at < len(self._tabs):
            self.chosen.emit(self._tabs[at].id)

    def _close(self, tab: TabId) -> None:
        self.closed.emit(tab)


class _Bar(QTabBar):
    close_wanted = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setElideMode(Qt.TextElideMode.ElideRight)
        self.setUsesScrollButtons(True)
        self.setIconSize(QSize(14, 14))
        self.setAccessibleName("Tabs of the browser")
        self.hide()
        installed_theme().changed.connect(self._dress)
        self._dress()

    def insert(self, at: int, tab: TabId) -> None:
        self.insertTab(at, "")
        self.setTabData(at, tab)
        button = IconButton("cross", "Close tab", size=12)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.clicked.connect(lambda: self.close_wanted.emit(tab))
        self.setTabButton(at, QTabBar.ButtonPosition.RightSide, button)

    def describe(self, at: int, tab: TabInfo) -> None:
        title = shown(tab.title.strip() or host_of(tab.url), _LONGEST_TITLE).replace("\n", " ") or "New tab"
        popup = "Opened by the page: " if tab.opened_by_page else ""
        self.setTabText(at, title.replace("&", "&&"))
        self.setTabIcon(at, installed_theme().icon("tab", "warning") if tab.opened_by_page else QIcon())
        self.setTabToolTip(at, plain_tip(f"{popup}{title}\n{host_of(tab.url)}"))
        self.setAccessibleTabName(at, popup + title)
        button = self.tabButton(at, QTabBar.ButtonPosition.RightSide)
        if isinstance(button, IconButton):
            button.setAccessibleName(f"Close tab {title}")

    def tabSizeHint(self, index: int) -> QSize:
        hint = super().tabSizeHint(index)
        strip = self.parentWidget()
        room = strip.width() - 60 if strip else 0
        share = max(84, min(200, room // max(1, self.count())))
        return QSize(min(share, max(hint.width(), 110)), hint.height())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        at = self.tabAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.MiddleButton and at >= 0:
            self.close_wanted.emit(self.tabData(at))
            return
        super().mouseReleaseEvent(event)

    def event(self, event: QEvent) -> bool:
        """A wheel over the strip must not run through the browser's tabs."""
        return event.type() == QEvent.Type.Wheel or super().event(event)

    def _dress(self) -> None:
        self.setStyleSheet(_style(installed_theme().colours))


def _style(c: Colours) -> str:
    return f"""
QTabBar::tab {{ background: transparent; color: {c.muted_text}; border: 2px solid transparent; border-radius: 8px;
    padding: 4px 4px 4px 10px; margin-right: 2px; }}
QTabBar::tab:hover {{ background: {c.raised}; }}
QTabBar::tab:selected {{ background: {c.surface}; color: {c.text}; border: 2px solid {c.border}; }}
QTabBar::tab:focus {{ border: 2px solid {c.focus}; }}
QTabBar QToolButton {{ padding: 2px; border-radius: 6px; }}
"""
