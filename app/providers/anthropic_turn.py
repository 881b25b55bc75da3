"""Puts a turn together from what an Anthropic Messages endpoint sends; pure."""

from app.domain.ids import ToolCallId
from app.domain.messages import ModelTurn, StopKind, ToolCall, Usage, WireItems
from app.providers.anthropic_convert import FAMILY, input_of
from app.providers.wire_json import JsonObject, as_count, as_items, as_object, as_text, dump, joined

_STOPS: dict[str, StopKind] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
    "pause_turn": "paused",
}
_GROWING = {"text_delta": "text", "thinking_delta": "thinking", "signature_delta": "signature"}


class AnthropicTurn:
    """Puts one turn together from the events of a stream, or from one whole message."""

    def __init__(self, model: str, turn_id: str, taken_ids: frozenset[ToolCallId] = frozenset()) -> None:
        """`turn_id` makes ids for calls that come without one or with one that an earlier turn used."""
        self._asked_model = model
        self._turn_id = turn_id
        self._taken_ids = taken_ids
        self._message: JsonObject = {}
        self._usage: JsonObject = {}
        self._blocks: dict[int, JsonObject] = {}
        self._arguments: dict[int, str] = {}
        self._open: set[int] = set()
        self._stop = ""

    @property
    def has_content(self) -> bool:
        """Something of an answer has come."""
        return bool(self._blocks)

    @property
    def is_whole(self) -> bool:
        """The terminal mark has come, and no block was left open."""
        return bool(self._stop) and not self._open

    def add(self, event: JsonObject) -> str:
        """Take one event in; returns the new text a person may see."""
        index = as_count(event.get("index"))
        match event.get("type"):
            case "message_start":
                self._take_head(as_object(event.get("message")))
            case "content_block_start":
                return self._start_block(index, as_object(event.get("content_block")))
            case "content_block_delta":
                return self._grow_block(index, as_object(event.get("delta")))
            case "content_block_stop":
                self._open.discard(index)
            case "message_delta":
                self._usage.update(_given(as_object(event.get("usage"))))
                self._stop = as_text(as_object(event.get("delta")).get("stop_reason")) or self._stop
            case "message":
                return self._take_whole(event)
        return ""

    def turn(self) -> ModelTurn:
        """The turn as far as it came. Calls of a cut turn are left out: their arguments may be cut, too."""
        calls = self._calls()
        content = [self._wire_block(index, calls) for index in sorted(self._blocks)]
        record = {**self._message, "content": content, "stop_reason": self._stop or None, "usage": self._usage}
        return ModelTurn(
            text=joined("".join(as_text(block.get("text")) for block in content if block.get("type") == "text")),
            calls=tuple(calls.values()) if self.is_whole else (),
            stop=self._stop_kind(bool(calls)),
            usage=usage_of(self._usage),
            model=as_text(self._message.get("model")) or self._asked_model,
            wire=WireItems(FAMILY, self._asked_model, joined(dump(record))),
            reasoning_text=joined("".join(as_text(block.get("thinking")) for block in content)),
        )

    def _stop_kind(self, has_calls: bool) -> StopKind:
        if not self.is_whole:
            return "cut"
        stop = _STOPS.get(self._stop, "other")
        if stop == "end" and has_calls:
            return "tool_calls"
        return "other" if stop == "tool_calls" and not has_calls else stop

    def _take_head(self, message: JsonObject) -> None:
        self._message = {name: value for name, value in message.items() if name not in ("content", "usage")}
        self._usage.update(_given(as_object(message.get("usage"))))

    def _take_whole(self, message: JsonObject) -> str:
        self._take_head(message)
        self._stop = as_text(message.get("stop_reason"))
        text = "".join(self._start_block(i, as_object(b)) for i, b in enumerate(as_items(message.get("content"))))
        self._open.clear()
        return text

    def _start_block(self, index: int, block: JsonObject) -> str:
        self._blocks[index] = dict(block)
        self._open.add(index)
        return as_text(block.get("text")) if block.get("type") == "text" else ""

    def _grow_block(self, index: int, delta: JsonObject) -> str:
        block = self._blocks.setdefault(index, {"type": "text"})
        kind = as_text(delta.get("type"))
        if kind == "input_json_delta":
            self._arguments[index] = self._arguments.get(index, "") + as_text(delta.get("partial_json"))
        elif kind == "citations_delta":
            block["citations"] = [*as_items(block.get("citations")), delta.get("citation")]
        elif field := _GROWING.get(kind):
            block[field] = as_text(block.get(field)) + as_text(delta.get(field))
        return as_text(delta.get("text")) if kind == "text_delta" else ""

    def _calls(self) -> dict[int, ToolCall]:
        return {
            index: ToolCall(self._id(index), as_text(block.get("name")), self._arguments_text(index))
            for index, block in sorted(self._blocks.items())
            if block.get("type") == "tool_use"
        }

    def _id(self, index: int) -> ToolCallId:
        given = ToolCallId(as_text(self._blocks[index].get("id")))
        return given if given and given not in self._taken_ids else ToolCallId(f"toolu_{self._turn_id}_{index}")

    def _arguments_text(self, index: int) -> str:
        return joined(self._arguments.get(index, "")) or dump(as_object(self._blocks[index].get("input")))

    def _wire_block(self, index: int, calls: dict[int, ToolCall]) -> JsonObject:
        block = self._blocks[index]
        call = calls.get(index)
        return block if call is None else {**block, "id": call.id, "input": input_of(call)}


def usage_of(usage: JsonObject) -> Usage:
    """Tokens as the server counted them; on this wire the cached ones are counted apart."""
    cached, written = as_count(usage.get("cache_read_input_tokens")), as_count(usage.get("cache_creation_input_tokens"))
    return Usage(
        input_tokens=as_count(usage.get("input_tokens")) + cached + written,
        cached_tokens=cached,
        output_tokens=as_count(usage.get("output_tokens")),
        reasoning_tokens=as_count(as_object(usage.get("output_tokens_details")).get("thinking_tokens")),
    )


def _given(usage: JsonObject) -> JsonObject:
    return {name: value for name, value in usage.items() if value is not None}
