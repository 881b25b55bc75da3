import asyncio
import json

import pytest

from app.domain.errors import ProviderError, UsageError
from app.domain.messages import AssistantMessage, Message, ModelTurn, Request, TextBlock, UserMessage
from app.providers.script import Script, script_of
from app.providers.scripted import ScriptedModel, play
from tests.fakes.wire_models import replied, request, result

CLICK_ADD = {"name": "browser_click", "arguments": {"target": {"$ref": {"role": "button", "name": "Add"}}}}


def played(script: Script, *messages: Message | str) -> ModelTurn:
    return play(script, request(*messages))


def arguments(turn: ModelTurn) -> list[dict[str, object]]:
    return [json.loads(call.arguments) for call in turn.calls]


def test_a_script_is_played_step_by_step_as_the_conversation_grows() -> None:
    script = script_of({"steps": [{"say": "One", "calls": [{"name": "browser_back"}]}, {"say": "Two"}]})
    first = played(script, "Go")
    second = played(script, "Go", replied(first), result(first.calls[0].id, "went back"))
    assert (first.text, first.calls[0].name, first.stop) == ("One", "browser_back", "tool_calls")
    assert (second.text, second.calls, second.stop) == ("Two", (), "end")


def test_a_conversation_that_is_resumed_goes_on_where_it_was() -> None:
    script = script_of({"steps": [{"say": "One"}, {"say": "Two"}]})
    messages: tuple[Message, ...] = (
        UserMessage((TextBlock("Go"),)),
        AssistantMessage("One"),
        UserMessage((TextBlock("Go on"),)),
    )
    ask = Request("demo", "", (), messages)
    assert play(script, ask) == play(script, ask)
    assert play(script, ask).text == "Two"


@pytest.mark.parametrize(
    ("came", "says"),
    [
        ("Not run: the person took over.", "One"),
        ("Not run: the person stopped the turn.", "One"),
        ("Not run: the program ended before it was done or answered.", "One"),
        ("Not run: the page changed.", "Two"),
        ("Uncertain: the person took over while it was under way.", "Two"),
    ],
)
def test_a_step_that_the_person_broke_off_is_made_again(came: str, says: str) -> None:
    script = script_of({"steps": [{"say": "One", "calls": [{"name": "browser_back"}]}, {"say": "Two"}]})
    first = played(script, "Go")
    again = played(script, "Go", replied(first), result(first.calls[0].id, came, is_error=True), "Go on")
    assert again.text == says
    assert not {call.id for call in again.calls} & {call.id for call in first.calls}


def test_a_step_that_may_not_have_happened_is_made_again_when_the_next_one_is_lost() -> None:
    back = {"say": "One", "calls": [{"name": "browser_back"}]}
    script = script_of({"steps": [back, {"say": "Two", "calls": [CLICK_ADD]}, {"say": "Three"}]})
    first = played(script, "Go")
    messages = ("Go", replied(first), result(first.calls[0].id, "Uncertain: went back; you stopped it."))
    again = played(script, *messages)
    assert again.text == "One"
    messages = (*messages, replied(again), result(again.calls[0].id, '- button "Add" [ref=e4]'))
    second = played(script, *messages)
    assert second.text == "Two"
    assert played(script, *messages, replied(second), result(second.calls[0].id, "clicked")).text == "Three"


def test_a_step_that_sees_to_it_itself_follows_one_that_was_broken_off() -> None:
    next_step = [{"seen": "Not run", "say": "You stopped me."}, {"say": "Two"}]
    script = script_of({"steps": [{"say": "One", "calls": [{"name": "browser_back"}]}, next_step]})
    first = played(script, "Go")
    stopped = result(first.calls[0].id, "Not run: the person stopped the turn.", is_error=True)
    assert played(script, "Go", replied(first), stopped).text == "You stopped me."


def test_after_its_last_step_a_script_says_that_it_is_over() -> None:
    assert "whole script" in played(script_of({"steps": []}), "Go").text
    assert played(script_of({"steps": [], "ending": "Bye"}), "Go").text == "Bye"


def test_refs_are_looked_up_on_the_newest_page() -> None:
    script = script_of({"steps": [{"calls": [CLICK_ADD]}]})
    assert arguments(played(script, '- button "Add" [ref=e4]', '- button "Add" [ref=e9]')) == [{"target": "e9"}]


def test_placeholders_work_anywhere_in_what_is_said_and_called() -> None:
    fields = [{"target": {"$ref": {"role": "textbox", "name": "Note"}}, "value": {"$find": r"Total: (\S+)"}}]
    step = {
        "say": {"$join": ["It costs ", {"$find": r"Total: (\S+)"}, "."]},
        "calls": [{"name": "browser_fill_form", "arguments": {"fields": fields}}],
    }
    turn = played(script_of({"steps": [step]}), 'Total: $12\n- textbox "Note" [ref=e3]')
    assert turn.text == "It costs $12."
    assert arguments(turn) == [{"fields": [{"target": "e3", "value": "$12"}]}]


def test_a_dead_ref_of_an_earlier_step_can_be_used_again_though_its_page_is_folded() -> None:
    again = {"name": "browser_click", "arguments": {"target": {"$used": {"step": 1, "argument": "target"}}}}
    script = script_of({"steps": [{"calls": [CLICK_ADD]}, {"calls": [again]}]})
    first = played(script, '- button "Add" [ref=e4]')
    second = played(script, "(folded)", replied(first), result(first.calls[0].id, '- button "Add" [ref=e9]'))
    assert arguments(second) == [{"target": "e4"}]


def test_a_step_can_depend_on_what_was_seen_last() -> None:
    script = script_of({"steps": [[{"seen": "declined", "say": "Then not."}, {"say": "Done."}]]})
    assert played(script, "The person declined.").text == "Then not."
    assert played(script, "The person agreed.").text == "Done."


@pytest.mark.parametrize(
    ("step", "words"),
    [
        ({"calls": [CLICK_ADD]}, "the button “Add”"),
        ({"say": {"$find": "Total"}}, "a text like “Total”"),
        ({"say": {"$used": {"step": 4, "argument": "target"}}}, "the earlier argument"),
        ([{"seen": "never", "say": "?"}], "what step 1 waits for"),
    ],
)
def test_a_script_that_does_not_find_what_it_needs_says_so(step: object, words: str) -> None:
    with pytest.raises(ProviderError, match=words) as caught:
        played(script_of({"steps": [step]}), "an empty page")
    assert not caught.value.retriable


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "the script something is no object"),
        ({}, "no list of steps"),
        ({"steps": ["click"]}, "step 1 of the script something is no object"),
        ({"steps": [{"says": "x"}]}, "“says” means nothing"),
        ({"steps": [{}, {"calls": [{"arguments": {}}]}]}, "step 2 of the script a call has no name"),
        ({"steps": [{"calls": {}}]}, "the calls are no list"),
    ],
)
def test_a_script_that_is_not_right_is_refused_with_the_place(data: object, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        script_of(data)


async def test_text_comes_word_by_word_with_pauses() -> None:
    model = ScriptedModel(script_of({"steps": [{"say": "One two\nthree "}]}), pause_s=0.01)
    pieces: list[str] = []
    asking = asyncio.create_task(model.answer(request(), pieces.append))
    await asyncio.sleep(0)
    assert pieces == ["One"]
    assert (await asking).text == "".join(pieces) == "One two\nthree "
    assert pieces == ["One", " two", "\nthree", " "]
