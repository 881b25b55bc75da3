"""Shows where a link leads before anything is opened: whole address, host and scheme, web addresses only."""

from collections.abc import Callable

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from app.ui.elements import Pill, TextButton, Words
from app.ui.safe_text import shown, web_link


def open_outside(url: str) -> None:
    """In the person's own browser."""
    QDesktopServices.openUrl(QUrl(url))


class LinkDialog(QDialog):
    """Nothing is opened without a press on one of its buttons."""

    def __init__(
        self, url: str, *, in_panel: Callable[[str], None], outside: Callable[[str], None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle("Open this link?")
        self.setMinimumWidth(460)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(22, 20, 22, 18)
        layout.setSpacing(12)
        link = web_link(url)
        self.address = shown(url, 2_000)
        if link is None:
            layout.addWidget(Words("This link is not opened", bold=True, scale=1.15))
            layout.addWidget(Words("It does not lead to a web page. Only http and https addresses are opened."))
            layout.addWidget(Words(self.address, tone="muted"))
            layout.addLayout(_buttons(TextButton("Close", "primary", on_click=self.reject)))
            return
        is_safe = link.scheme == "https"
        layout.addWidget(Words(link.host, bold=True, scale=1.3))
        layout.addWidget(
            Pill("https, encrypted" if is_safe else "http, not encrypted", "success" if is_safe else "warning")
        )
        layout.addWidget(Words(self.address, tone="muted"))
        copy = TextButton("Copy", "quiet", "copy", lambda: self._do(QGuiApplication.clipboard().setText, link.url))
        panel = TextButton("Open in the panel", "plain", "globe", lambda: self._do(in_panel, link.url))
        panel.setToolTip("You are driving then, and the agent waits.")
        own = TextButton("Open in my browser", "primary", on_click=lambda: self._do(outside, link.url))
        layout.addLayout(_buttons(copy, TextButton("Cancel", "plain", on_click=self.reject), panel, own))

    def _do(self, way: Callable[[str], None], url: str) -> None:
        self.accept()
        way(url)


def _buttons(*buttons: TextButton) -> QHBoxLayout:
    line = QHBoxLayout()
    line.setContentsMargins(0, 8, 0, 0)
    line.addStretch(1)
    for button in buttons:
        line.addWidget(button)
    return line
