"""Reads a request as it came over a wire into its content blocks, in the order in which a provider reads them."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import Any, Literal, Self

from tests.fakes.wire_replies import Wire

Json = Mapping[str, Any]
Kind = Literal["tool", "system", "text", "picture", "call", "result", "reasoning", "other"]

REASONING_FIELDS = ("reasoning", "reasoning_content", "reasoning_details")
_EFFORT_FIELDS = ("reasoning_effort", "reasoning", "thinking", "output_config")
_MARK = "cache_control"
_written = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


@dataclass(frozen=True, slots=True)
class Block:
    """One content block in canonical bytes; two blocks are the same when a provider's cache would take them so.

    `words` is what a model reads of it, `is_marked` whether a cache marker stands at its end, which is no part of it.
    A result of a call is its head and then its parts, each a block, so that an edit inside it has its own place.
    """

    kind: Kind
    canonical: str = field(repr=False)
    digest: bytes = field(repr=False)
    words: str = field(compare=False)
    is_marked: bool = field(default=False, compare=False)
    is_part: bool = field(default=False, compare=False)

    @classmethod
    def of(
        cls, kind: Kind, words: str, data: Json | None = None, *, is_marked: bool = False, is_part: bool = False
    ) -> Self:
        """A block of these words; `data` is everything that tells it from others, the words alone when left out."""
        fields = {"kind": kind, **({"text": words} if data is None else data)}
        # Keys keep the order they came in: a provider's cache sees it, too.
        canonical = _written(fields)
        digest = hashlib.blake2b(canonical.encode("utf-8", "surrogatepass"), digest_size=16).digest()
        return cls(kind, canonical, digest, words, is_marked, is_part)

    @property
    def data(self) -> dict[str, Any]:
        """What it was made of."""
        found: dict[str, Any] = json.loads(self.canonical)
        return found


def blocks_of(wire: Wire, body: Json) -> tuple[Block, ...]:
    """Tools, system prompt, then the blocks of each message; cache markers are no part of any block."""
    tools = [_tool(one, one.get("function") or one) for one in body.get("tools", ())]
    system = [_system(one) for one in parts_of(body.get("system"))]
    said = (_read_message(wire, _written(message)) for message in body["messages"])
    return (*tools, *system, *chain.from_iterable(said))


def effort_of(body: Json) -> str:
    """All that a request says about reasoning, in canonical form."""
    return _written({name: body[name] for name in _EFFORT_FIELDS if name in body})


@lru_cache(maxsize=4_096)
def _read_message(wire: Wire, written: str) -> tuple[Block, ...]:
    """The blocks of one message; a long conversation brings the same ones again and again."""
    message = json.loads(written)
    return tuple(_anthropic_message(message) if wire == "anthropic" else _chat_message(message))


def _anthropic_message(message: Json) -> Iterator[Block]:
    has_started = False
    for part in parts_of(message["content"]):
        if part["type"] in ("thinking", "redacted_thinking"):
            yield _reasoning(part, part.get("thinking", ""))
            continue
        # The first block carries the border of its message; reasoning does not, for it may be left out.
        yield from _anthropic_part(part, {"role": message["role"], "starts": not has_started})
        has_started = True
    yield from _rest(message, ("role", "content"))


def _anthropic_part(part: Json, place: Json) -> Iterator[Block]:
    marked = _MARK in part
    match part["type"]:
        case "tool_use":
            words = f"{part['name']} {_written(part['input'])}"
            yield Block.of("call", words, {**place, **_unmarked(part)}, is_marked=marked)
        case "tool_result":
            within = [_said(one, {"in": part["tool_use_id"]}, is_part=True) for one in parts_of(part.get("content"))]
            head = {name: value for name, value in _unmarked(part).items() if name != "content"}
            yield Block.of("result", part["tool_use_id"], {**place, **head}, is_marked=marked and not within)
            yield from _with_mark(within, marked)
        case _:
            yield _said(part, place)


def _chat_message(message: Json) -> Iterator[Block]:
    match message["role"]:
        case "system" | "developer":
            yield from (_system(one) for one in parts_of(message["content"]))
        case "tool":
            place = {"in": message["tool_call_id"]}
            yield Block.of("result", message["tool_call_id"], {"role": "tool", "starts": True, **place})
            yield from (_said(one, place, is_part=True) for one in parts_of(message["content"]))
        case role:
            yield from _chat_said(message, role)
    yield from _rest(message, ("role", "content", "tool_calls", "tool_call_id", *REASONING_FIELDS))


def _chat_said(message: Json, role: str) -> Iterator[Block]:
    reasoning = {name: message[name] for name in REASONING_FIELDS if message.get(name)}
    if reasoning:
        yield _reasoning(reasoning, reasoning.get("reasoning_content") or reasoning.get("reasoning") or "")
    has_started = False
    for part in parts_of(message.get("content")):
        if part.get("text") != "":
            yield _said(part, {"role": role, "starts": not has_started})
            has_started = True
    for call in message.get("tool_calls") or ():
        words = f"{call['function']['name']} {call['function']['arguments']}"
        yield Block.of("call", words, {"role": role, "starts": not has_started, **call})
        has_started = True


def parts_of(content: Any) -> list[dict[str, Any]]:
    """The parts of any content; a bare text is one part."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return list(content or ())


def _tool(tool: Json, described: Json) -> Block:
    schema = described.get("input_schema") or described.get("parameters")
    words = f"{described['name']} {described.get('description', '')} {_written(schema)}"
    return Block.of("tool", words, _unmarked(tool), is_marked=_MARK in tool)


def _system(part: Json) -> Block:
    return Block.of("system", part["text"], _unmarked(part), is_marked=_MARK in part)


def _reasoning(data: Json, words: str) -> Block:
    return Block.of("reasoning", words, data)


def _said(part: Json, place: Json, *, is_part: bool = False) -> Block:
    """A text or a picture; of a picture the digest is kept."""
    marked = _MARK in part
    source = part.get("source") or part.get("image_url")
    if source is not None:
        picture = hashlib.sha256(_written(source).encode()).hexdigest()
        return Block.of("picture", "", {**place, "picture": picture}, is_marked=marked, is_part=is_part)
    kind: Kind = "text" if part["type"] == "text" else "other"
    return Block.of(kind, part.get("text", ""), {**place, **_unmarked(part)}, is_marked=marked, is_part=is_part)


def _with_mark(blocks: list[Block], marked: bool) -> Iterable[Block]:
    """The mark of a result stands at its end, behind its last part."""
    if marked and blocks:
        last = blocks[-1]
        blocks[-1] = Block(last.kind, last.canonical, last.digest, last.words, is_marked=True, is_part=True)
    return blocks


def _rest(message: Json, known: tuple[str, ...]) -> Iterator[Block]:
    """Fields nobody here knows are compared like everything else."""
    unknown = {name: value for name, value in message.items() if name not in known and value is not None}
    if unknown:
        yield Block.of("other", "", unknown)


def _unmarked(part: Json) -> dict[str, Any]:
    return {name: value for name, value in part.items() if name != _MARK}
