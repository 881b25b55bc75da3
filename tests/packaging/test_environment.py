"""When the launcher keeps a `.venv`, when it makes it anew."""

import json
from pathlib import Path

import pytest

from devtools.environment import Environment


@pytest.fixture(scope="module")
def made_anew(tmp_path_factory: pytest.TempPathFactory) -> tuple[Environment, set[Path]]:
    """An environment in the place of a torn one, and the files that stood in it right after it was started anew."""
    environment = Environment(tmp_path_factory.mktemp("checkout"))
    (environment.checkout / "packaging").mkdir()
    environment.lock.write_text("# nothing\n")
    (environment.checkout / "pyproject.toml").write_text("[project]\n")
    environment.begin()
    (environment.folder / "torn").write_text("half a package")
    environment.start_anew()
    return environment, set(environment.folder.rglob("*"))


@pytest.fixture
def finished(made_anew: tuple[Environment, set[Path]]) -> Environment:
    made, _ = made_anew
    made.lock.write_text("# nothing\n")
    made.begin()
    made.finish()
    return made


def test_a_finished_environment_is_ready(finished: Environment) -> None:
    assert finished.is_ready()


def test_a_changed_lock_is_taken_in_without_starting_anew(finished: Environment) -> None:
    finished.lock.write_text("# something\n")
    assert not finished.is_ready()
    assert finished.can_be_kept()


def test_an_environment_made_by_hand_is_kept_but_not_ready(finished: Environment) -> None:
    finished.stamp.unlink()
    assert not finished.is_ready()
    assert finished.can_be_kept()


def test_an_interrupted_set_up_starts_anew(finished: Environment) -> None:
    finished.begin()
    assert not finished.is_ready()
    assert not finished.can_be_kept()


def test_an_environment_of_another_place_starts_anew(finished: Environment) -> None:
    finished.stamp.write_text(json.dumps({**json.loads(finished.stamp.read_text()), "checkout": "elsewhere"}))
    assert not finished.is_ready()
    assert not finished.can_be_kept()


@pytest.mark.parametrize("leftover", ["", "#!/bin/sh\nexit 1\n", "not a program"])
def test_a_python_that_does_not_run_starts_anew(tmp_path: Path, leftover: str) -> None:
    environment = Environment(tmp_path)
    environment.python.parent.mkdir(parents=True)
    environment.python.write_text(leftover)
    environment.python.chmod(0o755)
    assert not environment.can_be_kept()


@pytest.mark.parametrize("stamp", ["", "{", "[]", "null"])
def test_a_torn_stamp_is_no_stamp(finished: Environment, stamp: str) -> None:
    finished.stamp.write_text(stamp)
    assert not finished.is_ready()
    assert finished.can_be_kept()


def test_starting_anew_leaves_nothing_of_the_old(made_anew: tuple[Environment, set[Path]]) -> None:
    environment, files = made_anew
    assert environment.folder / "torn" not in files
    assert environment.python in files
    assert environment.unfinished in files
