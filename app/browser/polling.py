"""Asks something again and again until it says what is waited for, or for so long."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")

EVERY_S = 0.04


async def poll(read: Callable[[], Awaitable[T]], is_enough: Callable[[T], bool], *, limit_s: float) -> T:
    """What was read last: what is enough, or what there is after that many seconds. It is read at least once."""
    loop = asyncio.get_running_loop()
    until = loop.time() + limit_s
    while True:
        found = await read()
        if is_enough(found) or loop.time() > until:
            return found
        await asyncio.sleep(EVERY_S)
