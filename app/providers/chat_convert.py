"""Turns a request into an OpenAI Chat Completions body; pure."""

import base64
from collections.abc import Callable, Iterable, Iterator

from app.domain.messages import (
    AssistantMessage,
    Message,
    PictureBlock,
    Request,
    TextBlock,
    ToolResultBlock,
    ToolSpec,
    UserMessage,
)
from app.providers.seeing import PICTURES
from app.providers.wire_json import JsonObject, as_items, as_object, dump, object_in

FAMILY = "openai-chat"

_REPLAYED_REASONING = ("reasoning_content", "reasoning_details", "reasoning")
_EFFORTS = {"off": ("none", "minimal", "low"), "low": ("low",), "medium": ("medium",), "high": ("high",)}

Clean = Callable[[str], str]


def body_of(request: Request, refused: frozenset[str], clean: Clean, *, limit_field: str = "max_tokens") -> JsonObject:
    """The body of one call. `refused` is what the endpoint does not take; `clean` takes secrets out of every text."""
    body: JsonObject = {"model": request.model, "messages": _messages(request, refused, clean), "stream": True}
    if request.tools:
        body["tools"] = [_tool(tool) for tool in request.tools]
    optional = {"stream_options": {"include_usage": True}, "reasoning_effort": _effort(request, refused)}
    body.update({name: value for name, value in optional.items() if value and name not in refused})
    body.update(_limit(request, refused, limit_field))
    return body


def droppable(body: JsonObject) -> dict[str, tuple[str, ...]]:
    """The fields of a body that an endpoint may not know, with the words its refusal may name them by."""
    names = {
        "stream_options": ("stream_options", "include_usage"),
        "reasoning_effort": ("reasoning_effort", "thinking"),
        "max_completion_tokens": ("max_completion_tokens",),
        "max_tokens": ("max_tokens",),
    }
    sent = {field: words for field, words in names.items() if field in body}
    if any(part.get("type") == PICTURES for message in body["messages"] for part in map(as_object, _parts_of(message))):
        sent[PICTURES] = (PICTURES, "image", "images", "image input", "vision", "multimodal")
    replayed = {field for message in body["messages"] for field in _REPLAYED_REASONING if field in message}
    return sent | {field: (field,) for field in _REPLAYED_REASONING if field in replayed}


def _parts_of(message: JsonObject) -> list[object]:
    content = message.get("content")
    return content if isinstance(content, list) else []


def _messages(request: Request, refused: frozenset[str], clean: Clean) -> list[JsonObject]:
    messages: list[JsonObject] = []
    if request.system:
        messages.append({"role": "system", "content": clean(request.system)})
    for message in request.messages:
        messages.extend(_message(message, request.model, refused, clean))
    return messages


def _message(message: Message, model: str, refused: frozenset[str], clean: Clean) -> Iterator[JsonObject]:
    if isinstance(message, UserMessage):
        yield from _user(message, refused, clean)
    elif message.text or message.calls:
        yield _replayed(message, model, refused, clean) or _rebuilt(message, clean)


def _replayed(message: AssistantMessage, model: str, refused: frozenset[str], clean: Clean) -> JsonObject | None:
    wire = message.wire
    if wire is None or (wire.family, wire.model) != (FAMILY, model):
        return None
    sent = as_object(as_object(object_in(clean(wire.json))).get("message"))
    kept = {name: value for name, value in sent.items() if name not in refused}
    for call in map(as_object, as_items(kept.get("tool_calls"))):
        call["function"]["arguments"] = _readable(call["function"]["arguments"])
    return kept or None


def _rebuilt(message: AssistantMessage, clean: Clean) -> JsonObject:
    rebuilt: JsonObject = {"role": "assistant", "content": clean(message.text) or None}
    if message.calls:
        rebuilt["tool_calls"] = [
            {"id": c.id, "type": "function", "function": {"name": c.name, "arguments": clean(_readable(c.arguments))}}
            for c in message.calls
        ]
    return rebuilt


def _user(message: UserMessage, refused: frozenset[str], clean: Clean) -> Iterator[JsonObject]:
    """Results first, each as a message of its own; then what the person said, with the pictures of the results."""
    parts: list[JsonObject] = []
    for block in message.content:
        if isinstance(block, ToolResultBlock):
            yield {"role": "tool", "tool_call_id": block.call, "content": clean(_text(block.content)) or "(no text)"}
            parts.extend(_pictures(block, refused))
    for block in message.content:
        if isinstance(block, TextBlock):
            parts.append({"type": "text", "text": clean(block.text)})
        elif isinstance(block, PictureBlock):
            parts.append(_picture(block, refused))
    if len(parts) == 1 and parts[0]["type"] == "text":
        yield {"role": "user", "content": parts[0]["text"]}
    elif parts:  # each a part of its own: what is said later must not change what was sent
        yield {"role": "user", "content": parts}


def _text(blocks: Iterable[TextBlock | PictureBlock]) -> str:
    return "\n\n".join(block.text for block in blocks if isinstance(block, TextBlock))


def _pictures(result: ToolResultBlock, refused: frozenset[str]) -> Iterator[JsonObject]:
    for block in result.content:
        if isinstance(block, PictureBlock):
            label = f"Picture {block.label}, in" if block.label else "Picture in"
            yield {"type": "text", "text": f"{label} the result of {result.call}:"}
            yield _picture(block, refused)


def _picture(block: PictureBlock, refused: frozenset[str]) -> JsonObject:
    if PICTURES in refused:
        return {"type": "text", "text": "(a picture, which this model does not take; look can tell what is on it)"}
    data = base64.b64encode(block.data).decode("ascii")
    return {"type": "image_url", "image_url": {"url": f"data:{block.mime};base64,{data}"}}


def _tool(tool: ToolSpec) -> JsonObject:
    function = {"name": tool.name, "description": tool.description, "parameters": object_in(tool.schema) or {}}
    return {"type": "function", "function": function}


def _effort(request: Request, refused: frozenset[str]) -> str:
    """The wanted effort; "off" is the lowest one that has not been refused."""
    return next((value for value in _EFFORTS[request.effort] if f"reasoning_effort={value}" not in refused), "")


def _limit(request: Request, refused: frozenset[str], first: str) -> JsonObject:
    names = (first, "max_completion_tokens" if first == "max_tokens" else "max_tokens")
    return next(({name: request.max_output_tokens} for name in names if name not in refused), {})


def _readable(arguments: str) -> str:
    """Servers that parse arguments would refuse what is no JSON object; it is sent as a note of what was written."""
    return arguments or "{}" if object_in(arguments) is not None else dump({"unreadable": arguments})
