"""chrome-devtools-mcp: an action can carry a snapshot in its reply, which is its cheapest way to know the page."""

import contextlib
from collections.abc import AsyncIterator, Mapping

from tests.bench.peers.mcp_client import McpClient
from tests.bench.peers.peer import HEIGHT, WIDTH, Kit, Peer, Seen
from tests.bench.peers.processes import child
from tests.bench.peers.view import of_chrome_devtools
from tests.bench.walks.walk import Action, Back, Click, Fill, Open, Press, Select, Wait

_PAGE = "## Latest page snapshot\n"


class ChromeDevtools:
    name = "chrome-devtools-mcp"

    def __init__(self, client: McpClient, instructions: str) -> None:
        self._client = client
        self._instructions = instructions

    async def fixed(self) -> Mapping[str, str]:
        return {"tools": await self._client.tools(), "instructions": self._instructions}

    async def act(self, action: Action, ref: str) -> Seen:
        reply, is_error = await self._call(action, ref)
        return await self._seen(reply, is_error)

    async def look(self) -> Seen:
        return await self._seen("", False)

    async def seek(self, tries: int) -> Seen | None:
        return None

    async def _call(self, action: Action, ref: str) -> tuple[str, bool]:
        call, with_page = self._client.call, {"pageId": 1, "includeSnapshot": True}
        match action:
            case Open(path):
                return await call("navigate_page", pageId=1, type="url", url=path)
            case Click():
                return await call("click", uid=ref, **with_page)
            case Fill(_, ""):
                return await self._cleared(ref)
            case Fill(_, value) | Select(_, value):
                return await call("fill", uid=ref, value=value, **with_page)
            case Press(key):
                return await call("press_key", key=key, **with_page)
            case Wait(text):
                return await call("wait_for", pageId=1, text=[text])
            case Back():
                return await call("navigate_page", pageId=1, type="back")

    async def _cleared(self, ref: str) -> tuple[str, bool]:
        """Its `fill` leaves a field as it is when the new value is empty, so a model has to use keys."""
        said = [await self._client.call("click", uid=ref, pageId=1)]
        said.append(await self._client.call("press_key", key="Control+A", pageId=1))
        said.append(await self._client.call("press_key", key="Backspace", pageId=1, includeSnapshot=True))
        return "\n".join(text for text, _ in said), any(is_error for _, is_error in said)

    async def _seen(self, reply: str, is_error: bool) -> Seen:
        read, _ = await self._client.call("take_snapshot", pageId=1)
        alone, _, inside = reply.partition(_PAGE)
        ways = {"reply and snapshot": f"{alone}\n{read}"}
        if inside and inside.strip() == read.partition(_PAGE)[2].strip():
            ways["reply with snapshot"] = reply
        return Seen(alone, ways, of_chrome_devtools(read), error=reply if is_error else "")


@contextlib.asynccontextmanager
async def chrome_devtools(kit: Kit) -> AsyncIterator[Peer]:
    program = kit.modules / "chrome-devtools-mcp" / "build" / "src" / "bin" / "chrome-devtools-mcp.js"
    options = ["--headless", "--isolated", "--no-usage-statistics", "--no-performance-crux"]
    options += ["--executablePath", str(kit.browser), "--viewport", f"{WIDTH}x{HEIGHT}"]
    options += [f"--chromeArg={one}" for one in kit.browser_arguments]
    env = {**kit.env, "CHROME_DEVTOOLS_MCP_NO_UPDATE_CHECKS": "1", "CHROME_DEVTOOLS_MCP_NO_USAGE_STATISTICS": "1"}
    command = [str(kit.node), str(program), *options]
    async with child(command, env=env, folder=kit.scratch, log=kit.scratch / "chrome-devtools.log") as server:
        client = McpClient(server)
        yield ChromeDevtools(client, await client.begin())
