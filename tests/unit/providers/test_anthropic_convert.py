import json
from typing import Any

import pytest

from app.domain.ids import BlobHash, ToolCallId
from app.domain.messages import (
    AssistantMessage,
    Message,
    PictureBlock,
    Request,
    TextBlock,
    ToolCall,
    ToolResultBlock,
    ToolSpec,
    UserMessage,
    WireItems,
)
from app.providers.anthropic_convert import body_of

NOTHING: frozenset[str] = frozenset()
UNMARKED = frozenset({"cache_control"})
MARK = {"type": "ephemeral"}


def said(text: str) -> UserMessage:
    return UserMessage((TextBlock(text),))


def messages_of(*messages: Message) -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = body_of(Request("m", "", (), messages), UNMARKED, str)["messages"]
    return sent


def test_a_request_becomes_system_tools_and_messages() -> None:
    tools = (ToolSpec("browser_click", "Click.", '{"type":"object"}'),)
    request = Request("m", "You browse.", tools, (said("Hi"),), max_output_tokens=100)
    assert body_of(request, UNMARKED, str) == {
        "model": "m",
        "max_tokens": 100,
        "stream": True,
        "system": [{"type": "text", "text": "You browse."}],
        "tools": [{"name": "browser_click", "description": "Click.", "input_schema": {"type": "object"}}],
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Hi"}]}],
        "thinking": {"type": "adaptive", "display": "summarized"},
        "output_config": {"effort": "low"},
    }


def test_results_come_first_with_their_pictures_inside() -> None:
    picture = PictureBlock(BlobHash("h"), "image/png", b"\x89PNG")
    blocks = (TextBlock("go on"), ToolResultBlock(ToolCallId("a"), (TextBlock("page"), picture), is_error=True))
    assert messages_of(UserMessage(blocks)) == [
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "a",
                    "content": [
                        {"type": "text", "text": "page"},
                        {
                            "type": "image",
                            "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw=="},
                        },
                    ],
                    "is_error": True,
                },
                {"type": "text", "text": "go on"},
            ],
        }
    ]


THOUGHT = {"type": "thinking", "thinking": "hm", "signature": "c2ln"}
USE = {"type": "tool_use", "id": "a", "name": "x", "input": {"k": 1}}


def wire_turn(*blocks: dict[str, Any], model: str = "m") -> AssistantMessage:
    wire = WireItems("anthropic", model, json.dumps({"content": blocks}))
    return AssistantMessage("I click", (ToolCall(ToolCallId("a"), "x", '{"k":1}'),), wire)


def test_blocks_of_the_same_model_are_replayed_as_they_came_without_empty_texts() -> None:
    odd = {"type": "block_of_tomorrow", "kept": True}
    (message,) = messages_of(wire_turn(THOUGHT, {"type": "text", "text": ""}, odd, USE))
    assert message == {"role": "assistant", "content": [THOUGHT, odd, USE]}


@pytest.mark.parametrize(
    "message", [wire_turn(THOUGHT, USE, model="another"), AssistantMessage("I click", wire_turn().calls)]
)
def test_other_turns_are_rebuilt_without_thoughts(message: AssistantMessage) -> None:
    assert messages_of(message)[0]["content"] == [{"type": "text", "text": "I click"}, USE]


def test_ids_of_other_providers_are_made_fit_in_call_and_result_alike() -> None:
    call = ToolCall(ToolCallId("functions.x:0"), "x", '{"a"')
    sent = messages_of(AssistantMessage("", (call,)), UserMessage((ToolResultBlock(call.id, (TextBlock("ok"),)),)))
    assert sent[0]["content"][0] == {
        "type": "tool_use",
        "id": "functions_x_0",
        "name": "x",
        "input": {"unreadable": '{"a"'},
    }
    assert sent[1]["content"][0]["tool_use_id"] == "functions_x_0"


def test_blank_texts_and_empty_turns_are_left_out() -> None:
    assert messages_of(said(" \n"), AssistantMessage("", ()), said("Hi")) == [
        {"role": "user", "content": [{"type": "text", "text": "Hi"}]}
    ]


def test_the_cache_is_marked_after_the_system_prompt_and_after_the_two_newest_messages_of_the_user() -> None:
    body = body_of(
        Request("m", "s", (), (said("1"), wire_turn(USE), said("2"), wire_turn(USE), said("3"))), NOTHING, str
    )
    assert body["system"][0]["cache_control"] == MARK
    marked = [message["content"][-1].get("cache_control") for message in body["messages"]]
    assert marked == [None, None, MARK, None, MARK]


def test_after_an_edit_the_cache_is_marked_at_the_last_message_before_it_too() -> None:
    turns = [part for number in range(9) for part in (said(str(number)), wire_turn(USE))]
    body = body_of(Request("m", "s", (), (*turns, said("end")), unchanged=6), NOTHING, str)
    marked = [at for at, one in enumerate(body["messages"]) if "cache_control" in one["content"][-1]]
    assert marked == [4, 16, 18]
    whole = body_of(Request("m", "s", (), (*turns, said("end")), unchanged=19), NOTHING, str)
    assert [at for at, one in enumerate(whole["messages"]) if "cache_control" in one["content"][-1]] == [16, 18]


def test_off_means_no_thinking_and_the_least_effort() -> None:
    body = body_of(Request("m", "", (), (), effort="off"), NOTHING, str)
    assert body["thinking"] == {"type": "disabled"}
    assert body["output_config"] == {"effort": "low"}


def test_every_text_goes_through_the_cleaning() -> None:
    messages = (
        UserMessage((TextBlock("secret"), ToolResultBlock(ToolCallId("a"), (TextBlock("secret"),)))),
        wire_turn({"type": "text", "text": "secret"}),
        AssistantMessage("secret", (ToolCall(ToolCallId("a"), "x", '{"a": "secret"}'),)),
    )
    body = body_of(Request("m", "secret", (), messages), NOTHING, lambda text: text.replace("secret", "•"))
    assert "secret" not in json.dumps(body)
