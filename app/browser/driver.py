"""The part that drives the browser: a process of its own, which takes half a second to load and can be loaded ahead."""

import asyncio
import contextlib
import logging
from typing import Any

from playwright.async_api import Error, Playwright, async_playwright

from app.domain.errors import BrowserError

CLOSE_LIMIT_S = 5.0

LOG = logging.getLogger("app.browser")

_DIED = "Connection closed while reading from the driver"


class AheadOfTime:
    """A driver that loads before a browser is wanted. Used from one loop."""

    def __init__(self) -> None:
        self._loading: asyncio.Task[Playwright] | None = None
        self._was_taken = False

    def load(self) -> None:
        """Begin to load one for whoever takes it first; too late when one was taken already."""
        if not self._was_taken:
            self._loading = self._loading or asyncio.create_task(start_driver(), name="driver")

    async def take(self) -> Playwright:
        """The one that was loaded, or one that is started now; its end is the caller's. Raises BrowserError."""
        loading, self._loading, self._was_taken = self._loading, None, True
        return await loading if loading is not None else await start_driver()

    async def close(self) -> None:
        """End one that nobody took."""
        loading, self._loading = self._loading, None
        if loading is not None:
            with contextlib.suppress(BrowserError):
                await stop_driver(await loading)


async def start_driver() -> Playwright:
    """Raises BrowserError."""
    _expect_dead_driver(asyncio.get_running_loop())
    try:
        return await async_playwright().start()
    except (Error, OSError) as exc:
        raise BrowserError(
            "The part that drives the browser could not be started.",
            fault="did_not_start",
            next_step="Install the program again.",
        ) from exc


async def stop_driver(driver: Playwright) -> None:
    """It kills a browser that was asked to close and did not."""
    with contextlib.suppress(Error, TimeoutError):
        await asyncio.wait_for(driver.stop(), CLOSE_LIMIT_S)


def _expect_dead_driver(loop: asyncio.AbstractEventLoop) -> None:
    """A killed driver leaves a future behind that nobody can fetch; its death is told by the lifeline instead."""
    handle = loop.get_exception_handler()
    if handle is not None and getattr(handle, "knows_dead_driver", False):
        return

    def pass_on(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        if _DIED in str(context.get("exception")):
            LOG.info("the driver ended by itself")
        elif handle is not None:
            handle(loop, context)
        else:
            loop.default_exception_handler(context)

    pass_on.knows_dead_driver = True  # type: ignore[attr-defined]
    loop.set_exception_handler(pass_on)
