"""Puts a turn together from what an OpenAI Chat Completions endpoint sends; pure."""

from app.domain.ids import ToolCallId
from app.domain.messages import ModelTurn, StopKind, ToolCall, Usage, WireItems
from app.providers.chat_convert import FAMILY
from app.providers.wire_json import JsonObject, as_count, as_items, as_object, as_text, dump, joined

_STOPS: dict[str, StopKind] = {
    "stop": "end",
    "tool_calls": "tool_calls",
    "function_call": "tool_calls",
    "length": "length",
    "content_filter": "refusal",
}


class ChatTurn:
    """Puts one turn together from the chunks of a stream, or from one whole completion."""

    def __init__(self, model: str, turn_id: str, taken_ids: frozenset[ToolCallId] = frozenset()) -> None:
        """`turn_id` makes ids for calls that come without one or with one that an earlier turn used."""
        self._asked_model = model
        self._turn_id = turn_id
        self._taken_ids = taken_ids
        self._answer: JsonObject = {}
        self._message: JsonObject = {"role": "assistant", "content": ""}
        self._calls: list[JsonObject] = []
        self._current: dict[int, int] = {}
        self._thoughts: list[str] = []
        self._finish = ""

    @property
    def has_content(self) -> bool:
        """Something of an answer has come."""
        return bool(self._message["content"] or self._calls or self._thoughts)

    @property
    def is_whole(self) -> bool:
        """The terminal mark has come."""
        return bool(self._finish)

    def add(self, chunk: JsonObject) -> str:
        """Take one chunk in; returns the new text a person may see."""
        for name in ("id", "model", "system_fingerprint", "service_tier", "provider", "usage"):
            if chunk.get(name) is not None:
                self._answer[name] = chunk[name]
        text = ""
        for choice in map(as_object, as_items(chunk.get("choices"))):
            if not as_count(choice.get("index")):
                text += self._add_delta(as_object(choice.get("delta") or choice.get("message")))
                self._finish = _mark(choice.get("finish_reason")) or self._finish
        return text

    def turn(self) -> ModelTurn:
        """The turn as far as it came. Calls of a cut turn are left out: their arguments may be cut, too."""
        text = joined(self._message["content"]) or joined(as_text(self._message.get("refusal")))
        message = {**self._message, "content": joined(self._message["content"]) or None}
        calls = tuple(self._call(number, call) for number, call in enumerate(self._calls))
        if calls:
            message["tool_calls"] = [_wire_call(call, raw) for call, raw in zip(calls, self._calls, strict=True)]
        return ModelTurn(
            text=text,
            calls=calls if self.is_whole else (),
            stop=self._stop(),
            usage=usage_of(as_object(self._answer.get("usage"))),
            model=as_text(self._answer.get("model")) or self._asked_model,
            wire=WireItems(FAMILY, self._asked_model, joined(dump(self._record(message)))),
            reasoning_text=joined("".join(self._thoughts)),
        )

    def _record(self, message: JsonObject) -> JsonObject:
        return {"message": message, "finish_reason": self._finish or None, **self._answer}

    def _stop(self) -> StopKind:
        if not self._finish:
            return "cut"
        if self._message.get("refusal"):
            return "refusal"
        stop = _STOPS.get(self._finish, "other")
        if stop == "end" and self._calls:
            return "tool_calls"
        return "other" if stop == "tool_calls" and not self._calls else stop

    def _add_delta(self, delta: JsonObject) -> str:
        text = ""
        for name, value in delta.items():
            if name == "content":
                text += self._add_content(value)
            elif name == "tool_calls":
                self._add_calls(as_items(value))
            elif name != "role" and value is not None:
                text += self._add_other(name, value)
        return text

    def _add_content(self, value: object) -> str:
        parts = [{"type": "text", "text": value}] if isinstance(value, str) else map(as_object, as_items(value))
        text = "".join(as_text(part.get("text")) for part in parts)
        self._message["content"] += text
        return text

    def _add_other(self, name: str, value: object) -> str:
        if isinstance(value, str):
            self._message[name] = as_text(self._message.get(name)) + value
        elif isinstance(value, list):
            self._message[name] = as_items(self._message.get(name)) + value
        else:
            self._message[name] = value
        if name in ("reasoning_content", "reasoning"):
            self._thoughts.append(as_text(value))
        return as_text(value) if name == "refusal" else ""

    def _add_calls(self, fragments: list[object]) -> None:
        for position, fragment in enumerate(map(as_object, fragments)):
            index = fragment.get("index")
            call = self._call_at(index if isinstance(index, int) else position, as_text(fragment.get("id")))
            function = as_object(fragment.get("function"))
            call["name"] += as_text(function.get("name"))
            call["arguments"] += _arguments_of(function.get("arguments"))
            call["extra"].update({k: v for k, v in fragment.items() if k not in ("index", "id", "type", "function")})

    def _call_at(self, index: int, id: str) -> JsonObject:
        """The call a fragment belongs to; some servers give each whole call the index 0, told apart by the id alone."""
        known = self._calls[self._current[index]] if index in self._current else None
        if known is None or (id and known["id"] and id != known["id"]):
            known = {"id": "", "name": "", "arguments": "", "extra": {}}
            self._current[index] = len(self._calls)
            self._calls.append(known)
        known["id"] = known["id"] or id
        return known

    def _call(self, number: int, call: JsonObject) -> ToolCall:
        name = ToolCallId(call["id"])
        if not name or name in self._taken_ids:
            name = ToolCallId(f"call_{self._turn_id}_{number}")
        return ToolCall(name, call["name"], joined(call["arguments"]) or "{}")


def usage_of(usage: JsonObject) -> Usage:
    """Tokens as an OpenAI-like server counted them."""
    prompt = as_object(usage.get("prompt_tokens_details"))
    completion = as_object(usage.get("completion_tokens_details"))
    return Usage(
        input_tokens=as_count(usage.get("prompt_tokens")),
        cached_tokens=as_count(prompt.get("cached_tokens") or usage.get("prompt_cache_hit_tokens")),
        output_tokens=as_count(usage.get("completion_tokens")),
        reasoning_tokens=as_count(completion.get("reasoning_tokens")),
    )


def _mark(finish: object) -> str:
    """A terminal mark; some gateways write "error" where they lost the model in mid-answer, and that is none."""
    return "" if finish == "error" else as_text(finish)


def _wire_call(call: ToolCall, raw: JsonObject) -> JsonObject:
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": call.id, "type": "function", "function": function, **raw["extra"]}


def _arguments_of(value: object) -> str:
    return dump(value) if isinstance(value, dict) else as_text(value)
