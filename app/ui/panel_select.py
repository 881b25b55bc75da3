"""The list that stands in for a page's own select, whose popup the picture does not show."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QHideEvent, QKeyEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from app.domain.acts import SelectInput
from app.domain.passing import SelectOpened
from app.ui.colours import Colours
from app.ui.safe_text import shown
from app.ui.theme import installed_theme

_MOST_ROWS = 12
_LONGEST_LABEL = 200
_WIDEST = 420
_PADDING = 4
_NONE = -1


class SelectList(QListWidget):
    """Opens at the select's place; `answered` comes exactly once, with index -1 when nothing was chosen."""

    answered = Signal(object)

    def __init__(self, opened: SelectOpened, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowFlags(Qt.WindowType.Popup)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setAccessibleName("Options of the page's list")
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setStyleSheet(_style(installed_theme().colours))
        self._token: int | None = opened.token
        for label, is_disabled in opened.options:
            self._add(label, is_disabled=is_disabled)
        self.setCurrentRow(opened.selected)
        self.itemEntered.connect(self.setCurrentItem)
        self.itemClicked.connect(self._choose)

    def open_at(self, select: QRect) -> None:
        """`select` is the place of the page's select on the screen."""
        size = self._wanted_size(select.width())
        screen = QGuiApplication.screenAt(select.center()) or QGuiApplication.primaryScreen()
        free = screen.availableGeometry()
        below = select.bottom() + 2
        fits_below = below + size.height() <= free.bottom()
        top = below if fits_below else max(free.top(), select.top() - 2 - size.height())
        left = max(free.left(), min(select.left(), free.right() - size.width()))
        self.setGeometry(QRect(QPoint(left, top), size))
        self.show()
        self.setFocus(Qt.FocusReason.PopupFocusReason)
        self.scrollToItem(self.currentItem(), QListWidget.ScrollHint.PositionAtCenter)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self.currentItem())
        elif event.key() in (Qt.Key.Key_Escape, Qt.Key.Key_Tab):
            self.close()
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._answer(_NONE)

    def _add(self, label: str, *, is_disabled: bool) -> None:
        item = QListWidgetItem(shown(label, _LONGEST_LABEL).replace("\n", " "))
        if is_disabled:
            item.setFlags(Qt.ItemFlag.NoItemFlags)
        self.addItem(item)

    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None and item.flags() & Qt.ItemFlag.ItemIsEnabled:
            self._answer(self.row(item))
            self.close()

    def _answer(self, index: int) -> None:
        token, self._token = self._token, None
        if token is not None:
            self.answered.emit(SelectInput(token, index))

    def _wanted_size(self, select_width: int) -> QSize:
        row = max(self.sizeHintForRow(0), 1)
        rows = min(max(self.count(), 1), _MOST_ROWS)
        widest = min(self.sizeHintForColumn(0) + 40, _WIDEST)
        return QSize(max(select_width, widest), rows * row + 2 * _PADDING + 2)


def _style(c: Colours) -> str:
    return f"""
QListWidget {{ background: {c.surface}; color: {c.text}; border: 1px solid {c.border_strong}; padding: {_PADDING}px;
    outline: none; }}
QListWidget::item {{ padding: 5px 10px; border-radius: 5px; }}
QListWidget::item:selected {{ background: {c.selection}; color: {c.text}; }}
QListWidget::item:disabled {{ color: {c.disabled_text}; }}
"""
