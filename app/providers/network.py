"""Carries calls to an endpoint: a client that follows no redirect, streams that may not fall silent."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Protocol

import httpx2

from app.providers import faults
from app.providers.endpoint import Endpoint, Limits
from app.providers.wire_json import JsonObject, as_object

# What may come up from under an SDK while a stream is read, beside the SDK's own errors.
FOREIGN_ERRORS = (
    httpx2.HTTPError,
    httpx2.InvalidURL,
    httpx2.StreamError,
    json.JSONDecodeError,
    UnicodeError,
    OSError,
)


class EventStream(Protocol):
    """The stream of an SDK: JSON of one event after another, and the answer it is read from."""

    @property
    def response(self) -> httpx2.Response: ...

    def __aiter__(self) -> AsyncIterator[object]: ...

    async def close(self) -> None: ...


def http_client(endpoint: Endpoint, limits: Limits) -> httpx2.AsyncClient:
    """A client that sends a key to no address but the endpoint's own; loopback goes round any proxy."""
    return httpx2.AsyncClient(timeout=timeouts(limits), follow_redirects=False, trust_env=not endpoint.is_loopback)


def timeouts(limits: Limits) -> httpx2.Timeout:
    """The limits in the form of the HTTP library."""
    return httpx2.Timeout(
        connect=limits.connect_s, read=limits.silence_s, write=limits.silence_s, pool=limits.connect_s
    )


async def events(
    opening: Awaitable[EventStream], endpoint: Endpoint, limits: Limits, is_complete: Callable[[], bool]
) -> AsyncGenerator[JsonObject, None]:
    """The events of a stream, or the one object of a server that does not stream.

    When `is_complete` says that the terminal mark has come, the rest is waited for only briefly.
    Close it at once when done or cancelled. Raises ProviderError for silence and web pages, else what the SDK raises.
    """
    stream = await _first_byte(opening, endpoint, limits)
    try:
        if _is_whole(stream.response):
            yield await _whole(stream.response, endpoint)
            return
        async with aclosing(_paced(stream, endpoint, limits, is_complete)) as paced:
            async for event in paced:
                yield event
    finally:
        await stream.close()


async def _first_byte(opening: Awaitable[EventStream], endpoint: Endpoint, limits: Limits) -> EventStream:
    waiting = asyncio.timeout(limits.first_byte_s)
    try:
        async with waiting:
            return await opening
    except TimeoutError:
        if waiting.expired():
            raise faults.silence(endpoint, limits.first_byte_s) from None
        raise


async def _paced(
    stream: EventStream, endpoint: Endpoint, limits: Limits, is_complete: Callable[[], bool]
) -> AsyncGenerator[JsonObject, None]:
    source = aiter(stream)
    limit = limits.first_event_s
    while True:
        waiting = asyncio.timeout(limits.tail_s if is_complete() else limit)
        try:
            async with waiting:
                event = await anext(source)
        except StopAsyncIteration:
            return
        except TimeoutError:
            if not waiting.expired():
                raise
            if is_complete():
                return
            raise faults.silence(endpoint, limit) from None
        yield as_object(event)
        limit = limits.event_s


def _is_whole(response: httpx2.Response) -> bool:
    kind = response.headers.get("content-type", "")
    return "json" in kind or "html" in kind


async def _whole(response: httpx2.Response, endpoint: Endpoint) -> JsonObject:
    body = await response.aread()
    if "html" in response.headers.get("content-type", "") or body.lstrip().startswith(b"<"):
        raise faults.web_page(endpoint)
    return as_object(json.loads(body))
