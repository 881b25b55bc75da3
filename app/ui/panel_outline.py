"""The outline around what the agent is about to act on; it fades after a moment."""

from PySide6.QtCore import QEasingCurve, QObject, QPointF, QRectF, Qt, QTimer, QVariantAnimation, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import QApplication, QStyle

from app.domain.passing import TargetOutlined
from app.ui.panel_geometry import Placing
from app.ui.safe_text import shown
from app.ui.state_words import under_way
from app.ui.theme import installed_theme, scaled_font

HOLD_MS = 1_100
FADE_MS = 450
_ROOM = 4.0
_LONGEST_LABEL = 60


class TargetOutline(QObject):
    """`changed` asks for a repaint. With reduced motion the outline goes at once instead of fading."""

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._target: TargetOutlined | None = None
        self._strength = 0.0
        self._hold = QTimer(self, singleShot=True, interval=HOLD_MS)
        self._hold.timeout.connect(self._fade)
        self._fading = QVariantAnimation(self, startValue=1.0, endValue=0.0, duration=FADE_MS)
        self._fading.setEasingCurve(QEasingCurve.Type.InQuad)
        self._fading.valueChanged.connect(self._weaken)
        self._fading.finished.connect(self.clear)

    @property
    def target(self) -> TargetOutlined | None:
        return self._target

    @property
    def is_fading(self) -> bool:
        return self._fading.state() == QVariantAnimation.State.Running

    def show(self, target: TargetOutlined) -> None:
        self._fading.stop()
        if target.width <= 0:
            self.clear()
            return
        self._target, self._strength = target, 1.0
        self._hold.start()
        self.changed.emit()

    def clear(self) -> None:
        self._hold.stop()
        self._fading.stop()
        self._target = None
        self.changed.emit()

    def paint(self, painter: QPainter, place: Placing) -> None:
        target = self._target
        if target is None:
            return
        box = place.to_canvas(target.x, target.y, target.width, target.height)
        box = box.adjusted(-_ROOM, -_ROOM, _ROOM, _ROOM).intersected(place.area.adjusted(1.5, 1.5, -1.5, -1.5))
        painter.save()
        painter.setOpacity(self._strength)
        _paint_box(painter, box)
        if target.label:
            _paint_label(painter, box, place.area, shown(under_way(target.label), _LONGEST_LABEL))
        painter.restore()

    def _fade(self) -> None:
        if motion_is_reduced():
            self.clear()
        else:
            self._fading.start()

    def _weaken(self, strength: float) -> None:
        self._strength = strength
        self.changed.emit()


def motion_is_reduced() -> bool:
    """Whether the system asks for a still window."""
    style = QApplication.style()
    return style.styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) == 0


def _paint_box(painter: QPainter, box: QRectF) -> None:
    """A light line outside the coloured one keeps it visible on any page."""
    theme = installed_theme()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for colour, width in ((theme.colour("agent_text"), 5.0), (theme.colour("agent"), 2.5)):
        painter.setPen(QPen(colour, width))
        painter.drawRoundedRect(box, 7, 7)


def _paint_label(painter: QPainter, box: QRectF, area: QRectF, label: str) -> None:
    theme = installed_theme()
    font = scaled_font(0.92)
    metrics = QFontMetricsF(font)
    text = metrics.elidedText(label, Qt.TextElideMode.ElideRight, min(320.0, area.width() - 24))
    pill = QRectF(0, 0, metrics.horizontalAdvance(text) + 18, metrics.height() + 8)
    above = box.top() - pill.height() - 5
    top = above if above >= area.top() else min(box.bottom() + 5, area.bottom() - pill.height())
    left = min(max(box.left(), area.left() + 2), area.right() - pill.width() - 2)
    pill.moveTopLeft(QPointF(left, top))
    painter.setPen(QPen(theme.colour("agent_text"), 1.0))
    painter.setBrush(theme.colour("agent"))
    painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2)
    painter.setFont(font)
    painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, text)
