"""Plays the pages of `tests/pages/kinds`: one kind of trap each, the steps of a right way, and an obvious wrong one.

A target is role and name, or a text; `within` a row or item that says so, `frames` deep. `shown` must stand on the
page at the end, `never` must not; `told` must have been returned; `posts` is how many requests may have arrived.
"""

import asyncio
import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from app.agent.answers import Answer
from app.browser.browser import PlaywrightBrowser
from app.domain.snapshot import SnapshotNode
from tests.browser.tools_desk import ToolsDesk, paths_in, said_in
from tests.pages.site import Reply, Site

FOLDER = Path(__file__).parents[1] / "pages" / "kinds"
NAMES = tuple(sorted(one.parent.name for one in FOLDER.glob("*/case.toml")))
LOOKED_FOR_S = 6.0
COMES_WITHIN_S = 3.0

Step = dict[str, Any]
Way = Literal["steps", "naive"]


class NotThere(Exception):
    """What a step names did not come up on the page."""


@dataclass(frozen=True)
class Kind:
    """A page of a kind, as its `case.toml` says; paths of its replies are on the site that serves it."""

    name: str
    said: dict[str, Any]

    def steps(self, way: Way) -> list[Step]:
        return list(self.said[way])

    @property
    def replies(self) -> dict[str, Reply]:
        return {
            one["path"]: Reply(one["body"].encode(), delay_s=one.get("delay_s", 0.0))
            for one in self.said.get("replies", ())
        }


def kind(name: str) -> Kind:
    return Kind(name, tomllib.loads((FOLDER / name / "case.toml").read_text("utf-8")))


async def play(browser: PlaywrightBrowser, site: Site, one: Kind, way: Way, files: Path) -> list[str]:
    """What was not as it should be; an empty list when all was."""
    site.replies.update(one.replies)
    site.posts.clear()
    tools = await ToolsDesk.made(browser)
    player = _Player(tools, site, one, files)
    for step in one.steps(way):
        await player.take(step, may_be_gone=way == "naive")
    return await player.faults(way)


class _Player:
    def __init__(self, tools: ToolsDesk, site: Site, one: Kind, files: Path) -> None:
        self._tools = tools
        self._site = site
        self._kind = one
        self._files = files
        self._kept: dict[str, str] = {}
        self._faults: list[str] = []

    async def take(self, step: Step, *, may_be_gone: bool) -> None:
        """Only in a wrong way may a target be gone, where the step may fail."""
        try:
            answer = await getattr(self, f"_{step['do']}")(step)
        except NotThere as gone:
            if not may_be_gone:
                raise
            answer = Answer(str(gone), is_error=True)
        if isinstance(answer, Answer) and answer.is_error and not step.get("may_fail"):
            self._faults.append(f"{step}: {answer.text}")

    async def faults(self, way: Way) -> list[str]:
        said = self._kind.said
        if not await self._comes_true(said["shown"]) and way == "steps":
            self._faults.append(f"{said['shown']} does not stand in\n{self._tools.page}")
        reached = all(text in self._tools.page for text in said["shown"])
        if way == "naive" and reached and not said.get("naive_may_reach"):
            self._faults.append(f"the wrong way came to the right end:\n{self._tools.page}")
        if way == "steps" or not said.get("naive_harms"):
            self._faults += [f"{text} came up" for text in said.get("never", ()) if text in self._tools.page]
        returned = "\n".join(self._tools.returned)
        if way == "steps":
            self._faults += [f"{text} was not told" for text in said.get("told", ()) if text not in returned]
        if "posts" in said and len(self._site.posts) > said["posts"]:
            self._faults.append(f"{len(self._site.posts)} requests arrived")
        return self._faults

    async def _comes_true(self, texts: Sequence[str], limit_s: float = COMES_WITHIN_S) -> bool:
        until = time.monotonic() + limit_s
        while not all(text in self._tools.page for text in texts):
            if time.monotonic() > until:
                return False
            await asyncio.sleep(0.1)
            await self._tools.call("browser_snapshot")
        return True

    async def _open(self, step: Step) -> Answer:
        path = step.get("path", f"/kinds/{self._kind.name}/index.html")
        return await self._tools.open(self._site.url(path))

    async def _keep(self, step: Step) -> None:
        self._kept[step["as"]] = await self._ref(step)

    async def _click(self, step: Step) -> Answer:
        ref = self._kept[step["use"]] if "use" in step else await self._ref(step)
        return await self._tools.call("browser_click", target=ref)

    async def _type(self, step: Step) -> Answer:
        return await self._tools.call("browser_type", target=await self._ref(step), text=step["value"])

    async def _select(self, step: Step) -> Answer:
        ref = await self._ref(step)
        return await self._tools.call("browser_select_option", target=ref, values=[step["value"]])

    async def _hover(self, step: Step) -> Answer:
        return await self._tools.call("browser_hover", target=await self._ref(step))

    async def _press(self, step: Step) -> Answer:
        for _ in range(step.get("times", 1)):
            answer = await self._tools.call("browser_press_key", key=step["key"])
        return answer

    async def _drag(self, step: Step) -> Answer:
        end = {"role": step["to_role"], "name": step["to_name"]}
        return await self._tools.call("browser_drag", startTarget=await self._ref(step), endTarget=await self._ref(end))

    async def _dialog(self, step: Step) -> Answer:
        told = {"promptText": step["value"]} if "value" in step else {}
        return await self._tools.call("browser_handle_dialog", accept=step["accept"], **told)

    async def _upload(self, step: Step) -> Answer:
        file = self._files / step["file"]
        file.write_text(step["text"])
        (given,) = await self._tools.give(file)
        return await self._tools.call("browser_file_upload", paths=[given.id])

    async def _scroll(self, step: Step) -> Answer:
        for _ in range(step.get("max", 1)):
            where = {"target": await self._ref(step)} if "role" in step else {}
            answer = await self._tools.call("browser_scroll", deltaY=step["dy"], **where)
            if step.get("until") and step["until"] in self._tools.page:
                break
        return answer

    async def _tab(self, step: Step) -> Answer:
        listed = await self._tools.call("browser_tabs", action="list")
        numbers = [line.strip("- ").partition(":")[0] for line in listed.text.splitlines()[1:]]
        return await self._tools.call("browser_tabs", action="select", index=int(numbers[step["to"]]))

    async def _find(self, step: Step) -> Answer:
        return await self._tools.call("browser_find", text=step["text"])

    async def _reload(self, _: Step) -> Answer:
        return await self._tools.call("browser_reload")

    async def _wait(self, step: Step) -> Answer:
        if "for" in step:
            return await self._tools.call("browser_wait_for", text=step["for"])
        return await self._tools.call("browser_wait_for", time=step["ms"] / 1000)

    async def _look(self, step: Step) -> Answer:
        if "for" in step and not await self._comes_true([step["for"]]):
            self._faults.append(f"{step['for']} was not seen")
        return await self._tools.call("browser_snapshot")

    async def _ref(self, step: Step) -> str:
        """The ref of the target, looked for again and again for a while; like a model that looks again."""
        until = time.monotonic() + LOOKED_FOR_S
        while True:
            found = [node.ref for path, node in paths_in(self._tools.tree) if _is_meant(step, path, node)]
            if len(found) > step.get("nth", 0):
                return str(found[step.get("nth", 0)])
            if time.monotonic() > until:
                raise NotThere(f"it is not in\n{self._tools.page}")
            await asyncio.sleep(0.1)
            await self._tools.call("browser_snapshot")


def _is_meant(step: Step, path: Sequence[SnapshotNode], node: SnapshotNode) -> bool:
    return (
        bool(node.ref)
        and step.get("role") in (None, node.role)
        and step.get("name") in (None, node.name, node.text)
        and step.get("text") in (None, node.name, node.text)
        and ("within" not in step or any(step["within"] in said_in(one) for one in path if one.role == "listitem"))
        and step.get("frames", 0) == sum(one.role == "iframe" for one in path)
    )
