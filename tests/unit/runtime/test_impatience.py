"""A person who presses everything in any order: what is shown is what holds, and nothing they wrote is lost."""

import pytest

from app.domain.commands import (
    AnswerPerson,
    Command,
    HandBack,
    NewConversation,
    OpenConversation,
    Pause,
    Resume,
    SendMessage,
    Stop,
    TakeOver,
)
from app.domain.events import PersonAsked, Resumed, TakenOver, TurnEnded, UserSaid
from app.domain.messages import ModelTurn, Request
from app.domain.passing import ConversationOpened, ErrorShown, Event, RunState, RunStateChanged
from tests.fakes.browser import FakePage
from tests.fakes.engine import Bench, inner
from tests.fakes.model import calls, says
from tests.fakes.record import MemoryRecord

PAGE = FakePage("http://site.test/", "- paragraph [ref=e1]: It burns 48 hours.", title="Site")
ASK = calls(("ask_user", '{"question": "Which?", "choices": ["red", "blue"]}'))


def states(events: list[Event]) -> list[tuple[RunState, str]]:
    return [(one.state, one.driver) for one in events if isinstance(one, RunStateChanged)]


def said(events: list[Event]) -> list[str]:
    return [one.text for one in map(inner, events) if isinstance(one, UserSaid)]


def test_an_answer_given_while_paused_leaves_the_turn_paused_until_it_is_resumed() -> None:
    with Bench([PAGE], ASK, says("ok")) as bench:
        bench.do(SendMessage("choose"))
        asked = bench.wait_for(PersonAsked)
        bench.do(Pause())
        bench.do(AnswerPerson(asked.question_id, "1"))
        bench.wait(lambda events: states(events)[-1] == ("paused", "agent"))
        bench.do(Resume())
        bench.wait_for(Resumed)
        assert bench.wait_for(TurnEnded).text == "ok"


def test_a_browser_that_is_handed_back_while_paused_leaves_the_turn_paused() -> None:
    with Bench([PAGE], ASK, says("ok")) as bench:
        bench.do(SendMessage("choose"))
        bench.wait_for(PersonAsked)
        bench.do(Pause())
        bench.do(TakeOver())
        bench.wait_for(TakenOver)
        bench.wait(lambda events: states(events)[-1] == ("waiting", "person"))
        bench.do(HandBack())
        bench.wait(lambda events: states(events)[-1] == ("paused", "agent"))
        bench.do(Resume())
        assert bench.wait_for(TurnEnded).text == "ok"


def test_who_goes_on_while_they_have_the_browser_is_still_waited_for() -> None:
    with Bench([PAGE], ASK, says("ok")) as bench:
        bench.do(SendMessage("choose"))
        bench.wait_for(PersonAsked)
        for command in (TakeOver(), Pause(), Resume()):
            bench.do(command)
        bench.wait_for(Resumed)
        bench.wait(lambda events: states(events)[-1] == ("waiting", "person"))


def test_taking_over_and_handing_back_ten_times_in_a_row_ends_with_the_agent() -> None:
    with Bench([PAGE], ASK, says("ok")) as bench:
        bench.do(SendMessage("choose"))
        bench.wait_for(PersonAsked)
        for number in range(10):
            bench.do(TakeOver())
            bench.do(HandBack(f"{number}"))
        assert bench.wait_for(TurnEnded).text == "ok"
        bench.wait(lambda events: states(events)[-1] == ("idle", "nobody"))


@pytest.mark.parametrize("choice", ["stop", "takeover", "1"])
def test_a_question_is_answered_once(choice: str) -> None:
    with Bench([PAGE], ASK, ASK, says("ok")) as bench:
        bench.do(SendMessage("choose"))
        first = bench.wait_for(PersonAsked)
        bench.do(AnswerPerson(first.question_id, "1"))
        bench.do(AnswerPerson(first.question_id, choice))
        assert "no longer open" in bench.wait_for(ErrorShown).what
        second = bench.wait_for(PersonAsked, 2)
        bench.do(AnswerPerson(second.question_id, "2"))
        assert bench.wait_for(TurnEnded).text == "ok"


@pytest.mark.parametrize("leave", [NewConversation(), None], ids=["another conversation", "the end"])
def test_a_message_that_nobody_has_read_is_kept_when_its_conversation_is_left(leave: Command | None) -> None:
    def meanwhile(_: Request) -> ModelTurn:
        bench.do(SendMessage("in blue"))
        bench.do(Stop())
        return ASK

    record = MemoryRecord()
    with Bench([PAGE], meanwhile, record=record) as bench:
        bench.do(SendMessage("choose"))
        bench.wait_for(TurnEnded)
        if leave is not None:
            bench.do(leave)
            bench.wait_for(ConversationOpened)
    (talk,) = {one.conversation for one in bench.events if hasattr(one, "seq")}
    with Bench([PAGE], says("Blue it is."), record=record.reopened()) as again:
        again.do(OpenConversation(talk))
        assert said(list(again.wait_for(ConversationOpened).events)) == ["choose", "in blue"]
        again.do(Resume())
        again.wait_for(TurnEnded)
        assert "in blue" in str(again.model.requests[0].messages[-1])
