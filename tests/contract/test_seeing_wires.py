"""Pictures on the wires, and reports of a second model that is asked over a real wire."""

import json
from typing import Any

import pytest

from app.agent.reporting import ask_for_report
from app.domain.ids import BlobHash
from app.domain.messages import PictureBlock, TextBlock, ToolResultBlock, UserMessage
from app.providers.lessons import LessonBook
from app.providers.seeing import sees
from tests.fakes.wire_models import WIRES, model_at, replied, request, unheard
from tests.fakes.wire_replies import Answer, Asked, Call, Refusal, Reply, Wire
from tests.fakes.wire_server import WireServer

PICTURE = PictureBlock(BlobHash("b1"), "image/png", b"\x89PNG", "o12, 1280 × 720 pixels")
FORM: dict[str, object] = {
    "blockers": [],
    "context": "A shop",
    "primary": None,
    "panels": [],
    "fields": [],
    "actions": [],
    "notes": [],
}


async def shown(server: WireServer, wire: Wire, lessons: LessonBook | None = None) -> list[dict[str, Any]]:
    """The messages of a request whose result of a call holds the picture."""
    async with model_at(server, wire, lessons=lessons) as model:
        turn = await model.answer(request(), unheard)
        block = ToolResultBlock(turn.calls[0].id, (TextBlock("Took a picture."), PICTURE))
        await model.answer(request("Hello", replied(turn), UserMessage((block,))), unheard)
    found: list[dict[str, Any]] = server.asked[-1].body["messages"]
    return found


async def test_on_the_chat_wire_a_picture_rides_in_a_user_message_after_the_results() -> None:
    with WireServer([Answer(calls=(Call("look", id="c7"),)), Answer("Nice")]) as server:
        result, after = (await shown(server, "openai-chat"))[-2:]
    assert (result["role"], result["content"]) == ("tool", "Took a picture.")
    assert after["role"] == "user"
    assert after["content"][0]["text"] == "Picture o12, 1280 × 720 pixels, in the result of c7:"
    assert after["content"][1]["image_url"]["url"] == "data:image/png;base64,iVBORw=="


async def test_on_the_anthropic_wire_a_picture_stands_inside_of_its_result() -> None:
    with WireServer([Answer(calls=(Call("look", id="c7"),)), Answer("Nice")]) as server:
        (result,) = (await shown(server, "anthropic"))[-1]["content"]
    assert result["type"] == "tool_result"
    assert [part["type"] for part in result["content"]] == ["text", "image"]


async def test_a_server_that_takes_no_pictures_is_asked_without_them_from_then_on() -> None:
    lessons = LessonBook()

    def blind(asked: Asked) -> Reply:
        if "image_url" in json.dumps(asked.body):
            return Refusal(400, "image_url is not supported by this model")
        return Answer("Good") if len(asked.body["messages"]) > 2 else Answer(calls=(Call("look", id="c7"),))

    with WireServer(blind) as server:
        messages = await shown(server, "openai-chat", lessons)
        assert [("image_url" in json.dumps(asked.body)) for asked in server.asked] == [False, True, False]
        assert not sees("local", server.base_url, "test-model", lessons)
    assert "a picture, which this model does not take" in json.dumps(messages[-1])


@pytest.mark.parametrize("wire", WIRES)
async def test_a_second_model_reports_over_either_wire(wire: Wire) -> None:
    with WireServer([Answer("I see a shop."), Answer(json.dumps(FORM))]) as server:
        async with model_at(server, wire) as vision:
            made = await ask_for_report(vision, "test-model", PICTURE, "What is it?")
        first, again = (asked.body for asked in server.asked)
    assert made.report is not None
    assert made.report.context == "A shop"
    assert made.usage.input_tokens == 200
    assert "iVBORw==" in json.dumps(first["messages"])
    assert "Question: What is it?" in json.dumps(first["messages"])
    assert "Send the whole form again" in json.dumps(again["messages"][-1])
    assert "tools" not in first
