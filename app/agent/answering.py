"""Answers the calls of one turn of the model: in order, each exactly once, none after a surprise."""

from collections.abc import Callable
from typing import Protocol

from app.agent.acting import Acting
from app.agent.answers import Answer
from app.agent.control import Control, Interrupted
from app.agent.judge import arguments_of
from app.agent.observing import Observing
from app.agent.recalling import page_characters
from app.agent.tools import TOOLS
from app.agent.tools.tool import Hands
from app.agent.transcript import Transcript
from app.context.request.clearing import cut_text, result_names
from app.domain.events import AssistantSaid, ToolAnswered
from app.domain.ids import BlobHash, ResultId
from app.domain.messages import ToolCall
from app.domain.records import Receipt

SENDS_NOTHING = frozenset(
    {"browser_navigate", "browser_navigate_back", "browser_navigate_forward", "browser_tabs", "browser_close"}
    | {"browser_resize", "browser_hover", "browser_scroll", "browser_mouse_wheel"}
)
"""Nobody need know whether one of these happened when it was broken off."""
HARMLESS = frozenset(
    {"keep_quote", "task_card", "recall", "browser_find", "browser_console_messages", "browser_network_requests"}
    | {"browser_take_screenshot", "look"}
)
"""Calls after one of these run also when it failed: it changed nothing they could rest on."""
ABOUT_THE_RECORD = frozenset({"keep_quote", "task_card", "recall"})
"""They run after a surprise too: what they are about is not the page as it is now."""


class Desk(Protocol):
    """What answering a call needs, whoever made it: a model of ours, or another program."""

    @property
    def transcript(self) -> Transcript: ...
    @property
    def control(self) -> Control: ...
    @property
    def observing(self) -> Observing: ...
    @property
    def acting(self) -> Acting: ...
    @property
    def hands(self) -> Hands: ...
    @property
    def result_characters(self) -> int:
        """The longest text of a result that is handed over whole."""

    @property
    def tell(self) -> Callable[[str], None]:
        """Hears what is done now."""


async def answer_calls(desk: Desk, calls: tuple[ToolCall, ...]) -> None:
    """Every call gets exactly one result, in order; after a surprise the rest are not run."""
    surprise = ""
    for call in calls:
        if surprise and call.name not in ABOUT_THE_RECORD:
            await desk.transcript.add(not_run(call, surprise))
        else:
            came = await answer_call(desk, call)
            surprise = surprise or came


async def answer_call(desk: Desk, call: ToolCall) -> str:
    """Do it and put its result on record; the surprise it brought to the calls that were made with it, if any."""
    before = desk.observing.last
    answered = await _answer_call(desk, call)
    await desk.transcript.add(answered)
    after = desk.observing.last
    if answered.is_error and call.name not in HARMLESS:
        return "the call before it failed"
    if before is not None and after is not None and before.observation.document != after.observation.document:
        return "the page changed"
    if call.name != "browser_handle_dialog" and after is not None and after.look.dialog is not None:
        return "a dialog opened"
    return ""


async def _answer_call(desk: Desk, call: ToolCall) -> ToolAnswered:
    desk.tell(call.name.removeprefix("browser_").replace("_", " "))
    try:
        answer = await desk.control.guarded(_use_tool(desk, call))
    except Interrupted as interrupted:
        if interrupted.by == "taken_over" and call.name == "ask_user":
            return ToolAnswered(call.id, call.name, "The person answers by taking over the browser.", is_error=False)
        who = "the person took over" if interrupted.by == "taken_over" else "the person stopped the turn"
        return _unfinished(desk.transcript, call, who)
    finally:
        desk.acting.submitting.end()
    picture: BlobHash | None = None
    if answer.picture is not None:
        picture = await desk.transcript.record.put_blob(answer.picture.data)
    text, whole = (answer.text, None) if call.name == "recall" else await _bounded(desk, answer.text)
    return ToolAnswered(
        call=call.id,
        name=call.name,
        text=text,
        is_error=answer.is_error,
        receipt=answer.receipt,
        observation=answer.observation,
        picture=picture,
        picture_mime=answer.picture.mime if answer.picture else "",
        whole=whole,
        asked_model=answer.asked_model,
        asked_usage=answer.asked_usage,
    )


async def _bounded(desk: Desk, text: str) -> tuple[str, BlobHash | None]:
    """The text as it is sent, and the blob of all of it when that is only its beginning; a record has own pages."""
    limit = desk.result_characters
    if len(text) <= limit:
        return text, None
    name = ResultId(f"r{len(result_names(desk.transcript.events)) + 1}")
    page = 1 + limit // page_characters(desk.observing)
    return cut_text(text, limit, name, page), await desk.transcript.put_text(text)


async def _use_tool(desk: Desk, call: ToolCall) -> Answer:
    tool = TOOLS.get(call.name)
    if tool is None:
        text = f"Not done: there is no tool {call.name}. The tools are: {', '.join(TOOLS)}."
        return await desk.acting.ladder.misused(call.id, call.name, call.arguments, text)
    arguments = arguments_of(call.arguments)
    if arguments is None:
        text = f"Not done: the arguments of {call.name} are no JSON object."
        return await desk.acting.ladder.misused(call.id, call.name, call.arguments, text)
    return await tool.run(desk.hands, call.id, arguments)


def not_run(call: ToolCall, why: str) -> ToolAnswered:
    """The result of a call of which nothing happened."""
    return ToolAnswered(call=call.id, name=call.name, text=f"Not run: {why}.", is_error=True)


def _unfinished(transcript: Transcript, call: ToolCall, why: str) -> ToolAnswered:
    """The result of a call that was broken off: with an intent on record nobody knows whether it happened."""
    if call.name == "ask_user":
        text = "The person has not answered yet; what they say next is the answer."
        return ToolAnswered(call=call.id, name=call.name, text=text, is_error=False)
    intent = transcript.intent_of(call.id)
    if intent is None:
        return not_run(call, why)
    text = f"Uncertain: {why} while it was under way; it may or may not have happened. Look before any repeat."
    if call.name in SENDS_NOTHING:
        return ToolAnswered(call.id, call.name, text, is_error=True)
    receipt = Receipt(call.id, "tried:", intent, "uncertain", f"it may or may not have happened: {why}")
    return ToolAnswered(call.id, call.name, text, is_error=True, receipt=receipt)


async def finish_calls(transcript: Transcript, why: str) -> None:
    """Calls that a fault, a crash or a parked question left without a result get one."""
    answered = {one.event.call for one in transcript.events if isinstance(one.event, ToolAnswered)}
    said = [one.event for one in transcript.events if isinstance(one.event, AssistantSaid)]
    for call in said[-1].calls if said else ():
        if call.id not in answered:
            await transcript.add(_unfinished(transcript, call, why))
