"""A model that plays a list of turns and remembers every request."""

from collections.abc import Callable

from app.domain.ids import ToolCallId
from app.domain.messages import Economy, ModelTurn, Request, StopKind, ToolCall, Usage, WireItems

Turn = ModelTurn | Exception | Callable[[Request], ModelTurn]


class FakeModel:
    """Implements the port `Model`."""

    provider = "fake"
    economy = Economy()

    def __init__(self, *turns: Turn) -> None:
        self._turns = list(turns)
        self.requests: list[Request] = []

    async def answer(self, request: Request, on_text: Callable[[str], None]) -> ModelTurn:
        self.requests.append(request)
        turn = self._turns.pop(0)
        if isinstance(turn, Exception):
            raise turn
        made = turn if isinstance(turn, ModelTurn) else turn(request)
        on_text(made.text)
        return made

    async def models(self) -> tuple[str, ...]:
        return ("fake",)

    async def close(self) -> None:
        return


def says(text: str, *, stop: StopKind = "end") -> ModelTurn:
    """An answer without a call."""
    return ModelTurn(text, (), stop, Usage(100, 0, 10), "fake", WireItems("fake", "fake", "{}"))


def calls(*wanted: tuple[str, str], text: str = "", stop: StopKind = "tool_calls") -> ModelTurn:
    """A turn with tool calls, as (name, arguments as JSON)."""
    made = tuple(ToolCall(ToolCallId(f"c{_next()}"), name, arguments) for name, arguments in wanted)
    return ModelTurn(text, made, stop, Usage(100, 0, 10), "fake", WireItems("fake", "fake", "{}"))


_numbers = iter(range(1, 1_000_000))


def _next() -> int:
    return next(_numbers)
