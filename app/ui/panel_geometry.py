"""Where the page's viewport lies on the canvas, and the way between both kinds of points."""

from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF


@dataclass(frozen=True, slots=True)
class Placing:
    """The page, fitted and centred; `scale` is canvas points for one CSS pixel of the page."""

    left: float
    top: float
    scale: float
    page_width: int
    page_height: int

    @property
    def area(self) -> QRectF:
        return QRectF(self.left, self.top, self.page_width * self.scale, self.page_height * self.scale)

    def holds(self, point: QPointF) -> bool:
        x, y = self._unclamped(point)
        return 0 <= x < self.page_width and 0 <= y < self.page_height

    def to_page(self, point: QPointF) -> tuple[float, float]:
        """The page's point under a point of the canvas; outside the page the nearest one on its edge."""
        x, y = self._unclamped(point)
        return _within(x, self.page_width), _within(y, self.page_height)

    def to_canvas(self, x: float, y: float, width: float, height: float) -> QRectF:
        return QRectF(self.left + x * self.scale, self.top + y * self.scale, width * self.scale, height * self.scale)

    def _unclamped(self, point: QPointF) -> tuple[float, float]:
        return (point.x() - self.left) / self.scale, (point.y() - self.top) / self.scale


def placing(canvas_width: float, canvas_height: float, page_width: int, page_height: int) -> Placing | None:
    """None while either side has no size."""
    if min(canvas_width, canvas_height, page_width, page_height) <= 0:
        return None
    scale = min(canvas_width / page_width, canvas_height / page_height)
    left = (canvas_width - page_width * scale) / 2
    top = (canvas_height - page_height * scale) / 2
    return Placing(left, top, scale, page_width, page_height)


def _within(value: float, size: int) -> float:
    return round(min(max(value, 0.0), size - 1.0), 2)
