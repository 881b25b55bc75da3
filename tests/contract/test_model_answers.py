import asyncio
import itertools
import json
import time
from collections.abc import Awaitable

import pytest

from app.domain.errors import ProviderError
from app.domain.messages import ModelTurn, PictureBlock, TextBlock, ToolResultBlock, Usage, UserMessage
from app.providers.lessons import LessonBook
from tests.fakes.wire_models import WIRES, model_at, replied, request, result, unheard
from tests.fakes.wire_replies import Answer, Asked, Call, Cut, NoTail, Reply, Silence, Tokens
from tests.fakes.wire_server import Wire, WireServer

pytestmark = pytest.mark.parametrize("wire", WIRES)


async def test_tokens_are_counted_the_same_on_both_wires(wire: Wire) -> None:
    with WireServer([Answer("Hi", tokens=Tokens(1000, 600, 300, 50, 20))]) as server:
        async with model_at(server, wire) as model:
            turn = await model.answer(request(), unheard)
    assert turn.usage == Usage(input_tokens=1000, cached_tokens=600, output_tokens=50, reasoning_tokens=20)


async def test_thoughts_are_kept_apart_from_the_text(wire: Wire) -> None:
    pieces: list[str] = []
    with WireServer([Answer("Hello", reasoning="The person greets me, so")]) as server:
        async with model_at(server, wire) as model:
            turn = await model.answer(request(), pieces.append)
    assert (turn.text, turn.reasoning_text) == ("Hello", "The person greets me, so")
    assert "".join(pieces) == "Hello"


async def test_the_name_of_the_model_that_answered_is_told(wire: Wire) -> None:
    with WireServer([Answer("Hi", model="test-model-2026-11")]) as server:
        async with model_at(server, wire) as model:
            turn = await model.answer(request(), unheard)
    assert turn.model == "test-model-2026-11"


async def test_an_answer_in_one_piece_is_taken_when_the_server_does_not_stream(wire: Wire) -> None:
    pieces: list[str] = []
    answer = Answer("Hello", calls=(Call("browser_click", {"target": "e1"}),), reasoning="hm", streams=False)
    with WireServer([answer]) as server:
        async with model_at(server, wire) as model:
            turn = await model.answer(request(), pieces.append)
    assert (turn.text, turn.stop, turn.reasoning_text, pieces) == ("Hello", "tool_calls", "hm", ["Hello"])
    assert json.loads(turn.calls[0].arguments) == {"target": "e1"}
    assert turn.usage.input_tokens == 100


@pytest.mark.parametrize("cleanly", [True, False])
@pytest.mark.parametrize("events", [4, 6, 7])
async def test_a_stream_without_its_terminal_mark_is_cut_and_brings_no_call(
    wire: Wire, events: int, cleanly: bool
) -> None:
    answer = Answer("Hello world", calls=(Call("browser_click", {"target": "e1"}),))
    with WireServer([Cut(answer, events=events, cleanly=cleanly)]) as server:
        async with model_at(server, wire) as model:
            turn = await model.answer(request(), unheard)
    assert (turn.stop, turn.calls) == ("cut", ())
    assert "Hello world".startswith(turn.text)


async def test_whatever_byte_a_stream_ends_at_it_is_never_taken_for_whole(wire: Wire) -> None:
    answer = Answer("Hello wörld", calls=(Call("browser_click", {"target": "e1"}),))
    sizes = range(40, 1100, 53)
    with WireServer([Cut(answer, size=size) for size in sizes]) as server:
        async with model_at(server, wire) as model:
            for _ in sizes:
                assert await end_of(model.answer(request(), unheard)) in ("cut", "unreachable", "broken_answer")


async def end_of(answering: Awaitable[ModelTurn]) -> str:
    try:
        return (await answering).stop
    except ProviderError as error:
        return error.fault


async def test_an_answer_is_whole_with_its_terminal_mark_though_the_connection_stays_open(wire: Wire) -> None:
    with WireServer([NoTail(Answer("Hello", calls=(Call("browser_click", {"target": "e1"}),)))]) as server:
        async with model_at(server, wire, time_scale=0.02) as model:
            turn = await model.answer(request(), unheard)
    assert (turn.text, turn.stop, len(turn.calls)) == ("Hello", "tool_calls", 1)


@pytest.mark.parametrize(
    ("finishes", "stop"),
    [
        (("length", "max_tokens"), "length"),
        (("content_filter", "refusal"), "refusal"),
        (("something_new", "something_new"), "other"),
        (("stop", "stop_sequence"), "end"),
        (("stop", "pause_turn"), ("end", "paused")),
    ],
)
async def test_the_reason_for_stopping_is_told(
    wire: Wire, finishes: tuple[str, str], stop: str | tuple[str, str]
) -> None:
    at = WIRES.index(wire)
    with WireServer([Answer("Well", finish=finishes[at])]) as server:
        async with model_at(server, wire) as model:
            turn = await model.answer(request(), unheard)
    assert turn.stop == (stop if isinstance(stop, str) else stop[at])


@pytest.mark.parametrize("events", [None, 0, 3])
async def test_cancelling_a_silent_stream_closes_it_at_once(wire: Wire, events: int | None) -> None:
    with WireServer([Silence(events=events)]) as server:
        async with model_at(server, wire) as model:
            asking = asyncio.create_task(model.answer(request(), unheard))
            await asyncio.to_thread(wait_until_asked, server)
            began = time.monotonic()
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
            assert time.monotonic() - began < 0.5
            assert await asyncio.to_thread(server.hung_up.wait, 1)


def wait_until_asked(server: WireServer) -> None:
    deadline = time.monotonic() + 20
    while not server.asked:
        assert time.monotonic() < deadline
        time.sleep(0.01)


async def test_a_turn_goes_back_to_its_own_family_as_it_came(wire: Wire) -> None:
    answer = Answer("Hello", reasoning="hm", calls=(Call("browser_click", {"target": "e1"}),))
    with WireServer([answer, Answer("Done")]) as server:
        async with model_at(server, wire) as model:
            turn = await model.answer(request(), unheard)
            call = turn.calls[0].id
            await model.answer(request("Hello", replied(turn), result(call, "clicked")), unheard)
        sent = server.asked[1].messages
    said = next(message for message in sent if message["role"] == "assistant")
    stored = json.loads(turn.wire.json)
    if wire == "openai-chat":
        assert said == stored["message"]
        assert said["reasoning_content"] == "hm"
    else:
        assert said["content"] == stored["content"]
        assert said["content"][0] == {"type": "thinking", "thinking": "hm", "signature": "c2lnbmF0dXJl1"}
    assert server.asked[1].newest_text == "clicked"


async def test_a_turn_of_one_family_is_rebuilt_for_the_other(wire: Wire) -> None:
    other = next(one for one in WIRES if one != wire)
    with WireServer(
        [Answer("Hello", reasoning="hm", calls=(Call("browser_click", {"target": "e1"}),)), Answer()]
    ) as server:
        async with model_at(server, wire) as model:
            turn = await model.answer(request(), unheard)
        async with model_at(server, other) as model:
            await model.answer(request("Hello", replied(turn), result(turn.calls[0].id, "clicked")), unheard)
        sent = json.dumps(server.asked[1].messages)
    assert "hm" not in sent
    assert "c2lnbmF0dXJl" not in sent
    assert turn.calls[0].id in sent
    assert server.asked[1].newest_text == "clicked"


async def test_each_request_is_a_prefix_of_the_next_one(wire: Wire) -> None:
    def clicking(asked: Asked) -> Reply:
        return Answer(f"Step {asked.turns}", calls=(Call("browser_click", {"target": f"e{asked.turns}"}),))

    messages: list[object] = ["Click them all."]
    with WireServer(clicking) as server:
        async with model_at(server, wire) as model:
            for step in range(5):
                turn = await model.answer(request(*messages), unheard)  # type: ignore[arg-type]
                messages += [replied(turn), result(turn.calls[0].id, f"clicked {step}")]
        sent = [without_markers(asked.body["messages"]) for asked in server.asked]
    for before, after in itertools.pairwise(sent):
        assert after[: len(before)] == before
        assert len(after) > len(before)


def without_markers(messages: object) -> list[object]:
    text = json.dumps(messages).replace(', "cache_control": {"type": "ephemeral"}', "")
    found: list[object] = json.loads(text)
    return found


async def test_pictures_of_results_reach_the_model(wire: Wire) -> None:
    picture = PictureBlock("b1", "image/png", b"\x89PNG")  # type: ignore[arg-type]
    with WireServer([Answer(calls=(Call("browser_click"),)), Answer("Nice")]) as server:
        async with model_at(server, wire) as model:
            turn = await model.answer(request(), unheard)
            shown = ToolResultBlock(turn.calls[0].id, (TextBlock("a picture"), picture))
            await model.answer(request("Hello", replied(turn), UserMessage((shown,))), unheard)
        assert "iVBORw==" in json.dumps(server.asked[1].messages[-1])
        assert "a picture" in server.asked[1].newest_text


@pytest.mark.parametrize("level", ["off", "low", "medium", "high"])
async def test_the_effort_is_always_sent(wire: Wire, level: str) -> None:
    with WireServer([Answer("Hi")]) as server:
        async with model_at(server, wire) as model:
            await model.answer(request(effort=level), unheard)
        body = server.asked[0].body
    if wire == "openai-chat":
        assert body["reasoning_effort"] == {"off": "none"}.get(level, level)
    else:
        assert body["output_config"] == {"effort": {"off": "low"}.get(level, level)}
        assert body["thinking"]["type"] == ("disabled" if level == "off" else "adaptive")


async def test_a_field_the_server_does_not_know_is_left_out_once_and_for_all(wire: Wire) -> None:
    unknown = {"openai-chat": ("stream_options", "reasoning_effort"), "anthropic": ("thinking", "output_config")}[wire]
    with WireServer([Answer("One"), Answer("Two")], unknown_fields=unknown) as server:
        async with model_at(server, wire) as model:
            texts = [(await model.answer(request(), unheard)).text for _ in range(2)]
        refused = [sum(name in asked.body for name in unknown) for asked in server.asked]
    assert texts == ["One", "Two"]
    assert refused == [2, 1, 0, 0]


async def test_a_lesson_is_known_to_the_next_model_of_the_same_endpoint(wire: Wire) -> None:
    unknown = {"openai-chat": "stream_options", "anthropic": "thinking"}[wire]
    lessons = LessonBook()
    with WireServer([Answer("One"), Answer("Two")], unknown_fields=[unknown]) as server:
        for _ in range(2):
            async with model_at(server, wire, lessons=lessons) as model:
                await model.answer(request(), unheard)
        assert [unknown in asked.body for asked in server.asked] == [True, False, False]


async def test_keys_never_go_out_in_a_text(wire: Wire) -> None:
    key = "sk-verysecret0123456789abcdef"
    with WireServer([Answer("Hi")], key=key) as server:
        async with model_at(server, wire, key=key) as model:
            await model.answer(request(f"my key is {key}", result("c1", f"page says {key}")), unheard)
        assert key not in json.dumps(server.asked[0].body)


async def test_the_key_of_the_environment_is_not_used(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, "of-the-environment")
    with WireServer([Answer("Hi")]) as server:
        async with model_at(server, wire) as model:
            await model.answer(request(), unheard)
        assert "of-the-environment" not in json.dumps(dict(server.asked[0].headers))
