"""The scripted model: plays a script for demo and tests; what it answers follows from the request alone."""

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.domain.errors import ProviderError
from app.domain.ids import ToolCallId
from app.domain.messages import (
    AssistantMessage,
    Economy,
    Message,
    ModelTurn,
    Request,
    ToolCall,
    ToolResultBlock,
    Usage,
    UserMessage,
    WireItems,
)
from app.providers.script import Move, Script
from app.providers.sightings import find_ref, find_text, newest_text, texts_of
from app.providers.wire_json import as_count, as_object, as_text, dump, object_in

FAMILY = "scripted"
MODEL = "demo"

_CHARACTERS_A_TOKEN = 4
_BROKEN_OFF = ("Not run: the person", "Not run: the program ended", "Not run: the turn failed")
_UNCERTAIN = "Uncertain: "
_PIECE = re.compile(r"\s*\S+|\s+$")


@dataclass(frozen=True, slots=True)
class Known:
    """What a step can refer to: all messages, and the newest turn of each step so far."""

    messages: tuple[Message, ...]
    turns: Mapping[int, AssistantMessage]


class ScriptedModel:
    """Implements the port `Model`. `pause_s` stands between pieces of text, so that a window can be seen to stream."""

    def __init__(self, script: Script, *, pause_s: float = 0) -> None:
        self._script = script
        self._pause_s = pause_s

    @property
    def provider(self) -> str:
        return "scripted"

    @property
    def economy(self) -> Economy:
        return Economy()

    async def answer(self, request: Request, on_text: Callable[[str], None]) -> ModelTurn:
        turn = play(self._script, request)
        for piece in _PIECE.findall(turn.text):
            on_text(piece)
            await asyncio.sleep(self._pause_s)
        return turn

    async def models(self) -> tuple[str, ...]:
        return (MODEL,)

    async def close(self) -> None:
        return


def play(script: Script, request: Request) -> ModelTurn:
    """The turn a script makes of a request. Raises ProviderError when a page does not show what the script needs."""
    known, step, may_repeat = _so_far(script, request.messages)
    try:
        return _turn(script, step, known, request)
    except ProviderError:
        if not may_repeat:
            raise
        return _turn(script, step - 1, known, request)


def _turn(script: Script, step: int, known: Known, request: Request) -> ModelTurn:
    move = _move(script, step, known)
    text = str(_resolved(move.say, known))
    number = sum(isinstance(message, AssistantMessage) for message in request.messages)
    calls = tuple(
        ToolCall(ToolCallId(f"scripted_{step}_{number}_{place}"), call.name, dump(_resolved(call.arguments, known)))
        for place, call in enumerate(move.calls)
    )
    return ModelTurn(
        text=text,
        calls=calls,
        stop="tool_calls" if calls else "end",
        usage=_usage(request, text, calls),
        model=MODEL,
        wire=WireItems(FAMILY, MODEL, dump({"step": step + 1})),
    )


def _so_far(script: Script, messages: tuple[Message, ...]) -> tuple[Known, int, bool]:
    """What is known, the step to make now, and whether the one before it may be made again when this one is lost.

    A step that was broken off before it was run is made again, unless the next one sees to that.
    """
    turns: dict[int, AssistantMessage] = {}
    step, may_repeat = 0, False
    for turn, results in zip(messages, (*messages[1:], None), strict=False):
        if isinstance(turn, AssistantMessage):
            made = _step_of(turn, step)
            turns[made] = turn
            said = list(_results(results))
            sees = any(move.seen for moves in script.steps[made + 1 :][:1] for move in moves)
            is_broken_off = any(text.startswith(_BROKEN_OFF) for text in said) and not sees
            may_repeat = any(text.startswith(_UNCERTAIN) for text in said)
            step = made if is_broken_off else made + 1
    return Known(messages, turns), step, may_repeat


def _step_of(turn: AssistantMessage, otherwise: int) -> int:
    """The step that a turn made, as the names of its calls tell it."""
    named = re.match(r"scripted_(\d+)_", turn.calls[0].id) if turn.calls else None
    return int(named[1]) if named else otherwise


def _results(message: Message | None) -> Iterator[str]:
    for block in message.content if isinstance(message, UserMessage) else ():
        if isinstance(block, ToolResultBlock):
            yield from texts_of(UserMessage((block,)))


def _move(script: Script, done: int, known: Known) -> Move:
    if done >= len(script.steps):
        return Move(script.ending)
    newest = newest_text(known.messages)
    for move in script.steps[done]:
        if not move.seen or re.search(move.seen, newest):
            return move
    raise _lost(f"what step {done + 1} waits for")


def _resolved(value: object, known: Known) -> object:
    if isinstance(value, Mapping):
        for mark, look_up in _PLACEHOLDERS.items():
            if mark in value:
                return look_up(value[mark], known)
        return {name: _resolved(one, known) for name, one in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_resolved(one, known) for one in value]
    return value


def _ref(wanted: object, known: Known) -> object:
    thing = as_object(wanted)
    role, name, row = (as_text(thing.get(field)) for field in ("role", "name", "row"))
    ref = find_ref(known.messages, role, name, row, as_count(thing.get("nth")))
    if ref is None:
        raise _lost(f"the {role} “{name}”{f' beside “{row}”' if row else ''}")
    return ref


def _found(pattern: object, known: Known) -> object:
    text = find_text(known.messages, as_text(pattern))
    if text is None:
        raise _lost(f"a text like “{pattern}”")
    return text


def _used(place: object, known: Known) -> object:
    """An argument of an earlier call, such as a ref that has died since."""
    where = as_object(place)
    try:
        call = known.turns[max(1, as_count(where.get("step"))) - 1].calls[as_count(where.get("call"))]
        return as_object(object_in(call.arguments))[as_text(where.get("argument"))]
    except (IndexError, KeyError) as exc:
        raise _lost(f"the earlier argument {dump(where)}") from exc


def _joined(parts: object, known: Known) -> object:
    return "".join(str(_resolved(part, known)) for part in (parts if isinstance(parts, Sequence) else ()))


_PLACEHOLDERS: Mapping[str, Callable[[object, Known], object]] = {
    "$ref": _ref,
    "$find": _found,
    "$used": _used,
    "$join": _joined,
}


def _lost(what: str) -> ProviderError:
    return ProviderError(
        f"The script looked for {what} and did not find it on the page.",
        fault="broken_answer",
        retriable=False,
        next_step="Bring the page back to where the demo was and let it go on, or play the demo again.",
    )


def _usage(request: Request, text: str, calls: Sequence[ToolCall]) -> Usage:
    sent = len(request.system) + sum(len(tool.description) + len(tool.schema) for tool in request.tools)
    sent += sum(_size(message) for message in request.messages)
    said = len(text) + sum(len(call.arguments) for call in calls)
    return Usage(input_tokens=sent // _CHARACTERS_A_TOKEN, output_tokens=max(1, said // _CHARACTERS_A_TOKEN))


def _size(message: Message) -> int:
    if isinstance(message, AssistantMessage):
        return len(message.text) + sum(len(call.arguments) for call in message.calls)
    return sum(map(len, texts_of(message)))
