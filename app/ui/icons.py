"""The window's icons, drawn in any colour and at any density."""

from functools import lru_cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from app.resources import path

SIZES = (16, 20, 24, 32)


@lru_cache(maxsize=500)
def icon(name: str, colour: str, faint: str = "") -> QIcon:
    """`faint` is the colour of the disabled state; without it Qt greys the icon by itself."""
    made = QIcon()
    for size in SIZES:
        made.addPixmap(pixmap(name, colour, size))
        if faint:
            made.addPixmap(pixmap(name, faint, size), QIcon.Mode.Disabled)
    return made


def pixmap(name: str, colour: str, size: int) -> QPixmap:
    screen = QGuiApplication.primaryScreen()
    ratio = max(2.0, screen.devicePixelRatio())
    return _drawn(name, colour, size, ratio)


@lru_cache(maxsize=1_000)
def _drawn(name: str, colour: str, size: int, ratio: float) -> QPixmap:
    side = round(size * ratio)
    drawn = QPixmap(side, side)
    drawn.fill(Qt.GlobalColor.transparent)
    painter = QPainter(drawn)
    QSvgRenderer(QByteArray(_source(name).replace("currentColor", colour).encode())).render(
        painter, QRectF(0, 0, side, side)
    )
    painter.end()
    drawn.setDevicePixelRatio(ratio)
    return drawn


@lru_cache(maxsize=100)
def _source(name: str) -> str:
    return path("icons", f"{name}.svg").read_text("utf-8")
