"""What the browser tests do again and again: open a page, find a node, act on it."""

import asyncio
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

from app.browser.browser import PlaywrightBrowser
from app.browser.launcher import may_drop_sandbox
from app.browser.options import BrowserOptions
from app.browser.own_browser import drivers_own
from app.browser.resolver import resolve
from app.context.refs.identity import frame_prefix
from app.domain.acts import Navigate, TargetAct
from app.domain.pages import Look, NodeAddress, Outcome, Prepared
from app.domain.snapshot import SnapshotNode, walk

T = TypeVar("T")


def executable() -> Path:
    return resolve("", os.environ, Path.is_file, drivers_own=drivers_own(os.environ)).path


def options_for(folder: Path, **more: Any) -> BrowserOptions:
    given = {
        "executable": executable(),
        "profile": folder / "profile",
        "downloads": folder / "downloads",
        "without_sandbox": may_drop_sandbox(os.environ),
        **more,
    }
    return BrowserOptions(**given)


async def opened(browser: PlaywrightBrowser, url: str) -> Look:
    """The page, loaded and quiet."""
    outcome = await browser.perform(Navigate(url))
    assert outcome.status == "done", outcome
    await browser.settle()
    return await browser.look()


def node(look: Look, name: str, role: str = "") -> SnapshotNode:
    found = [one for one in walk(look.tree) if one.name == name and (not role or one.role == role)]
    assert len(found) == 1, f"{len(found)} nodes are called {name!r} in {shown(look)}"
    return found[0]


def shown(look: Look) -> str:
    """Everything a look says, as one text."""
    return repr(look)


def address(look: Look, wanted: SnapshotNode) -> NodeAddress:
    prefix = frame_prefix(wanted.driver_ref)
    frame = next(frame for frame in look.frames if frame.prefix == prefix)
    return NodeAddress(look.tab, frame.prefix, frame.document, wanted.driver_ref)


async def prepared(browser: PlaywrightBrowser, look: Look, name: str, role: str = "") -> Prepared:
    return await browser.prepare(address(look, node(look, name, role)))


async def act(browser: PlaywrightBrowser, look: Look, name: str, what: TargetAct, role: str = "") -> Outcome:
    """Prepare and dispatch, with no guard between."""
    return await browser.dispatch(await prepared(browser, look, name, role), what)


async def until(condition: Callable[[], T | Awaitable[T]], limit_s: float = 5.0) -> T:
    """The first true value of the condition."""
    loop = asyncio.get_running_loop()
    end = loop.time() + limit_s
    while True:
        value = condition()
        if isinstance(value, Awaitable):
            value = await value
        if value:
            return value
        assert loop.time() < end, f"still {value!r} after {limit_s} s"
        await asyncio.sleep(0.02)
