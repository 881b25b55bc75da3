"""Tests a connection to a model stage by stage, and says in plain sentences how far it goes."""

from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Literal

from app.agent.ports import Model
from app.domain.errors import ProviderError, ProviderFault
from app.domain.messages import ModelTurn, Request, TextBlock, ToolSpec, UserMessage

Stage = Literal["reach", "key", "model", "streaming", "tool call"]
StageResult = tuple[str, bool, str]  # stage, passed, plain sentence

STAGES: tuple[Stage, ...] = ("reach", "key", "model", "streaming", "tool call")

_ROOM = 2_000  # tokens: some models think first, even about this
_TOOL = ToolSpec(
    "report_ready",
    "Report that the connection works.",
    '{"type":"object","properties":{"ready":{"type":"boolean"}},"required":["ready"]}',
)
_FAILS_AT: dict[ProviderFault, Stage] = {
    "unreachable": "reach",
    "timeout": "reach",
    "auth": "key",
    "rate_limited": "model",
    "overloaded": "model",
    "unknown_model": "model",
    "refused_request": "model",
    "broken_answer": "model",
}
_PASSED: dict[Stage, str] = {
    "reach": "The service answers.",
    "key": "The key is accepted.",
    "model": "The model answers.",
}


async def check_connection(model: Model, name: str) -> AsyncIterator[StageResult]:
    """The stages in order, up to the first that fails. Costs two very short answers of the model called `name`."""
    pieces: list[str] = []
    try:
        await _reach(model)
        said = await model.answer(_request(name, "Count from one to ten in words."), pieces.append)
    except ProviderError as error:
        for result in _up_to(_FAILS_AT[error.fault]):
            yield result
        yield _FAILS_AT[error.fault], False, error.message
        return
    for result in _up_to("streaming"):
        yield result
    streaming = _streaming(said, pieces)
    yield streaming
    if streaming[1]:
        yield await _tool_call(model, name)


async def _reach(model: Model) -> None:
    """Ask for the list of models; a service that is there but keeps none is no fault."""
    try:
        await model.models()
    except ProviderError as error:
        if error.fault == "auth" or (error.fault in ("unreachable", "timeout") and error.status is None):
            raise


def _up_to(stage: Stage) -> Iterator[StageResult]:
    for passed in STAGES[: STAGES.index(stage)]:
        yield passed, True, _PASSED[passed]


def _streaming(said: ModelTurn, pieces: Sequence[str]) -> StageResult:
    if said.stop == "cut":
        return "streaming", False, "The answer was cut off. Try again; if it stays, choose another model."
    if not said.text:
        return "streaming", False, "The model answered without a word. Choose another model."
    if len(pieces) == 1:
        return "streaming", True, "The answer came in one piece; it will not appear word by word."
    return "streaming", True, "The answer comes word by word."


async def _tool_call(model: Model, name: str) -> StageResult:
    try:
        turn = await model.answer(_request(name, "Call the tool report_ready.", _TOOL), lambda text: None)
    except ProviderError as error:
        return "tool call", False, error.message
    if any(call.name == _TOOL.name for call in turn.calls):
        return "tool call", True, "The model can use the browser's tools."
    return "tool call", False, "The model did not call a tool when asked to, so it cannot browse. Choose another model."


def _request(name: str, text: str, *tools: ToolSpec) -> Request:
    message = UserMessage((TextBlock(text),))
    return Request(name, "This is a test of the connection.", tools, (message,), max_output_tokens=_ROOM)
