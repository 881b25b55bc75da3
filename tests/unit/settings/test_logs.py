import faulthandler
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app.settings.logs import configure_logging
from app.settings.paths import Paths, find_paths

ROOT = Path(__file__).parents[3]
LOG = logging.getLogger("app.test")


@pytest.fixture
def paths(tmp_path: Path) -> Iterator[Paths]:
    was_enabled = faulthandler.is_enabled()
    level = logging.getLogger("app").level
    yield find_paths({"PILOTFISH_HOME": str(tmp_path / "home")})
    logging.getLogger("app").setLevel(level)
    if was_enabled and not faulthandler.is_enabled():
        faulthandler.enable(sys.__stderr__)


def hide(text: str) -> str:
    return text.replace("hunter2", "••••••")


def log_of(paths: Paths) -> str:
    return (paths.logs_dir / "pilotfish.log").read_text(encoding="utf-8")


def test_what_a_bug_report_needs_is_in_the_log(paths: Paths) -> None:
    files = configure_logging(paths, hide)
    LOG.info("opened %s", "the record — 日本")
    LOG.debug("every detail")
    logging.getLogger("some.package").info("chatter")
    files.close()
    assert "INFO app.test: opened the record — 日本" in log_of(paths)
    assert "every detail" not in log_of(paths)
    assert "chatter" not in log_of(paths)
    assert paths.logs_dir.stat().st_mode & 0o077 == 0 or os.name == "nt"


def test_secrets_are_taken_out_of_messages_arguments_and_tracebacks(paths: Paths) -> None:
    files = configure_logging(paths, hide)
    LOG.info("key hunter2 and %s", {"key": "hunter2"})
    try:
        raise ValueError("hunter2 is wrong")
    except ValueError:
        LOG.info("failed", exc_info=True)
    files.close()
    assert "hunter2" not in log_of(paths)
    assert log_of(paths).count("••••••") >= 3
    assert "ValueError: •••••• is wrong" in log_of(paths)


def test_after_closing_nothing_more_is_written(paths: Paths) -> None:
    files = configure_logging(paths, hide)
    LOG.info("one")
    files.close()
    LOG.info("two")
    assert "two" not in log_of(paths)
    assert files.is_writing is False


def test_without_a_folder_to_write_to_there_is_no_log_and_no_error(paths: Paths) -> None:
    paths.data_dir.parent.mkdir(exist_ok=True)
    paths.data_dir.write_text("in the way")
    files = configure_logging(paths, hide)
    LOG.info("nobody reads this")
    assert not files.is_writing
    files.close()


def test_old_lines_make_room_for_new_ones(paths: Paths) -> None:
    files = configure_logging(paths, hide)
    for number in range(90):
        LOG.info("%d %s", number, "x" * 100_000)
    files.close()
    sizes = [path.stat().st_size for path in paths.logs_dir.glob("pilotfish.log*")]
    assert len(sizes) == 6
    assert max(sizes) < 1_100_000
    assert "89 xxx" in log_of(paths)


@pytest.mark.skipif(sys.platform == "win32", reason="the limits are those of POSIX")
def test_a_full_disk_puts_no_traceback_before_the_person(paths: Paths) -> None:
    script = (
        "import logging, resource, sys\n"
        "from app.settings.logs import configure_logging\n"
        "from app.settings.paths import find_paths\n"
        "configure_logging(find_paths(), str)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))\n"
        "for _ in range(50): logging.getLogger('app').warning('x' * 100)\n"
        "print('still here')\n"
    )
    done = run(script, paths)
    assert (done.stdout, done.stderr, done.returncode) == ("still here\n", "", 0)


@pytest.mark.skipif(sys.platform == "win32", reason="a signal ends the process differently there")
def test_a_crash_of_the_interpreter_leaves_its_stack_in_a_file(paths: Paths) -> None:
    script = (
        "import os, signal\n"
        "from app.settings.logs import configure_logging\n"
        "from app.settings.paths import find_paths\n"
        "files = configure_logging(find_paths(), str)\n"
        "def deep_inside(): os.kill(os.getpid(), signal.SIGSEGV)\n"
        "deep_inside()\n"
    )
    assert run(script, paths).returncode != 0
    assert "deep_inside" in (paths.logs_dir / "crashes.log").read_text()


def run(script: str, paths: Paths) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PILOTFISH_HOME": str(paths.data_dir)}
    command = [sys.executable, "-c", script]
    return subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False, timeout=50)
