from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.e2e.desk import Desk, sit_down


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for everything the program keeps; every process it starts has its name in the environment."""
    folder = tmp_path / "home"
    monkeypatch.setenv("PILOTFISH_HOME", str(folder))
    monkeypatch.setenv("PILOTFISH_TIME_SCALE", "0.3")
    return folder


@pytest.fixture
def open_desk(qtbot: QtBot, home: Path) -> Iterator[Callable[[], Desk]]:
    """Opens the window; what is still open at the end is closed as a person closes it."""
    desks: list[Desk] = []

    def open_one() -> Desk:
        desks.append(sit_down(qtbot, home))
        return desks[-1]

    yield open_one
    for desk in desks:
        desk.close()
