"""Child processes that speak one JSON value a line and never outlive the part that needs them."""

import asyncio
import contextlib
import json
import os
import signal
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

LINE_LIMIT = 64 * 1024 * 1024
GRACE_S = 6.0


class PeerStopped(Exception):
    """A peer ended or fell silent while an answer was awaited."""


class Child:
    """One process in a group of its own; what it complains about goes to a file."""

    def __init__(self, process: asyncio.subprocess.Process, limit_s: float, grace_s: float) -> None:
        self._process = process
        self._limit_s = limit_s
        self._grace_s = grace_s

    async def put(self, value: object) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(value).encode() + b"\n")
            await self._process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError) as gone:
            raise PeerStopped("the process is gone") from gone

    async def get(self) -> Any:
        """The next JSON value; lines that are none are passed over. Raises PeerStopped."""
        assert self._process.stdout is not None
        while True:
            try:
                line = await asyncio.wait_for(self._process.stdout.readline(), self._limit_s)
            except TimeoutError as late:
                raise PeerStopped(f"no answer in {self._limit_s:g} s") from late
            if not line:
                raise PeerStopped("the process ended")
            with contextlib.suppress(json.JSONDecodeError):
                return json.loads(line)

    async def end(self) -> None:
        """Closes its input, so that it can end by itself, then ends what is left of its group."""
        if self._process.stdin is not None:
            self._process.stdin.close()
        for sign in (None, signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
            if sign is not None:
                _signal_group(self._process.pid, sign)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), self._grace_s)
                break
        _signal_group(self._process.pid, getattr(signal, "SIGKILL", signal.SIGTERM))


@contextlib.asynccontextmanager
async def child(
    command: Sequence[str],
    *,
    env: Mapping[str, str],
    folder: Path,
    log: Path,
    limit_s: float = 60.0,
    grace_s: float = GRACE_S,
) -> AsyncIterator[Child]:
    """A running process; it is ended on every way out."""
    with log.open("ab") as complaints:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=complaints,
            env=dict(env),
            cwd=folder,
            limit=LINE_LIMIT,
            start_new_session=True,
        )
        made = Child(process, limit_s, grace_s)
        try:
            yield made
        finally:
            await asyncio.shield(made.end())


async def said(
    command: Sequence[str], *, env: Mapping[str, str], folder: Path, limit_s: float = 60.0
) -> tuple[int, str]:
    """Exit code and output of a command that ends by itself; it is ended when it does not."""
    process = await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
        env=dict(env),
        cwd=folder,
    )
    assert process.stdout is not None
    try:
        output = await asyncio.wait_for(process.stdout.read(), limit_s)
        return await asyncio.wait_for(process.wait(), GRACE_S), output.decode(errors="replace")
    except TimeoutError as late:
        raise PeerStopped(f"{Path(command[0]).name} {command[-1]}: no answer in {limit_s:g} s") from late
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def _signal_group(pid: int, sign: int) -> None:
    """Only ever the group that this module started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(pid, sign)
        else:
            os.kill(pid, sign)
