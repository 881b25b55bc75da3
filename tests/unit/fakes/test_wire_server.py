import json
import urllib.error
import urllib.request
from typing import Any

import pytest

from tests.fakes.wire_replies import Answer, Asked, Call, Cut, Refusal, Reply
from tests.fakes.wire_server import WireServer

SHOWN = '- button "Save" [ref=e7]'
CHAT = {"model": "test-model", "messages": [{"role": "user", "content": "Save it"}, {"role": "tool", "content": SHOWN}]}
RESULT = {"type": "tool_result", "tool_use_id": "a", "content": [{"type": "text", "text": SHOWN}]}
MESSAGES = {"model": "test-model", "messages": [{"role": "user", "content": [RESULT]}]}
WIRES = pytest.mark.parametrize(("path", "body"), [("/v1/chat/completions", CHAT), ("/v1/messages", MESSAGES)])


def post(server: WireServer, path: str, body: dict[str, Any]) -> bytes:
    data = json.dumps(body).encode()
    asking = urllib.request.Request(server.anthropic_url + path, data, {"content-type": "application/json"})
    with urllib.request.urlopen(asking, timeout=10) as response:
        found: bytes = response.read()
    return found


@WIRES
def test_a_function_computes_the_answer_from_what_was_asked_on_either_wire(path: str, body: dict[str, Any]) -> None:
    def saving(asked: Asked) -> Reply:
        return Answer(calls=(Call("browser_click", {"target": asked.ref("button", "Save")}),))

    with WireServer(saving) as server:
        answer = json.loads(post(server, path, body))
        assert server.asked[0].body == body
    assert '"e7"' in json.dumps(answer).replace("\\", "")


@WIRES
def test_streaming_or_not_is_as_the_request_says(path: str, body: dict[str, Any]) -> None:
    with WireServer([Answer("Hello")] * 2) as server:
        whole, streamed = post(server, path, body), post(server, path, {**body, "stream": True})
    assert json.loads(whole)["model"] == "test-model"
    assert streamed.count(b"data: ") > 3


@WIRES
def test_a_cut_ends_at_the_byte(path: str, body: dict[str, Any]) -> None:
    with WireServer([Cut(Answer("Hello"), size=33, cleanly=True)]) as server:
        assert len(post(server, path, {**body, "stream": True})) == 33


@WIRES
def test_a_script_that_is_too_short_says_so(path: str, body: dict[str, Any]) -> None:
    with WireServer([Refusal(429, "slow", headers={"retry-after": "3"})]) as server:
        assert status_of(server, path, body) == (429, "3")
        assert status_of(server, path, body) == (500, None)


def test_a_mistake_in_the_function_fails_the_test() -> None:
    def saving(asked: Asked) -> Reply:
        return Answer(asked.ref("button", "Sell"))

    with pytest.raises(AssertionError, match="no button 'Sell'"), WireServer(saving) as server:
        assert status_of(server, "/v1/chat/completions", CHAT) == (400, None)


def status_of(server: WireServer, path: str, body: dict[str, Any]) -> tuple[int, str | None]:
    with pytest.raises(urllib.error.HTTPError) as caught:
        post(server, path, body)
    with caught.value as refusal:
        return refusal.code, refusal.headers.get("retry-after")
