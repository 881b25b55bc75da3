"""The Anthropic Messages wire."""

from collections.abc import Callable, Mapping
from typing import Any

import httpx2

from app.domain.ids import ToolCallId
from app.domain.messages import Request
from app.providers import anthropic_convert
from app.providers.anthropic_turn import AnthropicTurn
from app.providers.endpoint import Endpoint
from app.providers.wire_json import JsonObject

_NO_KEY = "no-key"  # the SDK wants one, and would look for another in the environment


class AnthropicWire:
    """Speaks through the Anthropic SDK."""

    sdk = "anthropic"
    path = "/v1/messages"
    models_path = "/v1/models?limit=1000"
    binds_reasoning = True

    def client(self, sdk: Any, endpoint: Endpoint, key: str, http: httpx2.AsyncClient) -> Any:
        return sdk.AsyncAnthropic(
            api_key=key or _NO_KEY, base_url=endpoint.base_url, max_retries=0, timeout=http.timeout, http_client=http
        )

    def errors(self, sdk: Any) -> type[Exception]:
        found: type[Exception] = sdk.AnthropicError
        return found

    def body(self, request: Request, refused: frozenset[str], clean: Callable[[str], str]) -> JsonObject:
        return anthropic_convert.body_of(request, refused, clean)

    def droppable(self, body: JsonObject) -> Mapping[str, tuple[str, ...]]:
        return anthropic_convert.droppable(body)

    def exchangeable(self, body: JsonObject) -> Mapping[str, str]:
        return {}

    def turn(self, model: str, turn_id: str, taken_ids: frozenset[ToolCallId]) -> AnthropicTurn:
        return AnthropicTurn(model, turn_id, taken_ids)
