"""The bench's own view of a task's page: what is to be done, what reached it, how it judged; no agent sees this."""

import asyncio
import base64
import contextlib
import hashlib
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass

_MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_LIMIT_S = 10.0


@dataclass(frozen=True, slots=True)
class State:
    """`reward` is None until the page has judged; `events` count what was input, `moved` what changed by it."""

    is_ready: bool
    goal: str
    reward: float | None
    reason: str
    events: int
    moved: int


class Probe:
    """Answers of the newest page that was opened with `begin`."""

    def __init__(self) -> None:
        self._mark = ""
        self._joined = asyncio.Event()
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    def begin(self, mark: str) -> None:
        """From now on only the page whose address has this query counts."""
        self._mark = mark
        self._joined.clear()

    async def state(self) -> State:
        """Raises TimeoutError when the page is not there or does not answer."""
        async with asyncio.timeout(_LIMIT_S):
            await self._joined.wait()
            assert self._streams is not None
            reader, writer = self._streams
            writer.write(b"\x81\x01?")
            await writer.drain()
            plain = json.loads(await _message(reader))
        judged = plain["judged"] or {"reward": None, "reason": ""}
        return State(plain["ready"], plain["goal"], judged["reward"], judged["reason"], plain["events"], plain["moved"])

    async def ready(self) -> State:
        """The state once the task has started."""
        async with asyncio.timeout(_LIMIT_S):
            while not (found := await self.state()).is_ready:
                await asyncio.sleep(0.05)
        return found

    async def join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One page says hello."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        lines = dict(line.split(": ", 1) for line in head.split("\r\n") if ": " in line)
        key = {name.lower(): value for name, value in lines.items()}["sec-websocket-key"]
        accept = base64.b64encode(hashlib.sha1(key.encode() + _MAGIC).digest()).decode()
        writer.write(
            b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + f"Sec-WebSocket-Accept: {accept}\r\n\r\n".encode()
        )
        if head.split(" ")[1].partition("?")[2] != self._mark:
            writer.close()
            return
        self.leave()
        self._streams = reader, writer
        self._joined.set()

    def leave(self) -> None:
        """The page that was heard last is heard no more."""
        if self._streams is not None:
            self._streams[1].close()
        self._streams = None


@contextlib.asynccontextmanager
async def probing() -> AsyncIterator[tuple[Probe, int]]:
    """A probe and the port on which pages find it."""
    probe = Probe()
    server = await asyncio.start_server(probe.join, "127.0.0.1", 0)
    try:
        yield probe, server.sockets[0].getsockname()[1]
    finally:
        probe.leave()
        server.close()
        await server.wait_closed()


async def _message(reader: asyncio.StreamReader) -> bytes:
    """One masked text frame, as browsers send them."""
    _, size = await reader.readexactly(2)
    length = size & 0x7F
    if length == 126:
        length = int.from_bytes(await reader.readexactly(2), "big")
    elif length == 127:
        length = int.from_bytes(await reader.readexactly(8), "big")
    mask = await reader.readexactly(4)
    data = await reader.readexactly(length)
    return bytes(byte ^ mask[at % 4] for at, byte in enumerate(data))
