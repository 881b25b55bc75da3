"""The loop: step until the model answers without a call, the person stops it, or a limit is met."""

import logging

from app.agent.answering import answer_calls, finish_calls
from app.agent.control import Interrupted, NeedsPerson
from app.agent.done import end_of
from app.agent.model_calls import ModelRefused
from app.agent.run import Run
from app.agent.showing import keep_page_in_view, show_handed_back, show_page, show_what_passed
from app.domain.errors import AppError, LimitReached, ProviderError
from app.domain.events import AssistantSaid, TurnEnded, UserSaid

STOPPED = TurnEnded("stopped", "Stopped by you.")
_log = logging.getLogger(__name__)


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
        await finish_calls(run.transcript, "the turn failed before it was done")
    await run.transcript.add(ended)
    return ended


async def _steps(run: Run) -> TurnEnded:
    await finish_calls(run.transcript, "the program ended before it was done or answered")
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
        await run.control.guarded(run.acting.submitting.gatekeeper.decided())
        return None if await _take_queued(run) else await end_of(run.transcript, said.text)
    await answer_calls(run, said.calls)
    return None


async def _ask(run: Run) -> AssistantSaid:
    """The model's next turn; when it finds the request too long, more of the past leaves its view first."""
    await run.room.make()
    while True:
        await keep_page_in_view(run)
        try:
            return await run.models.ask(run.transcript)
        except ProviderError as error:
            if error.fault != "too_long" or not await run.room.make_more():
                raise
        run.observing.page_characters = run.models.budget.page_characters(run.observing.page_characters)


async def _gate(run: Run) -> None:
    """Wait while the person has the browser or the turn is paused; then show the model what it cannot know yet."""
    note = await run.control.gate()
    if note is not None:
        await run.control.guarded(show_handed_back(run, note.note))
    elif run.fresh_page:
        await run.control.guarded(show_page(run))
    elif run.steps == 0:
        await run.control.guarded(show_what_passed(run))
    run.fresh_page = False


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
