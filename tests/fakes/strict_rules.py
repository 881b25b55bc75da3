"""What a strict provider refuses about the form of a request, on either wire."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from tests.fakes.strict_blocks import Json, parts_of
from tests.fakes.wire_replies import Wire

MOST_MARKERS = 4
_ID = re.compile(r"[A-Za-z0-9_-]+")


@dataclass
class _Turn:
    """A message, or the results of one turn together, with its ids of calls and results."""

    role: str
    place: str
    calls: list[str] = field(default_factory=list)
    results: list[str] = field(default_factory=list)


def fault_in(wire: Wire, body: Json) -> str | None:
    """What is wrong with the form of a request, or None."""
    faults = _anthropic_faults(body) if wire == "anthropic" else _chat_faults(body)
    return next(faults, None)


def _anthropic_faults(body: Json) -> Iterator[str]:
    messages = body["messages"]
    turns = [
        _Turn(
            message["role"],
            f"messages.{number}",
            [part["id"] for part in parts_of(message["content"]) if part["type"] == "tool_use"],
            [part["tool_use_id"] for part in parts_of(message["content"]) if part["type"] == "tool_result"],
        )
        for number, message in enumerate(messages)
    ]
    yield from _faults_of_order(turns)
    yield from _faults_of_pairs(turns)
    for number, message in enumerate(messages):
        yield from _faults_of_content(message, f"messages.{number}")
    yield from _faults_of_markers(body)


def _faults_of_order(turns: list[_Turn]) -> Iterator[str]:
    if not turns or turns[0].role != "user":
        yield "messages: first message must use the `user` role"
    for before, turn in pairwise(turns):
        if before.role == turn.role:
            yield f"{turn.place}: roles must alternate, but found two `{turn.role}` messages in a row"
    if turns and turns[-1].role != "user":
        yield "messages: the conversation must end with a `user` message"


def _faults_of_content(message: Json, place: str) -> Iterator[str]:
    parts = parts_of(message["content"])
    if not parts:
        yield f"{place}: all messages must have non-empty content"
    kinds = [part["type"] for part in parts]
    results = kinds.count("tool_result")
    if kinds[:results] != ["tool_result"] * results:
        yield f"{place}: `tool_result` blocks must come before everything else"
    for number, part in enumerate(parts):
        yield from _faults_of_part(part, f"{place}.content.{number}")


def _faults_of_part(part: Json, place: str) -> Iterator[str]:
    match part["type"]:
        case "text" if not part["text"].strip():
            yield f"{place}: text content blocks must contain non-whitespace text"
        case "tool_use" if not isinstance(part["input"], dict):
            yield f"{place}.tool_use.input: should be a valid dictionary"
        case "tool_use" if not _ID.fullmatch(part["id"]):
            yield f"{place}.tool_use.id: string should match pattern '^[a-zA-Z0-9_-]+$'"
        case "thinking" | "redacted_thinking" if "cache_control" in part:
            yield f"{place}: cache_control cannot be set for `{part['type']}` blocks"
        case "tool_result":
            for number, inner in enumerate(parts_of(part.get("content"))):
                yield from _faults_of_part(inner, f"{place}.tool_result.content.{number}")


def _faults_of_markers(body: Json) -> Iterator[str]:
    blocks = [*body.get("tools", ()), *parts_of(body.get("system"))]
    for message in body["messages"]:
        for part in parts_of(message["content"]):
            blocks += [part, *(parts_of(part.get("content")) if part["type"] == "tool_result" else ())]
    found = sum("cache_control" in block for block in blocks)
    if found > MOST_MARKERS:
        yield f"A maximum of {MOST_MARKERS} blocks with cache_control may be provided. Found {found}."


def _chat_faults(body: Json) -> Iterator[str]:
    turns: list[_Turn] = []
    for number, message in enumerate(body["messages"]):
        if message["role"] == "tool" and turns and turns[-1].role == "tool":
            turns[-1].results.append(message["tool_call_id"])
            continue
        calls = [call["id"] for call in message.get("tool_calls") or ()]
        results = [message["tool_call_id"]] if message["role"] == "tool" else []
        turns.append(_Turn(message["role"], f"messages[{number}]", calls, results))
        yield from _faults_of_chat_message(message, number)
    for before, turn in pairwise(turns):
        if before.role == turn.role == "assistant":
            yield f"{turn.place}: two messages of the assistant in a row"
    if not turns or turns[-1].role == "assistant":
        yield "messages: the last one must be of the user or of a tool"
    yield from _faults_of_pairs(turns)


def _faults_of_chat_message(message: Json, number: int) -> Iterator[str]:
    if message["role"] in ("system", "developer") and number:
        yield f"messages[{number}]: a system message must be the first one"
    if message["role"] == "assistant" and not (message.get("content") or message.get("tool_calls")):
        yield f"messages[{number}]: the assistant must have either content or tool calls"
    if message["role"] != "assistant" and not message.get("content"):
        yield f"messages[{number}].content: must not be empty"
    for call in message.get("tool_calls") or ():
        if not isinstance(call["function"]["arguments"], str):
            yield f"messages[{number}].tool_calls: arguments must be a string"


def _faults_of_pairs(turns: list[_Turn]) -> Iterator[str]:
    ids = Counter(name for turn in turns for name in turn.calls)
    for name in (name for name, times in ids.items() if times > 1):
        yield f"ids of tool calls must be unique; {name} is not"
    nothing = _Turn("", "")
    for before, turn in pairwise([nothing, *turns, nothing]):
        yield from _faults_of_pair(before, turn)


def _faults_of_pair(before: _Turn, turn: _Turn) -> Iterator[str]:
    asked, given = set(before.calls), Counter(turn.results)
    if missing := asked - set(given):
        yield f"{before.place}: tool calls without a result right after them: {', '.join(sorted(missing))}"
    if strange := set(given) - asked:
        yield f"{turn.place}: results without their tool call in the message before: {', '.join(sorted(strange))}"
    for name in (name for name, times in given.items() if times > 1):
        yield f"{turn.place}: each tool call must have a single result; {name} has more"
