"""What the canvas shows while there is no page, and the hint over a page that somebody else drives."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPen

from app.ui import icons
from app.ui.theme import installed_theme, scaled_font

_ICON = 44
_WIDEST = 380.0


@dataclass(frozen=True, slots=True)
class Placeholder:
    title: str
    text: str


NO_BROWSER = Placeholder("No page is open yet", "Say in the chat what you need, or type a web address above.")
LOADING = Placeholder("The page is coming", "It appears here as soon as the browser has drawn it.")


def draw_placeholder(painter: QPainter, area: QRectF, placeholder: Placeholder) -> None:
    theme = installed_theme()
    middle = area.center()
    mark = icons.pixmap("globe", theme.colour("disabled_text").name(), _ICON)
    painter.drawPixmap(QPointF(middle.x() - _ICON / 2, middle.y() - _ICON - 22), mark)
    width = min(_WIDEST, area.width() - 32)
    top = middle.y() - 6
    for words, font, colour in (
        (placeholder.title, scaled_font(1.15, weight=QFont.Weight.DemiBold), "text"),
        (placeholder.text, scaled_font(1.0), "muted_text"),
    ):
        flags = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop | Qt.TextFlag.TextWordWrap
        box = QRectF(middle.x() - width / 2, top, width, area.bottom() - top)
        painter.setFont(font)
        painter.setPen(theme.colour(colour))
        top = painter.boundingRect(box, flags, words).bottom() + 8
        painter.drawText(box, flags, words)


def draw_hint(painter: QPainter, area: QRectF, words: str) -> None:
    theme = installed_theme()
    font = scaled_font(0.95, weight=QFont.Weight.Medium)
    metrics = QFontMetricsF(font)
    pill = QRectF(0, 0, metrics.horizontalAdvance(words) + 28, metrics.height() + 14)
    pill.moveCenter(QPointF(area.center().x(), area.bottom() - pill.height() / 2 - 14))
    painter.setPen(QPen(theme.colour("person_text"), 1.0))
    painter.setBrush(theme.colour("person"))
    painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2)
    painter.setFont(font)
    painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, words)
