"""The rules of `tests/conftest.py` are tried in a pytest of their own, so that their failures can be read."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.checkout import ROOT

CONFTEST = Path(__file__).parents[1] / "conftest.py"
CONFIGURATION = "[pytest]\nmarkers =\n    expected_log(pattern, logger=None)\n"
TESTS = """
import logging, os, pathlib, socket, threading
import pytest

def test_warns():
    logging.getLogger("app.store").warning("odd store")

def test_warns_in_a_thread():
    thread = threading.Thread(target=logging.error, args=("odd thread",))
    thread.start()
    thread.join()

@pytest.mark.expected_log("odd silence")
def test_announces_and_is_silent():
    pass

@pytest.mark.expected_log("odd place", logger="app.ui")
def test_announces_another_logger():
    logging.getLogger("app.store").warning("odd place")

def test_connects():
    try:
        socket.create_connection(("192.0.2.1", 9), 1)
    except OSError:
        pass

def test_asks_for_a_name():
    try:
        socket.getaddrinfo("name.of.a.host", 80)
    except OSError:
        pass

def test_informs():
    logging.getLogger("app.store").info("usual")

@pytest.mark.expected_log("announced.* twice", logger="app")
def test_announces():
    logging.getLogger("app.store").warning("announced once or twice")

def test_connects_to_itself():
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()

def test_asks_for_a_reserved_name():
    with pytest.raises(socket.gaierror):
        socket.getaddrinfo("nobody.invalid", 80)

def test_lives_in_an_empty_home():
    assert not list(pathlib.Path.home().iterdir())
    assert pathlib.Path(os.environ["PILOTFISH_HOME"]).parent == pathlib.Path.home()
"""


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("rules")
    shutil.copy(CONFTEST, folder / "conftest.py")
    (folder / "pytest.ini").write_text(CONFIGURATION)
    (folder / "test_it.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-rA", "-p", "no:cacheprovider", "test_it.py"]
    where = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=where, capture_output=True, text=True, timeout=50, check=False)
    return done.stdout


@pytest.mark.parametrize(
    ("test", "said"),
    [
        ("test_warns", "unexpected: WARNING app.store: odd store"),
        ("test_warns_in_a_thread", "unexpected: ERROR root: odd thread"),
        ("test_announces_and_is_silent", "missing: odd silence"),
        ("test_announces_another_logger", "unexpected: WARNING app.store: odd place"),
        ("test_connects", "reached for the network: 192.0.2.1"),
        ("test_asks_for_a_name", "reached for the network: name.of.a.host"),
    ],
)
def test_what_a_test_must_not_do_silently_fails_it(output: str, test: str, said: str) -> None:
    assert f"ERROR test_it.py::{test} " in output
    assert said in output


@pytest.mark.parametrize(
    "test",
    [
        "test_informs",
        "test_announces",
        "test_connects_to_itself",
        "test_asks_for_a_reserved_name",
        "test_lives_in_an_empty_home",
    ],
)
def test_what_is_announced_or_harmless_passes(output: str, test: str) -> None:
    assert f"PASSED test_it.py::{test}\n" in output
    assert f"ERROR test_it.py::{test} " not in output
