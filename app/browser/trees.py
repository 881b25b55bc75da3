"""Reads the tree of a page whole, or the parts near the viewport when the page is too large or too slow for that."""

import asyncio
import itertools
import time

from playwright.async_api import Error

from app.browser.page_script import ask, part_tree
from app.browser.tabs import Tab
from app.context.parse import parse
from app.domain.snapshot import SnapshotNode

MOST_ELEMENTS = 6_000
LARGEST_TREE = 1_500_000  # characters of the driver's text

_PARSED_ASIDE = 100_000  # characters; larger trees are parsed outside the loop
_SHARE_FOR_WHOLE = 0.6  # of the time; the rest is for the parts
_tokens = itertools.count(1, 1000)

Read = tuple[SnapshotNode, tuple[str, ...]]


async def read_tree(tab: Tab, elements: int, whole_until: float, until: float) -> Read:
    """The tree and what is missing from it, in plain words. Raises the driver's Error when the page does not answer."""
    if elements > MOST_ELEMENTS:
        return await _parts(tab, until)
    limit_ms = max(min(_left_ms(whole_until), _left_ms(until) * _SHARE_FOR_WHOLE), 100)
    try:
        text = await tab.page.aria_snapshot(mode="ai", boxes=True, timeout=limit_ms)
    except Error as exc:
        if "Timeout" not in str(exc):
            raise
        return await _parts(tab, until)
    return await _parts(tab, until) if len(text) > LARGEST_TREE else (await _parsed(text), ())


async def _parts(tab: Tab, until: float) -> Read:
    frame, first = tab.page.main_frame, next(_tokens)
    answer = await ask(frame, "parts", first, limit_ms=max(_left_ms(until), 500))
    children: list[SnapshotNode] = []
    for number in range(int(answer["parts"])):
        if _left_ms(until) < 0:
            break
        try:
            text = await part_tree(frame, first + number, limit_ms=max(_left_ms(until), 200))
        except Error:
            break
        children.extend((await _parsed(text)).children)
    missing = (
        f"about {int(answer['elements']) - int(answer['taken'])} of {answer['elements']} elements: the page is too "
        "large to be read whole, so only what is near the viewport is shown; scroll, or search its text"
    )
    return SnapshotNode("page", children=tuple(children)), (missing,)


async def _parsed(text: str) -> SnapshotNode:
    return parse(text) if len(text) < _PARSED_ASIDE else await asyncio.to_thread(parse, text)


def _left_ms(until: float) -> float:
    return (until - time.monotonic()) * 1000
