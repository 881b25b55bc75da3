"""What the scripted model server is asked, and what it can be told to reply: good answers and bad ones."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from app.domain.messages import TextBlock, UserMessage
from app.providers.sightings import find_ref
from tests.fakes import wire_formats

Wire = Literal["openai-chat", "anthropic"]


@dataclass(frozen=True)
class Call:
    """A tool call; `arguments` may be text, to write what no JSON is."""

    name: str
    arguments: Mapping[str, Any] | str = field(default_factory=dict)
    id: str = ""

    @property
    def arguments_text(self) -> str:
        return self.arguments if isinstance(self.arguments, str) else json.dumps(self.arguments, ensure_ascii=False)


@dataclass(frozen=True)
class Tokens:
    """What the server counts; `prompt` includes the cached ones on both wires, which write it differently."""

    prompt: int = 100
    cached: int = 0
    cache_written: int = 0
    completion: int = 10
    reasoning: int = 0


@dataclass(frozen=True)
class Answer:
    """A good answer, sent in pieces of `piece` characters.

    `finish` is the wire's own terminal word when it is not the natural one; `model` what the server says answered.
    With `streams` off the server sends one JSON object although a stream was asked for. `signature` is what binds the
    reasoning: without one the Anthropic wire makes one up, and the OpenAI wire sends the reasoning as bare text.
    """

    text: str = ""
    calls: Sequence[Call] = ()
    reasoning: str = ""
    tokens: Tokens = Tokens()
    finish: str = ""
    model: str = ""
    piece: int = 7
    pause_s: float = 0
    streams: bool = True
    signature: str = ""


@dataclass(frozen=True)
class Refusal:
    """An HTTP status with a JSON error in the form of the wire, or with any `body`."""

    status: int
    message: str = "refused"
    kind: str = "invalid_request_error"
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None


@dataclass(frozen=True)
class Garbage:
    """Any bytes with any content type inside a 200."""

    body: bytes
    content_type: str = "text/event-stream"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Cut:
    """The stream of an answer ends after `events` events, or after `size` bytes, with no terminal mark.

    `cleanly` ends the body as if it were whole; else the connection breaks in the middle of it.
    """

    answer: Answer
    events: int | None = None
    size: int | None = None
    cleanly: bool = False


@dataclass(frozen=True)
class Silence:
    """Nothing more comes after `events` events of an answer; with `events=None` not even the headers come.

    `pings` are sent every so many seconds meanwhile: comments on the OpenAI wire, ping events on the Anthropic one.
    """

    answer: Answer = Answer("Hello there")
    events: int | None = None
    pings_s: float = 0


@dataclass(frozen=True)
class BrokenInside:
    """An error event after `events` events of an answer, inside a 200."""

    answer: Answer
    events: int
    kind: str = "overloaded_error"
    message: str = "Overloaded"
    code: int | str | None = None


@dataclass(frozen=True)
class NoTail:
    """A whole answer with its terminal mark, after which the connection stays open and silent."""

    answer: Answer


Reply = Answer | Refusal | Garbage | Cut | Silence | BrokenInside | NoTail
Script = Sequence[Reply] | Callable[["Asked"], Reply]


@dataclass(frozen=True)
class Asked:
    """One request as it came, with a view that is the same on both wires."""

    wire: Wire
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def messages(self) -> list[dict[str, Any]]:
        return self.body["messages"]

    @property
    def turns(self) -> int:
        """How many assistant turns the request holds."""
        return sum(message["role"] == "assistant" for message in self.messages)

    @property
    def newest_text(self) -> str:
        """All text after the last assistant turn: what the person said, or the results of the calls."""
        newest: list[str] = []
        for message in reversed(self.messages):
            if message["role"] == "assistant":
                break
            newest.insert(0, wire_formats.text_of(message["content"]))
        return "\n".join(newest)

    @property
    def text(self) -> str:
        """All text of all messages."""
        return "\n".join(wire_formats.text_of(message.get("content")) for message in self.messages)

    def ref(self, role: str, name: str, row: str = "", nth: int = 0) -> str:
        """The newest living ref of a thing that a page showed; `row` is a text of the row or item it stands in."""
        said = [message for message in self.messages if message["role"] in ("user", "tool")]
        shown = [UserMessage(tuple(map(TextBlock, wire_formats.texts_of(one["content"])))) for one in said]
        found = find_ref(shown, role, name, row, nth)
        assert found is not None, f"no {role} {name!r} {row!r} in what the model was shown last:\n{self.newest_text}"
        return found

    @property
    def tool_names(self) -> list[str]:
        tools = self.body.get("tools", [])
        return [tool["function"]["name"] if "function" in tool else tool["name"] for tool in tools]
