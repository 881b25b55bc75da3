"""@playwright/mcp over its own protocol; the page is read with its own snapshot tool after every act."""

import contextlib
import json
import re
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from app.context.page.parse import parse
from tests.bench.hands.hand import Hand, Place, Seen
from tests.bench.hands.page import Thing, thing
from tests.bench.peers.install import node_kit
from tests.bench.peers.mcp_client import McpClient
from tests.bench.peers.peer import HEIGHT, WIDTH
from tests.bench.peers.processes import child

MCP = "@playwright/mcp"
_PAGE = re.compile(r"```yaml\n(.*)\n```", re.DOTALL)


class PlaywrightMcp:
    name = MCP

    def __init__(self, client: McpClient) -> None:
        self._client = client

    async def open(self, url: str) -> Seen:
        return await self._call("browser_navigate", url=url)

    async def look(self, *, boxes: bool = False) -> Seen:
        return Seen(await self._page(boxes=boxes))

    async def click(self, ref: str, *, double: bool = False, modifiers: tuple[str, ...] = ()) -> Seen:
        return await self._call("browser_click", element="it", target=ref, doubleClick=double, modifiers=modifiers)

    async def type(self, ref: str, text: str, *, slowly: bool = False) -> Seen:
        return await self._call("browser_type", element="it", target=ref, text=text, slowly=slowly)

    async def select(self, ref: str, values: tuple[str, ...]) -> Seen:
        return await self._call("browser_select_option", element="it", target=ref, values=values)

    async def press(self, key: str) -> Seen:
        return await self._call("browser_press_key", key=key)

    async def hover(self, ref: str) -> Seen:
        return await self._call("browser_hover", element="it", target=ref)

    async def drag(self, start: str, end: str, place: Place = "on") -> Seen:
        ends = {"startTarget": start, "endTarget": end}
        return await self._call("browser_drag", startElement="it", endElement="there", **ends)

    async def slide(self, ref: str, value: str) -> Seen:
        field = {"element": "it", "target": ref, "type": "slider", "value": value, "name": "slider"}
        return await self._call("browser_fill_form", fields=[field])

    async def point(self, x: float, y: float, count: int = 1) -> Seen:
        return await self._call("browser_mouse_click_xy", x=x, y=y, clickCount=count)

    async def scroll(self, ref: str, delta_y: float) -> Seen:
        await self._client.call("browser_hover", element="it", target=ref)
        return await self._call("browser_mouse_wheel", deltaX=0, deltaY=delta_y)

    async def wait(self, seconds: float) -> Seen:
        return await self._call("browser_wait_for", time=seconds)

    async def tool(self, name: str, **arguments: object) -> Seen:
        """Any other tool, as a model calls it."""
        return await self._call(name, **arguments)

    async def _call(self, tool: str, **arguments: object) -> Seen:
        said, is_error = await self._client.call(tool, **arguments)
        return Seen(await self._page(), said, is_error, says_done=not is_error)

    async def _page(self, *, boxes: bool = False) -> Thing:
        read, _ = await self._client.call("browser_snapshot", **({"boxes": True} if boxes else {}))
        page = _PAGE.search(read)
        return thing(parse(page[1] if page else ""), ours=False, boxes=boxes)


@contextlib.asynccontextmanager
async def playwright_mcp(cache: Path) -> AsyncIterator[Hand]:
    """Raises NotInstalled."""
    with tempfile.TemporaryDirectory(prefix="hands-", ignore_cleanup_errors=True) as folder:
        tools = node_kit(cache, Path(folder))
        config = {
            "browser": {
                "browserName": "chromium",
                "isolated": True,
                "launchOptions": {
                    "headless": True,
                    "executablePath": str(tools.browser),
                    "chromiumSandbox": not tools.without_sandbox,
                    "args": tools.browser_arguments,
                },
                "contextOptions": {"viewport": {"width": WIDTH, "height": HEIGHT}},
            },
            "capabilities": ["core", "vision"],
            "outputDir": str(tools.scratch / "pages"),
        }
        settings = tools.scratch / "hands.json"
        settings.write_text(json.dumps(config), encoding="utf-8")
        program = tools.modules / "@playwright" / "mcp" / "cli.js"
        command = [str(tools.node), str(program), "--config", str(settings)]
        async with child(command, env=tools.env, folder=tools.scratch, log=tools.scratch / "hands.log") as server:
            client = McpClient(server)
            await client.begin()
            yield PlaywrightMcp(client)
