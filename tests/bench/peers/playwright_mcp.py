"""@playwright/mcp: replies point to a file with the page; the file and the tool for reading are both measured."""

import contextlib
import json
import re
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

from tests.bench.peers.mcp_client import McpClient
from tests.bench.peers.peer import HEIGHT, WIDTH, Kit, Peer, Seen
from tests.bench.peers.processes import child
from tests.bench.peers.view import of_playwright
from tests.bench.walks.walk import Action, Back, Click, Fill, Open, Press, Select, Wait

_FILE = re.compile(r"- \[Snapshot\]\(([^)]+)\)")
_PAGE = re.compile(r"```yaml\n(.*)\n```", re.DOTALL)


class PlaywrightMcp:
    name = "@playwright/mcp"

    def __init__(self, client: McpClient, folder: Path, instructions: str) -> None:
        self._client = client
        self._folder = folder
        self._instructions = instructions

    async def fixed(self) -> Mapping[str, str]:
        return {"tools": await self._client.tools(), "instructions": self._instructions}

    async def act(self, action: Action, ref: str) -> Seen:
        return await self._seen(*await self._call(action, ref))

    async def look(self) -> Seen:
        return await self._seen("", False)

    async def seek(self, tries: int) -> Seen | None:
        return None

    async def _call(self, action: Action, ref: str) -> tuple[str, bool]:
        call = self._client.call
        match action:
            case Open(path):
                return await call("browser_navigate", url=path)
            case Click(aim):
                return await call("browser_click", element=aim.name, target=ref)
            case Fill(aim, value):
                return await call("browser_type", element=aim.name, target=ref, text=value)
            case Select(aim, label):
                return await call("browser_select_option", element=aim.name, target=ref, values=[label])
            case Press(key):
                return await call("browser_press_key", key=key)
            case Wait(text):
                return await call("browser_wait_for", text=text)
            case Back():
                return await call("browser_navigate_back")

    async def _seen(self, reply: str, is_error: bool) -> Seen:
        file = _FILE.search(reply)
        in_file = (self._folder / file[1]).read_text(encoding="utf-8") if file else ""
        read, _ = await self._client.call("browser_snapshot")
        page = _PAGE.search(read)
        ways = {"reply and snapshot": f"{reply}\n{read}"}
        if in_file:
            ways["reply and file"] = f"{reply}\n{in_file}"
        tree = of_playwright(page[1] if page else "")
        return Seen(reply, ways, tree, error=reply if is_error else "")


@contextlib.asynccontextmanager
async def playwright_mcp(kit: Kit) -> AsyncIterator[Peer]:
    config = {
        "browser": {
            "browserName": "chromium",
            "isolated": True,
            "launchOptions": {
                "headless": True,
                "executablePath": str(kit.browser),
                "chromiumSandbox": not kit.without_sandbox,
                "args": kit.browser_arguments,
            },
            "contextOptions": {"viewport": {"width": WIDTH, "height": HEIGHT}},
        },
        "outputDir": str(kit.scratch / "pages"),
    }
    settings = kit.scratch / "playwright-mcp.json"
    settings.write_text(json.dumps(config), encoding="utf-8")
    program = kit.modules / "@playwright" / "mcp" / "cli.js"
    command = [str(kit.node), str(program), "--config", str(settings)]
    async with child(command, env=kit.env, folder=kit.scratch, log=kit.scratch / "playwright-mcp.log") as server:
        client = McpClient(server)
        yield PlaywrightMcp(client, kit.scratch, await client.begin())
