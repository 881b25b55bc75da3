"""As much of the Model Context Protocol as a client of tools needs: one JSON value a line on standard streams."""

import json
from typing import Any

from tests.bench.peers.processes import Child, PeerStopped


class McpClient:
    """Calls the tools of one server."""

    def __init__(self, server: Child) -> None:
        self._server = server
        self._number = 0

    async def begin(self) -> str:
        """Greets the server; its instructions, if it has any."""
        client = {"name": "bench", "version": "1"}
        greeted = await self._ask(
            "initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
        )
        await self._server.put({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return str(greeted.get("instructions") or "")

    async def tools(self) -> str:
        """What a model is told of the tools: name, description and schema of each."""
        tools = (await self._ask("tools/list", {}))["tools"]
        return json.dumps([{key: one[key] for key in ("name", "description", "inputSchema")} for one in tools])

    async def call(self, tool: str, **arguments: object) -> tuple[str, bool]:
        """The text of a tool's result and whether it is an error."""
        result = await self._ask("tools/call", {"name": tool, "arguments": arguments})
        text = "\n".join(str(part.get("text", "")) for part in result.get("content", []))
        return text, bool(result.get("isError"))

    async def _ask(self, method: str, params: dict[str, object]) -> dict[str, Any]:
        self._number += 1
        number = self._number
        await self._server.put({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        while True:
            answer = await self._server.get()
            if "method" in answer and "id" in answer:
                await self._server.put({"jsonrpc": "2.0", "id": answer["id"], "result": {"roots": []}})
            elif answer.get("id") == number:
                if "error" in answer:
                    raise PeerStopped(f"{method}: {answer['error'].get('message', 'an error')}")
                return dict(answer["result"])
