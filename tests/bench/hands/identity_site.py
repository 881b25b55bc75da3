"""Serves the pages of the identity matrix, tells a page when to change, and hears what was done on it."""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from urllib.parse import SplitResult, unquote, urlsplit

LIMIT_S = 8.0

_SCRIPT = Path(__file__).with_name("identity.js")
_QUIET_S = 0.06  # a page's word is on its way no longer than this once it answered another one


class Site:
    """Pages by path; what the page of a trial told, in order; a line open to each page that listens."""

    def __init__(self) -> None:
        self.port = 0
        self.pages: dict[str, str] = {}
        self._told: dict[int, list[str]] = {}
        self._lines: dict[int, asyncio.StreamWriter] = {}
        self._news = asyncio.Condition()

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def put(self, number: int, trial: Mapping[str, object], path: str) -> None:
        """The page of a trial; a page that is put there later is another document."""
        head = '<!doctype html><html lang="en"><meta charset="utf-8"><title>Trial</title><body>'
        self.pages[path] = (
            f"{head}<script>const TRIAL = {json.dumps({**trial, 'n': number})}</script>"
            '<script src="/identity.js"></script></body></html>'
        )

    def done(self, number: int) -> list[str]:
        """What was done on the pages of the trial, in words of the pages."""
        return [one.removeprefix("did ") for one in self._told.get(number, ()) if one.startswith("did ")]

    async def change(self, number: int, after_ms: int) -> None:
        """Let the page change after a while; it is not waited for. Raises TimeoutError when no page listens."""
        async with asyncio.timeout(LIMIT_S), self._news:
            await self._news.wait_for(lambda: number in self._lines)
        line = self._lines[number]
        line.write(f"data: {after_ms}\n\n".encode())
        await line.drain()

    async def changed(self, number: int) -> None:
        """Once the page says that it changes. Raises TimeoutError."""
        async with asyncio.timeout(LIMIT_S), self._news:
            await self._news.wait_for(lambda: "changed" in self._told.get(number, ()))
        await asyncio.sleep(_QUIET_S)

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError):
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            await self._answer(urlsplit(head.split(" ")[1]), head, reader, writer)
        writer.close()

    async def _answer(
        self, to: SplitResult, head: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        kind, _, number = to.path.strip("/").partition("/")
        if kind == "told":
            await self._hear(int(number), unquote(to.query.partition("=")[2]))
            _send(writer, "", "image/png")
        elif kind == "events":
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n:\n\n")
            await self._listen(int(number), reader, writer)
        elif kind == "sent":
            trial, _, what = number.partition("/")
            await self._hear(int(trial), f"did sent {head.partition(' ')[0].lower()} {what}")
            _send(writer, "<!doctype html><title>Sent</title><h1>Sent</h1>")
        elif kind == "identity.js":
            _send(writer, _SCRIPT.read_text(encoding="utf-8"), "text/javascript")
        else:
            _send(writer, self.pages.get(to.path, "<!doctype html><title>Nothing</title>"))
        await writer.drain()

    async def _hear(self, number: int, what: str) -> None:
        async with self._news:
            self._told.setdefault(number, []).append(what)
            self._news.notify_all()

    async def _listen(self, number: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with self._news:
            self._lines[number] = writer
            self._news.notify_all()
        await reader.read()
        self._lines.pop(number, None)


@contextlib.asynccontextmanager
async def serving() -> AsyncIterator[Site]:
    site = Site()
    server = await asyncio.start_server(site.answer, "127.0.0.1", 0)
    site.port = server.sockets[0].getsockname()[1]
    try:
        yield site
    finally:
        server.close()


def _send(writer: asyncio.StreamWriter, body: str, kind: str = "text/html; charset=utf-8") -> None:
    content = body.encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(content)}\r\nConnection: close\r\n\r\n"
    writer.write(head.encode() + content)
