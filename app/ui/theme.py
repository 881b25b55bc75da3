"""The colours of the window: light, dark or as the system has it, changed while it runs."""

from typing import Literal, get_args

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QIcon
from PySide6.QtWidgets import QApplication

from app.ui import icons
from app.ui.colours import palette, read_colours
from app.ui.stylesheet import stylesheet

ThemeChoice = Literal["system", "light", "dark"]


class Theme(QObject):
    """The look of one application.

    `about_to_change` lets a view put away widgets that it can make again, since restyling them costs more;
    `changed` comes after palette and style sheet are in place.
    """

    about_to_change = Signal()
    changed = Signal()

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self._app = app
        self._choice: ThemeChoice = "system"
        self.colours = read_colours(self._scheme())
        app.setStyle("Fusion")
        app.styleHints().colorSchemeChanged.connect(self._follow_system)
        self._apply()

    @property
    def choice(self) -> ThemeChoice:
        return self._choice

    @property
    def is_dark(self) -> bool:
        return self._scheme() == "dark"

    def choose(self, choice: str) -> None:
        """Switch the running window; an unknown choice follows the system."""
        wanted: ThemeChoice = next((known for known in get_args(ThemeChoice) if known == choice), "system")
        if wanted == self._choice:
            return
        self._choice = wanted
        schemes = {"light": Qt.ColorScheme.Light, "dark": Qt.ColorScheme.Dark, "system": Qt.ColorScheme.Unknown}
        self._app.styleHints().setColorScheme(schemes[wanted])
        self._apply()

    def colour(self, name: str) -> QColor:
        return QColor(getattr(self.colours, name))

    def icon(self, name: str, colour: str = "text") -> QIcon:
        return icons.icon(name, getattr(self.colours, colour), self.colours.disabled_text)

    def _scheme(self) -> Literal["light", "dark"]:
        if self._choice != "system":
            return self._choice
        return "dark" if self._app.styleHints().colorScheme() == Qt.ColorScheme.Dark else "light"

    def _follow_system(self) -> None:
        if self._choice == "system":
            self._apply()

    def _apply(self) -> None:
        self.about_to_change.emit()
        self.colours = read_colours(self._scheme())
        self._app.setPalette(palette(self.colours))
        self._app.setStyleSheet(stylesheet(self.colours))
        self.changed.emit()


def installed_theme() -> Theme:
    """The theme of the running application; made on first use."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        raise RuntimeError("there is no application to theme")
    return app.findChild(Theme) or Theme(app)


def scaled_font(factor: float, *, weight: QFont.Weight | None = None) -> QFont:
    """The system's font in a size relative to it, so that the person's own size rules."""
    font = QFont(QGuiApplication.font())
    font.setPointSizeF(max(6.0, font.pointSizeF() * factor))
    if weight is not None:
        font.setWeight(weight)
    return font
