"""Answers every command: which conversation is open, what it is asked, and who has the browser."""

import asyncio
import contextlib
import datetime as dt
import logging
import shutil
import uuid
from collections.abc import Callable

from app.agent.eyes import Eyes
from app.agent.filing import seen_files
from app.agent.ports import Model, Record
from app.agent.prompt import system_prompt
from app.agent.tools import specs
from app.agent.transcript import Transcript
from app.context.request.budget import USUAL_WINDOW, Budget
from app.context.submissions.unfinished import left_in_the_middle
from app.domain.commands import (
    AllowAgain,
    AnswerPerson,
    ChangeSettings,
    CheckConnection,
    Command,
    CopySelection,
    DeleteConversation,
    FindLocalModels,
    GiveFiles,
    HandBack,
    KeepQuote,
    ListConversations,
    ListModels,
    NewConversation,
    OpenConversation,
    OpenUnfinished,
    Pause,
    PinQuote,
    RenameConversation,
    ResizePanel,
    Resume,
    SendInput,
    SendMessage,
    SetKey,
    ShowSettings,
    ShutDown,
    Stop,
    TakeOver,
)
from app.domain.errors import SettingsError, StoreError, UsageError
from app.domain.events import (
    ConversationStarted,
    ModelChosen,
    PersonAnswered,
    StoredEvent,
    UserSaid,
    policy_named,
)
from app.domain.ids import ConversationId
from app.domain.messages import effort_named
from app.domain.pages import Download, Frame
from app.domain.passing import ConversationOpened, ConversationsListed, ErrorShown, Event
from app.runtime.configuring import Configuring
from app.runtime.factories import Factories, ModelChoice
from app.runtime.holding import Holding
from app.runtime.lanes import Lanes
from app.runtime.practice import DEMO_CHOICE, Practice
from app.runtime.running import Running, TurnOptions

TITLE_LENGTH = 60

_log = logging.getLogger(__name__)


class Session:
    """One window's (or one command's) work with the program; made by `opened`, used from the engine thread only."""

    def __init__(
        self,
        factories: Factories,
        record: Record,
        configuring: Configuring,
        show: Callable[[Event], None],
        show_frame: Callable[[Frame], None] | None,
        *,
        attended: bool,
        consent: str,
    ) -> None:
        self._factories = factories
        self._record = record
        self._configuring = configuring
        self._show = show
        self._attended, self._consent = attended, consent
        self._holding = Holding(
            lambda: factories.make_browser(configuring.settings), show, show_frame, self._keep_download
        )
        self._practice = Practice(factories)
        self._lanes = Lanes(lambda error: show(ErrorShown(error.what, error.lost, error.next_step)), self._tell_fault)
        self._demo = False
        self._running = self._make_running(_new_id(), ())

    @classmethod
    async def opened(
        cls,
        factories: Factories,
        show: Callable[[Event], None],
        show_frame: Callable[[Frame], None] | None,
        *,
        attended: bool,
        consent: str,
    ) -> "Session":
        """Open settings and record. Raises AppError, and then nothing was opened."""
        configuring = Configuring(factories, factories.open_settings(), show)
        try:
            record = await factories.open_record()
        except StoreError as error:
            if error.fault not in ("damaged", "newer"):
                raise
            show(ErrorShown(error.what, error.lost, error.next_step))
            record = await factories.open_record()  # what took the place of a damaged one; a newer one to be read only
        await configuring.show()
        if attended:
            configuring.tell_notices()
        return cls(factories, record, configuring, show, show_frame, attended=attended, consent=consent)

    async def close(self) -> None:
        """End everything in order: the turn, the browser, the practice site, the record."""
        async with contextlib.AsyncExitStack() as closing:  # each part is closed also when one before it fails
            closing.push_async_callback(self._record.close)
            closing.callback(self._practice.stop)
            closing.push_async_callback(self._holding.close)
            closing.push_async_callback(self._lanes.close)
            closing.push_async_callback(self._leave)

    async def handle(self, command: Command) -> None:
        """Do it. Raises AppError for what the person must know."""
        match command:
            case NewConversation() | OpenConversation() | OpenUnfinished():
                await self._change_over(command)
            case RenameConversation() | DeleteConversation() | ListConversations():
                await self._keep_house(command)
            case SendMessage(text, url, files):
                await self._send(text, url, files)
            case Stop() | Pause() | Resume() | TakeOver() | HandBack() | AnswerPerson() | AllowAgain():
                await self._steer(command)
            case KeepQuote() | PinQuote() | GiveFiles():
                await self._keep(command)
            case SendInput(item):
                self._holding.take(item)
            case CopySelection(cut):
                self._lanes.in_order(self._holding.copy(cut=cut))
            case ResizePanel(width, height):
                self._lanes.in_order(self._holding.resize(width, height))
            case ShowSettings() | ChangeSettings() | SetKey():
                await self._configuring.handle(command)
            case FindLocalModels() | ListModels() | CheckConnection():
                self._lanes.beside(self._configuring.handle(command))
            case ShutDown():
                pass
            case _:
                await self._running.take_over("by using the browser yourself")
                self._lanes.in_order(self._holding.do(command))

    async def _change_over(self, command: NewConversation | OpenConversation | OpenUnfinished) -> None:
        match command:
            case NewConversation(demo):
                await self._new(demo=demo)
            case OpenConversation(id):
                await self._open(id)
            case OpenUnfinished():
                await self._open_unfinished()

    async def _keep_house(self, command: RenameConversation | DeleteConversation | ListConversations) -> None:
        match command:
            case RenameConversation(id, title):
                await self._record.rename(id, title)
                await self._list("")
            case DeleteConversation(id, with_files):
                if self._running.conversation == id:
                    await self._new(demo=False)
                await self._record.delete(id)
                await self._list("")
                if with_files and (folder := self._factories.folder_of(id)):
                    await asyncio.to_thread(_delete_folder, folder)
            case ListConversations(query):
                await self._list(query)

    async def _steer(self, command: Stop | Pause | Resume | TakeOver | HandBack | AnswerPerson | AllowAgain) -> None:
        match command:
            case Stop():
                await self._running.stop()
            case Pause():
                await self._running.pause()
            case Resume():
                await self._resume()
            case TakeOver():
                await self._running.take_over()
            case HandBack(note):
                await self._running.hand_back(note)
            case AnswerPerson(question_id, choice, text):
                if not await self._running.answer(PersonAnswered(question_id, choice, text)):
                    self._show(ErrorShown("This question is no longer open.", "Nothing was lost.", ""))
            case AllowAgain(name):
                if not await self._running.submitting.book.did_not_happen(name):
                    self._show(ErrorShown(f"It is known by now what became of {name}.", "Nothing was lost.", ""))

    async def _keep(self, command: KeepQuote | PinQuote | GiveFiles) -> None:
        match command:
            case GiveFiles():
                self._lanes.in_order(self._running.answer_chooser(command))
            case PinQuote(id, pinned):
                if not await self._running.pin_quote(id, pinned=pinned):
                    self._show(ErrorShown(f"There is no quote {id} in this conversation.", "Nothing was lost.", ""))
            case KeepQuote(text):
                self._lanes.in_order(self._keep_quote(text))

    async def _keep_quote(self, text: str) -> None:
        if not self._running.transcript.events:
            await self._begin(self._running, text)
        told = await self._running.keep_quote(text)
        if told:
            self._show(ErrorShown(told, "Nothing was lost.", ""))

    async def _new(self, *, demo: bool) -> None:
        """One conversation runs at a time: leaving the open one stops it."""
        await self._leave()
        self._demo = demo
        self._running = self._make_running(_new_id(), ())
        self._show(ConversationOpened(self._running.conversation, "Demo" if demo else "New conversation", ()))
        if demo:
            await self._send(self._practice.errand())

    async def _leave(self) -> None:
        """Stop what runs; messages that nobody has read yet are kept on record, for when it goes on."""
        await self._running.stop()
        unread = self._running.unread()
        if unread:
            await self._running.transcript.add(*(UserSaid(text) for text in unread))

    async def _open(self, id: ConversationId) -> None:
        if self._running.conversation != id:
            events = await self._record.events(id)
            await self._leave()
            self._running = self._make_running(id, events)
            try:
                await self._running.submitting.book.recover()
            except StoreError as error:
                if error.fault != "newer":  # such a record is only read, and nothing is done from it
                    raise
        events = tuple(self._running.transcript.events)
        self._show(ConversationOpened(id, await self._title(id), events))

    async def _open_unfinished(self) -> None:
        """What was left in the middle is shown as it was left; nothing runs."""
        if self._running.transcript.events:
            return
        newest = (await self._record.conversations())[:1]
        if newest and left_in_the_middle(await self._record.events(newest[0].id)):
            await self._open(newest[0].id)

    async def _send(self, text: str, url: str = "", files: tuple[str, ...] = ()) -> None:
        running = self._running
        given = await seen_files(files)
        if running.busy:
            await running.take_files(given)
            if await running.queued(text):
                return
            given = ()
        if not running.transcript.events:
            if not self._demo:
                await self._refuse_without_model()
            await self._begin(running, text)
            url = url or self._start_page()
        model, name, eyes = await self._model_of(running)
        await running.take_files(given)
        await running.transcript.add(*(UserSaid(said) for said in (*running.unread(), text)))
        await self._list("")
        running.start(model, name, url, eyes)

    def _start_page(self) -> str:
        """Where a new task begins; the person's own page comes first, and the demo has a site of its own."""
        return "" if self._demo or self._holding.touched else self._configuring.settings.value("start_page")

    async def _begin(self, running: Running, text: str) -> None:
        title = " ".join(text.split())[:TITLE_LENGTH] or "Conversation"
        await self._record.create(running.conversation, title, demo=self._demo)
        policy = policy_named(self._configuring.settings.value("policy"))
        today = dt.datetime.now(tz=dt.UTC).astimezone().date()
        small = self._budget().is_small
        system = system_prompt(today, small=small)
        await running.transcript.add(ConversationStarted(system, specs(small=small), policy, demo=self._demo))

    async def _resume(self) -> None:
        running = self._running
        if running.busy:
            await running.resume()
        elif running.transcript.events:
            if running.is_done:
                raise UsageError("This conversation is done.", next_step="Write what is to be done next.")
            model, name, eyes = await self._model_of(running)
            running.start(model, name, eyes=eyes)

    async def _list(self, query: str) -> None:
        self._show(ConversationsListed(await self._record.conversations(query), query))

    async def _title(self, id: ConversationId) -> str:
        for one in await self._record.conversations():
            if one.id == id:
                return one.title
        raise StoreError(f"There is no conversation {id}.", fault="not_found", next_step="Choose one from the list.")

    def _make_running(self, id: ConversationId, events: tuple[StoredEvent, ...]) -> Running:
        transcript = Transcript(self._record, id, events, self._show)
        self._holding.keep_files_in(self._factories.folder_of(id))
        return Running(transcript, self._holding, self._show, self._tell_fault, self._turn_options)

    def _keep_download(self, download: Download) -> None:
        """A file that came outside of any conversation is kept by the first turn that notices it."""
        if download.path and self._running.transcript.events:
            self._lanes.beside(self._running.keep_download(download))
        elif download.failure and self._holding.driver != "agent":
            what = f"“{download.suggested_name}” could not be downloaded: {download.failure}."
            self._show(ErrorShown(what, "Nothing was lost.", "Try the download again."))

    def _turn_options(self) -> TurnOptions:
        value = self._configuring.settings.value
        return TurnOptions(
            attended=self._attended,
            consent=self._consent,
            max_steps=int(value("max_steps")),
            time_scale=self._configuring.time_scale,
            effort=effort_named(value("effort")),
            budget=self._budget(),
            page_characters=int(value("page_characters")),
        )

    def _budget(self) -> Budget:
        value = self._configuring.settings.value
        return Budget(int(value("context_tokens")) or USUAL_WINDOW, int(value("max_output_tokens")))

    def _tell_fault(self, fault: BaseException) -> None:
        _log.error("work of the engine ended by a fault of the program", exc_info=fault)
        self._show(ErrorShown("The program made a mistake.", "What was recorded so far is kept.", "Try again."))

    async def _model_of(self, running: Running) -> tuple[Model, str, Eyes]:
        """The model for the next turn with its eyes, on record when it is another one than before."""
        events = running.transcript.events
        if self._practice.is_demo(events):
            choice, eyes = DEMO_CHOICE, Eyes()
            model = self._practice.model(events)
        else:
            choice = await self._choice_for(running)
            model, eyes = self._factories.make_model(choice), await self._configuring.eyes(choice)
        now = ModelChosen(choice.provider, choice.model, choice.base_url)
        known = [one.event for one in events if isinstance(one.event, ModelChosen)]
        if not known or known[-1] != now:
            await running.transcript.add(now)
        return model, choice.model, eyes

    async def _choice_for(self, running: Running) -> ModelChoice:
        """The model that is set, else the one that this conversation had. Raises SettingsError."""
        known = [one.event for one in running.transcript.events if isinstance(one.event, ModelChosen)]
        if known and await self._configuring.missing():
            before = await self._configuring.choice_of(known[-1])
            if not self._factories.missing_of(before):
                return before
        await self._refuse_without_model()
        return await self._configuring.choice()

    async def _refuse_without_model(self) -> None:
        missing = await self._configuring.missing()
        if missing:
            way_on = "Open the settings, or play the demo, which needs no model."
            if not self._attended:
                way_on = "Name --provider and --model (README), or try `pilotfish run demo`, which needs no model."
            raise SettingsError(missing, next_step=way_on)


def _delete_folder(folder: str) -> None:
    """Raises StoreError."""
    try:
        shutil.rmtree(folder)
    except FileNotFoundError:
        return
    except OSError as exc:
        raise StoreError(
            f"Not all downloaded files could be deleted ({exc.strerror or exc}).",
            fault="unreadable",
            lost="The conversation itself is deleted.",
            next_step=f"Delete the folder {folder} by hand.",
        ) from exc


def _new_id() -> ConversationId:
    return ConversationId(uuid.uuid4().hex[:12])
