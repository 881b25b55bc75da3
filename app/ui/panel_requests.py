"""What a page wants of the person, and what the person wants of its marked text: a choice, a copy, a quote."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from app.domain.acts import SelectInput
from app.domain.commands import Command, CopySelection, KeepQuote
from app.domain.passing import SelectOpened
from app.ui.panel_canvas import PageCanvas
from app.ui.panel_gate import InputGate
from app.ui.panel_select import SelectList
from app.ui.theme import installed_theme

QUOTE_PATIENCE_MS = 3_000


class PageRequests(QObject):
    """Nothing opens unless the person drives. `notice` carries a sentence for the person."""

    notice = Signal(str)

    def __init__(self, submit: Callable[[Command], None], gate: InputGate, canvas: PageCanvas) -> None:
        super().__init__(canvas)
        self._submit = submit
        self._gate = gate
        self._canvas = canvas
        self._list: SelectList | None = None
        self._quoting = QTimer(self, singleShot=True, interval=QUOTE_PATIENCE_MS)
        self._quoting.timeout.connect(lambda: self.notice.emit("The page did not give its marked text. Try again."))
        canvas.typing.copied.connect(self._quoting.stop)

    def open_list(self, opened: SelectOpened) -> None:
        self.close_list()
        if not self._gate.is_open or self._canvas.picture is None:
            return
        self._list = SelectList(opened, self._canvas)
        self._list.answered.connect(self._choose)
        self._list.open_at(self._canvas.screen_box(opened.x, opened.y, opened.width, opened.height))

    def close_list(self) -> None:
        opened, self._list = self._list, None
        if opened is not None:
            opened.close()

    def open_menu(self, at: QPoint) -> None:
        theme = installed_theme()
        menu = QMenu(self._canvas)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(theme.icon("copy"), "Copy", self._canvas.typing.copy)
        menu.addAction(theme.icon("quote"), "Keep as quote", self.keep_quote)
        menu.popup(at)

    def keep_quote(self) -> None:
        """Asks for the marked text first; `take_marked` does the rest."""
        if self._gate.is_open:
            self._quoting.start()
            self._submit(CopySelection())

    def take_marked(self, text: str) -> None:
        """The page's marked text: a quote when one was asked for a moment ago, else for the clipboard."""
        if not self._quoting.isActive():
            if text:
                QGuiApplication.clipboard().setText(text)
            return
        self._quoting.stop()
        if text.strip():
            self._submit(KeepQuote(text))
        else:
            self.notice.emit("No text is marked in the page. Mark some first.")

    def _choose(self, chosen: SelectInput) -> None:
        self._list = None
        self._gate.send(chosen)
