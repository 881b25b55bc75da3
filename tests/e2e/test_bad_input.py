"""What can be wrong around the program: each has one plain message, the right exit status, and loses nothing."""

import asyncio
import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.domain.events import ActIntended, ToolAnswered
from app.store.record import SqliteRecord
from tests.e2e import stored
from tests.e2e.command import Caller, Done, pilotfish, started
from tests.e2e.desk import Desk
from tests.fakes.wire_replies import Answer, Asked, Call, Reply
from tests.fakes.wire_server import WireServer

DEMO = ("run", "demo", "--provider", "scripted")
NEVER_SHOWN = ("Traceback", "Error:", "Exception", "0x", "app.", "<class", "None")


def says_once(done: Done, what: str, lost: str, next_step: str) -> None:
    """One line with all three, and nothing a person could not read."""
    found = [line for line in done.said if what in line and lost in line and next_step in line]
    assert len(found) == 1, done.said
    assert sum(lost in line for line in done.said) == 1, done.said
    assert not any(word in line for word in NEVER_SHOWN for line in done.said), done.said


def task(server: WireServer, *more: str, model: str = "test-model") -> tuple[str, ...]:
    wire = ("--provider", "local", "--base-url", server.base_url, "--model", model)
    return ("run", "Look at the page", *wire, *more)


def test_a_wrong_key_is_told(call: Caller, home: Path) -> None:
    with WireServer([], key="the right one") as server:
        done = call(*task(server), PILOTFISH_KEY_LOCAL="sk-wrong-0123456789abcdef")
    assert done.code == 1
    says_once(done, "did not accept the key.", "Nothing was lost.", "Check the key in the settings")
    assert len(server.asked) == 1
    assert "sk-wrong" not in done.out + done.err
    assert stored.traces(home, "sk-wrong") == []


def test_an_unknown_model_is_told(call: Caller, home: Path) -> None:
    with WireServer([]) as server:
        done = call(*task(server, model="no-such-model"))
    assert done.code == 1
    says_once(done, "does not know the model no-such-model.", "Nothing was lost.", "Choose another model")


def test_a_refused_connection_is_told(call: Caller, home: Path) -> None:
    with WireServer([]) as server:
        pass
    done = call(*task(server), PILOTFISH_TIME_SCALE=0.3)
    assert done.code == 1
    says_once(done, f"No model is running at 127.0.0.1:{server.port}.", "Nothing was lost.", "Start the program")


def test_a_missing_browser_is_told(call: Caller, home: Path, tmp_path: Path) -> None:
    done = call(*DEMO, PILOTFISH_BROWSER=tmp_path / "gone")
    assert done.code == 1
    says_once(
        done, f"is not there: {tmp_path / 'gone'}.", "Nothing was lost.", "Correct or clear it in PILOTFISH_BROWSER."
    )


@pytest.mark.skipif(sys.platform == "win32", reason="the browser here is a shell script")
def test_a_browser_that_does_not_start_is_told(call: Caller, home: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    broken.write_text("#!/bin/sh\necho 'a library is missing' >&2\nexit 1\n")
    broken.chmod(0o755)
    done = call(*DEMO, PILOTFISH_BROWSER=broken)
    assert done.code == 1
    says_once(done, "The browser did not start: a library is missing.", "Nothing was lost.", "Start it by hand")


def test_a_second_instance_is_told_and_the_first_one_is_left_alone(home: Path) -> None:
    async def beside_another() -> Done:
        record = await SqliteRecord.open(home / "record.db")
        try:
            return await asyncio.to_thread(pilotfish, *DEMO)
        finally:
            await record.close()

    done = asyncio.run(beside_another())
    assert done.code == 1
    says_once(
        done, "Pilotfish is already running with this record", "Nothing was lost.", "Go on in the window that is open"
    )
    assert stored.conversations(home) == []


def test_a_page_that_does_not_load_is_told_before_anything_else_happens(call: Caller, home: Path) -> None:
    with WireServer([]) as gone:
        pass
    with WireServer([Answer("This must not be asked for.")]) as server:
        done = call(*task(server, "--url", f"http://127.0.0.1:{gone.port}/"))
    assert done.code == 1
    says_once(
        done,
        "The page did not load: the site refuses connections.",
        "Nothing was lost.",
        "Try again, or open another address.",
    )
    assert server.asked == []


def test_a_page_that_does_not_load_is_an_answer_to_the_model(call: Caller, home: Path) -> None:
    with WireServer([]) as gone:
        pass

    def script(asked: Asked) -> Reply:
        if asked.turns == 0:
            return Answer(calls=(Call("browser_navigate", {"url": f"http://127.0.0.1:{gone.port}/"}),))
        return Answer(f"The page says: {asked.newest_text.splitlines()[0]}")

    with WireServer(script) as server:
        done = call(*task(server))
    assert done.code == 1
    assert any("the page did not load: the site refuses connections" in line for line in done.said)
    assert done.said[-1].startswith("  open: The last act failed")


def test_a_damaged_record_is_kept_aside_and_told(call: Caller, home: Path) -> None:
    home.mkdir()
    damaged = os.urandom(9_000)
    (home / "record.db").write_bytes(damaged)
    done = call(*DEMO)
    assert done.code == 1
    says_once(
        done,
        "The record was damaged",
        "nothing of the kept file was changed",
        "Start again: a new, empty record is made.",
    )
    (kept,) = home.glob("record-damaged-*.db")
    assert kept.read_bytes() == damaged
    assert str(kept) in done.err


def test_nothing_is_done_while_too_little_of_the_disk_is_free(call: Caller, home: Path, tmp_path: Path) -> None:
    free_mb = shutil.disk_usage(tmp_path).free // 1_000_000
    if free_mb > 90_000:
        pytest.skip("more is free here than the program can ask for")
    done = call(*DEMO, PILOTFISH_MIN_FREE_MB=free_mb + 9_000)
    assert done.code == 1
    says_once(
        done,
        f"acts only while {free_mb + 9_000} MB are free, so it did not act.",
        "Nothing was lost.",
        "Free some space",
    )
    events = stored.events(home)
    assert not any(isinstance(one.event, ActIntended) for one in events)
    assert set(stored.results_per_call(events).values()) == {1}


def can_mount() -> bool:
    command = ["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return bool(shutil.which("unshare")) and subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not can_mount(), reason="needs root to mount a small disk")
def test_a_disk_that_becomes_full_ends_the_turn_and_loses_nothing_before(tmp_path: Path) -> None:
    disk, copy = tmp_path / "disk", tmp_path / "copy"
    disk.mkdir()
    mounted = f'mount -t tmpfs -o size=64m tmpfs {disk} && "$0" "$@"; code=$?; cp -a {disk}/home {copy}; exit $code'
    running: list[subprocess.Popen[str]] = []

    def script(asked: Asked) -> Reply:
        if asked.turns == 2:
            fill(Path(f"/proc/{running[0].pid}/root{disk}"))
        return Answer(f"Answer {asked.turns}", (Call("keep_quote", {"text": "nothing"}),))

    with WireServer(script) as server:
        wire = ("--provider", "local", "--base-url", server.base_url, "--model", "test-model")
        variables = {"PILOTFISH_HOME": disk / "home", "PILOTFISH_MIN_FREE_MB": 1}
        with started(
            "app", "run", "x", *wire, before=("unshare", "--mount", "sh", "-c", mounted), **variables
        ) as process:
            running.append(process)
            out, err = process.communicate(timeout=50)
    done = Done(process.returncode, out, err)
    assert done.code == 1
    says_once(
        done,
        "is full",
        "Everything recorded before is safe",
        "Free some space",
    )
    events = stored.events(copy)
    assert [one.seq for one in events] == list(range(1, len(events) + 1))
    assert sum(isinstance(one.event, ToolAnswered) for one in events) == 2


def fill(folder: Path) -> None:
    with contextlib.suppress(OSError), (folder / "filler").open("wb", buffering=0) as file:
        while True:
            file.write(bytes(4_096))


def test_the_window_tells_that_no_model_is_set_and_keeps_the_words(open_desk: Callable[[], Desk]) -> None:
    desk = open_desk()
    desk.write("Find a lamp")
    desk.until_told("There is no key for OpenAI yet.", "Nothing was lost.", "Open the settings, or play the demo")
    assert desk.window.chat.composer.field.toPlainText() == "Find a lamp"
    assert desk.rows == ()


def test_the_window_tells_that_the_browser_is_missing_and_keeps_it_on_record(
    open_desk: Callable[[], Desk], home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PILOTFISH_BROWSER", str(tmp_path / "gone"))
    desk = open_desk()
    desk.press(desk.welcome_button("demo"))
    desk.until(desk.end, "the end of the turn")
    end = desk.end()
    assert (end.end, end.is_last) == ("failed", True)
    assert end.text.startswith(f"The browser that PILOTFISH_BROWSER names is not there: {tmp_path / 'gone'}.")
    assert desk.stored == stored.events(home)


def test_the_window_tells_that_the_record_was_damaged(open_desk: Callable[[], Desk], home: Path) -> None:
    home.mkdir()
    (home / "record.db").write_bytes(os.urandom(9_000))
    desk = open_desk()
    desk.until_told("The record was damaged", "nothing of the kept file was changed", "Start again")
    assert len(list(home.glob("record-damaged-*.db"))) == 1


def test_the_window_tells_that_another_one_has_the_record(open_desk: Callable[[], Desk], home: Path) -> None:
    async def first() -> SqliteRecord:
        return await SqliteRecord.open(home / "record.db")

    record = asyncio.run(first())
    try:
        desk = open_desk()
        desk.until_told("Pilotfish is already running with this record", "Nothing was lost.", "Go on in the window")
    finally:
        asyncio.run(record.close())
