import socket
import time
from collections.abc import Sequence

import pytest

from app.providers.catalog import create
from app.providers.connection import STAGES, StageResult, check_connection
from app.providers.probe import probe_local
from app.providers.script import Move, Script, ScriptedCall
from tests.fakes.wire_models import WIRES, model_at
from tests.fakes.wire_replies import Answer, Call, Cut, Refusal, Reply, Silence
from tests.fakes.wire_server import Wire, WireServer

COUNTING = Answer("one two three four five six seven eight nine ten")
READY = Answer(calls=(Call("report_ready", {"ready": True}),))


async def stages_of(wire: Wire, replies: Sequence[Reply], **of_server: object) -> list[StageResult]:
    with WireServer(replies, **of_server) as server:  # type: ignore[arg-type]
        async with model_at(server, wire, key="sk-test") as model:
            return [stage async for stage in check_connection(model, "test-model")]


@pytest.mark.parametrize("wire", WIRES)
async def test_a_good_connection_passes_every_stage(wire: Wire) -> None:
    stages = await stages_of(wire, [COUNTING, READY], key="sk-test")
    assert [(stage, passed) for stage, passed, _ in stages] == [(stage, True) for stage in STAGES]


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize(
    ("replies", "of_server", "failing", "words"),
    [
        ([], {"key": "sk-other"}, "key", "did not accept the key"),
        ([], {"models": ["another"]}, "model", "does not know the model test-model"),
        ([Refusal(503, "busy")], {}, "model", "overloaded"),
        ([Cut(COUNTING, events=6)], {}, "streaming", "cut off"),
        ([Answer("")], {}, "streaming", "without a word"),
        ([COUNTING, Answer("I cannot")], {}, "tool call", "cannot browse"),
        ([COUNTING, Refusal(400, "tools are not supported")], {}, "tool call", "tools are not supported"),
    ],
)
async def test_the_first_stage_that_fails_is_the_last_and_says_why(
    wire: Wire, replies: list[Reply], of_server: dict[str, object], failing: str, words: str
) -> None:
    stages = await stages_of(wire, replies, **of_server)
    assert [passed for _, passed, _ in stages] == [True] * (len(stages) - 1) + [False]
    assert stages[-1][0] == failing
    assert words in stages[-1][2]


async def test_a_server_that_does_not_stream_passes_with_a_remark() -> None:
    stages = await stages_of("openai-chat", [Answer("one two", streams=False), READY])
    assert ("streaming", True, "The answer came in one piece; it will not appear word by word.") in stages


async def test_nothing_at_the_address_fails_at_the_first_stage() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        model = create("local", f"127.0.0.1:{free.getsockname()[1]}")
    stages = [stage async for stage in check_connection(model, "llama")]
    await model.close()
    assert [(stage, passed) for stage, passed, _ in stages] == [("reach", False)]
    assert "No model is running" in stages[0][2]


async def test_the_scripted_model_passes_too() -> None:
    steps = ((Move("one two"),), (Move(calls=(ScriptedCall("report_ready", {}),)),))
    stages = [stage async for stage in check_connection(create("scripted", script=Script(steps[:1])), "demo")]
    assert [passed for _, passed, _ in stages][:4] == [True] * 4


async def test_model_servers_on_this_machine_are_found_with_their_models_in_under_a_second() -> None:
    with WireServer(models=["qwen", "llama"]) as ollama, WireServer(models=[]) as empty, socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        ports = [ollama.port, empty.port, silent.getsockname()[1], 1]
        began = time.monotonic()
        found = await probe_local([(f"server {number}", port) for number, port in enumerate(ports)])
        assert time.monotonic() - began < 1
    assert found == (("server 0", ollama.base_url, ("qwen", "llama")),)


async def test_a_web_server_that_serves_no_models_is_not_taken_for_one() -> None:
    with WireServer([Silence()], key="needs-one") as other:
        assert await probe_local([("Ollama", other.port)]) == ()
