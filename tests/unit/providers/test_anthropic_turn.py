import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.ids import ToolCallId
from app.domain.messages import ModelTurn, Usage
from app.providers.anthropic_turn import AnthropicTurn, usage_of

STOP = {"type": "message_stop"}


def start(index: int, **block: Any) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": block}


def delta(index: int, kind: str, **fields: Any) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **fields}}


def stop(index: int) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": index}


def end(reason: str = "end_turn", **usage: int) -> dict[str, Any]:
    return {"type": "message_delta", "delta": {"stop_reason": reason}, "usage": usage}


def turn_of(*events: dict[str, Any], taken: frozenset[ToolCallId] = frozenset()) -> ModelTurn:
    turn = AnthropicTurn("m", "t1", taken)
    for event in events:
        turn.add(event)
    return turn.turn()


def test_blocks_of_a_stream_are_put_together_and_kept_as_they_are() -> None:
    turn = turn_of(
        start(0, type="thinking", thinking="", signature=""),
        delta(0, "thinking_delta", thinking="h"),
        delta(0, "thinking_delta", thinking="m"),
        delta(0, "signature_delta", signature="c2ln"),
        stop(0),
        start(1, type="redacted_thinking", data="xx"),
        stop(1),
        start(2, type="text", text=""),
        delta(2, "text_delta", text="Yes"),
        stop(2),
        start(3, type="tool_use", id="a", name="x", input={}),
        delta(3, "input_json_delta", partial_json='{"k"'),
        delta(3, "input_json_delta", partial_json=": 1}"),
        stop(3),
        end("tool_use"),
        STOP,
    )
    assert (turn.text, turn.reasoning_text, turn.stop) == ("Yes", "hm", "tool_calls")
    assert [(call.id, call.name, call.arguments) for call in turn.calls] == [("a", "x", '{"k": 1}')]
    assert json.loads(turn.wire.json)["content"] == [
        {"type": "thinking", "thinking": "hm", "signature": "c2ln"},
        {"type": "redacted_thinking", "data": "xx"},
        {"type": "text", "text": "Yes"},
        {"type": "tool_use", "id": "a", "name": "x", "input": {"k": 1}},
    ]


def test_a_call_without_arguments_has_empty_ones() -> None:
    use = start(0, type="tool_use", id="a", name="back", input={})
    turn = turn_of(use, delta(0, "input_json_delta", partial_json=""), stop(0), end("tool_use"))
    assert turn.calls[0].arguments == "{}"


def test_arguments_that_are_no_json_stay_as_written() -> None:
    use = start(0, type="tool_use", id="a", name="x", input={})
    turn = turn_of(use, delta(0, "input_json_delta", partial_json='{"k":'), stop(0), end("tool_use"))
    assert turn.calls[0].arguments == '{"k":'
    assert json.loads(turn.wire.json)["content"][0]["input"] == {"unreadable": '{"k":'}


def test_an_id_of_an_earlier_turn_is_replaced_in_the_wire_items_too() -> None:
    use = start(0, type="tool_use", id="a", name="x", input={})
    turn = turn_of(use, stop(0), end("tool_use"), taken=frozenset({ToolCallId("a")}))
    assert turn.calls[0].id == json.loads(turn.wire.json)["content"][0]["id"] == "toolu_t1_0"


def test_a_block_left_open_means_cut_whatever_the_stop_reason() -> None:
    turn = turn_of(start(0, type="tool_use", id="a", name="x", input={}), end("tool_use"))
    assert (turn.stop, turn.calls) == ("cut", ())


@pytest.mark.parametrize(
    ("reason", "kind"),
    [
        ("end_turn", "end"),
        ("stop_sequence", "end"),
        ("max_tokens", "length"),
        ("model_context_window_exceeded", "length"),
        ("refusal", "refusal"),
        ("pause_turn", "paused"),
        ("tool_use", "other"),
        ("of_tomorrow", "other"),
        ("", "cut"),
    ],
)
def test_how_a_text_ended_is_told(reason: str, kind: str) -> None:
    assert turn_of(start(0, type="text", text="Yes"), stop(0), end(reason)).stop == kind


def test_input_tokens_include_the_cached_ones_and_the_newest_counts_win() -> None:
    head = {"input_tokens": 10, "cache_read_input_tokens": 600, "cache_creation_input_tokens": 90, "output_tokens": 1}
    turn = turn_of({"type": "message_start", "message": {"model": "m-1", "usage": head}}, end(output_tokens=50))
    assert turn.usage == Usage(700, 600, 50, 0)
    assert turn.model == "m-1"
    assert usage_of({"output_tokens_details": {"thinking_tokens": 7}}).reasoning_tokens == 7


def test_a_whole_message_gives_the_same_turn_as_its_stream() -> None:
    content = [{"type": "text", "text": "Yes"}, {"type": "tool_use", "id": "a", "name": "x", "input": {"k": 1}}]
    whole = turn_of({"type": "message", "model": "m-1", "content": content, "stop_reason": "tool_use", "usage": {}})
    assert (whole.text, whole.stop, whole.calls[0].arguments) == ("Yes", "tool_calls", '{"k":1}')
    assert json.loads(whole.wire.json)["content"] == content


values = st.none() | st.integers(-3, 3) | st.text(max_size=4) | st.just({}) | st.just([]) | st.just({"type": "text"})
KINDS = (
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_delta",
    "message",
)
KEYS = ("index", "message", "content_block", "delta", "usage", "content", "stop_reason")


@given(st.lists(st.tuples(st.sampled_from(KINDS), st.dictionaries(st.sampled_from(KEYS), values)), max_size=6))
def test_no_shape_of_json_breaks_the_reading(events: list[tuple[str, dict[str, Any]]]) -> None:
    assert turn_of(*({"type": kind, **fields} for kind, fields in events)).wire.json
