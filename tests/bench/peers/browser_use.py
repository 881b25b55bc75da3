"""browser-use: its real agent in its own environment, with a model whose answers are the walk."""

import contextlib
import re
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from tests.bench.peers.peer import HEIGHT, WIDTH, Kit, Peer, Seen
from tests.bench.peers.processes import Child, PeerStopped, child
from tests.bench.peers.view import of_browser_use
from tests.bench.walks.walk import Action, Back, Click, Fill, Open, Press, Select, Wait

MOST_STEPS = 900
SCREENS = 4
_STATE = re.compile(r"<browser_state>\n(.*?)\n</browser_state>", re.DOTALL)
_RESULT = re.compile(r"<step>\n(?:(?!<step>).)*?Result\n((?:(?!<step>).)*?)\n?(?:</step>|</agent_history>)", re.DOTALL)
_ELEMENTS = re.compile(r"Interactive elements[^\n]*:\n(.*)", re.DOTALL)
_FAILED = re.compile(r"Error|[Ff]ailed|not available|not found")


class BrowserUse:
    """Its state message is rebuilt each step; only the newest is sent. The state part alone is what shows the page."""

    name = "browser-use"

    def __init__(self, agent: Child, asked: Mapping[str, object]) -> None:
        self._agent = agent
        self._asked = asked

    async def fixed(self) -> Mapping[str, str]:
        return {"system prompt": str(self._asked["system"])}

    async def act(self, action: Action, ref: str) -> Seen:
        return await self._acted(_answer(action, int(ref or 0)))

    async def look(self) -> Seen:
        return await self._acted({"wait": {"seconds": 1}})

    async def seek(self, tries: int) -> Seen | None:
        """Scrolls as its prompt tells a model to: down to the end, then up to the start."""
        if tries >= 2 * SCREENS:
            return None
        return await self._acted({"scroll": {"down": tries < SCREENS, "pages": 1.0}})

    async def _acted(self, answer: dict[str, object]) -> Seen:
        await self._agent.put(answer)
        self._asked = await self._agent.get()
        return self._seen()

    def _seen(self) -> Seen:
        messages = self._asked["messages"]
        assert isinstance(messages, list)
        sent = "\n".join(messages)
        state = _STATE.search(sent)
        shown = state[1] if state else ""
        results = _RESULT.findall(sent)
        reply = results[-1] if results else ""
        elements = _ELEMENTS.search(shown)
        return Seen(
            reply,
            {"result and state": f"{reply}\n{shown}"},
            of_browser_use(elements[1] if elements else ""),
            beside={"state message": sent},
            sent=sent,
            page_text=str(self._asked["page"]),
            is_cut="(truncated to" in shown,
            error=reply if _FAILED.search(reply) else "",
        )


@contextlib.asynccontextmanager
async def browser_use(kit: Kit) -> AsyncIterator[Peer]:
    env = {
        **kit.env,
        "ANONYMIZED_TELEMETRY": "false",
        "BROWSER_USE_CLOUD_SYNC": "false",
        "BROWSER_USE_VERSION_CHECK": "false",
        "BROWSER_USE_LOGGING_LEVEL": "error",
    }
    command = [str(kit.python), "-I", str(Path(__file__).with_name("browser_use_child.py"))]
    log = kit.scratch / "browser-use.log"
    async with child(command, env=env, folder=kit.scratch, log=log, limit_s=120) as agent:
        await agent.put(
            {
                "browser": str(kit.browser),
                "sandbox": not kit.without_sandbox,
                "width": WIDTH,
                "height": HEIGHT,
                "arguments": kit.browser_arguments,
                "steps": MOST_STEPS,
            }
        )
        try:
            yield BrowserUse(agent, await agent.get())
        finally:
            with contextlib.suppress(PeerStopped):
                await agent.put({"done": {"text": "", "success": True}})


def _answer(action: Action, index: int) -> dict[str, object]:
    match action:
        case Open(path):
            return {"navigate": {"url": path, "new_tab": False}}
        case Click():
            return {"click": {"index": index}}
        case Fill(_, value):
            return {"input": {"index": index, "text": value, "clear": True}}
        case Select(_, label):
            return {"select_dropdown": {"index": index, "text": label}}
        case Press(key):
            return {"send_keys": {"keys": key}}
        case Wait():
            return {"wait": {"seconds": 1}}
        case Back():
            return {"go_back": {}}
