"""Counts tokens as o200k_base does, without any download."""

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from tests.bench.peers.peer import Kit
from tests.bench.peers.processes import Child, child


class Tokens:
    """Remembers what it counted: fixed parts and pages come again and again."""

    def __init__(self, counter: Child) -> None:
        self._counter = counter
        self._known: dict[str, int] = {}

    async def of(self, text: str) -> int:
        if text not in self._known:
            await self._counter.put(text)
            self._known[text] = int(await self._counter.get())
        return self._known[text]


@contextlib.asynccontextmanager
async def tokens(kit: Kit) -> AsyncIterator[Tokens]:
    command = [str(kit.node), str(Path(__file__).with_name("count.cjs")), str(kit.modules)]
    async with child(command, env=kit.env, folder=kit.scratch, log=kit.scratch / "tokens.log") as counter:
        yield Tokens(counter)
