"""Between two folds nothing that was sent changes, also across turns and restarts; the options reach the model."""

import asyncio
from dataclasses import replace

from app.agent.model_calls import ModelCalls
from app.agent.transcript import Transcript
from app.context.request.budget import Budget
from app.domain.events import AssistantSaid, UserSaid
from app.domain.ids import ToolCallId
from app.domain.messages import AssistantMessage, PictureBlock, Request, ToolCall, ToolResultBlock, UserMessage
from app.domain.snapshot import walk
from tests.fakes.agent import desk
from tests.fakes.browser import FakePage
from tests.fakes.model import FakeModel, calls, says

PAGE = FakePage("http://site.test/", "- button [ref=e1]: More")
OPEN = calls(("browser_navigate", '{"url": "http://site.test/"}'))


def pictures_in(request: Request) -> list[bytes]:
    results = [
        block
        for message in request.messages
        if isinstance(message, UserMessage)
        for block in message.content
        if isinstance(block, ToolResultBlock)
    ]
    return [part.data for result in results for part in result.content if isinstance(part, PictureBlock)]


async def test_a_picture_stays_in_view_in_the_next_turn_and_after_a_restart() -> None:
    one = await desk([PAGE], OPEN, calls(("browser_take_screenshot", "{}")), says("seen"))
    await one.play()
    sent = one.model.requests[-1]
    assert len(pictures_in(sent)) == 1
    await one.transcript.add(UserSaid("what colour was it?"))
    record, name = one.transcript.record, one.transcript.conversation
    again = Transcript(record, name, await record.events(name), lambda stored: None)
    model = FakeModel(says("blue"))
    await ModelCalls(model, "fake").ask(again)
    assert model.requests[0].messages[: len(sent.messages)] == sent.messages


async def test_effort_and_the_longest_answer_go_to_the_model_as_they_are_set() -> None:
    one = await desk([PAGE], says("ok"))
    one.run.models.effort, one.run.models.budget = "high", Budget(wanted_answer=1234)
    await one.play()
    assert (one.model.requests[0].effort, one.model.requests[0].max_output_tokens) == ("high", 1234)


async def test_two_looks_at_once_never_give_one_ref_to_two_things() -> None:
    one = await desk([PAGE], OPEN, says("ok"))
    await one.play()
    one.browser.redraw("- button [ref=e1]: More\n- button [ref=e7]: Fewer")
    first = asyncio.create_task(one.run.observing.glance())
    await asyncio.sleep(0)
    one.browser.redraw("- button [ref=e1]: More\n- button [ref=e8]: None\n- button [ref=e9]: All")
    seen = await asyncio.gather(first, one.run.observing.glance())
    names: dict[str, set[str]] = {}
    for seeing in seen:
        for node in walk(seeing.shown.tree):
            if node.ref:
                names.setdefault(node.ref, set()).add(node.name or node.text)
    assert all(len(known) == 1 for known in names.values()), names


async def test_a_page_that_cannot_be_drawn_is_no_picture() -> None:
    one = await desk([PAGE], OPEN, calls(("browser_take_screenshot", "{}")), says("ok"))
    one.browser.drawn = b""
    await one.play()
    assert one.answers[-1].is_error
    assert one.answers[-1].picture is None


async def test_a_call_whose_id_was_used_before_is_told_apart_also_when_the_first_is_out_of_view() -> None:
    again = replace(OPEN, calls=(ToolCall(ToolCallId("call_0"), "browser_snapshot", "{}"),))
    one = await desk([PAGE], OPEN, *[again] * 3, says("ok"))
    await one.play()
    made = [call.id for event in one.events if isinstance(event, AssistantSaid) for call in event.calls]
    assert len(set(made)) == 4
    assert made == [answer.call for answer in one.answers]
    said = [message for message in one.model.requests[-1].messages if isinstance(message, AssistantMessage)]
    assert [message.wire is not None and bool(message.wire.json) for message in said] == [True, True, False, False]
