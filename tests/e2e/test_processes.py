"""Every way to end the program ends all it has started, and a mistake in a slot does not end it."""

import re
import signal
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from app.domain.events import TurnEnded
from app.ui.rows import ReceiptRow
from tests.e2e import stored
from tests.e2e.command import pilotfish, started
from tests.e2e.desk import Desk
from tests.e2e.processes import CAN_LOOK, belonging_to, until, wait_until_gone

pytestmark = pytest.mark.skipif(not CAN_LOOK, reason="processes are looked up in /proc")

RUN = ("app", "run", "demo", "--provider", "scripted")
WINDOW = ("app", "demo", "--transcript")
FAULTY = ("tests.e2e.faulty_window",)


def read_until(process: subprocess.Popen[str], words: str) -> list[str]:
    """The lines that the program prints until one holds the words."""
    assert process.stdout is not None
    lines: list[str] = []
    for line in process.stdout:
        lines.append(line)
        if words in line:
            return lines
    raise AssertionError(f"ended without “{words}”: {lines} {process.stderr.read() if process.stderr else ''}")


def ended_by_request(process: subprocess.Popen[str]) -> str:
    """Ask it to end; what it complained of, without what Qt says of a screen that is none."""
    process.send_signal(signal.SIGTERM)
    _, complaints = process.communicate(timeout=30)
    return re.sub(r"^This plugin does not support .*\n", "", complaints, flags=re.MULTILINE)


def has_sound_record(home: Path) -> None:
    events = stored.events(home)
    assert [one.seq for one in events] == list(range(1, len(events) + 1))
    assert len(stored.pages(home, events)) > 0


@pytest.mark.parametrize("program", [RUN, WINDOW], ids=["run", "window"])
def test_a_request_to_end_is_followed_in_order(program: tuple[str, ...], home: Path) -> None:
    with started(*program) as process:
        read_until(process, "✓ opened")
        assert len(belonging_to(home)) > 3, "the browser does not run"
        assert ended_by_request(process) == ""
        assert process.returncode == (1 if program == RUN else 0)
        wait_until_gone(home)
    events = stored.events(home)
    assert isinstance(events[-1].event, TurnEnded)
    assert events[-1].event.end == "stopped"
    assert set(stored.results_per_call(events).values()) == {1}


def test_a_killed_program_leaves_no_process_and_a_sound_record(home: Path) -> None:
    with started(*WINDOW) as process:
        read_until(process, "✓ opened")
        process.kill()
        process.wait()
        wait_until_gone(home)
    has_sound_record(home)


def test_a_reader_that_goes_away_ends_the_run_in_order(home: Path) -> None:
    with started(*RUN, PYTHONIOENCODING="ascii") as process:
        read_until(process, "? opened")
        assert process.stdout is not None
        process.stdout.close()
        assert process.wait(40) == 1
        assert process.stderr is not None
        assert process.stderr.read() == ""
        wait_until_gone(home)
    assert stored.events(home)[-1].event == TurnEnded("stopped", "Stopped by you.")


def test_a_mistake_in_a_slot_is_told_and_the_program_goes_on(home: Path) -> None:
    with started(*FAULTY) as process:
        told = read_until(process, "The program made a mistake.")
        assert told[-1].strip() == (
            "The program made a mistake. What was recorded is kept. Go on; the details are in the log."
        )
        read_until(process, "✓ opened")
        assert ended_by_request(process) == ""
        assert process.returncode == 0
        wait_until_gone(home)
    log = (home / "logs" / "pilotfish.log").read_text(encoding="utf-8")
    assert "ZeroDivisionError: the mistake of this test" in log


def test_closing_the_window_in_the_middle_of_a_turn_ends_everything(open_desk: Callable[[], Desk], home: Path) -> None:
    desk = open_desk()
    desk.press(desk.welcome_button("demo"))
    desk.until(lambda: any(isinstance(row, ReceiptRow) for row in desk.rows), "the first receipt")
    assert len(belonging_to(home)) > 3, "the browser does not run"
    desk.close()
    wait_until_gone(home)
    names = [thread.name for thread in threading.enumerate()]
    assert not [name for name in names if name == "engine" or name.startswith(("pilotfish-store", "demo-site"))]
    assert desk.stored == stored.events(home)
    assert isinstance(desk.stored[-1].event, TurnEnded)
    assert desk.stored[-1].event.end == "stopped"


def test_a_second_start_of_the_window_ends_at_once_and_leaves_the_first_alone(home: Path) -> None:
    with started("app") as first:
        until((home / "record.db").exists, "the first window to be up")
        second = pilotfish()
        assert (second.code, second.said) == (0, [])
        assert first.poll() is None
        assert ended_by_request(first) == ""
        assert first.returncode == 0
