"""Back, forward, reload and the address, with what can be believed about it."""

import re
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import urlsplit

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent, QFontMetrics, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from app.domain.passing import Driver, PanelChanged
from app.ui.elements import IconButton
from app.ui.safe_text import shown, web_link
from app.ui.theme import installed_theme

_HAS_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")
_HOST_AND_PORT = re.compile(r"(\[[0-9a-fA-F:]+\]|[^\s/?#:@]+)(:\d{1,5})?([/?#]\S*)?")
_LONGEST = 2_000


@dataclass(frozen=True, slots=True)
class Trust:
    """What the scheme of an address says, as an icon and in words."""

    icon: str
    colour: str
    words: str


class AddressRow(QWidget):
    """`wanted` carries an address the person typed; `refused` says why one was not taken."""

    wanted = Signal(str)
    went = Signal(int)
    edited = Signal()
    quote_wanted = Signal()
    refused = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.back = IconButton("back", "Back")
        self.forward = IconButton("forward", "Forward")
        self.reload = IconButton("refresh", "Load again")
        self.field = AddressField(self)
        self.quote = IconButton("quote", "Keep the marked text as a quote")
        self.back.clicked.connect(lambda: self.went.emit(-1))
        self.forward.clicked.connect(lambda: self.went.emit(1))
        self.reload.clicked.connect(lambda: self.went.emit(0))
        self.quote.clicked.connect(self.quote_wanted)
        self.field.returnPressed.connect(self._open)
        self.field.textEdited.connect(lambda _: self.edited.emit())
        row = QHBoxLayout(self)
        row.setContentsMargins(6, 4, 6, 6)
        row.setSpacing(2)
        for widget in (self.back, self.forward, self.reload):
            row.addWidget(widget)
        row.addWidget(self.field, 1)
        row.addWidget(self.quote)
        self.show_panel(PanelChanged(()))
        self.show_driver("nobody")

    def show_panel(self, panel: PanelChanged) -> None:
        active = next((tab for tab in panel.tabs if tab.active), None)
        self.back.setEnabled(panel.can_go_back)
        self.forward.setEnabled(panel.can_go_forward)
        self.reload.setEnabled(active is not None)
        self.field.show_url(active.url if active else "")

    def show_driver(self, driver: Driver) -> None:
        self.quote.setEnabled(driver == "person")
        self.field.show_driver(driver)

    def _open(self) -> None:
        typed = self.field.text().strip()
        url = address(typed)
        if url is None:
            self.refused.emit("That is no web address. Type one such as example.org.")
        elif typed:
            self.field.stop_editing()
            self.wanted.emit(url)


class AddressField(QLineEdit):
    """Shows the host whole; the rest of the address gives way. The full text appears when it is edited."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._url = ""
        self._is_editing = False
        self.setMaxLength(_LONGEST)
        self.setPlaceholderText("Type a web address")
        self.setAccessibleName("Address of the page")
        self._mark = QAction(self)
        self.addAction(self._mark, QLineEdit.ActionPosition.LeadingPosition)
        self.textEdited.connect(self._begin)
        installed_theme().changed.connect(self._show)
        self._show()

    @property
    def trust(self) -> Trust:
        return trust_of(self._url)

    def show_url(self, url: str) -> None:
        """What a person is typing is left alone."""
        self._url = "" if url == "about:blank" else url
        if not self._is_editing:
            self._show()

    def show_driver(self, driver: Driver) -> None:
        self.setProperty("look", "" if driver == "person" else "search")
        self.style().unpolish(self)
        self.style().polish(self)

    def stop_editing(self) -> None:
        self._is_editing = False
        self._show()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self._is_editing:
            self._show()
            if event.reason() != Qt.FocusReason.MouseFocusReason:
                self.selectAll()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self.stop_editing()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._is_editing:
            self.stop_editing()
            self.selectAll()
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if not self._is_editing:
            self._show()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and not self._is_editing:
            self._show()

    def _begin(self) -> None:
        self._is_editing = True

    def _show(self) -> None:
        trust = self.trust
        self._mark.setIcon(installed_theme().icon(trust.icon, trust.colour))
        self._mark.setToolTip(trust.words)
        self._mark.setText(trust.words)
        self.setAccessibleDescription(trust.words)
        if self.hasFocus():
            self.setText(shown(self._url, _LONGEST))
        else:
            self.setText(fitted(self._url, self.fontMetrics(), max(60, self.width() - 60)))
        self.setCursorPosition(0)


def trust_of(url: str) -> Trust:
    link = web_link(url)
    if link is None:
        return Trust("globe", "muted_text", "Not a page of the web")
    if link.scheme == "https":
        return Trust("lock", "success", "The connection is encrypted")
    if _is_here(urlsplit(link.url).hostname or ""):
        return Trust("globe", "muted_text", "A page of this computer")
    return Trust("unlock", "warning", "The connection is not encrypted")


def fitted(url: str, metrics: QFontMetrics, width: int) -> str:
    """The address cut to a width, so that the end of the host, which says whose page it is, always shows."""
    link = web_link(url)
    if link is None:
        return metrics.elidedText(shown(url, 300), Qt.TextElideMode.ElideRight, width)
    parts = urlsplit(link.url)
    rest = "" if parts.path in ("", "/") and not parts.query else parts.path
    rest += f"?{parts.query}" if parts.query else ""
    if metrics.horizontalAdvance(link.host) > width:
        return metrics.elidedText(link.host, Qt.TextElideMode.ElideLeft, width)
    return metrics.elidedText(link.host + shown(rest, 300), Qt.TextElideMode.ElideRight, width)


def address(typed: str) -> str | None:
    """The web address a person means; None for what is none, such as a script or a few words."""
    if not typed or typed == "about:blank":
        return "about:blank"
    if web_link(typed) is not None:
        return typed
    if _HAS_SCHEME.match(typed) and not _HOST_AND_PORT.fullmatch(typed):
        return None
    match = _HOST_AND_PORT.fullmatch(typed)
    if match is None:
        return None
    host = match.group(1)
    if "." not in host and not _is_here(host) and not match.group(2):
        return None
    url = f"{'http' if _is_here(host) or _is_number(host) else 'https'}://{typed}"
    return url if web_link(url) else None


def _is_here(host: str) -> bool:
    plain = host.strip("[]")
    return plain == "localhost" or plain.endswith(".localhost") or (_is_number(plain) and ip_address(plain).is_loopback)


def _is_number(host: str) -> bool:
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True
