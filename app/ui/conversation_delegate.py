"""Paints one conversation in the list: title, where a search found it, when it was used, whether it is a demo."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.domain.events import ConversationSummary
from app.ui.safe_text import shown
from app.ui.theme import installed_theme, scaled_font

_EDGE = 12


class ConversationDelegate(QStyledItemDelegate):
    """Two lines: the title, then time, demo mark and snippet."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        height = QFontMetrics(_title_font()).height() + QFontMetrics(_small_font()).height() + 20
        return QSize(120, height)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        summary: ConversationSummary = index.data(Qt.ItemDataRole.UserRole)
        room = option.rect.adjusted(2, 2, -2, -2)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, option, room)
        inner = room.adjusted(_EDGE, 7, -_EDGE, -7)
        self._paint_title(painter, summary, inner)
        self._paint_rest(painter, summary, inner)
        painter.restore()

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem, room: QRect) -> None:
        theme = installed_theme()
        state = option.state
        is_open = bool(state & QStyle.StateFlag.State_Selected)
        has_focus = bool(state & QStyle.StateFlag.State_HasFocus)
        painter.setPen(Qt.PenStyle.NoPen if not has_focus else theme.colour("focus"))
        if is_open:
            painter.setBrush(theme.colour("selection"))
        elif state & QStyle.StateFlag.State_MouseOver:
            painter.setBrush(theme.colour("raised"))
        else:
            painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(room, 10, 10)

    def _paint_title(self, painter: QPainter, summary: ConversationSummary, inner: QRect) -> None:
        metrics = QFontMetrics(_title_font())
        title = metrics.elidedText(
            shown(summary.title) or "New conversation", Qt.TextElideMode.ElideRight, inner.width()
        )
        painter.setFont(_title_font())
        painter.setPen(installed_theme().colour("text"))
        painter.drawText(inner, Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft, title)

    def _paint_rest(self, painter: QPainter, summary: ConversationSummary, inner: QRect) -> None:
        from app.ui.sidebar import when

        metrics = QFontMetrics(_small_font())
        left = inner.left()
        painter.setFont(_small_font())
        bottom = Qt.AlignmentFlag.AlignBottom | Qt.AlignmentFlag.AlignLeft
        if summary.demo:
            painter.setPen(installed_theme().colour("warning"))
            painter.drawText(QRect(left, inner.top(), 80, inner.height()), bottom, "Demo")
            left += metrics.horizontalAdvance("Demo  ")
        rest = QRect(left, inner.top(), inner.right() - left, inner.height())
        words = " · ".join(
            part for part in (when(summary.updated_at), shown(summary.snippet).replace("\n", " ")) if part
        )
        painter.setPen(installed_theme().colour("muted_text"))
        painter.drawText(rest, bottom, metrics.elidedText(words, Qt.TextElideMode.ElideRight, rest.width()))


def _title_font() -> QFont:
    return scaled_font(1.0, weight=QFont.Weight.Medium)


def _small_font() -> QFont:
    return scaled_font(0.88)
