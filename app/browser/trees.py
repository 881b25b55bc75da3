"""Reads the tree of a page whole, or the parts near the viewport when the page is too large or too slow for that."""

import asyncio
import itertools
import json
import time
from dataclasses import dataclass
from urllib.parse import quote

from playwright.async_api import Error, Frame

from app.browser.page_script import Answer, ask, part_tree
from app.browser.tabs import Tab
from app.context.page.parse import parse
from app.domain.snapshot import SnapshotNode

MOST_ELEMENTS = 6_000
LARGEST_TREE = 1_500_000  # characters of the driver's text
MOST_PLACES = 24  # as in the page script

_PARSED_ASIDE = 100_000  # characters; larger trees are parsed outside the loop
_SHARE_FOR_WHOLE = 0.6  # of the time; the rest is for the parts
_tokens = itertools.count(1, 1000)


@dataclass(frozen=True, slots=True)
class Read:
    """The tree, what is missing from it in plain words, and what was searched for the texts that were wanted."""

    tree: SnapshotNode
    missing: tuple[str, ...] = ()
    in_parts: bool = False
    searched: str = ""


async def read_tree(tab: Tab, elements: int, whole_until: float, until: float, near: tuple[str, ...] = ()) -> Read:
    """A page that is read in parts is also read around each place that holds one of the texts of `near`.

    Raises the driver's Error when the page does not answer.
    """
    if elements > MOST_ELEMENTS:
        return await _parts(tab, until, near)
    limit_ms = max(min(_left_ms(whole_until), _left_ms(until) * _SHARE_FOR_WHOLE), 100)
    try:
        text = await tab.page.aria_snapshot(mode="ai", boxes=True, timeout=limit_ms)
    except Error as exc:
        if "Timeout" not in str(exc):
            raise
        return await _parts(tab, until, near)
    return await _parts(tab, until, near) if len(text) > LARGEST_TREE else Read(await _parsed(text))


async def _parts(tab: Tab, until: float, near: tuple[str, ...]) -> Read:
    frame, first = tab.page.main_frame, next(_tokens)
    wanted = quote(json.dumps(near)) if near else ""
    answer = await ask(frame, "parts", first, wanted, limit_ms=max(_left_ms(until), 500))
    numbers = range(first, first + int(answer["parts"]))
    texts = await asyncio.gather(*(_part(frame, number, until) for number in numbers))
    children = [child for text in texts for child in (await _parsed(text)).children]
    missing = (
        f"about {int(answer['elements']) - int(answer['taken'])} of {answer['elements']} elements: the page is too "
        "large to be read whole, so only what is near the viewport and what was found is shown; browser_find searches "
        "all of it"
    )
    return Read(SnapshotNode("page", children=tuple(children)), (missing,), True, _searched(answer) if near else "")


async def _part(frame: Frame, number: int, until: float) -> str:
    """Empty when the part went away or the time ran out."""
    try:
        return await part_tree(frame, number, limit_ms=max(_left_ms(until), 1)) if _left_ms(until) > 0 else ""
    except Error:
        return ""


def _searched(answer: Answer) -> str:
    searched, elements, places = int(answer["searched"]), int(answer["elements"]), int(answer["places"])
    of = f"all {elements}" if searched >= elements else f"the first {searched} of {elements}"
    more = f"; of {places} places only the first {MOST_PLACES} could be read, longer words find others"
    found = more if places > MOST_PLACES else ""
    return f"texts, names, values and addresses of {of} elements{found}"


async def _parsed(text: str) -> SnapshotNode:
    return parse(text) if len(text) < _PARSED_ASIDE else await asyncio.to_thread(parse, text)


def _left_ms(until: float) -> float:
    return (until - time.monotonic()) * 1000
