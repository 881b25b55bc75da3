"""Reads closed shadow roots: the debugger hands them to the page scripts, the driver reads what is in them."""

import asyncio
import contextlib
import itertools
from collections.abc import Mapping
from dataclasses import replace

from playwright.async_api import Error, Frame

from app.browser.marking import LeftOut, with_left_out
from app.browser.page_script import Answer, ask, part_tree
from app.browser.tabs import Tab
from app.browser.worlds import Worlds
from app.context.page.parse import parse
from app.domain.snapshot import Box, SnapshotNode

_LIMIT_S = 1.5
_ASK_MS = 800
_tokens = itertools.count(500_000_000, 1000)
_SUSPECTS = "() => document.__pilotfish?.suspects?.splice(0) ?? []"
_TELL = """(host, root) => {
  const { roots, hosts } = document.__pilotfish;
  roots.set(host, root);
  hosts.push(new WeakRef(host));
}"""


async def find_closed(tab: Tab, before: Mapping[Frame, Answer]) -> None:
    """Hand the roots of what may have a closed one to the page scripts. Gives up after a moment."""
    if any(answer.get("suspects") for answer in before.values()):
        with contextlib.suppress(Error, TimeoutError):
            await asyncio.wait_for(_find(Worlds(await asyncio.shield(tab.session))), _LIMIT_S)


async def with_closed(tree: SnapshotNode, frames: Mapping[Frame, Answer]) -> SnapshotNode:
    """The tree with what stands in closed roots, where they take their room."""
    groups: list[LeftOut] = []
    for frame in [frame for frame, answer in frames.items() if answer.get("suspects") or answer.get("closed")]:
        with contextlib.suppress(Error):
            groups += await _groups(frame)
    return _with_places(with_left_out(tree, groups, {})) if groups else tree


def _with_places(node: SnapshotNode) -> SnapshotNode:
    """Headings get refs: pressing one is harmless, and keys lead from there to what a root does not hand over."""
    marks = (*node.marks, *(("clickable",) if node.role == "heading" and "clickable" not in node.marks else ()))
    return replace(node, marks=marks, children=tuple(_with_places(child) for child in node.children))


async def _find(worlds: Worlds) -> None:
    await worlds.refresh()
    for context in worlds.contexts:
        hosts = await worlds.handles(context, _SUSPECTS)
        told = await asyncio.gather(*(worlds.send("DOM.describeNode", objectId=host) for host in hosts))
        for host, one in zip(hosts, told, strict=True):
            for root in one["node"].get("shadowRoots", ()):
                handle = await worlds.handle(int(root["backendNodeId"]), context)
                if root["shadowRootType"] == "closed" and handle is not None:
                    await worlds.call(context, _TELL, [host, handle])
    await worlds.let_go()


async def _groups(frame: Frame) -> list[LeftOut]:
    first = next(_tokens)
    answer = await ask(frame, "closed", first, limit_ms=_ASK_MS)
    groups = []
    for one in answer["found"]:
        texts = await asyncio.gather(*(part_tree(frame, token, limit_ms=_ASK_MS) for token in one["tokens"]))
        children = tuple(child for text in texts for child in parse(text).children)
        group = SnapshotNode("group", hint=f"inside <{one['host']}>", box=Box(*one["box"]), children=children)
        groups.append(LeftOut(replace(group, driver_ref=""), tuple(one["above"]), ()))
    return groups
