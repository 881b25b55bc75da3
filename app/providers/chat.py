"""The OpenAI Chat Completions wire, at any base URL."""

from collections.abc import Callable, Mapping
from typing import Any

import httpx2

from app.domain.ids import ToolCallId
from app.domain.messages import Request
from app.providers import chat_convert
from app.providers.chat_turn import ChatTurn
from app.providers.endpoint import Endpoint
from app.providers.wire_json import JsonObject, as_text

_NO_KEY = "no-key"  # the SDK wants one; servers on this machine do not look at it


class ChatWire:
    """Speaks through the OpenAI SDK."""

    sdk = "openai"
    path = "/chat/completions"
    models_path = "/models"
    binds_reasoning = False

    def __init__(self, *, limit_field: str = "max_tokens") -> None:
        """OpenAI's own newer models take the output limit only as `max_completion_tokens`."""
        self._limit_field = limit_field

    def client(self, sdk: Any, endpoint: Endpoint, key: str, http: httpx2.AsyncClient) -> Any:
        client = sdk.AsyncOpenAI(
            api_key=key or _NO_KEY, base_url=endpoint.base_url, max_retries=0, timeout=http.timeout, http_client=http
        )
        # The environment's organisation belongs to the environment's key, which is not used.
        client.organization = client.project = None
        return client

    def errors(self, sdk: Any) -> type[Exception]:
        found: type[Exception] = sdk.OpenAIError
        return found

    def body(self, request: Request, refused: frozenset[str], clean: Callable[[str], str]) -> JsonObject:
        return chat_convert.body_of(request, refused, clean, limit_field=self._limit_field)

    def droppable(self, body: JsonObject) -> Mapping[str, tuple[str, ...]]:
        return chat_convert.droppable(body)

    def exchangeable(self, body: JsonObject) -> Mapping[str, str]:
        return {"reasoning_effort": as_text(body.get("reasoning_effort"))}

    def turn(self, model: str, turn_id: str, taken_ids: frozenset[ToolCallId]) -> ChatTurn:
        return ChatTurn(model, turn_id, taken_ids)
