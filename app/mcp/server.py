"""The server: tells its tools, runs calls in order, reports progress, ends with everything when the client leaves."""

import asyncio
import json
import signal
import sys
import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import anyio
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    InputRequiredResult,
    ListToolsResult,
    PaginatedRequestParams,
    Tool,
    ToolAnnotations,
)
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from app import __version__
from app.domain.errors import AppError
from app.domain.messages import ToolSpec
from app.mcp.calls import OpenCall
from app.mcp.client import Client
from app.mcp.content import failure, result_of
from app.mcp.pipes import Lines, Output, Pipes
from app.runtime.serving import FILE_ARGUMENTS, FILE_WORDS, LOOKS, Serving, served_tools

PROGRESS_S = 2.0
LAST_LINES_S = 1.0
_QUESTION = "person"

Context = ServerRequestContext[dict[str, Any], Any]


@dataclass(slots=True)
class BrowserServer:
    """One client connection. The browser is started at its first call."""

    open_serving: Callable[[str], Awaitable[Serving]]
    files: Path | None
    asks: bool  # the person is asked through the client, where it can
    _serving: Serving | None = None
    _opening: asyncio.Lock = field(default_factory=asyncio.Lock)  # protects against two openings at once
    _calls: set[OpenCall] = field(default_factory=set)
    _asked: dict[str, OpenCall] = field(default_factory=dict)

    async def tools(self, context: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        return ListToolsResult(tools=[_tool(one) for one in served_tools()])

    async def call(self, context: Context, params: CallToolRequestParams) -> CallToolResult | InputRequiredResult:
        if params.request_state is not None:
            return await self._resume(context, params, params.request_state)
        if any(one.asks_person for one in self._calls):
            return failure("Not run: the person is being asked about the call before; wait for their answer.")
        one = OpenCall()
        self._calls.add(one)
        one.start(self._work(one, context, params), lambda: self._calls.discard(one))
        return await self._follow(context, one)

    async def close(self) -> None:
        """End what still runs, then the browser and the record."""
        for one in tuple(self._calls):
            await one.cancel()
        if self._serving is not None:
            await self._serving.close()

    async def _resume(
        self, context: Context, params: CallToolRequestParams, state: str
    ) -> CallToolResult | InputRequiredResult:
        """The client comes back with an answer, as the newer protocol has it."""
        one = self._asked.pop(state, None)
        if one is None:
            return failure("Not run: that question is no longer open. Nothing was sent.")
        one.take((params.input_responses or {}).get(_QUESTION))
        return await self._follow(context, one)

    async def _follow(self, context: Context, one: OpenCall) -> CallToolResult | InputRequiredResult:
        """The result, or what the client is asked for first; a call that the client cancels has ended after this."""
        is_modern = context.protocol_version in MODERN_PROTOCOL_VERSIONS
        asking: asyncio.Task[None] | None = None
        beats = 0
        try:
            while True:
                step = await one.next_step(PROGRESS_S)
                if isinstance(step, CallToolResult):
                    return step
                if step is None:
                    beats += 1
                    doing = self._serving.doing if self._serving is not None else "starting"
                    await context.session.report_progress(beats, message=doing or "waiting for the call before")
                elif is_modern:
                    state = uuid.uuid4().hex
                    self._asked[state] = one
                    return InputRequiredResult(input_requests={_QUESTION: step.request}, request_state=state)
                else:
                    asking = asyncio.create_task(Client(context).answer(step))
        except asyncio.CancelledError:
            with anyio.CancelScope(shield=True):
                await one.cancel()
            raise
        finally:
            if asking is not None:
                asking.cancel()

    async def _work(self, one: OpenCall, context: Context, params: CallToolRequestParams) -> CallToolResult:
        client = Client(context)
        reach = one.reach if self.asks and client.can_ask else None
        try:
            serving = await self._opened(client.name)
            answered = await serving.call(
                params.name, params.arguments or {}, reach, lambda paths: client.allowed(one, self.files, paths)
            )
            focus = serving.focus_in(answered.observation) if answered.observation else None
            return await result_of(answered, serving.record, focus)
        except AppError as error:
            return failure(f"Not done: {error.message}")

    async def _opened(self, client: str) -> Serving:
        async with self._opening:
            if self._serving is None:
                self._serving = await self.open_serving(client)
            return self._serving


async def serve(server: BrowserServer, pipes: Pipes, instructions: str) -> None:
    """Serve until the client leaves or the program is told to end."""
    protocol: Server[dict[str, Any]] = Server(
        "pilotfish",
        version=__version__,
        instructions=instructions,
        on_list_tools=server.tools,
        on_call_tool=server.call,
    )
    output = Output(pipes.going)
    serving = asyncio.create_task(_exchange(protocol, pipes, output))
    _on_signals(serving.cancel)
    try:
        await asyncio.wait([serving])
        if not serving.cancelled():
            serving.result()
    finally:
        await server.close()
        await output.close(LAST_LINES_S)


async def _exchange(protocol: Server[dict[str, Any]], pipes: Pipes, output: Output) -> None:
    streams = stdio_server(stdin=cast(Any, Lines(pipes.coming)), stdout=cast(Any, output))
    async with streams as (read, write):
        await protocol.run(read, write, protocol.create_initialization_options())


def _on_signals(end: Callable[[], object]) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        if sys.platform == "win32":
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(end))
        else:
            loop.add_signal_handler(number, end)


def _tool(spec: ToolSpec) -> Tool:
    schema = json.loads(spec.schema)
    if named := FILE_ARGUMENTS.get(spec.name):
        schema["properties"][named]["description"] = FILE_WORDS[spec.name]
    return Tool(
        name=spec.name,
        description=spec.description,
        input_schema=schema,
        annotations=ToolAnnotations(read_only_hint=spec.name in LOOKS, open_world_hint=True),
    )
