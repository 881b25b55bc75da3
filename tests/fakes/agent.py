"""A whole turn in memory: loop, tools and guards are real, browser, model and record are fakes."""

import asyncio
import itertools
from dataclasses import dataclass

from app.agent.acting import Acting
from app.agent.asking import Asking
from app.agent.control import Control
from app.agent.loop import run_turn
from app.agent.model_calls import ModelCalls
from app.agent.observing import Observing
from app.agent.ports import Model
from app.agent.remembering import Remembering
from app.agent.run import Run
from app.agent.submitting import Submitting
from app.agent.tools import specs
from app.agent.transcript import Transcript
from app.domain.events import (
    ConversationStarted,
    PersonAsked,
    Policy,
    RecordedEvent,
    StoredEvent,
    ToolAnswered,
    TurnEnded,
    UserSaid,
)
from app.domain.ids import ConversationId
from tests.fakes.browser import FakeBrowser, FakePage
from tests.fakes.model import FakeModel, Turn
from tests.fakes.record import MemoryRecord

_names = (f"c{number}" for number in itertools.count(1))


@dataclass
class Desk:
    """One conversation with its parts; `shown` is what a window would have heard."""

    browser: FakeBrowser
    model: FakeModel
    transcript: Transcript
    control: Control
    run: Run
    shown: list[StoredEvent]
    asked: asyncio.Event

    @property
    def events(self) -> list[RecordedEvent]:
        return [one.event for one in self.transcript.events]

    @property
    def answers(self) -> list[ToolAnswered]:
        return [event for event in self.events if isinstance(event, ToolAnswered)]

    @property
    def questions(self) -> list[PersonAsked]:
        return [event for event in self.events if isinstance(event, PersonAsked)]

    async def play(self) -> TurnEnded:
        return await run_turn(self.run)


async def desk(
    pages: list[FakePage],
    *turns: Turn,
    attended: bool = True,
    consent: str = "ask",
    max_steps: int = 40,
    queued: list[list[str]] | None = None,
    task: str = "do it",
    policy: Policy = "chain",
    over: Model | None = None,
    idle_s: float = 0.0,
) -> Desk:
    """A conversation in which the person has said `task`; `over` is the model that is asked instead of the fake.

    `idle_s` is how long a page is watched for what moves by itself; the pages of the fake change only when told.
    """
    record = MemoryRecord()
    name = ConversationId(next(_names))
    await record.create(name, "test")
    shown: list[StoredEvent] = []
    asked = asyncio.Event()

    def show(stored: StoredEvent) -> None:
        shown.append(stored)
        if isinstance(stored.event, PersonAsked):
            asked.set()

    transcript = Transcript(record, name, (), show)
    await transcript.add(ConversationStarted("system", specs(), policy), UserSaid(task))
    browser, model, control = FakeBrowser(pages), FakeModel(*turns), Control()
    await browser.start()
    observing = Observing(browser, transcript)
    asking = Asking(transcript, control, attended=attended, consent=consent)
    waiting = queued or []
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
        models=ModelCalls(over or model, "fake", time_scale=0.001),
        queued=lambda: waiting.pop(0) if waiting else [],
        fresh_page=True,
        max_steps=max_steps,
    )
    return Desk(browser, model, transcript, control, run, shown, asked)
