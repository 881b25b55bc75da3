"""A model behind any wire: one call a turn, sent again only when the endpoint refused a field that can be left out."""

import asyncio
import uuid
from collections.abc import Callable, Mapping
from contextlib import aclosing
from importlib import import_module
from typing import Any, Protocol

import httpx2

from app.domain.ids import ToolCallId
from app.domain.messages import AssistantMessage, Economy, ModelTurn, Request
from app.guard.redact import redact
from app.providers import faults, network, refusals
from app.providers.endpoint import Endpoint, limits_of
from app.providers.lessons import LessonBook, lesson_of
from app.providers.wire_json import JsonObject, as_items, as_object, as_text

_MOST_TRIES = 8  # one for each thing an endpoint may not take


class Turn(Protocol):
    """An answer that grows."""

    @property
    def has_content(self) -> bool: ...

    @property
    def is_whole(self) -> bool: ...

    def add(self, event: JsonObject, /) -> str: ...

    def turn(self) -> ModelTurn: ...


class Wire(Protocol):
    """What differs from wire to wire."""

    @property
    def sdk(self) -> str:
        """The module that speaks it; loaded with the first call."""

    @property
    def path(self) -> str:
        """Where turns are asked for."""

    @property
    def models_path(self) -> str: ...

    @property
    def binds_reasoning(self) -> bool:
        """Whether reasoning that is sent back is bound to the exact prefix it was made under."""

    def client(self, sdk: Any, endpoint: Endpoint, key: str, http: httpx2.AsyncClient) -> Any:
        """The SDK's client, without retries of its own."""

    def errors(self, sdk: Any) -> type[Exception]:
        """What all errors of the SDK are."""

    def body(self, request: Request, refused: frozenset[str], clean: Callable[[str], str]) -> JsonObject: ...

    def droppable(self, body: JsonObject) -> Mapping[str, tuple[str, ...]]: ...

    def exchangeable(self, body: JsonObject) -> Mapping[str, str]:
        """Droppable fields whose value can be exchanged for another one."""

    def turn(self, model: str, turn_id: str, taken_ids: frozenset[ToolCallId]) -> Turn: ...


class WireModel:
    """Implements the port `Model` over a wire."""

    def __init__(
        self, wire: Wire, endpoint: Endpoint, key: str, *, lessons: LessonBook | None = None, time_scale: float = 1.0
    ) -> None:
        self._wire = wire
        self._endpoint = endpoint
        self._key = key
        self._lessons = lessons or LessonBook()
        self._limits = limits_of(endpoint, time_scale)
        self._client: Any = None
        self._sdk: Any = None

    @property
    def provider(self) -> str:
        return self._endpoint.provider

    @property
    def economy(self) -> Economy:
        return Economy(binds_reasoning=self._wire.binds_reasoning)

    async def answer(self, request: Request, on_text: Callable[[str], None]) -> ModelTurn:
        await self._open()
        for _ in range(_MOST_TRIES):
            refused = self._lessons.refused(self._endpoint.base_url, request.model)
            body = self._wire.body(request, refused, self._clean)
            turn = self._wire.turn(request.model, uuid.uuid4().hex[:12], _ids_of(request))
            if await self._ask(body, turn, on_text):
                return turn.turn()
        raise refusals.by_status(400, None, self._endpoint, request.model)

    async def models(self) -> tuple[str, ...]:
        await self._open()
        try:
            async with asyncio.timeout(self._limits.first_byte_s):
                found = as_object(await self._client.get(self._wire.models_path, cast_to=object))
        except self._foreign_errors() as exc:
            raise faults.provider_error(exc, self._endpoint, "this model") from exc
        return tuple(as_text(as_object(item).get("id")) for item in as_items(found.get("data")))

    async def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _ask(self, body: JsonObject, turn: Turn, on_text: Callable[[str], None]) -> bool:
        """One call; False when the endpoint refused something that can be left out, which is then remembered."""
        model = as_text(body["model"])
        try:
            await self._stream(body, turn, on_text)
        except self._foreign_errors() as exc:
            if turn.is_whole or (turn.has_content and faults.broke_off(exc)):
                return True
            lesson = self._lesson_of(exc, body)
            if lesson is None:
                raise faults.provider_error(exc, self._endpoint, model) from exc
            self._lessons.learn(self._endpoint.base_url, model, lesson)
            return False
        return True

    async def _stream(self, body: JsonObject, turn: Turn, on_text: Callable[[str], None]) -> None:
        stream_type = self._sdk.AsyncStream[object]
        opening = self._client.post(self._wire.path, cast_to=object, body=body, stream=True, stream_cls=stream_type)
        stream = network.events(opening, self._endpoint, self._limits, lambda: turn.is_whole)
        async with aclosing(stream) as events:
            async for event in events:
                if event.get("error"):
                    raise refusals.by_error_object(event, self._endpoint, as_text(body["model"]))
                if text := turn.add(event):
                    on_text(text)

    async def _open(self) -> None:
        if not (self._key.isascii() and self._key.isprintable()):
            raise faults.impossible_key()
        if self._client is None:
            self._sdk = await asyncio.to_thread(import_module, self._wire.sdk)
            http = network.http_client(self._endpoint, self._limits)
            self._client = self._wire.client(self._sdk, self._endpoint, self._key, http)

    def _lesson_of(self, exc: Exception, body: JsonObject) -> str | None:
        status, answer = getattr(exc, "status_code", 0), getattr(exc, "body", None)
        return lesson_of(status, answer, self._wire.droppable(body), self._wire.exchangeable(body))

    def _foreign_errors(self) -> tuple[type[Exception], ...]:
        return (self._wire.errors(self._sdk), *network.FOREIGN_ERRORS)

    def _clean(self, text: str) -> str:
        return redact(text, (self._key,))


def _ids_of(request: Request) -> frozenset[ToolCallId]:
    messages = (message for message in request.messages if isinstance(message, AssistantMessage))
    return frozenset(call.id for message in messages for call in message.calls)
