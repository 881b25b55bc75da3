"""The loop: step until the model answers without a call, the person stops it, or a limit is met."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from app.agent.acting import Acting
from app.agent.answers import Answer, happenings_text
from app.agent.asking import Asking
from app.agent.control import Control, Interrupted, NeedsPerson
from app.agent.done import end_of
from app.agent.judge import arguments_of
from app.agent.model_calls import ModelCalls, ModelRefused
from app.agent.observing import Observing
from app.agent.remembering import Remembering
from app.agent.room import Room
from app.agent.tools import TOOLS
from app.agent.tools.tool import Hands
from app.agent.transcript import Transcript
from app.context.clearing import cut_text, result_names
from app.context.view import chain_of, observations
from app.domain.errors import AppError, LimitReached, ProviderError
from app.domain.events import (
    ActIntended,
    AssistantSaid,
    HandedBack,
    ToolAnswered,
    TurnEnded,
    UserSaid,
)
from app.domain.ids import BlobHash, ResultId
from app.domain.messages import ToolCall
from app.domain.records import Receipt

BLANK = "about:blank"
SENDS_NOTHING = frozenset(
    {"browser_navigate", "browser_navigate_back", "browser_navigate_forward", "browser_tabs", "browser_close"}
    | {"browser_resize", "browser_hover", "browser_scroll", "browser_mouse_wheel"}
)
"""Nobody need know whether one of these happened when it was broken off."""
STALE_S = 30.0  # a page that was read longer ago may have changed before the person's next message
STOPPED = TurnEnded("stopped", "Stopped by you.")
HARMLESS = frozenset(
    {"keep_quote", "task_card", "recall", "browser_find", "browser_console_messages", "browser_network_requests"}
)
"""Calls after one of these run also when it failed: it changed nothing they could rest on."""

_log = logging.getLogger(__name__)


@dataclass(slots=True)
class Run:
    """Everything one turn works with; made by the runtime, used in the engine thread only."""

    transcript: Transcript
    control: Control
    asking: Asking
    observing: Observing
    acting: Acting
    remembering: Remembering
    models: ModelCalls
    queued: Callable[[], list[str]]
    fresh_page: bool  # the model has not seen what the browser shows now
    max_steps: int = 40
    tell: Callable[[str], None] = lambda text: None
    steps: int = 0
    granted: int = 0  # steps beyond the limit that the person has allowed
    room: Room = field(init=False)

    def __post_init__(self) -> None:
        self.room = Room(self.transcript, self.models)

    @property
    def hands(self) -> Hands:
        return Hands(self.acting, self.remembering)


async def run_turn(run: Run) -> TurnEnded:
    """Work until the turn ends, and put its end on record. Raises StoreError when that cannot be written."""
    try:
        ended = await _steps(run)
    except Interrupted:
        ended = STOPPED
    except NeedsPerson as question:
        ended = TurnEnded("needs_person", str(question))
    except ModelRefused as refused:
        ended = TurnEnded("failed", str(refused))
    except LimitReached as limit:
        ended = TurnEnded("limit", limit.message)
    except AppError as error:
        ended = TurnEnded("failed", error.message)
    except Exception:
        _log.exception("the turn ended by a fault of the program")
        ended = TurnEnded("failed", "The program made a mistake and stopped this turn. What was done so far is kept.")
    if ended.end == "failed":
        await _finish_calls(run, "the turn failed before it was done")
    await run.transcript.add(ended)
    return ended


async def _steps(run: Run) -> TurnEnded:
    await _finish_calls(run, "the program ended before it was done or answered")
    while True:
        try:
            ended = await step(run)
        except Interrupted as interrupted:
            if interrupted.by == "stopped":
                raise
            continue
        if ended is not None:
            return ended


async def step(run: Run) -> TurnEnded | None:
    """One model call and its tool calls; the end of the turn when the model made none."""
    await _gate(run)
    await _ask_at_limit(run)
    await _take_queued(run)
    run.tell("thinking")
    said = await run.control.guarded(_ask(run))
    run.steps += 1
    await run.transcript.add(said)
    if not said.calls:
        return None if await _take_queued(run) else await end_of(run.transcript, said.text)
    await _answer_calls(run, said.calls)
    return None


async def _ask(run: Run) -> AssistantSaid:
    """The model's next turn; when it finds the request too long, more of the past leaves its view first."""
    await run.room.make()
    await _keep_page_in_view(run)
    try:
        return await run.models.ask(run.transcript)
    except ProviderError as error:
        if error.fault != "too_long" or not await run.room.make_more():
            raise
    run.observing.page_characters = run.models.budget.page_characters(run.observing.page_characters)
    await _keep_page_in_view(run)
    return await run.models.ask(run.transcript)


async def _keep_page_in_view(run: Run) -> None:
    """A summary can take the page along that the agent works on; it is shown again, its refs stay."""
    seen = run.observing.last
    if seen is None or seen.observation.shown_as == "none":
        return
    chain = chain_of(run.transcript.events, seen.observation.tab, seen.observation.document)
    if chain.whole and not chain.in_view and run.room.summarised:
        run.room.summarised = False
        again = await run.observing.see("whole")
        await run.transcript.add(HandedBack("The page as it is now:", "", again.observation, by_person=False))


async def _answer_calls(run: Run, calls: tuple[ToolCall, ...]) -> None:
    """Every call gets exactly one result, in order; after a surprise the rest are not run."""
    surprise = ""
    for call in calls:
        if surprise:
            await run.transcript.add(_not_run(call, surprise))
            continue
        before = run.observing.last
        answered = await _answer_call(run, call)
        await run.transcript.add(answered)
        after = run.observing.last
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
    text, whole = await _bounded(run, answer.text)
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
    """The text as it is sent, and the blob of all of it when that is only its beginning."""
    limit = run.models.budget.result_characters
    if len(text) <= limit:
        return text, None
    name = ResultId(f"r{len(result_names(run.transcript.events)) + 1}")
    return cut_text(text, limit, name), await run.transcript.record.put_blob(text.encode(errors="replace"))


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


async def _finish_calls(run: Run, why: str) -> None:
    """Calls that a fault, a crash or a parked question left without a result get one."""
    answered = {one.event.call for one in run.transcript.events if isinstance(one.event, ToolAnswered)}
    said = [one.event for one in run.transcript.events if isinstance(one.event, AssistantSaid)]
    for call in said[-1].calls if said else ():
        if call.id not in answered:
            await run.transcript.add(_unfinished(run, call, why))


async def _gate(run: Run) -> None:
    """Wait while the person has the browser or the turn is paused; then show the model what it cannot know yet."""
    note = await run.control.gate()
    if note is not None:
        await run.control.guarded(_show_handed_back(run, note.note))
    elif run.fresh_page:
        await run.control.guarded(_show_page(run))
    elif run.steps == 0:
        await run.control.guarded(_show_what_passed(run))
    run.fresh_page = False


async def _show_handed_back(run: Run, note: str) -> None:
    before = run.observing.last
    run.observing.retire("the person had the browser meanwhile")
    seeing = await run.observing.see("whole")
    text = run.observing.what_changed(before, seeing)
    said = f" They say: {note}" if note else ""
    await run.transcript.add(HandedBack(text + _noticed(run) + said, note, seeing.observation))


async def _show_page(run: Run) -> None:
    run.observing.retire("the page was shown anew")
    knew_a_page = any(observations(run.transcript.events))
    seeing = await run.observing.see("whole")
    if seeing.observation.url != BLANK or knew_a_page:
        text = "The browser shows this page now." if seeing.observation.url != BLANK else "The browser is empty now."
        await run.transcript.add(HandedBack(text + _noticed(run), "", seeing.observation, by_person=False))


async def _show_what_passed(run: Run) -> None:
    """At the start of a turn a page that was read long ago is read again, and told when it has changed by itself."""
    before = run.observing.last
    if before is None or time.monotonic() - before.at < STALE_S:
        return
    minutes = max(round((time.monotonic() - before.at) / 60), 1)
    now = await run.observing.see()
    if now.observation.shown_as != "same":
        text = f"About {minutes} min have passed since you last read the page; it has changed meanwhile."
        await run.transcript.add(HandedBack(text + _noticed(run), "", now.observation, by_person=False))


def _noticed(run: Run) -> str:
    """What the person's own acts brought about, so that no receipt of the agent takes it for its own."""
    noticed = happenings_text(run.acting.browser.happenings())
    return f" Noticed meanwhile: {noticed}." if noticed else ""


async def _ask_at_limit(run: Run) -> None:
    if run.steps < run.max_steps + run.granted:
        return
    if not run.asking.attended:
        raise LimitReached(kind="steps", value=run.steps, limit=run.max_steps)
    answer = await run.control.guarded(
        run.asking.ask(
            "limit",
            f"The agent has made {run.steps} steps, the limit you set. Shall it go on?",
            (("go_on", f"{run.max_steps} more steps"), ("stop", "Stop here")),
        )
    )
    if answer.choice != "go_on":
        raise Interrupted("stopped")
    run.granted += run.max_steps


async def _take_queued(run: Run) -> bool:
    """Put what the person wrote meanwhile on record; whether there was anything."""
    texts = run.queued()
    if texts:
        await run.transcript.add(*(UserSaid(text) for text in texts))
    return bool(texts)
