import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest

from app.agent.ports import Model
from app.providers.catalog import create
from app.providers.script import Move, Script, ScriptedCall
from tests.fakes.wire_models import model_at, replied, request, result, unheard
from tests.fakes.wire_replies import Answer, Call
from tests.fakes.wire_server import Wire, WireServer

Playing = Callable[[Sequence[Answer]], AbstractAsyncContextManager[Model]]


def over(wire: Wire) -> Playing:
    @asynccontextmanager
    async def playing(answers: Sequence[Answer]) -> AsyncIterator[Model]:
        with WireServer(answers, models=("demo",)) as server:
            async with model_at(server, wire) as model:
                yield model

    return playing


@asynccontextmanager
async def scripted(answers: Sequence[Answer]) -> AsyncIterator[Model]:
    steps = [
        Move(one.text, tuple(ScriptedCall(call.name, dict(call.arguments)) for call in one.calls)) for one in answers
    ]
    model = create("scripted", script=Script(tuple((step,) for step in steps)), pause_s=max(a.pause_s for a in answers))
    yield model
    await model.close()


@pytest.fixture(params=["openai-chat", "anthropic", "scripted"])
def playing(request: pytest.FixtureRequest) -> Playing:
    return scripted if request.param == "scripted" else over(request.param)


CLICKING = Answer("I click it. ünï 👍", calls=(Call("browser_click", {"target": "e1"}), Call("browser_back")))


async def test_the_pieces_that_were_streamed_are_the_text(playing: Playing) -> None:
    pieces: list[str] = []
    async with playing([Answer("Hello, I am here to wörk 👍")]) as model:
        turn = await model.answer(request(model="demo"), pieces.append)
    assert (turn.text, turn.calls, turn.stop) == ("Hello, I am here to wörk 👍", (), "end")
    assert "".join(pieces) == turn.text
    assert len(pieces) > 2


async def test_calls_come_in_order_with_their_whole_arguments(playing: Playing) -> None:
    async with playing([CLICKING]) as model:
        turn = await model.answer(request(model="demo"), unheard)
    assert turn.stop == "tool_calls"
    assert [call.name for call in turn.calls] == ["browser_click", "browser_back"]
    assert [json.loads(call.arguments) for call in turn.calls] == [{"target": "e1"}, {}]


async def test_no_call_of_a_conversation_has_the_id_of_another(playing: Playing) -> None:
    async with playing([CLICKING, CLICKING]) as model:
        first = await model.answer(request(model="demo"), unheard)
        results = [result(call.id, "done") for call in first.calls]
        second = await model.answer(request("Hello", replied(first), *results, model="demo"), unheard)
    ids = [call.id for call in first.calls + second.calls]
    assert len(set(ids)) == 4
    assert all(ids)


async def test_what_was_sent_and_said_is_counted(playing: Playing) -> None:
    async with playing([Answer("Hello")]) as model:
        turn = await model.answer(request(model="demo"), unheard)
    assert turn.usage.input_tokens > 0
    assert turn.usage.output_tokens > 0


async def test_wire_items_are_json_that_names_their_family(playing: Playing) -> None:
    async with playing([CLICKING]) as model:
        turn = await model.answer(request(model="demo"), unheard)
    assert isinstance(json.loads(turn.wire.json), dict)
    assert turn.wire.family
    assert turn.wire.model == "demo"


async def test_after_cancelling_no_more_text_comes(playing: Playing) -> None:
    pieces: list[str] = []
    heard = asyncio.Event()

    def hear(text: str) -> None:
        pieces.append(text)
        heard.set()

    async with playing([Answer("one two three four five", pause_s=0.2)]) as model:
        asking = asyncio.create_task(model.answer(request(model="demo"), hear))
        await asyncio.wait_for(heard.wait(), 20)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(asking, 1)
        heard_so_far = list(pieces)
        await asyncio.sleep(0.3)
    assert pieces == heard_so_far
    assert len(pieces) < 5


async def test_the_models_on_offer_are_listed(playing: Playing) -> None:
    async with playing([Answer("Hello")]) as model:
        assert await model.models() == ("demo",)


async def test_it_can_be_closed_twice(playing: Playing) -> None:
    async with playing([Answer("Hello")]) as model:
        await model.answer(request(model="demo"), unheard)
        await model.close()
        await model.close()
