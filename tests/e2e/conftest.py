import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.bootstrap.program import main
from app.runtime.factories import Factories
from tests.e2e.command import Caller, Done
from tests.e2e.desk import Desk, sit_down


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder for everything the program keeps; every process it starts has its name in the environment."""
    folder = tmp_path / "home"
    monkeypatch.setenv("PILOTFISH_HOME", str(folder))
    return folder


@pytest.fixture
def open_desk(qtbot: QtBot, home: Path) -> Iterator[Callable[..., Desk]]:
    """Opens the window; what is still open at the end is closed as a person closes it."""
    desks: list[Desk] = []

    def open_one(with_parts: Callable[[Factories], Factories] = lambda made: made) -> Desk:
        desks.append(sit_down(qtbot, home, with_parts))
        return desks[-1]

    yield open_one
    for desk in desks:
        desk.close()


@pytest.fixture
def call(home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Iterator[Caller]:
    """The command inside this process, which spares the start of an interpreter; only the exit is not real."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def run(*arguments: str, **variables: object) -> Done:
        for name, value in variables.items():
            monkeypatch.setenv(name, str(value))
        try:
            code = main(arguments)
        except SystemExit as end:
            code = end.code
        out, err = capsys.readouterr()
        return Done(code, out, err)

    yield run
    for number, handler in before.items():
        signal.signal(number, handler)
