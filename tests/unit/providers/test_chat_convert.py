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
from app.providers.chat_convert import body_of, droppable

NOTHING: frozenset[str] = frozenset()
CLICK = ToolSpec("browser_click", "Click.", '{"type":"object"}')


def messages_of(*messages: Message, model: str = "m", refused: frozenset[str] = NOTHING) -> list[dict[str, Any]]:
    sent: list[dict[str, Any]] = body_of(Request(model, "", (), messages), refused, str)["messages"]
    return sent


def test_a_request_becomes_system_tools_and_messages() -> None:
    request = Request("m", "You browse.", (CLICK,), (UserMessage((TextBlock("Hi"),)),), max_output_tokens=100)
    assert body_of(request, NOTHING, str) == {
        "model": "m",
        "messages": [{"role": "system", "content": "You browse."}, {"role": "user", "content": "Hi"}],
        "stream": True,
        "tools": [
            {
                "type": "function",
                "function": {"name": "browser_click", "description": "Click.", "parameters": {"type": "object"}},
            }
        ],
        "stream_options": {"include_usage": True},
        "reasoning_effort": "low",
        "max_tokens": 100,
    }


def test_results_stand_in_messages_of_their_own_and_before_what_the_person_said() -> None:
    said = UserMessage(
        (
            TextBlock("go on"),
            ToolResultBlock(ToolCallId("a"), (TextBlock("one"), TextBlock("two"))),
            ToolResultBlock(ToolCallId("b"), ()),
        )
    )
    assert messages_of(said) == [
        {"role": "tool", "tool_call_id": "a", "content": "one\n\ntwo"},
        {"role": "tool", "tool_call_id": "b", "content": "(no text)"},
        {"role": "user", "content": "go on"},
    ]


def test_pictures_of_results_follow_in_a_message_of_the_user() -> None:
    picture = PictureBlock(BlobHash("h"), "image/png", b"\x89PNG")
    sent = messages_of(UserMessage((ToolResultBlock(ToolCallId("a"), (TextBlock("a page"), picture)),)))
    assert sent == [
        {"role": "tool", "tool_call_id": "a", "content": "a page"},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "Picture in the result of a:"},
                {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw=="}},
            ],
        },
    ]


def wire_turn(model: str = "m", **extra: object) -> AssistantMessage:
    message = {"role": "assistant", "content": "I click", "reasoning_content": "hm", **extra}
    return AssistantMessage("I click", (), WireItems("openai-chat", model, json.dumps({"message": message})))


def test_a_turn_of_the_same_model_is_replayed_as_it_came() -> None:
    assert messages_of(wire_turn(odd_field={"kept": True})) == [
        {"role": "assistant", "content": "I click", "reasoning_content": "hm", "odd_field": {"kept": True}}
    ]


@pytest.mark.parametrize("message", [wire_turn("another"), AssistantMessage("I click", (), WireItems("x", "m", "{}"))])
def test_a_turn_of_another_model_or_family_is_rebuilt_without_its_thoughts(message: AssistantMessage) -> None:
    assert messages_of(message) == [{"role": "assistant", "content": "I click"}]


def test_a_turn_whose_wire_items_a_fold_dropped_is_rebuilt() -> None:
    call = ToolCall(ToolCallId("a"), "browser_click", '{"target": "e1"}')
    assert messages_of(AssistantMessage("", (call,))) == [
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [
                {"id": "a", "type": "function", "function": {"name": "browser_click", "arguments": '{"target": "e1"}'}}
            ],
        }
    ]


@pytest.mark.parametrize(
    ("arguments", "sent"), [("", "{}"), ('{"a": ', '{"unreadable":"{\\"a\\": "}'), ("[1]", '{"unreadable":"[1]"}')]
)
def test_arguments_that_are_no_object_are_sent_as_a_note_of_what_was_written(arguments: str, sent: str) -> None:
    (message,) = messages_of(AssistantMessage("", (ToolCall(ToolCallId("a"), "x", arguments),)))
    assert message["tool_calls"][0]["function"]["arguments"] == sent


def test_an_empty_turn_is_left_out() -> None:
    assert messages_of(AssistantMessage("", ())) == []


@pytest.mark.parametrize(
    ("refused", "present"),
    [
        ({"stream_options"}, {"reasoning_effort", "max_tokens"}),
        ({"reasoning_effort"}, {"stream_options", "max_tokens"}),
        ({"max_tokens"}, {"stream_options", "reasoning_effort", "max_completion_tokens"}),
        ({"max_tokens", "max_completion_tokens"}, {"stream_options", "reasoning_effort"}),
    ],
)
def test_what_an_endpoint_refused_is_left_out(refused: set[str], present: set[str]) -> None:
    body = body_of(Request("m", "", (), ()), frozenset(refused), str)
    assert set(body) - {"model", "messages", "stream"} == present
    assert set(droppable(body)) == present


def test_thoughts_an_endpoint_refused_are_not_replayed() -> None:
    assert "reasoning_content" not in messages_of(wire_turn(), refused=frozenset({"reasoning_content"}))[0]
    assert "reasoning_content" in droppable(body_of(Request("m", "", (), (wire_turn(),)), NOTHING, str))


@pytest.mark.parametrize(
    ("refused", "effort"),
    [
        (set(), "none"),
        ({"reasoning_effort=none"}, "minimal"),
        ({"reasoning_effort=none", "reasoning_effort=minimal"}, "low"),
        ({f"reasoning_effort={value}" for value in ("none", "minimal", "low")}, None),
    ],
)
def test_off_is_the_lowest_effort_that_was_not_refused(refused: set[str], effort: str | None) -> None:
    body = body_of(Request("m", "", (), (), effort="off"), frozenset(refused), str)
    assert body.get("reasoning_effort") == effort


def test_every_text_goes_through_the_cleaning() -> None:
    messages = (
        UserMessage((TextBlock("secret"), ToolResultBlock(ToolCallId("a"), (TextBlock("secret"),)))),
        wire_turn(content="secret"),
        AssistantMessage("secret", (ToolCall(ToolCallId("a"), "x", '{"a": "secret"}'),)),
    )
    body = body_of(Request("m", "secret", (), messages), NOTHING, lambda text: text.replace("secret", "•"))
    assert "secret" not in json.dumps(body)


def test_the_same_request_gives_the_same_bytes() -> None:
    request = Request("m", "s", (CLICK,), (UserMessage((TextBlock("Hi"),)), wire_turn()))
    assert json.dumps(body_of(request, NOTHING, str)) == json.dumps(body_of(request, NOTHING, str))
