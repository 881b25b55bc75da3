import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.ids import ToolCallId
from app.domain.messages import ModelTurn, Usage
from app.providers.chat_turn import ChatTurn, usage_of


def chunk(finish: str | None = None, **delta: Any) -> dict[str, Any]:
    return {"id": "c1", "model": "m-1", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


def part(index: int | None = 0, arguments: str | None = None, **fields: Any) -> dict[str, Any]:
    function = {"arguments": arguments} if arguments is not None else {}
    name = {"name": fields.pop("name")} if "name" in fields else {}
    place = {} if index is None else {"index": index}
    return chunk(tool_calls=[{**place, **fields, "function": {**name, **function}}])


def turn_of(*chunks: dict[str, Any], taken: frozenset[ToolCallId] = frozenset()) -> ModelTurn:
    turn = ChatTurn("m", "t1", taken)
    for one in chunks:
        turn.add(one)
    return turn.turn()


def test_fragments_of_calls_are_put_together_by_index() -> None:
    turn = turn_of(
        part(0, "", id="a", name="click"),
        part(0, '{"target"'),
        part(1, "", id="b", name="back"),
        part(0, ': "e1"}'),
        part(1, "{}"),
        chunk("tool_calls"),
    )
    assert [(call.id, call.name, call.arguments) for call in turn.calls] == [
        ("a", "click", '{"target": "e1"}'),
        ("b", "back", "{}"),
    ]


def test_whole_calls_that_all_have_the_index_0_are_told_apart_by_their_ids() -> None:
    turn = turn_of(part(0, '{"a":1}', id="a", name="x"), part(0, '{"b":2}', id="b", name="y"), chunk("stop"))
    assert [(call.name, call.arguments) for call in turn.calls] == [("x", '{"a":1}'), ("y", '{"b":2}')]
    assert turn.stop == "tool_calls"


def test_calls_of_a_whole_completion_need_no_index() -> None:
    calls = [{"id": one, "type": "function", "function": {"name": one, "arguments": "{}"}} for one in ("a", "b")]
    message = {"role": "assistant", "content": None, "tool_calls": calls}
    turn = turn_of({"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]})
    assert [call.name for call in turn.calls] == ["a", "b"]


def test_arguments_given_as_an_object_are_taken_as_their_json() -> None:
    message = {"tool_calls": [{"id": "a", "function": {"name": "x", "arguments": {"k": 1}}}]}
    turn = turn_of({"choices": [{"message": message, "finish_reason": "tool_calls"}]})
    assert turn.calls[0].arguments == '{"k":1}'


def test_a_call_without_arguments_has_empty_ones() -> None:
    assert turn_of(part(0, id="a", name="back"), chunk("tool_calls")).calls[0].arguments == "{}"


@pytest.mark.parametrize("given_id", ["", "call_0"])
def test_a_missing_id_or_one_of_an_earlier_turn_is_replaced_in_the_wire_items_too(given_id: str) -> None:
    turn = turn_of(part(0, "{}", id=given_id, name="x"), chunk("stop"), taken=frozenset({ToolCallId("call_0")}))
    assert turn.calls[0].id == "call_t1_0"
    assert json.loads(turn.wire.json)["message"]["tool_calls"][0]["id"] == "call_t1_0"


def test_two_calls_with_one_id_are_left_for_the_judge_to_see() -> None:
    turn = turn_of(part(0, "{}", id="a", name="x"), part(1, "{}", id="a", name="y"), chunk("stop"))
    assert [call.id for call in turn.calls] == ["a", "a"]


def test_unknown_fields_are_kept_in_the_wire_items() -> None:
    signed = part(0, "{}", id="a", name="x", extra_content={"signature": "s"})
    details = chunk(reasoning_details=[{"type": "reasoning.text", "text": "a"}])
    more = chunk(reasoning_details=[{"type": "reasoning.text", "text": "b"}])
    message = json.loads(turn_of(details, more, signed, chunk("tool_calls")).wire.json)["message"]
    assert [item["text"] for item in message["reasoning_details"]] == ["a", "b"]
    assert message["tool_calls"][0]["extra_content"] == {"signature": "s"}


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_thoughts_are_no_text(field: str) -> None:
    turn = ChatTurn("m", "t1")
    assert turn.add(chunk(**{field: "hm"})) == ""
    assert turn.add(chunk(content="Yes")) == "Yes"
    turn.add(chunk("stop"))
    assert (turn.turn().text, turn.turn().reasoning_text) == ("Yes", "hm")


def test_content_in_parts_is_text() -> None:
    parts = [{"type": "thinking", "thinking": []}, {"type": "text", "text": "Yes"}]
    assert turn_of(chunk(content=parts), chunk("stop")).text == "Yes"


def test_a_refusal_in_words_is_the_text() -> None:
    turn = turn_of(chunk(refusal="I will"), chunk(refusal=" not"), chunk("stop"))
    assert (turn.text, turn.stop) == ("I will not", "refusal")


@pytest.mark.parametrize(
    ("finish", "stop"),
    [
        ("stop", "end"),
        ("length", "length"),
        ("content_filter", "refusal"),
        ("tool_calls", "other"),
        ("error", "cut"),
        ("of_tomorrow", "other"),
        (None, "cut"),
    ],
)
def test_how_a_text_ended_is_told(finish: str | None, stop: str) -> None:
    assert turn_of(chunk(content="Yes"), chunk(finish)).stop == stop


def test_usage_is_the_newest_that_was_told() -> None:
    first = {"choices": [], "usage": {"prompt_tokens": 5, "completion_tokens": 1}}
    last = {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 4}}
    nothing = {"choices": [], "usage": None}
    assert turn_of(first, chunk("stop"), last, nothing).usage == Usage(9, 0, 4, 0)


def test_cached_tokens_are_found_under_either_name() -> None:
    assert usage_of({"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": 4}}).cached_tokens == 4
    assert usage_of({"prompt_tokens": 9, "prompt_cache_hit_tokens": 4}).cached_tokens == 4
    assert usage_of({"prompt_tokens": None, "prompt_tokens_details": None}) == Usage()


def test_a_character_cut_in_two_by_the_wire_is_put_together() -> None:
    turn = turn_of(chunk(content="\ud83d"), chunk(content="\udc4d"), chunk("stop"))
    assert turn.text == "👍"
    assert json.loads(turn.wire.json)["message"]["content"] == "👍"
    assert turn_of(chunk(content="\ud83d"), chunk("stop")).text.encode()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
KEYS = ("choices", "delta", "message", "tool_calls", "function", "index", "id", "content", "finish_reason", "usage")
odd_chunks = st.dictionaries(st.sampled_from(KEYS), json_values | st.just([{"delta": {"tool_calls": [{}]}}]))


@given(st.lists(odd_chunks, max_size=5), st.lists(st.dictionaries(st.sampled_from(KEYS), json_values), max_size=3))
def test_no_shape_of_json_breaks_the_reading(chunks: list[dict[str, Any]], deltas: list[dict[str, Any]]) -> None:
    turn = turn_of(*chunks, *({"choices": [{"delta": delta}]} for delta in deltas))
    assert turn.wire.json
