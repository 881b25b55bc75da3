"""Reaches the isolated world in which the driver runs the page scripts: what only the debugger knows is told there.

Pages notice nothing of it.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

from playwright.async_api import CDPSession, Error

_NAME = "utility_world"  # in the driver's name for its isolated world
_GROUP = "pilotfish"  # of handles that are let go of together


class Worlds:
    """The isolated worlds of the frames that run in a tab's own process."""

    def __init__(self, session: CDPSession) -> None:
        self._session = session
        self._contexts: dict[str, int] = {}
        session.on("Runtime.executionContextCreated", self._note)

    async def refresh(self) -> None:
        """Ask which worlds there are. Raises the driver's Error."""
        self._contexts.clear()
        await self._session.send("Runtime.enable")
        await self._session.send("Runtime.disable")

    async def document(self) -> str:
        """A handle of the main document. Raises the driver's Error."""
        found = await self._session.send("Runtime.evaluate", {"expression": "document", "objectGroup": _GROUP})
        return str(found["result"]["objectId"])

    async def adopt(self, nodes: Sequence[int]) -> list[tuple[int, dict[int, str]]]:
        """Handles of the debugger's nodes in the worlds of their documents: for each world, node by node."""
        left, adopted = list(nodes), []
        for context in list(self._contexts.values()):
            if not left:
                break
            handles = await asyncio.gather(*(self.handle(node, context) for node in left))
            found = {node: handle for node, handle in zip(left, handles, strict=True) if handle is not None}
            if found:
                adopted.append((context, found))
            left = [node for node in left if node not in found]
        return adopted

    @property
    def contexts(self) -> tuple[int, ...]:
        return tuple(self._contexts.values())

    async def handles(self, context: int, function: str) -> list[str]:
        """Handles of the elements that a function of ours lists in that world. Raises the driver's Error."""
        asked = {"functionDeclaration": function, "executionContextId": context, "objectGroup": _GROUP}
        listed = await self._session.send("Runtime.callFunctionOn", asked)
        told = await self._session.send(
            "Runtime.getProperties", {"objectId": listed["result"]["objectId"], "ownProperties": True}
        )
        found = [one["value"]["objectId"] for one in told["result"] if one["name"].isdigit()]
        return [str(one) for one in found]

    async def call(self, context: int, function: str, handles: Sequence[str], *words: object) -> Any:
        """What a function of ours returns in that world, given handles and then plain words."""
        arguments: list[dict[str, object]] = [{"objectId": handle} for handle in handles]
        arguments += [{"value": word} for word in words]
        answer = await self._session.send(
            "Runtime.callFunctionOn",
            {
                "functionDeclaration": function,
                "executionContextId": context,
                "arguments": arguments,
                "returnByValue": True,
                "silent": True,
            },
        )
        return answer["result"].get("value")

    async def send(self, method: str, **given: object) -> dict[str, Any]:
        answer: dict[str, Any] = await self._session.send(method, given)
        return answer

    async def let_go(self) -> None:
        await self._session.send("Runtime.releaseObjectGroup", {"objectGroup": _GROUP})

    def _note(self, event: dict[str, Any]) -> None:
        context = event["context"]
        if _NAME in context["name"]:
            self._contexts[str(context["auxData"]["frameId"])] = int(context["id"])

    async def handle(self, node: int, context: int) -> str | None:
        """A handle of the debugger's node in that world; none when it is of another document."""
        asked = {"backendNodeId": node, "executionContextId": context, "objectGroup": _GROUP}
        try:
            found = (await self._session.send("DOM.resolveNode", asked))["object"]
        except Error:
            return None
        handle = found.get("objectId")  # a document that goes away leaves none
        return str(handle) if handle else None
