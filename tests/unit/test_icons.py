"""Every icon the window needs is there, drawn in one hand."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

ICONS = Path(__file__).parents[2] / "resources" / "icons"
LINE_ICONS = sorted(file.stem for file in ICONS.glob("*.svg") if file.stem != "pilotfish")
CONTROLS = {"send", "stop", "pause", "play", "hand", "hand-back", "plus", "search", "settings", "trash", "edit", "pin"}
BROWSING = {"back", "forward", "refresh", "globe", "tab", "lock", "download", "copy", "key"}
SIGNS = {"quote", "warning", "check", "cross", "chevron-right", "chevron-down", "pilot", "person", "sun", "moon"}
STATES = {"list", "circle"}


def test_the_window_finds_every_icon_it_needs() -> None:
    assert set(LINE_ICONS) >= CONTROLS | BROWSING | SIGNS | STATES


@pytest.mark.parametrize("name", LINE_ICONS)
def test_an_icon_takes_the_colour_of_its_text_and_has_the_common_line(name: str) -> None:
    drawing = ET.parse(ICONS / f"{name}.svg").getroot()
    assert drawing.get("viewBox") == "0 0 24 24"
    assert (drawing.get("stroke"), drawing.get("stroke-width"), drawing.get("fill")) == ("currentColor", "1.75", "none")
    assert len(drawing) > 0


def test_the_fish_mark_brings_its_own_colours() -> None:
    assert "currentColor" not in (ICONS / "pilotfish.svg").read_text("utf-8")
