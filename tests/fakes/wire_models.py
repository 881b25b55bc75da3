"""Real models of both wires against the loopback server, and requests to ask them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from app.domain.ids import ToolCallId
from app.domain.messages import (
    AssistantMessage,
    Message,
    ModelTurn,
    Request,
    TextBlock,
    ToolResultBlock,
    ToolSpec,
    UserMessage,
)
from app.providers.catalog import create
from app.providers.lessons import LessonBook
from app.providers.wire_model import WireModel
from tests.fakes.wire_server import Wire, WireServer

WIRES: tuple[Wire, ...] = ("openai-chat", "anthropic")
CLICK = ToolSpec("browser_click", "Click a thing.", '{"type":"object","properties":{"target":{"type":"string"}}}')


@asynccontextmanager
async def model_at(
    server: WireServer, wire: Wire, *, key: str = "", lessons: LessonBook | None = None, time_scale: float = 1.0
) -> AsyncIterator[WireModel]:
    """The model of that wire that asks the server, closed at the end."""
    kind, url = ("local", server.base_url) if wire == "openai-chat" else ("anthropic", server.anthropic_url)
    model = create(kind, url, key, lessons=lessons, time_scale=time_scale)
    assert isinstance(model, WireModel)
    try:
        yield model
    finally:
        await model.close()


def request(*messages: Message | str, model: str = "test-model", **fields: object) -> Request:
    """A request with a system prompt and one tool; texts stand for what the person said."""
    said = [UserMessage((TextBlock(one),)) if isinstance(one, str) else one for one in messages or ("Hello",)]
    base = Request(model, "You browse.", (CLICK,), tuple(said))
    return Request(**{name: fields.get(name, getattr(base, name)) for name in Request.__slots__})


def replied(turn: ModelTurn) -> AssistantMessage:
    """The turn as the next request holds it."""
    return AssistantMessage(turn.text, turn.calls, turn.wire)


def result(call: str, text: str, *, is_error: bool = False) -> UserMessage:
    """The one result of one call."""
    return UserMessage((ToolResultBlock(ToolCallId(call), (TextBlock(text),), is_error),))


def unheard(text: str) -> None:
    """For tests that look at the turn alone."""
