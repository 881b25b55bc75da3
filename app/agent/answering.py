"""Answers the calls of one turn of the model: in order, each exactly once, none after a surprise."""

import time

from app.agent.answers import Answer
from app.agent.control import Interrupted
from app.agent.judge import arguments_of
from app.agent.recalling import page_characters
from app.agent.run import Run
from app.agent.tools import TOOLS
from app.context.request.clearing import cut_text, result_names
from app.domain.events import ActIntended, AssistantSaid, ToolAnswered
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
)
"""Calls after one of these run also when it failed: it changed nothing they could rest on."""
ABOUT_THE_RECORD = frozenset({"keep_quote", "task_card", "recall"})
"""They run after a surprise too: what they are about is not the page as it is now."""


async def answer_calls(run: Run, calls: tuple[ToolCall, ...]) -> None:
    """Every call gets exactly one result, in order; after a surprise the rest are not run."""
    surprise = ""
    for call in calls:
        if surprise and call.name not in ABOUT_THE_RECORD:
            await run.transcript.add(_not_run(call, surprise))
            continue
        before = run.observing.last
        answered = await _answer_call(run, call)
        await run.transcript.add(answered)
        after = run.observing.last
        if surprise:
            continue
        if answered.is_error and call.name not in HARMLESS:
            surprise = "the call before it failed"
        elif before is not None and after is not None and before.observation.document != after.observation.document:
            surprise = "the page changed"
        elif call.name != "browser_handle_dialog" and after is not None and after.look.dialog is not None:
            surprise = "a dialog opened"


async def _answer_call(run: Run, call: ToolCall) -> ToolAnswered:
    run.tell(call.name.removeprefix("browser_").replace("_", " "))
    began = time.monotonic()
    try:
        answer = await run.control.guarded(_use_tool(run, call))
    except Interrupted as interrupted:
        if interrupted.by == "taken_over" and call.name == "ask_user":
            return ToolAnswered(call.id, call.name, "The person answers by taking over the browser.", is_error=False)
        who = "the person took over" if interrupted.by == "taken_over" else "the person stopped the turn"
        return _unfinished(run, call, who)
    picture: BlobHash | None = None
    if answer.picture is not None:
        picture = await run.transcript.record.put_blob(answer.picture.data)
    text, whole = (answer.text, None) if call.name == "recall" else await _bounded(run, answer.text)
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
        duration_ms=int((time.monotonic() - began) * 1000),
    )


async def _bounded(run: Run, text: str) -> tuple[str, BlobHash | None]:
    """The text as it is sent, and the blob of all of it when that is only its beginning; a record has own pages."""
    limit = run.models.budget.result_characters
    if len(text) <= limit:
        return text, None
    name = ResultId(f"r{len(result_names(run.transcript.events)) + 1}")
    page = 1 + limit // page_characters(run.observing)
    return cut_text(text, limit, name, page), await run.transcript.record.put_blob(text.encode(errors="replace"))


async def _use_tool(run: Run, call: ToolCall) -> Answer:
    tool = TOOLS.get(call.name)
    if tool is None:
        text = f"Not done: there is no tool {call.name}. The tools are: {', '.join(TOOLS)}."
        return await run.acting.ladder.misused(call.id, call.name, call.arguments, text)
    arguments = arguments_of(call.arguments)
    if arguments is None:
        text = f"Not done: the arguments of {call.name} are no JSON object."
        return await run.acting.ladder.misused(call.id, call.name, call.arguments, text)
    return await tool.run(run.hands, call.id, arguments)


def _not_run(call: ToolCall, why: str) -> ToolAnswered:
    return ToolAnswered(call=call.id, name=call.name, text=f"Not run: {why}.", is_error=True)


def _unfinished(run: Run, call: ToolCall, why: str) -> ToolAnswered:
    """The result of a call that was broken off: with an intent on record nobody knows whether it happened."""
    intents = {one.event.call: one.event.what for one in run.transcript.events if isinstance(one.event, ActIntended)}
    if call.name == "ask_user":
        text = "The person has not answered yet; what they say next is the answer."
        return ToolAnswered(call=call.id, name=call.name, text=text, is_error=False)
    if call.id not in intents:
        return _not_run(call, why)
    text = f"Uncertain: {why} while it was under way; it may or may not have happened. Look before any repeat."
    if call.name in SENDS_NOTHING:
        return ToolAnswered(call.id, call.name, text, is_error=True)
    receipt = Receipt(call.id, "tried:", intents[call.id], "uncertain", f"it may or may not have happened: {why}")
    return ToolAnswered(call.id, call.name, text, is_error=True, receipt=receipt)


async def finish_calls(run: Run, why: str) -> None:
    """Calls that a fault, a crash or a parked question left without a result get one."""
    answered = {one.event.call for one in run.transcript.events if isinstance(one.event, ToolAnswered)}
    said = [one.event for one in run.transcript.events if isinstance(one.event, AssistantSaid)]
    for call in said[-1].calls if said else ():
        if call.id not in answered:
            await run.transcript.add(_unfinished(run, call, why))
