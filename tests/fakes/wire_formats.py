"""How the two wires write an answer, an event, an error; the server beside it sends it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.fakes.wire_replies import Answer, Wire

Json = dict[str, Any]


def texts_of(content: Any) -> list[str]:
    """The texts of a message's content on either wire, results of calls included."""
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else []
    return [text for part in parts for text in ([part["text"]] if "text" in part else texts_of(part.get("content")))]


def text_of(content: Any) -> str:
    return "\n".join(texts_of(content))


def event(wire: Wire, name: str, data: Json | str) -> bytes:
    """One server-sent event."""
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    head = f"event: {name}\n" if wire == "anthropic" else ""
    return f"{head}data: {text}\n\n".encode()


def error(wire: Wire, kind: str, message: str, code: int | str | None = None) -> Json:
    if wire == "anthropic":
        return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}
    return {"error": {"message": message, "type": kind, "param": None, "code": code}}


def model_list(models: Sequence[str]) -> Json:
    """Both wires find their fields here."""
    data = [{"id": one, "object": "model", "type": "model", "display_name": one, "created": 0} for one in models]
    return {"object": "list", "data": data, "has_more": False, "first_id": None, "last_id": None}


def marks_whole(wire: Wire) -> int:
    """Where a stream's list of events must end to hold the terminal mark but not what follows it."""
    return -2 if wire == "openai-chat" else -1


def stream(wire: Wire, answer: Answer, model: str, number: int, body: Json) -> list[bytes]:
    """All events of a streamed answer."""
    if wire == "anthropic":
        return _anthropic_stream(answer, model, number)
    return _chat_stream(answer, model, number, body)


def whole(wire: Wire, answer: Answer, model: str, number: int) -> Json:
    """The answer as one object."""
    return _anthropic_whole(answer, model, number) if wire == "anthropic" else _chat_whole(answer, model, number)


def _pieces(text: str, size: int) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


def _chat_stream(answer: Answer, model: str, number: int, body: Json) -> list[bytes]:
    base = {"id": f"chatcmpl-{number}", "object": "chat.completion.chunk", "created": 1, "model": model}

    def chunk(delta: Json, finish: str | None = None) -> bytes:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        return event("openai-chat", "", {**base, "choices": [choice]})

    events = [chunk({"role": "assistant", "content": ""})]
    events += [chunk({"reasoning_content": piece}) for piece in _pieces(answer.reasoning, answer.piece)]
    events += [chunk({"reasoning_details": details}) for details in _details(answer)]
    events += [chunk({"content": piece}) for piece in _pieces(answer.text, answer.piece)]
    for index, call in enumerate(answer.calls):
        function = {"name": call.name, "arguments": ""}
        call_id = call.id or f"call_{number}_{index}"
        events.append(
            chunk({"tool_calls": [{"index": index, "id": call_id, "type": "function", "function": function}]})
        )
        for piece in _pieces(call.arguments_text, answer.piece):
            events.append(chunk({"tool_calls": [{"index": index, "function": {"arguments": piece}}]}))
    events.append(chunk({}, answer.finish or ("tool_calls" if answer.calls else "stop")))
    if body.get("stream_options", {}).get("include_usage"):
        events.append(event("openai-chat", "", {**base, "choices": [], "usage": _chat_usage(answer)}))
    return [*events, event("openai-chat", "", "[DONE]")]


def _chat_whole(answer: Answer, model: str, number: int) -> Json:
    message: Json = {"role": "assistant", "content": answer.text or None}
    if answer.reasoning:
        message["reasoning_content"] = answer.reasoning
    for details in _details(answer):
        message["reasoning_details"] = details
    if answer.calls:
        message["tool_calls"] = [
            {
                "id": call.id or f"call_{number}_{index}",
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments_text},
            }
            for index, call in enumerate(answer.calls)
        ]
    finish = answer.finish or ("tool_calls" if answer.calls else "stop")
    choices = [{"index": 0, "message": message, "finish_reason": finish}]
    head = {"id": f"chatcmpl-{number}", "object": "chat.completion", "created": 1, "model": model}
    return {**head, "choices": choices, "usage": _chat_usage(answer)}


def _details(answer: Answer) -> list[list[Json]]:
    """Reasoning as gateways write it that must have it back as it was: once, when it has a signature."""
    detail = {"type": "reasoning.text", "text": answer.reasoning, "signature": answer.signature, "index": 0}
    return [[detail]] if answer.signature else []


def _chat_usage(answer: Answer) -> Json:
    tokens = answer.tokens
    return {
        "prompt_tokens": tokens.prompt,
        "completion_tokens": tokens.completion,
        "total_tokens": tokens.prompt + tokens.completion,
        "prompt_tokens_details": {"cached_tokens": tokens.cached},
        "completion_tokens_details": {"reasoning_tokens": tokens.reasoning},
    }


def _anthropic_stream(answer: Answer, model: str, number: int) -> list[bytes]:
    whole = _anthropic_whole(answer, model, number)
    start = {**whole, "content": [], "stop_reason": None, "usage": {**whole["usage"], "output_tokens": 1}}
    events = [_named("message_start", message=start), _named("ping")]
    arguments = iter([call.arguments_text for call in answer.calls])
    for index, block in enumerate(whole["content"]):
        written = next(arguments) if block["type"] == "tool_use" else ""
        events += _anthropic_block(index, block, written, answer.piece)
    delta = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    usage = {k: v for k, v in whole["usage"].items() if k.startswith("output")}
    events.append(_named("message_delta", delta=delta, usage=usage))
    return [*events, _named("message_stop")]


def _anthropic_block(index: int, block: Json, arguments: str, size: int) -> list[bytes]:
    match block["type"]:
        case "thinking":
            empty = {"type": "thinking", "thinking": "", "signature": ""}
            deltas = [{"type": "thinking_delta", "thinking": one} for one in _pieces(block["thinking"], size)]
            deltas.append({"type": "signature_delta", "signature": block["signature"]})
        case "text":
            empty = {"type": "text", "text": ""}
            deltas = [{"type": "text_delta", "text": one} for one in _pieces(block["text"], size)]
        case _:
            empty = {**block, "input": {}}
            deltas = [{"type": "input_json_delta", "partial_json": one} for one in ["", *_pieces(arguments, size)]]
    events = [_named("content_block_start", index=index, content_block=empty)]
    events += [_named("content_block_delta", index=index, delta=delta) for delta in deltas]
    return [*events, _named("content_block_stop", index=index)]


def _anthropic_whole(answer: Answer, model: str, number: int) -> Json:
    content: list[Json] = []
    if answer.reasoning:
        signature = answer.signature or f"c2lnbmF0dXJl{number}"
        content.append({"type": "thinking", "thinking": answer.reasoning, "signature": signature})
    if answer.text:
        content.append({"type": "text", "text": answer.text})
    for index, call in enumerate(answer.calls):
        try:
            parsed = json.loads(call.arguments_text or "{}")
        except ValueError:
            parsed = {}
        call_id = call.id or f"toolu_{number}_{index}"
        content.append({"type": "tool_use", "id": call_id, "name": call.name, "input": parsed})
    return {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": answer.finish or ("tool_use" if answer.calls else "end_turn"),
        "stop_sequence": None,
        "usage": _anthropic_usage(answer),
    }


def _anthropic_usage(answer: Answer) -> Json:
    tokens = answer.tokens
    return {
        "input_tokens": tokens.prompt - tokens.cached - tokens.cache_written,
        "cache_read_input_tokens": tokens.cached,
        "cache_creation_input_tokens": tokens.cache_written,
        "output_tokens": tokens.completion,
        "output_tokens_details": {"thinking_tokens": tokens.reasoning},
    }


def _named(name: str, **data: Any) -> bytes:
    return event("anthropic", name, {"type": name, **data})
