"""Our own tools, called as a model calls them, on the same pages."""

import contextlib
import datetime as dt
import json
from collections.abc import AsyncIterator, Iterator, Mapping

from app.agent.observing import Seeing
from app.agent.prompt import system_prompt
from app.agent.tools import specs
from app.agent.tools.tool import Hands
from app.agent.transcript import Transcript
from app.browser.browser import PlaywrightBrowser
from app.browser.options import BrowserOptions
from app.context.request.folding import plan_fold
from app.context.request.projection import project
from app.domain.events import AssistantSaid
from app.domain.messages import Request, TextBlock, ToolResultBlock, Usage, UserMessage, WireItems
from tests.bench.peers.peer import HEIGHT, OFFLINE, WIDTH, Kit, Peer, Seen
from tests.bench.peers.summing import OURS
from tests.bench.peers.view import Node, of_driver_tree, of_our_text, of_our_tree
from tests.bench.walks.walk import Action, Back, Click, Fill, Open, Press, Select, Wait
from tests.browser.tools_desk import ToolsDesk


class Desk(ToolsDesk):
    """The desk as the loop uses it: each call follows an answer of the model, and pages fold before the next one."""

    def __init__(self, hands: Hands, transcript: Transcript) -> None:
        super().__init__(hands, transcript)
        self._events = transcript
        self._steps = 0

    @property
    def seeing(self) -> Seeing | None:
        """What the tools themselves know of the newest page."""
        return self._hands.acting.observing.last

    async def step(self, tool: str, **arguments: object) -> str:
        """All texts of the next request after this call, without tools and system prompt."""
        self._steps += 1
        said = AssistantSaid(
            self._steps, "", (), "tool_calls", Usage(), "bench", "bench", WireItems("bench", "bench", "[]")
        )
        await self._events.add(said)
        await self.call(tool, **arguments)
        fold = plan_fold(self._events.events, "chain")
        if fold is not None:
            await self._events.add(fold)
        return "\n".join(_texts(project(self._events.events, model="bench")))


class Ours:
    name = OURS

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def fixed(self) -> Mapping[str, str]:
        tools = [
            {"name": one.name, "description": one.description, "inputSchema": json.loads(one.schema)} for one in specs()
        ]
        return {"tools": json.dumps(tools), "system prompt": system_prompt(dt.date(2026, 1, 1))}

    async def act(self, action: Action, ref: str) -> Seen:
        return self._seen(await self._call(action, ref))

    async def look(self) -> Seen:
        return self._seen(await self._desk.step("browser_wait_for", time=0.5))

    async def seek(self, tries: int) -> Seen | None:
        return None

    async def _call(self, action: Action, ref: str) -> str:
        call = self._desk.step
        match action:
            case Open(path):
                return await call("browser_navigate", url=path)
            case Click():
                return await call("browser_click", target=ref)
            case Fill(_, value):
                return await call("browser_type", target=ref, text=value)
            case Select(_, label):
                return await call("browser_select_option", target=ref, values=[label])
            case Press(key):
                return await call("browser_press_key", key=key)
            case Wait(text):
                return await call("browser_wait_for", text=text)
            case Back():
                return await call("browser_navigate_back")

    def _seen(self, sent: str) -> Seen:
        answer, text, seeing = self._desk.last, self._desk.text, self._desk.seeing
        tree = of_our_tree(seeing.shown.tree) if seeing else Node()
        seen = answer.observation
        return Seen(
            text,
            {"reply": text},
            tree,
            shown=of_our_text(text),
            driver=of_driver_tree(seeing.look.tree) if seeing else None,
            sent=sent,
            document=str(seen.document) if seen else "",
            is_cut=seen is None or seen.nodes_shown < seen.nodes_total,
            error=text if answer.is_error else "",
        )


@contextlib.asynccontextmanager
async def ours(kit: Kit) -> AsyncIterator[Peer]:
    options = BrowserOptions(
        executable=kit.browser,
        profile=kit.scratch / "profile",
        downloads=kit.scratch / "downloads",
        without_sandbox=kit.without_sandbox,
        width=WIDTH,
        height=HEIGHT,
        extra_arguments=(OFFLINE,),
    )
    browser = PlaywrightBrowser(options)
    try:
        await browser.start()
        desk = await Desk.made(browser)
        assert isinstance(desk, Desk)
        yield Ours(desk)
    finally:
        await browser.close()


def _texts(request: Request) -> Iterator[str]:
    for message in request.messages:
        for block in message.content if isinstance(message, UserMessage) else ():
            parts = block.content if isinstance(block, ToolResultBlock) else (block,)
            yield from (part.text for part in parts if isinstance(part, TextBlock))
