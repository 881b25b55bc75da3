"""Turns a request into an Anthropic Messages body; pure."""

import base64
import re
from collections.abc import Callable, Iterable, Iterator

from app.domain.messages import (
    AssistantMessage,
    Message,
    PictureBlock,
    Request,
    TextBlock,
    ToolCall,
    ToolResultBlock,
    ToolSpec,
    UserMessage,
)
from app.providers.wire_json import JsonObject, as_items, as_object, as_text, object_in

FAMILY = "anthropic"

_CACHED = {"cache_control": {"type": "ephemeral"}}
_MARKED_MESSAGES = 2  # the newest one, and the one before: the provider looks back only 20 blocks from a marker

Clean = Callable[[str], str]


def body_of(request: Request, refused: frozenset[str], clean: Clean) -> JsonObject:
    """The body of one call. `refused` is what the endpoint does not take; `clean` takes secrets out of every text."""
    parts = [list(_message(one, request.model, clean)) for one in request.messages]
    messages = [message for part in parts for message in part]
    body: JsonObject = {"model": request.model, "max_tokens": request.max_output_tokens, "stream": True}
    if request.system:
        body["system"] = [{"type": "text", "text": clean(request.system)}]
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
    body["messages"] = messages
    if "cache_control" not in refused:
        _mark_stable_points(body, sum(map(len, parts[: request.unchanged])))
    body.update({name: value for name, value in _effort(request).items() if name not in refused})
    return body


def droppable(body: JsonObject) -> dict[str, tuple[str, ...]]:
    """The fields of a body that an endpoint may not know, with the words its refusal may name them by."""
    names = {
        "output_config": ("output_config", "output_config.effort", "effort"),
        "thinking": ("thinking", "thinking.type"),
    }
    return {field: words for field, words in names.items() if field in body} | {"cache_control": ("cache_control",)}


def _effort(request: Request) -> JsonObject:
    """The wanted effort; "off" is no thinking and the least effort."""
    if request.effort == "off":
        return {"thinking": {"type": "disabled"}, "output_config": {"effort": "low"}}
    thinking = {"type": "adaptive", "display": "summarized"}
    return {"thinking": thinking, "output_config": {"effort": request.effort}}


def _mark_stable_points(body: JsonObject, unchanged: int) -> None:
    """The provider keeps what stands before a marker: tools with the system prompt, and all that was said so far.

    After an edit the last message before it is marked as well: it was the newest once, and is kept since then.
    """
    for block in body.get("system", [])[-1:]:
        block.update(_CACHED)
    said = [message for message in body["messages"] if message["role"] == "user"]
    before = [message for message in body["messages"][:unchanged] if message["role"] == "user"]
    for message in (*before[-1:], *said[-_MARKED_MESSAGES:]):
        message["content"][-1].update(_CACHED)


def _message(message: Message, model: str, clean: Clean) -> Iterator[JsonObject]:
    if isinstance(message, UserMessage):
        role, content = "user", list(_said(message, clean))
    else:
        role, content = "assistant", _replayed(message, model, clean) or list(_rebuilt(message, clean))
    if content:
        yield {"role": role, "content": content}


def _replayed(message: AssistantMessage, model: str, clean: Clean) -> list[JsonObject]:
    """The blocks as they came, thinking included; only empty texts are left out, which the wire does not take back."""
    wire = message.wire
    if wire is None or (wire.family, wire.model) != (FAMILY, model):
        return []
    blocks = map(as_object, as_items(as_object(object_in(clean(wire.json))).get("content")))
    return [block for block in blocks if block.get("type") != "text" or as_text(block.get("text")).strip()]


def _rebuilt(message: AssistantMessage, clean: Clean) -> Iterator[JsonObject]:
    if message.text.strip():
        yield {"type": "text", "text": clean(message.text)}
    for call in message.calls:
        yield {"type": "tool_use", "id": _id(call.id), "name": call.name, "input": input_of(call, clean)}


def input_of(call: ToolCall, clean: Clean = str) -> JsonObject:
    """The arguments as an object, which this wire insists on."""
    arguments = clean(call.arguments)
    parsed = object_in(arguments)
    return {"unreadable": arguments} if parsed is None else parsed


def _said(message: UserMessage, clean: Clean) -> Iterator[JsonObject]:
    """Results first, as the wire wants them, then the rest in its order."""
    for block in message.content:
        if isinstance(block, ToolResultBlock):
            yield _result(block, clean)
    yield from _plain([block for block in message.content if not isinstance(block, ToolResultBlock)], clean)


def _result(result: ToolResultBlock, clean: Clean) -> JsonObject:
    content = list(_plain(result.content, clean))
    error = {"is_error": True} if result.is_error else {}
    return {"type": "tool_result", "tool_use_id": _id(result.call), "content": content, **error}


def _plain(blocks: Iterable[TextBlock | PictureBlock], clean: Clean) -> Iterator[JsonObject]:
    for block in blocks:
        if isinstance(block, PictureBlock):
            data = base64.b64encode(block.data).decode("ascii")
            yield {"type": "image", "source": {"type": "base64", "media_type": block.mime, "data": data}}
        elif block.text.strip():
            yield {"type": "text", "text": clean(block.text)}


def _tool(tool: ToolSpec) -> JsonObject:
    return {"name": tool.name, "description": tool.description, "input_schema": object_in(tool.schema) or {}}


def _id(call: str) -> str:
    """Ids of other providers may hold characters that this wire does not take."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", call)
