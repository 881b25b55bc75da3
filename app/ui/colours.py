"""The named colours of a theme, and the palette made of them."""

import json
from dataclasses import dataclass

from PySide6.QtGui import QColor, QPalette

from app.resources import path


@dataclass(frozen=True, slots=True)
class Colours:
    """Named colours as #rrggbb; the names are those of the files in resources/styles."""

    background: str
    surface: str
    raised: str
    border: str
    border_strong: str
    text: str
    muted_text: str
    disabled_text: str
    link: str
    accent: str
    accent_hover: str
    accent_text: str
    accent_soft: str
    selection: str
    focus: str
    danger: str
    danger_hover: str
    danger_text: str
    danger_soft: str
    warning: str
    warning_text: str
    warning_soft: str
    success: str
    success_text: str
    success_soft: str
    agent: str
    agent_text: str
    agent_soft: str
    person: str
    person_text: str
    person_soft: str
    quote: str
    quote_soft: str
    code_background: str
    code_text: str


def read_colours(name: str) -> Colours:
    return Colours(**json.loads(path("styles", f"{name}.json").read_text("utf-8")))


def palette(colours: Colours) -> QPalette:
    made = QPalette()
    role = QPalette.ColorRole
    for which, colour in (
        (role.Window, colours.background),
        (role.WindowText, colours.text),
        (role.Base, colours.surface),
        (role.AlternateBase, colours.raised),
        (role.Text, colours.text),
        (role.PlaceholderText, colours.muted_text),
        (role.Button, colours.surface),
        (role.ButtonText, colours.text),
        (role.BrightText, colours.danger),
        (role.Highlight, colours.selection),
        (role.HighlightedText, colours.text),
        (role.Link, colours.link),
        (role.LinkVisited, colours.link),
        (role.ToolTipBase, colours.raised),
        (role.ToolTipText, colours.text),
        (role.Accent, colours.accent),
        (role.Light, colours.surface),
        (role.Midlight, colours.raised),
        (role.Mid, colours.border),
        (role.Dark, colours.border_strong),
        (role.Shadow, colours.border_strong),
    ):
        made.setColor(which, QColor(colour))
    for which in (role.WindowText, role.Text, role.ButtonText):
        made.setColor(QPalette.ColorGroup.Disabled, which, QColor(colours.disabled_text))
    return made
