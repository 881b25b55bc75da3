"""The loop keeps its promises whatever model, page and person do."""

import asyncio
from collections.abc import Callable

import pytest

from app.domain.errors import ProviderError
from app.domain.events import AssistantSaid, HandedBack, PersonAnswered, ToolAnswered, TurnRejected, UserSaid
from app.domain.ids import TabId
from app.domain.messages import ModelTurn, Request, ToolResultBlock, UserMessage
from app.domain.pages import Dialog
from tests.fakes.agent import desk
from tests.fakes.model import FakeModel, calls, says
from tests.fakes.shop import OPEN, SHOP, TWO, click, ref_of, results_of


async def test_a_turn_ends_done_when_the_model_answers_without_a_call() -> None:
    one = await desk([SHOP], OPEN, says("It is open."))
    ended = await one.play()
    assert (ended.end, ended.text) == ("done", "It is open.")
    assert [type(event).__name__ for event in one.events][-1] == "TurnEnded"


async def test_every_event_is_stored_before_it_is_shown() -> None:
    one = await desk([SHOP], OPEN, says("ok"))
    await one.play()
    assert list(await one.transcript.record.events(one.transcript.conversation)) == one.shown


async def test_calls_after_a_failed_one_are_not_run_and_still_have_one_result() -> None:
    one = await desk([SHOP], OPEN, calls(click("e999"), click("e1"), ("browser_reload", "{}")), says("ok"))
    await one.play()
    assert set(results_of(one).values()) == {1}
    assert [answer.text.split(":")[0] for answer in one.answers[1:]] == ["Not done", "Not run", "Not run"]
    assert one.browser.acts == []


async def test_calls_after_a_new_page_are_not_run() -> None:
    one = await desk([SHOP, TWO], OPEN, lambda _: calls(click(ref_of(one, "button", "Next")), click("e1")), says("ok"))
    await one.play()
    assert one.answers[-1].text == "Not run: the page changed."
    assert one.browser.acts == [("Click", "Next")]


async def test_what_is_noted_after_a_new_page_is_noted_all_the_same() -> None:
    card = ("task_card", '{"goal": "Look around", "open": ["read on"]}')

    def leave(_: Request) -> ModelTurn:
        return calls(click(ref_of(one, "button", "Next")), card, click("e1"), ("recall", '{"observation": "o2"}'))

    one = await desk([SHOP, TWO], OPEN, leave, says("ok"))
    await one.play()
    assert [answer.is_error for answer in one.answers[1:]] == [False, False, True, False]
    assert one.answers[3].text == "Not run: the page changed."
    assert one.browser.acts == [("Click", "Next")]


async def test_calls_after_a_dialog_opened_are_not_run() -> None:
    def press(_: Request) -> ModelTurn:
        one.browser.dialog = Dialog(TabId(1), "confirm", "Sure?")
        return calls(click(ref_of(one, "button", "Dead")), ("browser_press_key", '{"key": "Enter"}'))

    one = await desk([SHOP], OPEN, press, says("ok"))
    await one.play()
    assert one.answers[-1].text == "Not run: a dialog opened."
    assert one.browser.acts == [("Click", "Dead")]


async def test_a_ref_of_a_page_that_is_gone_never_acts() -> None:
    old: list[str] = []

    def leave(_: Request) -> ModelTurn:
        old.append(ref_of(one, "button", "Dead"))
        return calls(click(ref_of(one, "button", "Next")))

    one = await desk([SHOP, TWO], OPEN, leave, lambda _: calls(click(old[0])), says("ok"))
    await one.play()
    assert one.browser.acts == [("Click", "Next")]
    assert "is dead" in one.answers[-1].text


async def test_a_selector_is_refused_with_a_hint() -> None:
    one = await desk([SHOP], OPEN, calls(("browser_click", '{"target": "#buy"}')), says("ok"))
    await one.play()
    assert "Give a ref of the newest page" in one.answers[-1].text
    assert one.answers[-1].is_error


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("no_such_tool", "{}", "there is no tool no_such_tool"),
        ("browser_click", "[1]", "no JSON object"),
        ("browser_click", "{broken", "no JSON object"),
        ("browser_click", '{"ref": "e1"}', "arguments of browser_click are wrong"),
        ("browser_navigate", '{"url": "javascript:alert(1)"}', "is not a web address"),
        ("browser_find", '{"regex": "("}', "the regular expression is wrong"),
    ],
)
async def test_a_wrong_call_is_answered_and_never_acts(name: str, arguments: str, said: str) -> None:
    one = await desk([SHOP], calls((name, arguments)), says("ok"))
    await one.play()
    assert said in one.answers[0].text
    assert one.answers[0].is_error
    assert one.browser.acts == []


async def test_a_warning_after_wrong_calls_shows_the_page_that_it_speaks_of() -> None:
    wrong = calls(("browser_click", '{"ref": "e1"}'))
    one = await desk([SHOP], OPEN, wrong, wrong, wrong, wrong, says("ok"))
    await one.play()
    hint, warning = one.answers[-2:]
    assert hint.observation is None
    assert "The page is shown below" in warning.text
    assert warning.observation is not None
    assert warning.observation.shown_as == "whole"


@pytest.mark.parametrize("stop", ["cut", "length", "refusal", "other", "paused"])
async def test_no_tool_of_a_bad_turn_runs(stop: str) -> None:
    bad = calls(("browser_navigate", '{"url": "http://shop.test/"}'), stop=stop)
    one = await desk([SHOP], bad, bad, bad)
    ended = await one.play()
    assert ended.end == "failed"
    assert one.answers == []
    assert any(isinstance(event, TurnRejected) for event in one.events)


async def test_an_empty_answer_is_asked_again_and_then_a_failure() -> None:
    one = await desk([SHOP], says(""), says("  "), says("\n"))
    assert (await one.play()).end == "failed"
    one = await desk([SHOP], says(""), says("fine"))
    assert (await one.play()).text == "fine"


async def test_a_fault_of_the_provider_is_tried_again_only_when_that_can_help() -> None:
    passing = ProviderError("busy", fault="overloaded", retriable=True, next_step="wait")
    lasting = ProviderError("wrong key", fault="auth", retriable=False, next_step="set the key")
    assert (await (await desk([SHOP], passing, says("ok"))).play()).end == "done"
    ended = await (await desk([SHOP], lasting, says("never"))).play()
    assert (ended.end, ended.text) == ("failed", "wrong key. Nothing was lost. set the key.")


async def test_stop_during_an_act_lets_nothing_more_reach_the_page() -> None:
    one = await desk([SHOP], OPEN, lambda _: calls(click(ref_of(one, "button", "Dead")), click("e1")), says("never"))
    reached = asyncio.Event()
    one.browser.before_act = reached.set
    turn = asyncio.create_task(one.play())
    await reached.wait()  # the navigation
    reached.clear()
    one.browser.act_lasts_s = 30
    await reached.wait()  # the click
    await one.control.stop()
    assert one.browser.acts == []
    assert (await turn).end == "stopped"
    assert set(results_of(one).values()) == {1}
    assert one.answers[-2].text.startswith("Uncertain: the person stopped the turn while it was under way")
    assert one.answers[-1].text.startswith("Not run")
    receipt = one.answers[-2].receipt
    assert receipt is not None
    assert (receipt.status, receipt.target) == ("uncertain", 'clicked button "Dead"')


async def test_after_a_hand_back_old_refs_are_dead_and_the_page_is_whole() -> None:
    def after_hand_back(_: Request) -> ModelTurn:
        return calls(click(old[0]))

    def take_over() -> ModelTurn:
        old.append(ref_of(one, "button", "Dead"))
        held.append(asyncio.get_running_loop().create_task(one.control.take_over()))
        taken.set()
        return calls(click(old[0]))

    old: list[str] = []
    held: list[asyncio.Task[None]] = []
    taken = asyncio.Event()
    one = await desk([SHOP, TWO], OPEN, lambda _: take_over(), after_hand_back, says("ok"))
    turn = asyncio.create_task(one.play())
    await taken.wait()
    await held[0]
    one.browser.go("http://shop.test/two")
    one.control.hand_back("signed in")
    await turn
    handed = next(event for event in one.events if isinstance(event, HandedBack) and "handed it back" in event.text)
    assert handed.observation is not None
    assert handed.observation.shown_as == "whole"
    assert "went from http://shop.test/" in handed.text
    assert "They say: signed in" in handed.text
    assert "is dead: the person had the browser meanwhile" in one.answers[-1].text
    assert one.browser.acts == []


async def test_the_step_limit_asks_and_goes_on_with_a_yes() -> None:
    turns = [calls(("browser_console_messages", "{}")) for _ in range(3)]
    one = await desk([SHOP], *turns, says("ok"), max_steps=2)
    turn = asyncio.create_task(one.play())
    await one.asked.wait()
    assert one.questions[0].question_kind == "limit"
    one.control.answer(PersonAnswered(one.questions[0].question_id, "go_on"))
    assert (await turn).end == "done"


async def test_steps_that_were_granted_are_not_asked_for_again_after_a_take_over() -> None:
    class Slow(FakeModel):
        """Answers its second request never."""

        async def answer(self, request: Request, on_text: Callable[[str], None]) -> ModelTurn:
            if len(self.requests) == 1:
                self.requests.append(request)
                began.set()
                await asyncio.sleep(30)
            return await super().answer(request, on_text)

    began = asyncio.Event()
    one = await desk([SHOP], max_steps=1)
    one.run.models.model = Slow(calls(("browser_console_messages", "{}")), says("ok"))
    turn = asyncio.create_task(one.play())
    await one.asked.wait()
    one.control.answer(PersonAnswered(one.questions[0].question_id, "go_on"))
    await began.wait()
    await one.control.take_over()
    one.control.hand_back("")
    assert (await turn).end == "done"
    assert len(one.questions) == 1


async def test_the_step_limit_without_a_person_is_the_end_limit() -> None:
    one = await desk([SHOP], calls(("browser_console_messages", "{}")), says("never"), attended=False, max_steps=1)
    assert (await one.play()).end == "limit"


async def test_a_question_without_a_person_parks_the_turn() -> None:
    one = await desk([SHOP], calls(("ask_user", '{"question": "Which one?"}')), attended=False)
    assert (await one.play()).end == "needs_person"
    assert one.questions[0].text == "Which one?"


async def test_a_parked_call_gets_its_result_when_the_turn_goes_on() -> None:
    one = await desk([SHOP], calls(("ask_user", '{"question": "Which one?"}')), says("ok"), attended=False)
    await one.play()
    assert (await one.play()).end == "done"
    assert results_of(one) == {one.answers[0].call: 1}
    assert one.answers[0].text == "The person has not answered yet; what they say next is the answer."


async def test_a_message_while_the_agent_works_is_read_at_the_next_step() -> None:
    one = await desk([SHOP], OPEN, says("ok"), queued=[[], ["the blue one"]])
    await one.play()
    last = one.model.requests[-1].messages[-1]
    assert isinstance(last, UserMessage)
    assert isinstance(last.content[0], ToolResultBlock)
    assert last.content[-1].text == "the blue one"
    assert [event.text for event in one.events if isinstance(event, UserSaid)] == ["do it", "the blue one"]


async def test_a_message_that_comes_during_the_last_answer_is_answered_too() -> None:
    one = await desk([SHOP], says("first"), says("second"), queued=[[], ["and the price?"]])
    assert (await one.play()).text == "second"
    assert len(one.model.requests) == 2


async def test_a_tool_answer_never_stands_twice_for_one_call() -> None:
    one = await desk([SHOP], OPEN, OPEN, says("ok"))
    await one.play()
    answered = [event.call for event in one.events if isinstance(event, ToolAnswered)]
    said = [call.id for event in one.events if isinstance(event, AssistantSaid) for call in event.calls]
    assert answered == said
