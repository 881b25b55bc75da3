"""No process that the bench starts outlives the part that needed it."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from tests.bench.peers.processes import PeerStopped, child, said

_STUBBORN = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
helper = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(300)"])
print(f'[{__import__("os").getpid()}, {helper.pid}]', flush=True)
time.sleep(300)
"""


@pytest.mark.skipif(os.name == "nt", reason="there are no process groups to end")
async def test_a_child_that_ignores_the_end_and_its_own_child_are_ended_after_a_failure(tmp_path: Path) -> None:
    pids: list[int] = []
    with pytest.raises(ValueError, match="broken"):
        await _fail_beside_a_stubborn_child(tmp_path, pids)
    assert len(pids) == 2
    for pid in pids:
        await _gone(pid)


async def _fail_beside_a_stubborn_child(folder: Path, pids: list[int]) -> None:
    command = [sys.executable, "-c", _STUBBORN]
    async with child(command, env=os.environ, folder=folder, log=folder / "log", grace_s=0.2) as one:
        pids += await one.get()
        raise ValueError("broken")


async def test_a_command_that_does_not_end_is_ended(tmp_path: Path) -> None:
    with pytest.raises(PeerStopped, match="no answer in"):
        await said([sys.executable, "-c", "import time; time.sleep(300)"], env=os.environ, folder=tmp_path, limit_s=0.5)


async def test_a_child_that_ended_is_told_so(tmp_path: Path) -> None:
    async with child([sys.executable, "-c", "print(1)"], env=os.environ, folder=tmp_path, log=tmp_path / "log") as one:
        assert await one.get() == 1
        with pytest.raises(PeerStopped, match="the process ended"):
            await one.get()


async def _gone(pid: int) -> None:
    for _ in range(100):
        if not _runs(pid):
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"{pid} still runs")


def _runs(pid: int) -> bool:
    """A process that ended and whose parent is gone may wait to be buried; it does not run."""
    status = Path(f"/proc/{pid}/stat")
    if status.exists():
        return status.read_text().rpartition(")")[2].split()[0] != "Z"
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return not Path("/proc").is_dir()
