"""Standard input and output as the protocol's alone: whatever else is printed goes to the error output."""

import asyncio
import contextlib
import os
import queue
import sys
import threading
from dataclasses import dataclass

_CHUNK = 65_536


@dataclass(frozen=True, slots=True)
class Pipes:
    """The two files of the client; the numbers 0 and 1 lead elsewhere from then on."""

    coming: int
    going: int


def claim() -> Pipes:
    """Take both for the protocol: a program that is started, or a stray print, reads nothing and writes to stderr."""
    pipes = Pipes(os.dup(0), os.dup(1))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0, inheritable=False)
    os.dup2(2, 1)
    os.close(nothing)
    sys.stdout = sys.stderr
    return pipes


class Lines:
    """The lines that come in, read by a thread that need not end: the program can leave while the client is silent."""

    def __init__(self, source: int) -> None:
        self._source = source
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        threading.Thread(target=self._read, name="from the client", daemon=True).start()

    def __aiter__(self) -> "Lines":
        return self

    async def __anext__(self) -> str:
        line = await self._lines.get()
        if line is None:
            raise StopAsyncIteration
        return line

    def _read(self) -> None:
        rest = b""
        while chunk := self._chunk():
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                self._pass_on(line.decode("utf-8", "replace"))
        self._pass_on(None)

    def _chunk(self) -> bytes:
        try:
            return os.read(self._source, _CHUNK)
        except OSError:
            return b""

    def _pass_on(self, line: str | None) -> None:
        try:
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
        except RuntimeError:
            return  # the loop has ended


class Output:
    """The lines that go out, written by a thread of their own: a client that does not read holds up nothing else."""

    def __init__(self, sink: int) -> None:
        self._sink = sink
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._write_all, name="to the client", daemon=True)
        self._thread.start()

    async def write(self, text: str) -> None:
        self._lines.put(text)

    async def flush(self) -> None:
        """Nothing is held back."""

    async def close(self, limit_s: float) -> None:
        """Wait for the last lines, but not for a client that does not take them."""
        self._lines.put(None)
        await asyncio.to_thread(self._thread.join, limit_s)

    def _write_all(self) -> None:
        with contextlib.suppress(OSError):  # the client is gone; that is told by the end of what comes in
            while (line := self._lines.get()) is not None:
                data = line.encode("utf-8", "replace")
                while data:
                    data = data[os.write(self._sink, data) :]
