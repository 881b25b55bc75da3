"""The strict fake knows an edit from an extension, refuses what strict providers refuse, and bills what they bill."""

import copy
import json
import subprocess
import sys
import urllib.error
import urllib.request
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.strict_bills import quarter_of_characters
from tests.fakes.strict_prefix import PriceTable, StrictServer, blocks_of
from tests.fakes.strict_rules import fault_in
from tests.fakes.wire_replies import Answer, Asked, Call, Cut, Refusal, Reply, Wire

Body = dict[str, Any]
WIRES: tuple[Wire, ...] = ("anthropic", "openai-chat")
PLAIN = PriceTable("plain", input=10, cached=1, write=10, output=100, minimum=0)
MARK = {"cache_control": {"type": "ephemeral"}}
THINKING = Answer("I look.", calls=(Call("look"),), reasoning="Hm, what is there?")


def begun(wire: Wire, *said: str) -> Body:
    """The first request of a conversation."""
    schema = {"type": "object", "properties": {}}
    if wire == "anthropic":
        tools = [{"name": "look", "description": "Look.", "input_schema": schema}]
        content = [{"type": "text", "text": text} for text in said or ("Do it",)]
        system = [{"type": "text", "text": "You browse."}]
        return {"model": "test-model", "tools": tools, "system": system, "messages": [user(content)]}
    tools = [{"type": "function", "function": {"name": "look", "description": "Look.", "parameters": schema}}]
    messages = [{"role": "system", "content": "You browse."}, user("\n\n".join(said or ("Do it",)))]
    return {"model": "test-model", "tools": tools, "messages": messages}


def user(content: Any) -> Body:
    return {"role": "user", "content": content}


def post(server: StrictServer, wire: Wire, body: Body) -> Body:
    path = "/v1/messages" if wire == "anthropic" else "/v1/chat/completions"
    asking = urllib.request.Request(
        server.anthropic_url + path,
        json.dumps(body).encode(),
        {"content-type": "application/json", "authorization": "Bearer one"},
    )
    with urllib.request.urlopen(asking, timeout=10) as response:
        found: Body = json.loads(response.read())
    return found


def refused(server: StrictServer, wire: Wire, body: Body) -> str:
    """The words of the refusal, in the shape of the wire."""
    with pytest.raises(urllib.error.HTTPError) as caught:
        post(server, wire, body)
    with caught.value as refusal:
        said = json.loads(refusal.read())
    assert refusal.code == 400
    assert said["error"]["type"] == "invalid_request_error"
    assert (wire == "anthropic") == (said.get("type") == "error")
    message: str = said["error"]["message"]
    return message


def goes_on(wire: Wire, body: Body, reply: Body, result: str = "There is a page.") -> Body:
    """The request after an answer, whose calls all have this result."""
    if wire == "anthropic":
        calls = [part["id"] for part in reply["content"] if part["type"] == "tool_use"]
        results = [{"type": "tool_result", "tool_use_id": one, "content": result} for one in calls]
        newest = [{"role": "assistant", "content": reply["content"]}, user(results)]
    else:
        message = reply["choices"][0]["message"]
        ids = [call["id"] for call in message["tool_calls"]]
        newest = [message, *({"role": "tool", "tool_call_id": one, "content": result} for one in ids)]
    return {**body, "messages": [*copy.deepcopy(body["messages"]), *newest]}


def without_reasoning(body: Body, *turns: int) -> Body:
    """The request without the reasoning of these turns of the assistant, counted from 0."""
    made = copy.deepcopy(body)
    said = [message for message in made["messages"] if message["role"] == "assistant"]
    for number in turns:
        said[number].pop("reasoning_content", None)
        said[number].pop("reasoning_details", None)
        if isinstance(said[number]["content"], list):
            said[number]["content"] = [part for part in said[number]["content"] if part["type"] != "thinking"]
    return made


def edited(wire: Wire, body: Body, text: str = "Do something else") -> Body:
    """The request with another first message of the person."""
    made = copy.deepcopy(body)
    first = next(message for message in made["messages"] if message["role"] == "user")
    first["content"] = [{"type": "text", "text": text}] if wire == "anthropic" else text
    return made


def played(server: StrictServer, wire: Wire, turns: int) -> Body:
    """The request after so many turns."""
    body = begun(wire)
    for _ in range(turns):
        body = goes_on(wire, body, post(server, wire, body))
    return body


def thinks(asked: Asked) -> Reply:
    return replace(THINKING, reasoning=f"Hm, thought {asked.turns}")


on_both_wires = pytest.mark.parametrize("wire", WIRES)


@on_both_wires
def test_a_conversation_that_only_grows_is_answered_and_served_from_the_cache(wire: Wire) -> None:
    with StrictServer(thinks, tables=dict.fromkeys(WIRES, PLAIN)) as server:
        post(server, wire, played(server, wire, 3))
    bills = server.only.bills
    assert (server.only.refusals, server.only.edits) == ([], [])
    assert [bill.cached for bill in bills] == [0, *(bill.tokens_in for bill in bills[:-1])]


@on_both_wires
def test_what_is_billed_is_what_the_client_reads_as_usage(wire: Wire) -> None:
    with StrictServer(thinks, tables=dict.fromkeys(WIRES, PLAIN)) as server:
        usage = post(server, wire, played(server, wire, 1))["usage"]
    bill = server.only.bills[-1]
    assert bill.cached > 0
    if wire == "anthropic":
        read = (usage["cache_read_input_tokens"], usage["cache_creation_input_tokens"], usage["input_tokens"])
        assert read == (bill.cached, bill.written, bill.uncached - bill.written)
    else:
        assert usage["prompt_tokens_details"]["cached_tokens"] == bill.cached
        assert usage["prompt_tokens"] == bill.tokens_in


@on_both_wires
def test_reasoning_after_an_edit_is_refused_and_not_billed(wire: Wire) -> None:
    with StrictServer(thinks) as server:
        body = played(server, wire, 2)
        assert "bound to a different conversation" in refused(server, wire, edited(wire, body))
        assert len(server.only.bills) == 2
        post(server, wire, body)


@on_both_wires
def test_an_edit_without_reasoning_is_answered_and_billed_as_uncached_from_there_on(wire: Wire) -> None:
    with StrictServer(thinks, tables=dict.fromkeys(WIRES, PLAIN)) as server:
        post(server, wire, without_reasoning(edited(wire, played(server, wire, 2)), 0, 1))
    bill = server.only.bills[-1]
    assert bill.edited_at == 2  # after the tool and the system prompt
    assert bill.cached == sum(map(quarter_of_characters, server.only.requests[-1][:2]))
    assert server.only.edits == [2]


@on_both_wires
@pytest.mark.parametrize("left_out", [(0,), (0, 1), (0, 1, 2), (1, 2), (2,)])
def test_reasoning_may_be_left_out_from_the_start_and_from_the_end(wire: Wire, left_out: tuple[int, ...]) -> None:
    with StrictServer(thinks) as server:
        body = without_reasoning(played(server, wire, 3), *left_out)
        post(server, wire, goes_on(wire, body, post(server, wire, body)))
    assert server.only.refusals == []


@on_both_wires
def test_reasoning_left_out_from_the_middle_is_refused(wire: Wire) -> None:
    with StrictServer(thinks) as server:
        assert "left out" in refused(server, wire, without_reasoning(played(server, wire, 3), 1))


@on_both_wires
def test_reasoning_made_up_or_changed_is_refused(wire: Wire) -> None:
    with StrictServer(thinks) as server:
        changed = json.loads(json.dumps(played(server, wire, 1)).replace("thought 0", "thought 9"))
        assert "invalid `signature`" in refused(server, wire, changed)
        forged = json.loads(json.dumps(played(server, wire, 1)).replace('"signature": "', '"signature": "x'))
        assert "invalid `signature`" in refused(server, wire, forged)


def test_bare_reasoning_text_is_bound_to_its_prefix_too() -> None:
    wire: Wire = "openai-chat"
    with StrictServer(thinks) as server:
        body = played(server, wire, 1)
        del next(message for message in body["messages"] if message["role"] == "assistant")["reasoning_details"]
        post(server, wire, body)
        assert "bound to" in refused(server, wire, edited(wire, body))


@on_both_wires
def test_tools_and_system_prompt_are_part_of_what_reasoning_is_bound_to(wire: Wire) -> None:
    with StrictServer(thinks) as server:
        body = played(server, wire, 1)
        for old, new in (("Look.", "Look well."), ("You browse.", "You read.")):
            assert "bound to" in refused(server, wire, json.loads(json.dumps(body).replace(old, new)))


@on_both_wires
def test_another_effort_is_no_edit(wire: Wire) -> None:
    with StrictServer(thinks) as server:
        body = played(server, wire, 1)
        effort = {"output_config": {"effort": "high"}} if wire == "anthropic" else {"reasoning_effort": "high"}
        post(server, wire, {**body, **effort})
    assert server.only.edits == []


def test_moving_a_cache_marker_changes_nothing() -> None:
    with StrictServer(thinks) as server:
        body = played(server, "anthropic", 2)
        marked = copy.deepcopy(body)
        marked["tools"][0].update(MARK)
        marked["system"][0].update(MARK)
        marked["messages"][0]["content"][0].update(MARK)
        marked["messages"][2]["content"][0].update(MARK)
        assert blocks_of("anthropic", marked) == blocks_of("anthropic", body)
        post(server, "anthropic", marked)
        post(server, "anthropic", body)
    assert server.only.edits == []


@on_both_wires
def test_each_key_has_a_conversation_of_its_own_that_plays_the_script_from_its_beginning(wire: Wire) -> None:
    key = "x-api-key" if wire == "anthropic" else "authorization"
    asked = [Asked(wire, "", {key: name}, begun(wire)) for name in ("one", "two", "one")]
    server = StrictServer([Answer("first"), lambda asked: Answer(f"second after {asked.turns} turns")])
    with server:
        replies = [server.reply_to(one) for one in asked]
    assert [reply.text for reply in replies if isinstance(reply, Answer)] == ["first", "first", "second after 0 turns"]
    assert [len(one.bills) for one in server.conversations.values()] == [2, 1]


def test_without_a_key_a_conversation_is_known_by_its_beginning() -> None:
    asked = [Asked("anthropic", "", {}, begun("anthropic", text)) for text in ("Do it", "Do that", "Do it")]
    with StrictServer([Answer("Hello")] * 2) as server:
        for one in asked:
            server.reply_to(one)
    assert [len(one.bills) for one in server.conversations.values()] == [2, 1]


def test_a_bad_answer_is_passed_on_and_costs_its_input_and_a_refusal_costs_nothing() -> None:
    asked = Asked("anthropic", "", {}, begun("anthropic"))
    with StrictServer([Refusal(429), Cut(Answer("Hello"), events=1), Answer("Hello")]) as server:
        assert [type(server.reply_to(asked)) for _ in range(3)] == [Refusal, Cut, Answer]
    assert [bill.tokens_out for bill in server.only.bills] == [0, 2]


def called(**fields: str) -> Body:
    return {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "look", "input": {}, **fields}]}


def assert_fault(found: str | None, wanted: str) -> None:
    """The fault holds these words; with none wanted there is none."""
    assert (found is None) == (not wanted), found
    assert wanted in (found or "")


CALLED = called()
RESULT = {"type": "tool_result", "tool_use_id": "a", "content": "seen"}
SAID = {"type": "text", "text": "Do it"}
MANY = [{**SAID, **MARK}] * 5


@pytest.mark.parametrize(
    ("messages", "fault"),
    [
        ([user([SAID]), CALLED, user([RESULT])], ""),
        ([user([SAID]), CALLED, user([RESULT, SAID])], ""),
        ([user("Do it"), {"role": "assistant", "content": "Done"}, user("Again")], ""),
        ([user([SAID]), user([RESULT])], "in a row"),
        ([user([SAID]), user([SAID])], "in a row"),
        ([user([RESULT])], "results without their tool call"),
        ([user([SAID]), CALLED, user([SAID])], "without a result right after"),
        ([user([SAID]), CALLED, user([RESULT, RESULT])], "single result"),
        ([user([SAID]), CALLED, user([RESULT]), CALLED, user([RESULT])], "unique"),
        ([user([SAID]), CALLED, user([SAID, RESULT])], "before everything else"),
        ([user([SAID]), CALLED], "must end with"),
        ([CALLED, user([RESULT])], "first message"),
        ([user([{"type": "text", "text": " \n"}])], "non-whitespace"),
        ([user([SAID]), CALLED, user([{**RESULT, "content": [{"type": "text", "text": ""}]}])], "non-whitespace"),
        ([user([])], "non-empty content"),
        ([user(MANY)], "maximum of 4"),
        ([user([SAID]), called(id="a b"), user([{**RESULT, "tool_use_id": "a b"}])], "pattern"),
        ([user([SAID]), called(input="x"), user([RESULT])], "dictionary"),
    ],
)
def test_the_anthropic_wire_refuses_bad_forms(messages: list[Body], fault: str) -> None:
    assert_fault(fault_in("anthropic", {"messages": messages}), fault)


ASKING = {"id": "a", "type": "function", "function": {"name": "look", "arguments": "{}"}}
CHAT_CALLED = {"role": "assistant", "content": None, "tool_calls": [ASKING]}
CHAT_RESULT = {"role": "tool", "tool_call_id": "a", "content": "seen"}


@pytest.mark.parametrize(
    ("messages", "fault"),
    [
        ([user("Do it"), CHAT_CALLED, CHAT_RESULT], ""),
        ([user("Do it"), user("Now"), CHAT_CALLED, CHAT_RESULT, user("Go on")], ""),
        ([user("Do it"), CHAT_RESULT], "results without their tool call"),
        ([user("Do it"), CHAT_CALLED, user("Go on")], "without a result right after"),
        ([user("Do it"), CHAT_CALLED, user("Go on"), CHAT_RESULT], "without a result right after"),
        ([user("Do it"), CHAT_CALLED, CHAT_RESULT, CHAT_RESULT], "single result"),
        ([user("Do it"), CHAT_CALLED, CHAT_RESULT, CHAT_CALLED, CHAT_RESULT], "unique"),
        ([user("Do it"), CHAT_CALLED, CHAT_CALLED], "in a row"),
        ([user("Do it"), {"role": "assistant", "content": "Done"}], "the last one"),
        ([user("Do it"), {"role": "assistant", "content": None}, user("Go on")], "either content or tool calls"),
        ([user("Do it"), {"role": "system", "content": "You browse."}], "first one"),
        ([user("")], "must not be empty"),
    ],
)
def test_the_chat_wire_refuses_bad_forms(messages: list[Body], fault: str) -> None:
    assert_fault(fault_in("openai-chat", {"messages": messages}), fault)


@on_both_wires
def test_a_bad_form_is_told_in_the_shape_of_the_wire(wire: Wire) -> None:
    with StrictServer(thinks) as server:
        body = played(server, wire, 1)
        body["messages"].pop()
        refused(server, wire, body)
        assert len(server.only.refusals) == 1


def kinds(wire: Wire, body: Body) -> list[str]:
    return [block.kind for block in blocks_of(wire, body)]


@on_both_wires
def test_blocks_stand_in_the_order_in_which_a_provider_reads_them(wire: Wire) -> None:
    with StrictServer(thinks) as server:
        body = played(server, wire, 1)
    assert kinds(wire, body) == ["tool", "system", "text", "reasoning", "text", "call", "result", "text"]


@pytest.mark.parametrize(
    "other",
    [
        [user([{"type": "text", "text": "Do it "}])],
        [user([{"type": "text", "text": "Do"}, {"type": "text", "text": " it"}])],
        [{"role": "assistant", "content": [SAID]}],
        [user([{**SAID, "citations": []}])],
    ],
)
def test_nothing_a_provider_could_read_differently_is_the_same_block(other: list[Body]) -> None:
    assert blocks_of("anthropic", {"messages": [user([SAID])]}) != blocks_of("anthropic", {"messages": other})


@on_both_wires
def test_the_borders_of_messages_count(wire: Wire) -> None:
    one = blocks_of(wire, {"messages": [user([SAID, SAID])]})
    assert len(one) == 2
    assert one != blocks_of(wire, {"messages": [user([SAID]), user([SAID])]})


def test_it_knows_nothing_of_the_product_s_own_projection() -> None:
    seen = "import sys, tests.fakes.strict_prefix; print([one for one in sys.modules if one.startswith('app.context')])"
    root = Path(__file__).parents[3]
    found = subprocess.run([sys.executable, "-c", seen], cwd=root, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
