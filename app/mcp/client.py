"""The client as the server sees it: what it is called, what it can be asked, which folders it offers."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types import ElicitRequest, ElicitResult, ListRootsRequest, ListRootsResult
from pydantic import ValidationError

from app.agent.control import NeedsPerson
from app.mcp.calls import OpenCall, Wish
from app.mcp.folders import allowed_paths, folder_of

_NAME_LENGTH = 60
_ROOTS_LIMIT_S = 10.0


@dataclass(frozen=True, slots=True)
class Client:
    """One request of the client, and the way back to it."""

    context: ServerRequestContext[dict[str, Any], Any]

    @property
    def name(self) -> str:
        params = self.context.session.client_params
        if params is None:
            return "A program"
        info = params.client_info
        return f"{info.title or info.name} {info.version}".strip()[:_NAME_LENGTH] or "A program"

    @property
    def can_ask(self) -> bool:
        """Whether it can put a question with a form to the person."""
        able = self.context.session.client_capabilities
        found = able.elicitation if able is not None else None
        return found is not None and (found.form is not None or found.url is None)

    async def answer(self, wish: Wish) -> None:
        """Ask the client and wait for what it says, as the older protocol has it."""
        is_question = isinstance(wish.request, ElicitRequest)
        kind: type[ElicitResult | ListRootsResult] = ElicitResult if is_question else ListRootsResult
        related = ServerMessageMetadata(related_request_id=self.context.request_id)
        try:
            wish.take(await self.context.session.send_request(wish.request, kind, metadata=related))
        except (MCPError, ValidationError):
            wish.take(None)

    async def allowed(self, call: OpenCall, files: Path | None, wanted: Sequence[str]) -> tuple[str, ...] | str:
        """The paths as they may be uploaded, or why not."""
        folders = [files] if files is not None else []
        found = allowed_paths(wanted, folders)
        able = self.context.session.client_capabilities
        if isinstance(found, str) and able is not None and able.roots is not None:
            found = allowed_paths(wanted, [*folders, *await self._roots(call)])
        return found

    async def _roots(self, call: OpenCall) -> list[Path]:
        try:
            said = await call.ask(ListRootsRequest(), limit_s=_ROOTS_LIMIT_S)
        except NeedsPerson:
            return []
        roots = said.roots if isinstance(said, ListRootsResult) else []
        return [folder for root in roots if (folder := folder_of(str(root.uri))) is not None]
