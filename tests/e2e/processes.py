"""The processes that belong to one folder of the program, found by its name in their environment or command line."""

import os
import time
from collections.abc import Callable
from pathlib import Path

CAN_LOOK = Path("/proc/self/environ").exists()
PATIENCE_S = 20.0


def belonging_to(home: Path) -> dict[int, str]:
    """Number and command of each, without the asking process itself."""
    return {number: command for number, command in _all() if number != os.getpid() and _names(number, home)}


def wait_until_gone(home: Path) -> None:
    """A process that was told to end needs a moment."""
    until(lambda: not belonging_to(home), lambda: f"the end of {belonging_to(home)}")


def until(condition: Callable[[], object], what: str | Callable[[], str]) -> None:
    """Wait, not without end, for what other processes do."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, f"waited in vain for {what if isinstance(what, str) else what()}"
        time.sleep(0.05)


def _all() -> list[tuple[int, str]]:
    numbers = [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdecimal()]
    return [(number, _read(number, "cmdline").replace(b"\0", b" ").decode(errors="replace")) for number in numbers]


def _names(number: int, home: Path) -> bool:
    wanted = os.fsencode(home)
    return wanted in _read(number, "environ") or wanted in _read(number, "cmdline")


def _read(number: int, name: str) -> bytes:
    """What is to be read of a process; nothing once it has ended."""
    try:
        return Path(f"/proc/{number}/{name}").read_bytes()
    except OSError:
        return b""
