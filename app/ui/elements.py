"""The small elements the window is made of: words, pills, marks and buttons that follow the theme."""

import re
from collections.abc import Callable

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.ui import icons
from app.ui.safe_text import plain_tip, shown
from app.ui.theme import installed_theme, scaled_font

_LONG_RUN = re.compile(r"\S{25,}")
_RUN = 20
_LOOK_CHANGES = (QEvent.Type.StyleChange, QEvent.Type.PaletteChange)


class Words(QLabel):
    """Plain words that wrap, also inside long runs; never read as markup."""

    def __init__(self, text: str = "", *, tone: str = "", scale: float = 1.0, bold: bool = False) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setFont(scaled_font(scale, weight=QFont.Weight.DemiBold if bold else None))
        self.setProperty("tone", tone)
        self.say(text)

    def say(self, text: str) -> None:
        plain = shown(text)
        self.setText(_LONG_RUN.sub(_breakable, plain))
        self.setAccessibleName(plain)


class OneLine(QLabel):
    """Words on one line, cut at its end where there is no room; the tip holds all of them."""

    def __init__(self, text: str = "", *, tone: str = "", scale: float = 1.0, bold: bool = False) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(scaled_font(scale, weight=QFont.Weight.DemiBold if bold else None))
        self.setProperty("tone", tone)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.say(text)

    def say(self, text: str) -> None:
        plain = shown(text).replace("\n", " ")
        self.setText(plain)
        self.setToolTip(plain_tip(text))
        self.setAccessibleName(plain)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        cut = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, cut)


class Pill(QLabel):
    """A word or two on a soft ground."""

    def __init__(self, text: str = "", tone: str = "muted") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(scaled_font(0.88, weight=QFont.Weight.Medium))
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.say(text, tone)

    def say(self, text: str, tone: str) -> None:
        self.setText(text)
        self.setAccessibleName(text)
        if self.property("pill") != tone:
            self.setProperty("pill", tone)
            restyle(self)


class IconMark(QWidget):
    """An icon, on a soft round ground when it has one; decoration only, the words beside it say the same."""

    def __init__(self, name: str, colour: str = "muted_text", ground: str = "", size: int = 16) -> None:
        super().__init__()
        self._name, self._colour, self._ground, self._size = name, colour, ground, size
        side = size + 12 if ground else size
        self.setFixedSize(side, side if ground else max(size, self.fontMetrics().height()))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = installed_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._ground:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.colour(self._ground))
            painter.drawEllipse(QRectF(self.rect()))
        left, top = (self.width() - self._size) // 2, (self.height() - self._size) // 2
        painter.drawPixmap(left, top, icons.pixmap(self._name, theme.colour(self._colour).name(), self._size))


class IconButton(QToolButton):
    """A button that shows only an icon; its name is read aloud and stands in the tip."""

    def __init__(self, name: str, label: str, *, hint: str = "", colour: str = "text", size: int = 18) -> None:
        super().__init__()
        self._name, self._colour = name, colour
        self.setIconSize(QSize(size, size))
        self.setAutoRaise(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.call_it(label, hint)
        self._tint()

    def call_it(self, label: str, hint: str = "") -> None:
        self.setAccessibleName(label)
        self.setToolTip(plain_tip(f"{label} ({hint})" if hint else label))

    def show_icon(self, name: str) -> None:
        self._name = name
        self._tint()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in _LOOK_CHANGES:
            self._tint()

    def _tint(self) -> None:
        self.setIcon(installed_theme().icon(self._name, self._colour))


class TextButton(QPushButton):
    """A button with words, and an icon in the colour of its words when it has one."""

    def __init__(
        self, text: str, look: str = "plain", icon: str = "", on_click: Callable[[], object] | None = None
    ) -> None:
        super().__init__(_without_mnemonic(text))
        self._icon_name = icon
        self.setProperty("look", look)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAutoDefault(False)
        self.setAccessibleName(text)
        if on_click is not None:
            self.clicked.connect(lambda _: on_click())
        self._tint()

    def say(self, text: str, look: str, icon: str) -> None:
        self.setText(_without_mnemonic(text))
        self.setAccessibleName(text)
        self._icon_name = icon
        self.setProperty("look", look)
        restyle(self)
        self._tint()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in _LOOK_CHANGES:
            self._tint()

    def _tint(self) -> None:
        if self._icon_name:
            on = {"link": "link", "primary": "accent_text", "danger": "danger_text", "person": "person_text"}
            self.setIcon(installed_theme().icon(self._icon_name, on.get(self.property("look"), "text")))


class Choice(QComboBox):
    """A list to choose from, with a sign for it in the colour of the theme."""

    def __init__(self, label: str) -> None:
        super().__init__()
        self.setAccessibleName(label)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def setEditable(self, editable: bool) -> None:
        super().setEditable(editable)
        if (field := self.lineEdit()) is not None:
            field.setAccessibleName(self.accessibleName())

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        sign = icons.pixmap("chevron-down", installed_theme().colours.muted_text, 16)
        left = 8 if self.isRightToLeft() else self.width() - 26
        painter.drawPixmap(left, (self.height() - 16) // 2, sign)


class Line(QFrame):
    """A quiet line between two parts."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("line", "true")
        self.setFixedHeight(1)


def column(*, margins: int = 0, spacing: int = 8) -> QVBoxLayout:
    made = QVBoxLayout()
    made.setContentsMargins(margins, margins, margins, margins)
    made.setSpacing(spacing)
    return made


def focus_stops(pane: QWidget) -> list[QWidget]:
    """Where Tab would stop inside a pane, itself included, in the order of making."""
    return [
        widget
        for widget in [pane, *pane.findChildren(QWidget)]
        if widget.focusPolicy().value & Qt.FocusPolicy.TabFocus.value and widget.isVisible() and widget.isEnabled()
    ]


def restyle(widget: QWidget) -> None:
    """Let the style sheet see a property that has changed."""
    widget.style().unpolish(widget)
    widget.style().polish(widget)


def _without_mnemonic(text: str) -> str:
    return text.replace("&", "&&")


def _breakable(match: re.Match[str]) -> str:
    run = match.group()
    return "\u200b".join(run[at : at + _RUN] for at in range(0, len(run), _RUN))


def marked_line(mark: IconMark, words: Words, *rest: QWidget) -> QHBoxLayout:
    """Words behind a mark, with what belongs to them at the end, all at the top of the line."""
    line = QHBoxLayout()
    line.setSpacing(10)
    top = Qt.AlignmentFlag.AlignTop
    line.addWidget(mark, 0, top)
    line.addWidget(words, 1, top)
    for widget in rest:
        line.addWidget(widget, 0, top)
    return line
