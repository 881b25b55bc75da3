"""How the browser starts, how it dies, and that nothing of it is left behind."""

import asyncio
import gc
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
import pytest_asyncio

from app.browser.browser import PlaywrightBrowser
from app.browser.driver import AheadOfTime
from app.domain.acts import Navigate
from app.domain.errors import BrowserError
from app.domain.pages import NodeAddress
from tests.architecture.checkout import ROOT
from tests.browser.processes import children_of, command, is_running, listening_sockets
from tests.browser.steps import address, node, opened, options_for, until
from tests.pages.site import Site

pytestmark = [
    pytest.mark.asyncio(loop_scope="function"),
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes through /proc"),
]


@pytest_asyncio.fixture
async def lone(tmp_path: Path) -> AsyncIterator[PlaywrightBrowser]:
    """A browser of its own, which the test may break."""
    browser = PlaywrightBrowser(options_for(tmp_path))
    await browser.start()
    yield browser
    await browser.close()


async def test_it_runs_over_a_pipe_and_listens_nowhere(lone: PlaywrightBrowser) -> None:
    below = children_of(os.getpid())
    flags = [flag for pid in below for flag in command(pid)]
    assert "--remote-debugging-pipe" in flags
    assert not [flag for flag in flags if flag.startswith("--remote-debugging-port")]
    assert listening_sockets(below) == []


async def test_closing_twice_leaves_no_process(tmp_path: Path) -> None:
    before = children_of(os.getpid())
    browser = PlaywrightBrowser(options_for(tmp_path))
    await browser.start()
    mine = children_of(os.getpid()) - before
    assert mine
    await browser.close()
    await browser.close()
    await until(lambda: not any(is_running(pid) for pid in mine))


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
async def test_when_the_program_ends_nothing_of_it_is_left(tmp_path: Path, how: signal.Signals) -> None:
    child = subprocess.Popen(
        [sys.executable, "-m", "tests.browser.driving_child", str(tmp_path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert child.stdout is not None
        assert await asyncio.to_thread(child.stdout.readline) == "ready\n"
        below = children_of(child.pid)
        assert len(below) > 2
        child.send_signal(how)
        await asyncio.to_thread(child.wait, 15)
        await until(lambda: not any(is_running(pid) for pid in below), limit_s=10)
    finally:
        child.kill()
        child.wait()
        child.stdout.close()  # type: ignore[union-attr]


async def test_a_lock_left_by_a_dead_browser_is_no_hindrance(tmp_path: Path) -> None:
    options = options_for(tmp_path)
    options.profile.mkdir()
    dead = subprocess.Popen(["true"])
    dead.wait()
    (options.profile / "SingletonLock").symlink_to(f"{socket.gethostname()}-{dead.pid}")
    browser = PlaywrightBrowser(options)
    await browser.start()
    assert (await browser.look()).url == "about:blank"
    await browser.close()


async def test_a_profile_in_use_is_told_and_its_user_is_not_disturbed(lone: PlaywrightBrowser, tmp_path: Path) -> None:
    second = PlaywrightBrowser(options_for(tmp_path))
    with pytest.raises(BrowserError) as caught:
        await second.start()
    assert caught.value.fault == "profile_in_use"
    assert "Close the other one" in caught.value.next_step
    assert (await lone.look()).url == "about:blank"


async def test_a_profile_in_use_on_another_computer_is_told(tmp_path: Path) -> None:
    options = options_for(tmp_path)
    options.profile.mkdir()
    (options.profile / "SingletonLock").symlink_to("some-other-host-1234")
    with pytest.raises(BrowserError) as caught:
        await PlaywrightBrowser(options).start()
    assert caught.value.fault == "profile_in_use"
    assert "SingletonLock" in caught.value.next_step


def _script(text: str) -> Callable[[Path], Path]:
    def write(folder: Path) -> Path:
        path = folder / "browser"
        path.write_text(text)
        path.chmod(0o755)
        return path

    return write


def _text_file(folder: Path) -> Path:
    path = folder / "browser"
    path.write_text("hello")
    return path


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda _: Path("/bin/false"), "ended at once"),
        (lambda _: Path("/not/there"), "is not there"),
        (_text_file, "not a program"),
        (
            _script("#!/bin/sh\necho 'chrome: error while loading shared libraries: libnss3.so' >&2\nexit 127\n"),
            "libnss3",
        ),
        (_script("#!/bin/sh\nexec sleep 60\n"), "no sign of life within 1 seconds"),
    ],
    ids=["ends at once", "missing", "not a program", "lacks a library", "hangs"],
)
async def test_a_browser_that_does_not_start_says_why_and_leaves_nothing(
    tmp_path: Path, make: Callable[[Path], Path], words: str
) -> None:
    before = children_of(os.getpid())
    options = options_for(tmp_path, executable=make(tmp_path), start_limit_s=1.0)
    with pytest.raises(BrowserError) as caught:
        await PlaywrightBrowser(options).start()
    assert caught.value.fault == "did_not_start"
    assert words in caught.value.message
    assert "Traceback" not in caught.value.message
    await until(lambda: not any(is_running(pid) for pid in children_of(os.getpid()) - before))


@pytest.mark.skipif(getattr(os, "geteuid", lambda: 1)() != 0, reason="only as root the sandbox cannot start")
async def test_without_leave_the_sandbox_is_not_dropped(tmp_path: Path) -> None:
    with pytest.raises(BrowserError) as caught:
        await PlaywrightBrowser(options_for(tmp_path, without_sandbox=False)).start()
    assert caught.value.fault == "did_not_start"
    assert "PILOTFISH_NO_SANDBOX=1" in caught.value.message


async def test_a_folder_that_cannot_be_one_is_told(tmp_path: Path) -> None:
    (tmp_path / "profile").write_text("a file")
    with pytest.raises(BrowserError) as caught:
        await PlaywrightBrowser(options_for(tmp_path)).start()
    assert caught.value.fault == "did_not_start"
    assert "profile" in caught.value.what


async def test_a_killed_browser_is_noticed_and_started_again(tmp_path: Path) -> None:
    before = children_of(os.getpid())
    browser = PlaywrightBrowser(options_for(tmp_path))
    await browser.start()
    os.kill(_browser_process(before), signal.SIGKILL)
    await until(lambda: _is_lost(browser))
    for call in (browser.look(), browser.settle(), browser.perform(Navigate("about:blank")), browser.text()):
        with pytest.raises(BrowserError) as caught:
            await call
        assert caught.value.fault == "lost"
    await browser.start()
    assert (await browser.look()).url == "about:blank"
    await browser.close()


async def test_a_killed_driver_is_noticed(tmp_path: Path) -> None:
    before = children_of(os.getpid())
    browser = PlaywrightBrowser(options_for(tmp_path))
    await browser.start()
    waiting = asyncio.create_task(browser.wait_for(text="never", time_ms=60_000))
    driver = next(pid for pid in children_of(os.getpid()) - before if "run-driver" in command(pid))
    os.kill(driver, signal.SIGKILL)
    started = time.monotonic()
    with pytest.raises(BrowserError):
        await asyncio.wait_for(waiting, 6)
    assert time.monotonic() - started < 5
    await browser.close()
    gc.collect()  # what the dead driver leaves unread is told when it is collected


async def test_a_frozen_browser_is_noticed_and_ended(tmp_path: Path) -> None:
    before = children_of(os.getpid())
    browser = PlaywrightBrowser(options_for(tmp_path))
    await browser.start()
    process = _browser_process(before)
    os.kill(process, signal.SIGSTOP)
    started = time.monotonic()
    await until(lambda: _is_lost(browser), limit_s=8)
    assert time.monotonic() - started < 5
    await browser.close()
    await until(lambda: not is_running(process))


async def test_a_crashed_page_is_told_and_another_address_helps(lone: PlaywrightBrowser, site: Site) -> None:
    look = await opened(lone, site.put("/page", "<button>Before</button>"))
    where = address(look, node(look, "Before"))
    await lone.perform(Navigate("chrome://crash"))
    await until(lambda: lone.happenings().crashed)
    again = await lone.look()
    assert (again.url, again.missing) == (look.url, ())
    assert "the page crashed and was opened anew" in lone.happenings().told[0]
    assert (await lone.prepare(where)).probe.state in ("gone", "other_document")
    await lone.perform(Navigate("chrome://crash"))
    await until(lambda: lone.happenings().crashed)
    crashed = await lone.look()
    assert "crashed" in crashed.missing[0]
    assert await lone.settle()
    fresh = await opened(lone, site.put("/page", "<button>After</button>"))
    assert (await lone.prepare(address(fresh, node(fresh, "After")))).probe.state == "ok"


async def test_before_the_start_every_call_says_so(tmp_path: Path) -> None:
    browser = PlaywrightBrowser(options_for(tmp_path))
    with pytest.raises(BrowserError):
        await browser.look()
    with pytest.raises(BrowserError):
        browser.happenings()
    with pytest.raises(BrowserError):
        await browser.prepare(NodeAddress(1, "", "", "e1"))  # type: ignore[arg-type]


def _browser_process(before: set[int]) -> int:
    mine = children_of(os.getpid()) - before
    return next(
        pid
        for pid in mine
        if "--remote-debugging-pipe" in command(pid) and not any(flag.startswith("--type=") for flag in command(pid))
    )


def _is_lost(browser: PlaywrightBrowser) -> bool:
    try:
        browser.happenings()
    except BrowserError:
        return True
    return False


async def test_a_driver_that_was_loaded_ahead_is_the_one_that_starts_the_browser(tmp_path: Path) -> None:
    others, ahead = _drivers(), AheadOfTime()
    ahead.load()
    loaded = await until(lambda: _drivers() - others)
    browser = PlaywrightBrowser(options_for(tmp_path), ahead)
    await browser.start()
    ahead.load()  # too late: there is one
    assert _drivers() - others == loaded
    await browser.close()
    assert _drivers() == others


async def test_a_driver_that_was_loaded_ahead_and_is_not_wanted_is_ended() -> None:
    others, ahead = _drivers(), AheadOfTime()
    ahead.load()
    assert await until(lambda: _drivers() - others)
    await ahead.close()
    assert _drivers() == others


def _drivers() -> set[int]:
    return {pid for pid in children_of(os.getpid()) if "run-driver" in command(pid) and is_running(pid)}
