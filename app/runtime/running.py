"""Runs the turns of the open conversation: start, queue, stop, pause, take over, hand back, answers."""

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from app.agent.acting import Acting
from app.agent.asking import Asking
from app.agent.control import Control
from app.agent.eyes import Eyes
from app.agent.filing import seen_files
from app.agent.loop import STOPPED, run_turn
from app.agent.model_calls import ModelCalls
from app.agent.observing import Observing
from app.agent.ports import Browser, Model
from app.agent.remembering import Remembering
from app.agent.run import Run
from app.agent.submitting import Submitting
from app.agent.transcript import Transcript
from app.context.request.budget import Budget
from app.context.request.view import observations
from app.domain.commands import GiveFiles, OpenAddress
from app.domain.errors import AppError, BrowserError
from app.domain.events import HandedBack, Paused, PersonAnswered, PersonAsked, Resumed, TakenOver, TurnEnded
from app.domain.files import KeptFile
from app.domain.ids import ConversationId, QuoteId
from app.domain.messages import Effort
from app.domain.pages import Download
from app.domain.passing import ErrorShown, Event, RunState, RunStateChanged, TextStreamed, TextWithdrawn
from app.runtime.factories import LiveBrowser
from app.runtime.holding import Holding


@dataclass(frozen=True, slots=True)
class TurnOptions:
    """How turns run: `attended` says that a person can answer, `consent` how the command line answers for one."""

    attended: bool
    consent: str
    max_steps: int
    time_scale: float
    effort: Effort
    budget: Budget
    page_characters: int


@dataclass(slots=True)
class Running:
    """The one running conversation; used from the engine thread only."""

    transcript: Transcript
    holding: Holding
    show: Callable[[Event], None]
    tell_fault: Callable[[BaseException], None]
    options: Callable[[], TurnOptions]  # as they are set when a turn begins
    control: Control = field(default_factory=Control)
    _observing: Observing | None = None
    _remembering: Remembering | None = None
    _task: asyncio.Task[None] | None = None
    _opening: asyncio.Task[LiveBrowser] | None = None
    _queue: list[str] = field(default_factory=list)
    _reads: bool = False  # a message that is queued now will be read by the turn
    submitting: Submitting = field(init=False)
    _learned: dict[str, Budget] = field(default_factory=dict)  # of models that found a request too long

    def __post_init__(self) -> None:
        self.submitting = Submitting(self.transcript, time_scale=self.options().time_scale)
        self.submitting.situation.person_drives = lambda: self.holding.driver == "person"
        self.holding.hold_for(self.submitting.gatekeeper)

    @property
    def conversation(self) -> ConversationId:
        return self.transcript.conversation

    @property
    def is_done(self) -> bool:
        """Whether the newest turn came to its end and nothing was asked since."""
        last = self.transcript.events[-1].event if self.transcript.events else None
        return isinstance(last, TurnEnded) and last.end in ("done", "partly")

    @property
    def busy(self) -> bool:
        return self._task is not None and not self._task.done()

    def start(self, model: Model, model_name: str, url: str = "", eyes: Eyes | None = None) -> None:
        """Run a turn on what stands in the transcript, in a task of its own; `url` is opened first."""
        self.control = Control()
        self._reads = True
        self._task = asyncio.create_task(self._turn(model, model_name, url, eyes or Eyes()))
        self._task.add_done_callback(self._report)

    async def queued(self, text: str) -> bool:
        """A message while the agent works, read at its next step; False when the turn has ended instead.

        A question of the agent that waits is answered by it; what the program itself asks needs a clear answer.
        """
        if self.busy and self._reads:
            self._queue.append(text)
            self._answer_by_message()
            return True
        await self._ended()
        return False

    async def take_files(self, given: Sequence[KeptFile]) -> None:
        """Put files that the person gave on record."""
        await self._remembers().files.take(given)

    async def keep_download(self, download: Download) -> None:
        """Put a file that a page sent on record."""
        await self._remembers().files.keep(download)

    async def answer_chooser(self, command: GiveFiles) -> None:
        """The person answers the page's file chooser; while the agent works they are files given to it as well."""
        if not self.busy or self.control.person_drives:
            await self.holding.do(command)
            return
        given = await self._remembers().files.take(await seen_files(command.paths))
        await self.holding.do(command)
        if given:
            names = ", ".join(file.id for file in given)
            self._answer_by_message(f"The person chose {names} for the page’s file chooser.")

    def unread(self) -> list[str]:
        """Messages that no turn has read, oldest first; they are the caller's from here on."""
        texts, self._queue = self._queue, []
        return texts

    async def stop(self) -> None:
        """Returns when nothing of the turn runs and no input can reach the page any more."""
        if self.busy:
            self._tell("stopping", "stopping")
            await self.control.stop()
            if self._opening is not None:
                self._opening.cancel()
            await self._ended()

    async def pause(self) -> None:
        if self.busy and not self.control.paused:
            self.control.pause()
            await self.transcript.add(Paused())
            self._tell_work("")

    async def resume(self) -> None:
        if self.control.paused:
            self.control.resume()
            await self.transcript.add(Resumed())
            self._tell_work("going on")

    async def take_over(self, reason: str = "", answer: str = "") -> None:
        """The person has the browser from here on; the agent's input has stopped when this returns.

        It answers whatever question waits, in words when they gave some; while one waits, nothing acts.
        """
        if self.holding.driver == "person" and (not self.busy or self.control.person_drives):
            return
        if self.busy:
            for question in self.control.waiting:
                await self.transcript.add(PersonAnswered(question, "takeover", answer))
            await self.control.take_over()
        await self.holding.give_to("person")
        if self.busy:
            await self.transcript.add(TakenOver(reason))
        self._tell_work("")

    async def hand_back(self, note: str) -> None:
        if self.holding.driver != "person":
            return
        await self.holding.give_to("agent" if self.busy else "nobody")
        if self.busy:
            self.control.hand_back(note)
        self._tell_work("looking at the page")

    async def answer(self, answer: PersonAnswered) -> bool:
        """Whether the question was waiting. "takeover" and "stop" answer it by doing so."""
        if answer.question_id not in self.control.waiting:
            return False
        match answer.choice:
            case "takeover":
                await self.take_over("as the answer to the agent’s question", answer.text)
            case "stop":
                await self.transcript.add(answer)
                await self.stop()
            case _:
                self.control.answer(answer)
        return True

    async def keep_quote(self, text: str) -> str:
        """Keep what the person marked; what they must know of it, or an empty text.

        It stands on the page as it is now, but while the agent acts on the pages it was shown: a page that comes
        between a request and its answer would change what the model has read.
        """
        observing, remembering = self._parts(await self.holding.started())
        if not self.busy and (observing.last is None or self.holding.touched):
            seeing = await observing.see("whole")
            marked = "The person marked a text on this page."
            await self.transcript.add(HandedBack(marked, "", seeing.observation, by_person=False))
        return await remembering.evidence.keep_marked(text)

    async def pin_quote(self, name: QuoteId, *, pinned: bool) -> bool:
        """Keep a quote in the model's view, or let it go; False when there is no such quote."""
        return await self._remembers().evidence.pin(name, pinned=pinned)

    async def _turn(self, model: Model, model_name: str, url: str, eyes: Eyes) -> None:
        try:
            await self._run(model, model_name, url, eyes)
        except AppError as error:
            self.show(ErrorShown(error.what, error.lost, error.next_step, self.conversation))
        finally:
            self._reads = False
            await self.control.stop()  # a question that is still open can be answered by nobody
            self.submitting.attend(None)
            await model.close()
            if eyes.vision is not None:
                await eyes.vision.close()
            if self.holding.driver == "agent":
                await self.holding.give_to("nobody")
            self._tell("idle", "")

    async def _run(self, model: Model, model_name: str, url: str, eyes: Eyes) -> None:
        self._opening = asyncio.create_task(self._browser_at(url))
        try:
            browser = await self._opening
        except BrowserError as error:
            await self.transcript.add(TurnEnded("failed", error.message))
            return
        except asyncio.CancelledError:
            if not self.control.stopped:
                raise
            await self.transcript.add(STOPPED)
            return
        finally:
            self._opening = None
        options = self.options()
        observing, remembering = self._parts(browser)
        budget = min(options.budget, self._learned.get(model_name, options.budget), key=lambda one: one.window)
        observing.page_characters = budget.page_characters(options.page_characters)
        fresh_page, self.holding.touched = self.holding.touched or observing.last is None, False
        if not self.control.person_drives:
            await self.holding.give_to("agent")
        asking = Asking(
            self.transcript,
            self.control,
            attended=options.attended,
            consent=options.consent,
            on_wait=lambda waits: self._tell_work("" if waits else "reading your answer"),
        )
        models = ModelCalls(
            model,
            model_name,
            on_text=lambda text: self.show(TextStreamed(self.conversation, text)),
            on_withdrawn=lambda reason: self.show(TextWithdrawn(self.conversation, reason)),
            time_scale=options.time_scale,
            effort=options.effort,
            budget=budget,
            sees=eyes.sees,
        )
        run = Run(
            transcript=self.transcript,
            control=self.control,
            asking=asking,
            observing=observing,
            acting=Acting(browser, self.transcript, observing, asking, self.control, self.submitting),
            remembering=remembering,
            models=models,
            queued=self.unread,
            fresh_page=fresh_page,
            eyes=eyes,
            max_steps=options.max_steps,
            tell=self._tell_work,
        )
        self.submitting.attend(asking)
        await run_turn(run)
        while self._queue and not self.control.stopped:  # a message that came while the turn ended
            await run_turn(run)
        self._reads = False
        self._learned[model_name] = models.budget

    async def _browser_at(self, url: str) -> LiveBrowser:
        """The browser at that page; after a restart, when it is blank, at the last page of the conversation."""
        was_running = self.holding.is_running
        self._tell_work("going on" if was_running else "starting the browser")
        browser = await self.holding.started()
        if url:
            await self.holding.do(OpenAddress(url))
        elif not was_running:
            with contextlib.suppress(BrowserError):  # a page that is no longer there is the model's to deal with
                await self._reopen_page()
        return browser

    async def _reopen_page(self) -> None:
        """Open the last page again, without sending anything."""
        seen = [one.observation.url for one in observations(self.transcript.events)]
        if seen and seen[-1].startswith(("http://", "https://")):
            await self.holding.do(OpenAddress(seen[-1]))

    def _answer_by_message(self, said: str = "In the message that follows.") -> None:
        asked = [one.event for one in self.transcript.events if isinstance(one.event, PersonAsked)]
        for question in asked:
            if question.question_id in self.control.waiting and question.question_kind in ("ask", "takeover"):
                self.control.answer(PersonAnswered(question.question_id, "", said))

    def _report(self, task: asyncio.Task[None]) -> None:
        if not task.cancelled() and (fault := task.exception()) is not None:
            self.tell_fault(fault)

    def _parts(self, browser: Browser) -> tuple[Observing, Remembering]:
        """What is kept between turns; a browser that was started anew has none of the old refs."""
        if self._observing is None or self._observing.browser is not browser:
            self._observing = Observing(browser, self.transcript)
        return self._observing, self._remembers()

    def _remembers(self) -> Remembering:
        if self._remembering is None:
            self._remembering = Remembering(self.transcript)
        return self._remembering

    async def _ended(self) -> None:
        if self._task is not None and not self._task.done():
            await asyncio.wait([self._task])

    def _tell_work(self, text: str) -> None:
        """What the turn does now, or what it waits for; not when it is about to end."""
        if not self.busy:
            self._tell("idle", "")
        elif self.control.person_drives or self.control.waiting:
            self._tell("waiting", "")
        elif not self.control.stopped:
            self._tell("paused" if self.control.paused else "working", text)

    def _tell(self, state: RunState, detail: str) -> None:
        self.show(RunStateChanged(self.conversation, state, self.holding.driver, detail))
