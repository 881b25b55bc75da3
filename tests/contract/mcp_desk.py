"""A client of the official kind at a server of ours, each in a process of its own; what it was told is text to read."""

import asyncio
import contextlib
import itertools
import os
import re
import sys
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult, ImageContent, Implementation, TextContent

from tests.pages.site import Site, serve

ROOT = Path(__file__).parents[2]
_visits = itertools.count(1)

ERAS = ("legacy", "auto")
"""How a client shakes hands: as until 2025, or as from 2026 on."""


@dataclass
class Desk:
    client: Client

    async def call(self, tool: str, **arguments: Any) -> CallToolResult:
        return await self.client.call_tool(tool, arguments)

    async def say(self, tool: str, **arguments: Any) -> str:
        """The text of a call that must not fail."""
        result = await self.call(tool, **arguments)
        assert not result.is_error, text_of(result)
        return text_of(result)

    async def refused(self, tool: str, **arguments: Any) -> str:
        """The text of a call that must fail."""
        result = await self.call(tool, **arguments)
        assert result.is_error, text_of(result)
        return text_of(result)


def text_of(result: CallToolResult) -> str:
    return "\n".join(part.text for part in result.content if isinstance(part, TextContent))


def picture_of(result: CallToolResult) -> ImageContent:
    (picture,) = [part for part in result.content if isinstance(part, ImageContent)]
    return picture


def ref(page: str, words: str) -> str:
    """The ref of the one line that begins with these words."""
    found = re.findall(rf"- {re.escape(words)}[^\n]*?\[ref=(e\d+)\]", page)
    assert len(found) == 1, f"{words}: {found} in\n{page}"
    return found[0]


def command(home: Path, *arguments: str) -> StdioServerParameters:
    kept = ("PATH", "HOME", "LANG", "PILOTFISH_BROWSER", "PILOTFISH_NO_SANDBOX", "TMPDIR", "SYSTEMROOT")
    env = {name: os.environ[name] for name in kept if name in os.environ}
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "app", "mcp", *arguments],
        env={**env, "PILOTFISH_HOME": str(home)},
        cwd=ROOT,
    )


@contextlib.asynccontextmanager
async def connected(home: Path, *arguments: str, mode: str = "auto", **client: Any) -> AsyncIterator[Desk]:
    info = Implementation(name="a tester", version="7")
    async with Client(command(home, *arguments), mode=mode, client_info=info, **client) as one:
        yield Desk(one)


@contextlib.asynccontextmanager
async def shared(home: Path, *arguments: str, mode: str = "auto", **client: Any) -> AsyncIterator[Desk]:
    """A connection for several tests; a task of its own holds it, since a client is to be left where it was entered."""
    ready: asyncio.Future[Desk] = asyncio.get_running_loop().create_future()
    is_over = asyncio.Event()

    async def hold() -> None:
        async with connected(home, *arguments, mode=mode, **client) as desk:
            ready.set_result(desk)
            await is_over.wait()

    holding = asyncio.create_task(hold())
    try:
        await asyncio.wait((holding, ready), return_when=asyncio.FIRST_COMPLETED)
        if ready.done():
            yield ready.result()
    finally:
        is_over.set()
        await holding


def site_for_a_module() -> Iterator[Site]:
    site, running = serve()
    yield site
    site.gate.set()
    running.shutdown()
    running.server_close()


def shop(site: Site, price: int = 40) -> str:
    """An address of the shop that nobody opened before: whoever shares a connection does not seem to go in circles.

    What is paid there is the same only when the price is.
    """
    return site.url(f"/mcp/shop.html?visit={next(_visits)}&price={price}")


def fresh(site: Site) -> Site:
    site.replies.clear()
    site.posts.clear()
    site.gate.clear()
    site.put("/mcp/paid", "<title>Paid</title><h1>Thank you</h1>")
    return site
