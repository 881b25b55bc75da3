"""What only other processes can show: kills, a full disk, a second instance."""

import asyncio
import contextlib
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from app.domain.errors import StoreError
from app.domain.events import Paused
from app.domain.ids import ConversationId
from app.store.record import SqliteRecord
from tests.unit.store import samples

ROOT = Path(__file__).parents[3]
ONE = ConversationId("c-1")
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="the limits are those of POSIX")


def can_mount() -> bool:
    command = ["unshare", "--mount", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]
    return bool(shutil.which("unshare")) and subprocess.run(command, capture_output=True, check=False).returncode == 0


@contextlib.contextmanager
def process(*arguments: object, before: tuple[str, ...] = ()) -> Iterator[subprocess.Popen[str]]:
    command = [*before, sys.executable, "-m", "tests.unit.store.writer", *map(str, arguments)]
    started = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        yield started
    finally:
        started.kill()
        started.communicate()


async def is_sound(path: Path, acknowledged: int) -> None:
    record = await SqliteRecord.open(path)
    stored = await record.events(ONE)
    assert len(stored) >= acknowledged
    assert [item.seq for item in stored] == list(range(1, len(stored) + 1))
    for item in stored[1::2]:
        assert await record.blob(item.event.observation.tree)
    assert len(await record.conversations("event 0")) == bool(stored)
    await record.append(ONE, Paused())
    await record.close()
    assert apsw.Connection(str(path)).pragma("integrity_check") == "ok"


@pytest.mark.parametrize("seed", range(10))
async def test_a_killed_writer_loses_nothing_it_had_acknowledged(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    path = tmp_path / "record.db"
    with process("write", path) as writer:
        for _ in range(chance.randrange(1, 60)):
            last = writer.stdout.readline()
        await asyncio.sleep(chance.uniform(0, 0.02))
        writer.kill()
        rest, _ = writer.communicate()
    acknowledged = [line for line in rest.split("\n")[:-1] if line]
    await is_sound(path, int(acknowledged[-1] if acknowledged else last))


@posix_only
async def test_a_limit_on_the_size_of_files_is_a_full_disk(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    with process("full", path) as writer:
        lines, _ = writer.communicate(timeout=50)
    *acknowledged, fault, message, after = lines.splitlines()
    assert fault == "full"
    assert "is full" in message
    assert "not even in part" in message
    assert int(after) == len(acknowledged) + 1
    record = await SqliteRecord.open(path)
    assert len(await record.events(ONE)) == int(after)
    await record.close()


@pytest.mark.skipif(not can_mount(), reason="needs root to mount a small disk")
async def test_a_disk_that_is_really_full_loses_nothing_it_had_acknowledged(tmp_path: Path) -> None:
    disk, copy = tmp_path / "disk", tmp_path / "copy"
    disk.mkdir()
    mounted = f'mount -t tmpfs -o size=2m tmpfs {disk} && "$0" "$@"; cp -a {disk} {copy}'
    with process("write", disk / "record.db", before=("unshare", "--mount", "sh", "-c", mounted)) as writer:
        lines, _ = writer.communicate(timeout=50)
    *acknowledged, fault, _message = lines.splitlines()
    assert fault == "full"
    assert len(acknowledged) > 10
    await is_sound(copy / "record.db", len(acknowledged))


@pytest.mark.skipif(not can_mount(), reason="needs root to mount a small disk")
def test_a_start_on_a_full_disk_says_that_it_is_full(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    filled = f'mount -t tmpfs -o size=2m tmpfs {disk} && head -c 3m /dev/zero >{disk}/filler; "$0" "$@"'
    with process("hold", disk / "record.db", before=("unshare", "--mount", "sh", "-c", filled)) as started:
        lines, _ = started.communicate("", timeout=50)
    assert lines.splitlines()[0] == "full"
    assert "Free some space" in lines


async def test_a_second_process_is_told_that_the_first_one_runs(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    with process("hold", path) as first:
        assert first.stdout.readline() == "open\n"
        with pytest.raises(StoreError, match="already running") as caught:
            await SqliteRecord.open(path)
        assert caught.value.fault == "in_use"
        reader = await SqliteRecord.open_readonly(path)
        assert await reader.conversations() == ()
        await reader.close()
        first.communicate("", timeout=20)
    record = await SqliteRecord.open(path)
    await record.close()


async def test_the_lock_of_a_killed_process_is_taken_over_at_once(tmp_path: Path) -> None:
    path = tmp_path / "record.db"
    with process("hold", path) as first:
        assert first.stdout.readline() == "open\n"
        first.kill()
        first.wait(20)
        record = await SqliteRecord.open(path)
        await record.close()
    assert "record.db" in samples.names(tmp_path)
