"""The engine answers every command, keeps the person in charge of the browser, and ends in order."""

import asyncio
import threading

import pytest

from app.domain.acts import MouseInput
from app.domain.commands import (
    AnswerPerson,
    ChangeSettings,
    CopySelection,
    DeleteConversation,
    HandBack,
    KeepQuote,
    ListConversations,
    NewConversation,
    OpenAddress,
    OpenConversation,
    Pause,
    PinQuote,
    RenameConversation,
    Resume,
    SendInput,
    SendMessage,
    ShowSettings,
    Stop,
    TakeOver,
)
from app.domain.errors import StoreError
from app.domain.events import (
    HandedBack,
    Paused,
    PersonAsked,
    QuoteKept,
    QuotePinned,
    RecordedEvent,
    Resumed,
    StoredEvent,
    TakenOver,
    ToolAnswered,
    TurnEnded,
    UserSaid,
)
from app.domain.ids import ConversationId, QuoteId
from app.domain.messages import ModelTurn, Request
from app.domain.passing import (
    ConversationOpened,
    ConversationsListed,
    EngineStopped,
    ErrorShown,
    Event,
    RunStateChanged,
    SelectionCopied,
    SettingsShown,
)
from tests.fakes.browser import FakePage
from tests.fakes.engine import Bench, inner
from tests.fakes.model import calls, says
from tests.fakes.record import MemoryRecord

PAGE = FakePage("http://site.test/", '- paragraph [ref=e1]: It burns 48 hours.\n- button "More" [ref=e2]', title="Site")
OPEN = calls(("browser_navigate", '{"url": "http://site.test/"}'))
ASK = calls(("ask_user", '{"question": "Which?", "choices": ["red", "blue"]}'))
CLICK = MouseInput("press", 10, 10, "left", 1)


def drivers(events: list[Event]) -> list[str]:
    return [one.driver for one in events if isinstance(one, RunStateChanged)]


def test_a_message_runs_a_turn_and_everything_is_on_record() -> None:
    with Bench([PAGE], OPEN, says("It is open.")) as bench:
        bench.do(SendMessage("open it"))
        assert bench.wait_for(TurnEnded).text == "It is open."
        bench.do(ListConversations())
        listed = bench.wait(
            lambda events: [e for e in events if isinstance(e, ConversationsListed) and e.conversations]
        )
        assert listed[-1].conversations[0].title == "open it"


def test_without_a_model_the_person_is_told_and_nothing_is_begun() -> None:
    with Bench([PAGE]) as bench:
        bench.settings.options["model"] = ""
        bench.do(SendMessage("open it"))
        assert bench.wait_for(ErrorShown).what == "No model is chosen."
        assert not any(isinstance(inner(one), UserSaid) for one in bench.events)


def test_a_question_waits_and_its_answer_goes_to_the_model_in_the_persons_words() -> None:
    with Bench([PAGE], ASK, says("blue it is")) as bench:
        bench.do(SendMessage("choose"))
        asked = bench.wait_for(PersonAsked)
        assert asked.choices == (("1", "red"), ("2", "blue"))
        bench.do(AnswerPerson(asked.question_id, "2", "the dark one"))
        assert bench.wait_for(TurnEnded).text == "blue it is"
        assert bench.wait_for(ToolAnswered).text == "The person answers: blue; the dark one"


def test_an_answer_to_a_question_that_is_over_is_told() -> None:
    with Bench([PAGE]) as bench:
        bench.do(AnswerPerson("nobody", "1"))
        assert "no longer open" in bench.wait_for(ErrorShown).what


def test_stop_while_a_question_waits_ends_the_turn() -> None:
    with Bench([PAGE], ASK) as bench:
        bench.do(SendMessage("choose"))
        bench.wait_for(PersonAsked)
        bench.do(Stop())
        assert bench.wait_for(TurnEnded).end == "stopped"
        assert bench.wait_for(ToolAnswered).text.startswith("The person has not answered yet")


def test_take_over_and_hand_back_change_hands_and_are_on_record() -> None:
    with Bench([PAGE], OPEN, ASK, says("thanks")) as bench:
        bench.do(SendMessage("sign in"))
        bench.wait_for(PersonAsked)
        bench.do(SendInput(CLICK))  # the agent drives: dropped
        bench.do(TakeOver())
        bench.wait_for(TakenOver)
        bench.do(SendInput(CLICK))
        bench.do(HandBack("done"))
        assert bench.wait_for(TurnEnded).text == "thanks"
        assert bench.browser.inputs == [CLICK]
        assert bench.browser.released == 1
        assert "They say: done" in bench.wait_for(HandedBack).text
        bench.wait(lambda events: drivers(events)[-1] == "nobody")


def test_the_persons_own_page_is_shown_to_the_model_when_a_task_begins() -> None:
    with Bench([PAGE], says("I see it.")) as bench:
        bench.do(OpenAddress("http://site.test/"))
        bench.wait(lambda events: "person" in drivers(events))
        bench.do(SendMessage("what is this?"))
        bench.wait_for(TurnEnded)
        shown = bench.wait_for(HandedBack)
        assert shown.observation is not None
        assert "It burns 48 hours." in shown.observation.shown
        assert "It burns 48 hours." in str(bench.model.requests[0].messages)


def test_pause_holds_the_turn_until_it_is_resumed() -> None:
    pausing = threading.Event()

    def slow(_: Request) -> ModelTurn:
        bench.do(Pause())
        pausing.set()
        return OPEN

    with Bench([PAGE], slow, says("ok")) as bench:
        bench.do(SendMessage("open it"))
        bench.wait_for(Paused)
        bench.do(Resume())
        bench.wait_for(Resumed)
        assert bench.wait_for(TurnEnded).end == "done"


def test_a_message_sent_while_the_agent_works_is_read_in_the_same_turn() -> None:
    def meanwhile(_: Request) -> ModelTurn:
        bench.do(SendMessage("in blue"))
        return ASK

    with Bench([PAGE], meanwhile, says("first"), says("second")) as bench:
        bench.do(SendMessage("choose"))
        asked = bench.wait_for(PersonAsked)
        bench.do(AnswerPerson(asked.question_id, "1"))
        bench.wait_for(TurnEnded)
        said = [one.text for one in map(inner, bench.events) if isinstance(one, UserSaid)]
        assert said == ["choose", "in blue"]


def test_a_conversation_is_reopened_exactly_as_it_was() -> None:
    record = MemoryRecord()
    with Bench([PAGE], OPEN, says("It is open."), record=record) as bench:
        bench.do(SendMessage("open it"))
        bench.wait_for(TurnEnded)
        name = bench.wait(lambda events: [one.conversation for one in events if hasattr(one, "seq")])[0]
        live = [one for one in bench.events if hasattr(one, "seq")]
    with Bench([PAGE], record=record.reopened()) as again:
        again.do(OpenConversation(name))
        assert list(again.wait_for(ConversationOpened).events) == live


def test_rename_and_delete_are_seen_in_the_list() -> None:
    with Bench([PAGE], says("ok")) as bench:
        bench.do(SendMessage("open it"))
        bench.wait_for(TurnEnded)
        name = bench.wait(lambda events: [one.conversation for one in events if hasattr(one, "seq")])[0]
        bench.do(RenameConversation(name, "Lanterns"))
        bench.wait(lambda events: [e for e in events if "Lanterns" in str(getattr(e, "conversations", ""))])
        bench.do(DeleteConversation(name))
        bench.wait(lambda events: isinstance(events[-1], ConversationsListed) and not events[-1].conversations)


def test_a_marked_text_is_kept_as_the_persons_quote() -> None:
    with Bench([PAGE]) as bench:
        bench.do(OpenAddress("http://site.test/"))
        bench.wait(lambda events: "person" in drivers(events))
        bench.do(KeepQuote("burns 48 hours"))
        assert bench.wait_for(QuoteKept).quote.by == "person"
        bench.do(KeepQuote("burns 49 hours"))
        assert "not kept" in bench.wait_for(ErrorShown).what
        bench.do(KeepQuote("48 hours"))
        assert bench.wait_for(ErrorShown, 2).what == "The marked text is kept already, as q1."


def test_a_quote_is_pinned_and_let_go_and_only_one_that_is_there() -> None:
    with Bench([PAGE]) as bench:
        bench.do(OpenAddress("http://site.test/"))
        bench.wait(lambda events: "person" in drivers(events))
        bench.do(KeepQuote("burns 48 hours"))
        name = bench.wait_for(QuoteKept).quote.id
        bench.do(PinQuote(name, True))
        assert bench.wait_for(QuotePinned) == QuotePinned(name, True)
        bench.do(PinQuote(name, True))
        bench.do(PinQuote(name, False))
        assert bench.wait_for(QuotePinned, 2) == QuotePinned(name, False)
        bench.do(PinQuote(QuoteId("q7"), True))
        assert "no quote q7" in bench.wait_for(ErrorShown).what


def test_the_model_reads_what_the_person_marked_while_it_worked() -> None:
    with Bench([PAGE], OPEN, ASK, says("48 hours [q1].")) as bench:
        bench.do(SendMessage("look"))
        asked = bench.wait_for(PersonAsked)
        bench.do(KeepQuote("burns 48 hours"))
        bench.wait_for(QuoteKept)
        bench.do(AnswerPerson(asked.question_id, "1"))
        ended = bench.wait_for(TurnEnded)
        assert "The person marked this" in str(bench.model.requests[-1].messages[-1])
        assert ended == TurnEnded("done", "48 hours [q1].")


def test_settings_that_cannot_be_changed_are_told_and_the_rest_goes_on() -> None:
    with Bench([PAGE]) as bench:
        bench.do(ChangeSettings((("nonsense", "1"),)))
        assert "nonsense" in bench.wait_for(ErrorShown).what
        bench.do(ChangeSettings((("model", "other"),)))
        bench.wait(lambda events: [e for e in events if isinstance(e, SettingsShown) and e.model.model == "other"])


def test_a_page_that_does_not_load_by_hand_is_told() -> None:
    with Bench([PAGE]) as bench:
        bench.do(OpenAddress("http://nowhere.test/"))
        assert "does not answer" in bench.wait_for(ErrorShown).what
        bench.do(CopySelection())
        assert bench.wait_for(SelectionCopied).text == "marked"


def test_a_record_that_cannot_be_written_ends_the_turn_with_a_plain_message() -> None:
    with Bench([PAGE], ASK) as bench:
        bench.do(SendMessage("choose"))
        asked = bench.wait_for(PersonAsked)
        bench.record.break_with(StoreError("The disk is full.", fault="full", next_step="Make room."))
        bench.do(AnswerPerson(asked.question_id, "1"))
        assert bench.wait_for(ErrorShown).what == "The disk is full."
        bench.record.break_with(None)


@pytest.mark.expected_log("work of the engine ended by a fault of the program")
def test_a_fault_of_the_program_is_told_and_the_engine_goes_on() -> None:
    with Bench([PAGE], says("ok")) as bench:
        bench.browser.copy_selection = None  # type: ignore[assignment, method-assign]
        bench.do(OpenAddress("http://site.test/"))
        bench.do(CopySelection())
        assert bench.wait_for(ErrorShown).what == "The program made a mistake."
        bench.do(SendMessage("still there?"))
        assert bench.wait_for(TurnEnded).end == "done"


def test_the_engine_tells_when_it_is_down_and_the_browser_is_closed() -> None:
    with Bench([PAGE], OPEN, ASK) as bench:
        bench.do(NewConversation())
        bench.do(SendMessage("open it"))
        bench.wait_for(PersonAsked)
    assert isinstance(bench.events[-1], EngineStopped)
    assert not bench.browser.running


def test_a_late_answer_to_a_question_that_is_over_neither_stops_the_turn_nor_takes_the_browser() -> None:
    with Bench([PAGE], ASK, ASK, says("ok")) as bench:
        bench.do(SendMessage("choose"))
        first = bench.wait_for(PersonAsked)
        bench.do(AnswerPerson(first.question_id, "1"))
        second = bench.wait_for(PersonAsked, 2)
        bench.do(AnswerPerson(first.question_id, "stop"))
        bench.do(AnswerPerson(first.question_id, "takeover"))
        bench.wait_for(ErrorShown, 2)
        bench.do(AnswerPerson(second.question_id, "2"))
        assert bench.wait_for(TurnEnded).end == "done"
        assert not any(isinstance(inner(one), TakenOver) for one in bench.events)


def test_a_take_over_right_after_a_message_holds_also_when_the_person_had_the_browser_before() -> None:
    with Bench([PAGE], says("ok")) as bench:
        bench.do(OpenAddress("http://site.test/"))
        bench.wait(lambda events: "person" in drivers(events))
        bench.do(SendMessage("what is this?"))
        bench.do(TakeOver())
        bench.wait_for(TakenOver)
        assert drivers(bench.events)[-1] == "person"
        assert not any(isinstance(inner(one), TurnEnded) for one in bench.events)
        bench.do(HandBack())
        assert bench.wait_for(TurnEnded).end == "done"


def test_a_message_that_comes_while_a_turn_ends_is_answered_too() -> None:
    class Waiting(MemoryRecord):
        """The first end of a turn is written only when the message after it has come."""

        async def append(self, conversation: ConversationId, *events: RecordedEvent) -> tuple[StoredEvent, ...]:
            if any(isinstance(event, TurnEnded) for event in events) and not came.is_set():
                bench.do(SendMessage("and then?"))
                bench.do(ShowSettings())
                shown = sum(isinstance(one, SettingsShown) for one in bench.events)
                while sum(isinstance(one, SettingsShown) for one in bench.events) == shown:
                    await asyncio.sleep(0)
                came.set()
            return await super().append(conversation, *events)

    came = threading.Event()
    with Bench([PAGE], says("first"), says("second"), record=Waiting()) as bench:
        bench.do(SendMessage("begin"))
        assert bench.wait_for(TurnEnded, 2).text == "second"
        said = [one.text for one in map(inner, bench.events) if isinstance(one, UserSaid)]
        assert said == ["begin", "and then?"]


def test_options_that_are_changed_hold_from_the_next_turn_on() -> None:
    with Bench([PAGE], OPEN, says("ok"), calls(("browser_snapshot", "{}")), says("ok")) as bench:
        bench.do(SendMessage("open it"))
        bench.wait_for(TurnEnded)
        bench.do(ChangeSettings((("effort", "high"), ("max_steps", "1"))))
        bench.do(SendMessage("again"))
        assert bench.wait_for(PersonAsked).question_kind == "limit"
        assert bench.model.requests[-1].effort == "high"
        bench.do(Stop())


def test_a_new_task_begins_on_the_start_page_unless_the_person_has_opened_one() -> None:
    start = FakePage("http://start.test/", "- paragraph: Welcome.", title="Start")
    with Bench([PAGE, start], says("ok"), says("ok")) as bench:
        bench.settings.options["start_page"] = "http://start.test/"
        bench.do(SendMessage("begin"))
        bench.wait_for(TurnEnded)
        assert "Welcome." in str(bench.model.requests[0].messages)
        bench.do(NewConversation())
        bench.do(OpenAddress("http://site.test/"))
        bench.wait(lambda events: "person" in drivers(events))
        bench.do(SendMessage("begin here"))
        bench.wait_for(TurnEnded, 2)
        assert "It burns 48 hours." in str(bench.model.requests[1].messages)


def test_a_text_that_is_marked_while_the_agent_works_brings_no_page_between_a_call_and_its_result() -> None:
    with Bench([PAGE], ASK, OPEN, ASK, says("ok")) as bench:
        bench.do(SendMessage("look"))
        bench.do(AnswerPerson(bench.wait_for(PersonAsked).question_id, "takeover"))
        bench.wait_for(TakenOver)
        bench.do(HandBack())
        asked = bench.wait_for(PersonAsked, 2)
        bench.do(KeepQuote("burns 48 hours"))
        bench.wait_for(QuoteKept)
        bench.do(AnswerPerson(asked.question_id, "1"))
        bench.wait_for(TurnEnded)
        assert sum(isinstance(inner(one), HandedBack) for one in bench.events) == 1


def test_what_was_wrong_with_the_settings_is_told_once() -> None:
    with Bench([PAGE], told=("The settings file was damaged; the defaults are used.",)) as bench:
        assert bench.wait_for(ErrorShown).what.startswith("The settings file was damaged")
        bench.do(ChangeSettings((("model", "other"),)))
        bench.wait(lambda events: [e for e in events if isinstance(e, SettingsShown) and e.model.model == "other"])
        assert sum(isinstance(one, ErrorShown) for one in bench.events) == 1


def test_a_message_answers_the_question_of_the_agent_that_waits() -> None:
    with Bench([PAGE], ASK, says("green it is")) as bench:
        bench.do(SendMessage("choose"))
        bench.wait_for(PersonAsked)
        bench.do(SendMessage("neither, take green"))
        assert bench.wait_for(TurnEnded).text == "green it is"
        assert bench.wait_for(ToolAnswered).text == "The person answers: In the message that follows."
        assert "neither, take green" in str(bench.model.requests[-1].messages[-1])
