"""The picture of the page: draws the newest frame and hands the person's events on in the page's own pixels."""

from typing import Any

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QFocusEvent,
    QInputMethodEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from app.domain.commands import GoInHistory
from app.domain.passing import TargetOutlined
from app.ui.panel_decoder import PagePicture
from app.ui.panel_gate import InputGate
from app.ui.panel_geometry import Placing, placing
from app.ui.panel_outline import TargetOutline
from app.ui.panel_placeholder import Placeholder, draw_hint, draw_placeholder
from app.ui.panel_pointer import Pointer
from app.ui.panel_typing import Typing, is_for_window
from app.ui.theme import installed_theme

_SIDE_STEPS = {Qt.MouseButton.BackButton: -1, Qt.MouseButton.ForwardButton: 1}
_IME_HINTS = Qt.InputMethodHint.ImhSensitiveData


class PageCanvas(QWidget):
    """Keeps only the newest picture. `resized` says that pictures are wanted in another size."""

    resized = Signal()
    menu_wanted = Signal(QPoint)

    def __init__(self, gate: InputGate, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._gate = gate
        self.pointer = Pointer(gate, self)
        self.typing = Typing(gate, self)
        self.typing.selected.connect(self._note_selection)
        self.outline = TargetOutline(self)
        self.outline.changed.connect(self.update)
        self._picture: PagePicture | None = None
        self._placeholder = Placeholder("", "")
        self._caret_at = QPointF()
        self._is_dim = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
        self.setInputMethodHints(_IME_HINTS)
        self.setMinimumSize(160, 120)
        self.setAccessibleName("The page")

    @property
    def picture(self) -> PagePicture | None:
        return self._picture

    def place(self) -> Placing | None:
        """None while there is no page to see."""
        picture = self._picture
        if picture is None:
            return None
        return placing(self.width(), self.height(), picture.viewport_width, picture.viewport_height)

    def show_picture(self, picture: PagePicture) -> None:
        self._picture = picture
        self.update()

    def show_placeholder(self, placeholder: Placeholder) -> None:
        self._picture = None
        self._placeholder = placeholder
        self.outline.clear()
        self.update()

    def pixels_for(self, viewport_width: int, viewport_height: int) -> QSize:
        """How many device pixels a page of this size covers here."""
        place = placing(self.width(), self.height(), viewport_width, viewport_height)
        if place is None:
            return QSize()
        ratio = self.devicePixelRatioF()
        return QSize(round(place.area.width() * ratio), round(place.area.height() * ratio))

    def screen_box(self, x: float, y: float, width: float, height: float) -> QRect:
        """Where a box of the page lies on the screen."""
        place = self.place()
        box = place.to_canvas(x, y, width, height).toRect() if place else QRect()
        return QRect(self.mapToGlobal(box.topLeft()), box.size())

    def show_outline(self, target: TargetOutlined) -> None:
        self.outline.show(target)

    def dim(self, is_dim: bool) -> None:
        """While a dialog waits over the page."""
        self._is_dim = is_dim
        self.update()

    def let_go(self) -> None:
        """Release every key and button the person still holds."""
        self.pointer.let_go()
        self.typing.let_go()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = installed_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(event.rect(), theme.colour("raised"))
        place = self.place()
        if place is None or self._picture is None:
            draw_placeholder(painter, QRectF(self.rect()), self._placeholder)
            return
        self._paint_picture(painter, place, self._picture)
        self.outline.paint(painter, place)
        if self._is_dim:
            painter.fillRect(self.rect(), QColor(0, 0, 0, 90))
        elif self.underMouse() and self._gate.driver != "person":
            draw_hint(painter, QRectF(self.rect()), "Click into the page to take over")

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self.typing.takes(event):
            event.accept()
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self.place()
        if place is None or not place.holds(event.position()):
            return
        if event.button() in _SIDE_STEPS:
            self._gate.command(GoInHistory(_SIDE_STEPS[event.button()]))
            return
        self._gate.take_over()
        self._caret_at = event.position()
        self.pointer.press(event, place.to_page(event.position()))
        self.updateMicroFocus()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        place = self.place()
        if place is None:
            return
        self.pointer.release(event, place.to_page(event.position()))
        if event.button() == Qt.MouseButton.RightButton and self._gate.is_open and self.pointer.may_have_selected:
            self.menu_wanted.emit(event.globalPosition().toPoint())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = self.place()
        if place is not None and (self.pointer.is_pressed or place.holds(event.position())):
            self.pointer.move(event, place.to_page(event.position()))

    def wheelEvent(self, event: QWheelEvent) -> None:
        place = self.place()
        if place is not None and place.holds(event.position()):
            self.pointer.turn_wheel(event, place.to_page(event.position()))
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.pointer.flush()
        if not self.typing.press(event):
            self._leave_to_window(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        if not self.typing.release(event):
            event.ignore()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        self.typing.compose(event)
        event.accept()

    def inputMethodQuery(self, query: Qt.InputMethodQuery) -> Any:
        if query == Qt.InputMethodQuery.ImEnabled:
            return self._gate.is_open
        if query == Qt.InputMethodQuery.ImCursorRectangle:
            return QRectF(self._caret_at.x(), self._caret_at.y() - 10, 1, 20)
        return super().inputMethodQuery(query)

    def focusNextPrevChild(self, next: bool) -> bool:
        """Tab stays in the page while the person drives; F6 leads out."""
        return False if self._gate.is_open else super().focusNextPrevChild(next)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.let_go()
        super().focusOutEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()

    def _paint_picture(self, painter: QPainter, place: Placing, picture: PagePicture) -> None:
        """Pixel by pixel where the picture was made for this size, else stretched until the next one comes."""
        ratio = self.devicePixelRatioF()
        area = QRectF(round(place.left * ratio) / ratio, round(place.top * ratio) / ratio, 0, 0)
        if picture.image.size() == self.pixels_for(picture.viewport_width, picture.viewport_height):
            area.setSize(QSizeF(picture.image.size()) / ratio)
        else:
            area = place.area
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(area, picture.image)

    def _leave_to_window(self, event: QKeyEvent) -> None:
        event.ignore()
        if event.key() == Qt.Key.Key_F6 and is_for_window(event):
            back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            super().focusNextPrevChild(not back)
            event.accept()

    def _note_selection(self) -> None:
        self.pointer.may_have_selected = True
