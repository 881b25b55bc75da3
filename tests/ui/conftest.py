"""What tests of the window and of its parts begin with."""

from collections.abc import Iterator

import pytest

from app.ui.theme import Theme, installed_theme
from tests.ui.recording_engine import RecordingEngine


@pytest.fixture
def engine() -> RecordingEngine:
    return RecordingEngine()


@pytest.fixture
def theme(qapp: object) -> Iterator[Theme]:
    theme = installed_theme()
    theme.choose("light")
    yield theme
    theme.choose("light")
