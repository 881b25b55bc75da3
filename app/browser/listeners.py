"""Finds out from the debugger which elements listen to presses, drops and keys, and tells the page scripts.

Elements that act and have no role, no pointer cursor and no inline handler are known by nothing else. One question a
look, whatever the size of the page; only elements that were not told before cost more.
"""

import asyncio
import contextlib
from collections import defaultdict
from collections.abc import Sequence

from playwright.async_api import CDPSession, Error

from app.browser.worlds import Worlds

_LIMIT_S = 2.0  # a quiet machine takes milliseconds; the tree is read at the same time
_MOST_TOLD = 160  # elements a look; the rest at the looks after it
_AT_ONCE = 40
_PRESSES = frozenset(
    {"click", "dblclick", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "touchend"}
)
_KINDS = _PRESSES | {"drop", "dragover", "dragenter", "keydown", "keyup", "keypress", "change", "input"}
_TELL = """(...told) => {
  const kinds = told.pop(), listening = document.__pilotfish?.listening;
  if (listening) told.forEach((element, i) => listening.set(element, kinds[i]));
  return Boolean(listening);
}"""


class Listeners:
    """What was told to the page scripts of one tab."""

    def __init__(self, session: asyncio.Task[CDPSession]) -> None:
        self._session = session
        self._worlds: Worlds | None = None
        self._told: dict[int, tuple[str, ...]] = {}
        self._document = ""

    async def tell(self, document: str) -> None:
        """Tell what is new since the last time; `document` is the page's. Gives up after a moment."""
        with contextlib.suppress(Error, TimeoutError):
            await asyncio.wait_for(self._tell(document), _LIMIT_S)

    async def _tell(self, document: str) -> None:
        if self._worlds is None:
            self._worlds = Worlds(await asyncio.shield(self._session))
        worlds = self._worlds
        if document != self._document:
            self._told.clear()
        found = await _found(worlds)
        new = [node for node, kinds in found.items() if self._told.get(node) != kinds]
        new.sort(key=lambda node: _PRESSES.isdisjoint(found[node]))
        if new and document != self._document:
            await worlds.refresh()
            self._document = document
        for start in range(0, min(len(new), _MOST_TOLD), _AT_ONCE):
            some = new[start : start + _AT_ONCE]
            left = await self._told_of(worlds, some, found)
            if left:  # a frame that came later has a world of its own
                await worlds.refresh()
                await self._told_of(worlds, left, found)
            self._told.update((node, found[node]) for node in some)
        await worlds.let_go()

    async def _told_of(self, worlds: Worlds, nodes: Sequence[int], found: dict[int, tuple[str, ...]]) -> list[int]:
        """Tell of these nodes; those that no known world has are left."""
        left = set(nodes)
        for context, handles in await worlds.adopt(nodes):
            kinds = [list(found[node]) for node in handles]
            await worlds.call(context, _TELL, list(handles.values()), kinds)
            left -= handles.keys()
        return [node for node in nodes if node in left]


async def _found(worlds: Worlds) -> dict[int, tuple[str, ...]]:
    """The kinds of event that each node of the page listens for, through frames and shadow roots."""
    document = await worlds.document()
    answer = await worlds.send("DOMDebugger.getEventListeners", objectId=document, depth=-1, pierce=True)
    kinds: defaultdict[int, set[str]] = defaultdict(set)
    for one in answer["listeners"]:
        if one["type"] in _KINDS and one.get("backendNodeId"):
            kinds[int(one["backendNodeId"])].add(one["type"])
    return {node: tuple(sorted(those)) for node, those in kinds.items()}
