"""Finds model servers that run on this machine."""

import asyncio
from collections.abc import Sequence

import httpx2

from app.providers.wire_json import as_items, as_object, as_text

LOCAL_SERVERS = (
    ("Ollama", 11434),
    ("LM Studio", 1234),
    ("llama.cpp", 8080),
    ("vLLM", 8000),
)

_LIMIT_S = 0.5

LocalServer = tuple[str, str, tuple[str, ...]]  # name, base URL, models


async def probe_local(servers: Sequence[tuple[str, int]] = LOCAL_SERVERS) -> tuple[LocalServer, ...]:
    """The servers that answer within half a second with at least one model; asks loopback only, all at once."""
    async with httpx2.AsyncClient(timeout=_LIMIT_S, trust_env=False, follow_redirects=False) as client:
        found = await asyncio.gather(*(_ask(client, name, f"http://127.0.0.1:{port}/v1") for name, port in servers))
    return tuple(server for server in found if server is not None)


async def _ask(client: httpx2.AsyncClient, name: str, base_url: str) -> LocalServer | None:
    try:
        async with asyncio.timeout(_LIMIT_S):
            response = await client.get(f"{base_url}/models")
            listed = as_items(as_object(response.json()).get("data")) if response.is_success else []
    except (httpx2.HTTPError, TimeoutError, ValueError):
        return None
    models = tuple(filter(None, (as_text(as_object(item).get("id")) for item in listed)))
    return (name, base_url, models) if models else None
