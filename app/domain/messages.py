"""What goes to a model and what comes back, free of any wire."""

from dataclasses import dataclass
from typing import Literal

from app.domain.ids import BlobHash, ToolCallId

Effort = Literal["off", "low", "medium", "high"]
EFFORTS: tuple[Effort, ...] = ("off", "low", "medium", "high")
MAX_OUTPUT_TOKENS = 8_000


@dataclass(frozen=True, slots=True)
class TextBlock:
    text: str


@dataclass(frozen=True, slots=True)
class PictureBlock:
    """A picture for models with eyes; the bytes are in the blob store, the label names its observation."""

    blob: BlobHash
    mime: str
    data: bytes
    label: str = ""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call as the model wrote it; `arguments` is its JSON text, unparsed."""

    id: ToolCallId
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ToolResultBlock:
    """The one result of a call."""

    call: ToolCallId
    content: tuple[TextBlock | PictureBlock, ...]
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class WireItems:
    """What a provider sent for one assistant turn, as JSON text, replayed verbatim to the same family."""

    family: str  # "openai-chat", "anthropic"
    model: str
    json: str


@dataclass(frozen=True, slots=True)
class UserMessage:
    content: tuple[TextBlock | ToolResultBlock | PictureBlock, ...]


@dataclass(frozen=True, slots=True)
class AssistantMessage:
    """An assistant turn; `wire` is dropped where a fold would invalidate it."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    wire: WireItems | None = None


Message = UserMessage | AssistantMessage


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as the model is told of it; `schema` is JSON Schema text in canonical form."""

    name: str
    description: str
    schema: str


@dataclass(frozen=True, slots=True)
class Request:
    """One model call. Results of a turn stand together in one UserMessage right after their AssistantMessage.

    `unchanged` counts the messages before the newest edit of what was sent: a cache may still hold them.
    """

    model: str
    system: str
    tools: tuple[ToolSpec, ...]
    messages: tuple[Message, ...]
    effort: Effort = "low"
    max_output_tokens: int = MAX_OUTPUT_TOKENS
    unchanged: int = 0


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them; `input_tokens` includes the cached ones."""

    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Economy:
    """What it costs at a model to edit what was sent before.

    `cached_share` is the price of a token from the cache as a share of its full price. With `binds_reasoning` the
    model's reasoning is bound to the exact prefix, so that an edit loses it.
    """

    cached_share: float = 0.1
    binds_reasoning: bool = False


StopKind = Literal["end", "tool_calls", "length", "refusal", "paused", "cut", "other"]


@dataclass(frozen=True, slots=True)
class ModelTurn:
    """A whole answer of a model; `stop` is "cut" when no terminal mark came."""

    text: str
    calls: tuple[ToolCall, ...]
    stop: StopKind
    usage: Usage
    model: str
    wire: WireItems
    reasoning_text: str = ""


def effort_named(name: str) -> Effort:
    """The effort of that name; the default for any other text."""
    return next((effort for effort in EFFORTS if effort == name), "low")
