"""Plays a walk through the real loop, tools and guards; the browser is real or recorded, the model is a script."""

import datetime as dt
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from app.agent.acting import Acting
from app.agent.asking import Asking
from app.agent.control import Control
from app.agent.loop import run_turn
from app.agent.model_calls import ModelCalls
from app.agent.observing import Observing, Seeing
from app.agent.ports import Browser
from app.agent.prompt import system_prompt
from app.agent.remembering import Remembering
from app.agent.run import Run
from app.agent.submitting import Submitting
from app.agent.tools import specs
from app.agent.transcript import Transcript
from app.context.request.budget import Budget
from app.domain.events import ConversationStarted, Policy, StoredEvent, ToolAnswered, UserSaid
from app.domain.ids import ConversationId, ObservationId, Ref, ToolCallId
from app.domain.messages import (
    Economy,
    Message,
    ModelTurn,
    Request,
    StopKind,
    TextBlock,
    ToolCall,
    ToolResultBlock,
    Usage,
    UserMessage,
    WireItems,
)
from app.domain.pages import Look
from tests.bench.calls import call_of, said_of
from tests.bench.fences import with_numbered_fences
from tests.bench.walks.walk import Walk
from tests.fakes.record import MemoryRecord

DAY = dt.date(2026, 1, 5)  # the one day in the system prompt of every walk


USUAL = Economy()


class WalkBroken(Exception):
    """A step did not do what it should; its text says which, why, and what the page showed."""


class Unbounded(Budget):
    """Of a model that can read everything, so that nothing ever has to be cleared."""

    @property
    def tokens(self) -> int:
        return 100_000_000


class Watched(Observing):
    """Keeps the look of every observation; with `always_whole` each page is shown whole, cut and refs as ever."""

    def __init__(self, browser: Browser, transcript: Transcript, *, always_whole: bool) -> None:
        super().__init__(browser, transcript)
        self._always_whole = always_whole
        self.looks: dict[ObservationId, Look] = {}

    async def see(self, want: Literal["auto", "whole"] = "auto", acted_on: Ref | None = None) -> Seeing:
        seeing = await super().see("whole" if self._always_whole else want, acted_on)
        self.looks[seeing.observation.id] = seeing.look
        return seeing


@dataclass(frozen=True, slots=True)
class Played:
    """`requests` are what the model was sent, one a step and one for the answer.

    `blind` are the steps whose target stood on the page, but in nothing that the model was sent: it was left out.
    """

    walk: Walk
    requests: tuple[Request, ...]
    events: tuple[StoredEvent, ...]
    blind: tuple[int, ...]
    looks: Mapping[ObservationId, Look]

    @property
    def answers(self) -> list[ToolAnswered]:
        """The result of every step, in order."""
        return _answers(self.events)


async def play(
    walk: Walk,
    browser: Browser,
    root: str,
    policy: Policy = "chain",
    *,
    always_whole: bool = False,
    economy: Economy = USUAL,
    idle_s: float = 0.0,
) -> Played:
    """Every step of the walk, then the answer. Raises WalkBroken.

    `idle_s` is how long a page is watched for what moves by itself; a recorded page has moved before.
    """
    record = MemoryRecord()
    name = ConversationId(walk.name)
    await record.create(name, walk.name)
    transcript = Transcript(record, name, (), lambda stored: None)
    started = ConversationStarted(system_prompt(DAY), specs(), policy)
    await transcript.add(started, UserSaid(f"Work through “{walk.name}” on {root}, {len(walk.steps)} steps."))
    control = Control()
    observing = Watched(browser, transcript, always_whole=always_whole)
    asking = Asking(transcript, control, attended=False, consent="yes")
    script = Script(walk, root, observing, transcript, economy)
    models = ModelCalls(script, "script", time_scale=0.001, budget=Unbounded() if always_whole else Budget())
    submitting = Submitting(transcript)
    submitting.attend(asking)
    browser.hold_for(submitting.gatekeeper)
    run = Run(
        transcript=transcript,
        control=control,
        asking=asking,
        observing=observing,
        acting=Acting(browser, transcript, observing, asking, control, submitting, idle_s=idle_s),
        remembering=Remembering(transcript),
        models=models,
        queued=list,
        fresh_page=True,
        max_steps=len(walk.steps) + 1,
    )
    ended = await run_turn(run)
    if script.broken or ended.end not in ("done", "partly"):
        raise WalkBroken(script.broken or f"{walk.name}: the turn ended as {ended.end}: {ended.text}")
    requests = with_numbered_fences(script.requests, transcript.events)
    return Played(walk, requests, tuple(transcript.events), tuple(script.blind), observing.looks)


@dataclass
class Script:
    """Implements the port `Model`: one call a step, its target looked up in the newest page."""

    walk: Walk
    root: str
    observing: Observing
    transcript: Transcript
    economy: Economy = USUAL
    requests: list[Request] = field(default_factory=list)
    blind: list[int] = field(default_factory=list)
    broken: str = ""

    provider = "script"

    async def answer(self, request: Request, on_text: Callable[[str], None]) -> ModelTurn:
        done = len(self.requests)
        self.requests.append(request)
        self.broken = self._fault(done)
        if self.broken or done == len(self.walk.steps):
            return _turn("Everything is done.", ())
        action = self.walk.steps[done].action
        seeing = self.observing.last
        try:
            tool, arguments = call_of(action, self.root, seeing.shown.tree if seeing else None)
        except LookupError as missing:
            page = seeing.shown.full_text if seeing else "nothing"
            self.broken = f"{self.walk.name}, step {done + 1}: {missing.args[0]} in\n{page}"
            return _turn("It cannot be found.", ())
        if not _stands_in(request, json.loads(arguments).get("target")):
            self.blind.append(done + 1)
        return _turn(said_of(action), (ToolCall(ToolCallId(f"call{done + 1}"), tool, arguments),))

    async def models(self) -> tuple[str, ...]:
        return ("script",)

    async def close(self) -> None:
        return

    def _fault(self, done: int) -> str:
        """Why the step before this request was no success; empty when it was one."""
        if not done:
            return ""
        step, answers = self.walk.steps[done - 1], _answers(self.transcript.events)
        place = f"{self.walk.name}, step {done} ({said_of(step.action)})"
        if answers[-1].is_error:
            return f"{place} failed: {answers[-1].text}"
        seeing = self.observing.last
        page = (seeing.shown.full_text or seeing.shown.text) if seeing else ""
        return "" if step.then in page else f"{place}: “{step.then}” does not stand on the page:\n{page}"


def _stands_in(request: Request, ref: str | None) -> bool:
    return ref is None or any(f"[ref={ref}]" in text for message in request.messages[-60:] for text in _texts(message))


def _texts(message: Message) -> Iterator[str]:
    for block in message.content if isinstance(message, UserMessage) else ():
        for part in block.content if isinstance(block, ToolResultBlock) else (block,):
            if isinstance(part, TextBlock):
                yield part.text


def _answers(events: Sequence[StoredEvent]) -> list[ToolAnswered]:
    return [one.event for one in events if isinstance(one.event, ToolAnswered)]


def _turn(text: str, calls: tuple[ToolCall, ...]) -> ModelTurn:
    stop: StopKind = "tool_calls" if calls else "end"
    return ModelTurn(text, calls, stop, Usage(), "script", WireItems("script", "script", "{}"))
