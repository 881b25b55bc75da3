"""The colours of the window can be read in light and in dark."""

import json
import re
from pathlib import Path

import pytest

STYLES = Path(__file__).parents[2] / "resources" / "styles"
THEMES = ("light", "dark")
PLANES = ("background", "surface", "raised")
TONES = ("accent", "danger", "warning", "success", "agent", "person")

READ_ON_IT = (
    [("text", plane) for plane in (*PLANES, "code_background", "selection", "quote_soft")]
    + [("text", f"{tone}_soft") for tone in TONES]
    + [("muted_text", plane) for plane in (*PLANES, "code_background", "accent_soft", "agent_soft", "person_soft")]
    + [("link", plane) for plane in (*PLANES, "agent_soft", "person_soft")]
    + [("code_text", "code_background"), ("quote", "quote_soft"), ("quote", "surface")]
    + [(f"{tone}_text", tone) for tone in TONES]
    + [("accent_text", "accent_hover"), ("danger_text", "danger_hover")]
    + [(tone, f"{tone}_soft") for tone in TONES]
    + [(tone, plane) for tone in TONES for plane in PLANES]
)
SEEN_BESIDE_IT = [(mark, plane) for mark in ("focus", "border_strong", "disabled_text") for plane in PLANES]


def read_theme(theme: str) -> dict[str, str]:
    colours: dict[str, str] = json.loads((STYLES / f"{theme}.json").read_text("utf-8"))
    return colours


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def too_faint(theme: str, pairs: list[tuple[str, str]], wanted: float) -> list[str]:
    colours = read_theme(theme)
    ratios = [(front, back, contrast(colours[front], colours[back])) for front, back in pairs]
    return [f"{front} on {back}: {ratio:.2f}" for front, back, ratio in ratios if ratio < wanted]


def test_contrast_agrees_with_known_values() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("theme", THEMES)
def test_every_text_can_be_read_on_its_background(theme: str) -> None:
    assert too_faint(theme, READ_ON_IT, 4.5) == []


@pytest.mark.parametrize("theme", THEMES)
def test_focus_and_control_borders_stand_out(theme: str) -> None:
    assert too_faint(theme, SEEN_BESIDE_IT, 3.0) == []


@pytest.mark.parametrize("theme", THEMES)
def test_every_colour_is_six_hex_digits(theme: str) -> None:
    assert [value for value in read_theme(theme).values() if not re.fullmatch(r"#[0-9a-f]{6}", value)] == []


def test_both_themes_name_the_same_colours() -> None:
    assert list(read_theme("light")) == list(read_theme("dark"))


def test_every_colour_takes_part_in_a_contrast_check_or_is_a_quiet_line() -> None:
    checked = {name for pair in READ_ON_IT + SEEN_BESIDE_IT for name in pair}
    assert set(read_theme("light")) - checked == {"border"}
