"""The browser in the hands of another program: its calls, one after the other, each with its one result on record."""

import asyncio
import contextlib
import datetime as dt
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from app.agent.acting import Acting
from app.agent.answering import ABOUT_THE_RECORD, answer_call, finish_calls, not_run
from app.agent.answers import refusal
from app.agent.asking import Asking
from app.agent.control import Control, NeedsPerson
from app.agent.observing import Observing
from app.agent.ports import Record
from app.agent.prompt import system_prompt
from app.agent.remembering import Remembering
from app.agent.submitting import Submitting
from app.agent.tools import TOOLS, specs
from app.agent.tools.tool import Hands
from app.agent.transcript import Transcript
from app.context.request.budget import RESULT_CHARACTERS
from app.context.request.view import observations
from app.domain.acts import Navigate
from app.domain.errors import AppError, BrowserError
from app.domain.events import (
    AssistantSaid,
    ConversationStarted,
    HandedBack,
    PersonAnswered,
    PersonAsked,
    ToolAnswered,
    TurnEnded,
)
from app.domain.ids import ConversationId, Ref, ToolCallId
from app.domain.messages import ToolCall, ToolSpec, Usage, WireItems
from app.domain.observation import Observation
from app.domain.snapshot import walk
from app.domain.submissions import Submission
from app.runtime.factories import LiveBrowser
from app.runtime.holding import Holding

FILE_ARGUMENTS = {"browser_file_upload": "paths", "read_file": "file"}
"""Where another program names files by their paths; a model of ours has handles only."""
FILE_WORDS = {
    "browser_file_upload": "paths, or handles such as f1 of files that were downloaded; none closes the chooser",
    "read_file": "path, or handle such as f1 of a file that was downloaded",
}
SCROLLED_CHARACTERS = 500
"""Who scrolls a list that is drawn anew looks for something: it is said where the list stands and how it begins."""
NEW_ERRAND_S = 120.0
"""After so long a silence nothing of what was tried counts any more: another program does not say where a turn ends."""
_SCROLLS = ("browser_scroll", "browser_mouse_wheel")
_SERVED = tuple(name for name in TOOLS if name not in ("ask_user", "task_card", "look"))
"""The tools of a model, but for what only a window or a model of ours has."""
LOOKS = frozenset(
    {"browser_snapshot", "browser_find", "browser_wait_for", "browser_take_screenshot"}
    | {"browser_console_messages", "browser_network_requests"}
)
"""They change nothing, so they run whatever came of the call before."""

Reach = Callable[[PersonAsked], Awaitable[PersonAnswered]]
Allowed = Callable[[list[str]], Awaitable[tuple[str, ...] | str]]


def served_tools() -> tuple[ToolSpec, ...]:
    """The tools that another program is given."""
    return tuple(one for one in specs() if one.name in _SERVED)


@dataclass(frozen=True, slots=True)
class _Desk:
    """What answering a call needs, as long as the browser runs."""

    transcript: Transcript
    control: Control
    observing: Observing
    acting: Acting
    remembering: Remembering
    tell: Callable[[str], None]
    result_characters: int = RESULT_CHARACTERS

    @property
    def hands(self) -> Hands:
        return Hands(self.acting, self.remembering)


@dataclass(slots=True)
class Serving:
    """One client connection, which is one conversation. Used from one loop; calls may come at any time."""

    record: Record
    make_browser: Callable[[], LiveBrowser]
    client: str
    consent: str
    page_characters: int
    conversation: ConversationId
    earlier: tuple[Submission, ...] = ()  # of unknown outcome, in records of other connections and of the window
    new_errand_s: float = NEW_ERRAND_S
    doing: str = ""
    _holding: Holding = field(init=False)
    _transcript: Transcript = field(init=False)
    _asking: Asking = field(init=False)
    _control: Control = field(default_factory=Control)
    _remembering: Remembering = field(init=False)
    _submitting: Submitting = field(init=False)
    _desk: _Desk | None = None
    _in_order: asyncio.Lock = field(default_factory=asyncio.Lock)  # protects the page: one call at a time
    _surprises: int = 0
    _surprise: str = ""
    _steps: int = 0
    _answered_at: float = 0.0  # seconds of the monotonic clock

    def __post_init__(self) -> None:
        self._holding = Holding(self.make_browser, lambda event: None, None)
        self._transcript = Transcript(self.record, self.conversation, (), lambda stored: None)
        self._asking = Asking(self._transcript, self._control, attended=False, consent=self.consent)
        self._remembering = Remembering(self._transcript)
        self._submitting = Submitting(self._transcript, earlier=self.earlier)
        self._submitting.attend(self._asking)
        self._holding.hold_for(self._submitting.gatekeeper)

    async def call(
        self, name: str, arguments: Mapping[str, Any], reach: Reach | None, allowed: Allowed
    ) -> ToolAnswered:
        """The one result of a call. When cancelled, nothing of it goes on.

        `reach` puts a question to the person, `allowed` gives the paths as they may be uploaded, or says why not.
        A call that was made before the client could know of a surprise is not run.
        """
        known = self._surprises
        async with self._in_order:
            await self._begin()
            if self._desk is not None and time.monotonic() - self._answered_at > self.new_errand_s:
                self._desk.acting.begin_anew()
            self._steps += 1
            call = ToolCall(ToolCallId(f"call{self._steps}"), name, json.dumps(dict(arguments), ensure_ascii=False))
            await self._transcript.add(_said(self._steps, call, self.client))
            if self._surprises > known and name not in LOOKS | ABOUT_THE_RECORD:
                await self._transcript.add(not_run(call, self._surprise))
            else:
                await self._answer(call, dict(arguments), reach, allowed)
            return self._result_of(call.id)

    def focus_in(self, seen: Observation) -> Ref | None:
        """What has the focus on the page that was shown last, if it is this one."""
        last = self._desk.observing.last if self._desk is not None else None
        if last is None or last.observation.id != seen.id:
            return None
        return next((node.ref for node in walk(last.shown.tree) if "active" in node.states and node.ref), None)

    async def close(self) -> None:
        """End the browser and the record; safe whatever came before."""
        async with contextlib.AsyncExitStack() as closing:
            closing.push_async_callback(self.record.close)
            closing.push_async_callback(self._holding.close)
            if self._transcript.events:
                await self._transcript.add(TurnEnded("done", f"{self.client} has left."))

    async def _begin(self) -> None:
        if self._transcript.events:
            return
        await self.record.create(self.conversation, f"{self.client} (MCP)")
        today = dt.datetime.now(tz=dt.UTC).astimezone().date()
        await self._transcript.add(
            ConversationStarted(system_prompt(today), specs(), "chain"),
            HandedBack(f"{self.client} uses the browser from here on.", by_person=False),
        )

    async def _answer(self, call: ToolCall, arguments: dict[str, Any], reach: Reach | None, allowed: Allowed) -> None:
        self._asking.reach = reach
        try:
            if call.name not in _SERVED:
                await self._fail(call, f"Not done: there is no tool {call.name}. The tools are: {', '.join(_SERVED)}.")
            elif isinstance(given := await self._with_handles(call, arguments, allowed), str):
                await self._fail(call, given)
            else:
                desk = await self._ready()
                desk.observing.fallback = SCROLLED_CHARACTERS if call.name in _SCROLLS else None
                self._note(await answer_call(desk, given))
        except NeedsPerson as question:
            await self._close_question()
            await self._fail(call, f"Not done, it needs the person: {question} {_NOT_SENT}")
        except AppError as error:
            await self._fail(call, f"Not done: {error.message}")
        except asyncio.CancelledError:
            await self._control.drop_beside()
            await self._close_question()
            await finish_calls(
                self._transcript, "the client cancelled it"
            )  # which the client knows, so later calls are run
            raise
        finally:
            self._asking.reach = None
            self._answered_at = time.monotonic()
            self.doing = ""

    async def _fail(self, call: ToolCall, text: str) -> None:
        await self._transcript.add(ToolAnswered(call.id, call.name, text, is_error=True))
        self._note("the call before it failed")

    def _note(self, surprise: str) -> None:
        if surprise:
            self._surprises, self._surprise = self._surprises + 1, surprise

    async def _ready(self) -> _Desk:
        """The desk at the running browser; one that was started anew has none of the old refs. Raises BrowserError."""
        self.doing = "waiting for the browser"
        browser = await self._holding.started()
        if self._desk is None or self._desk.observing.browser is not browser:
            is_new = self._desk is None
            # Nothing of what a client was told is folded here, so its views can be terse.
            observing = Observing(browser, self._transcript, page_characters=self.page_characters, terse=True)
            acting = Acting(browser, self._transcript, observing, self._asking, self._control, self._submitting)
            self._desk = _Desk(self._transcript, self._control, observing, acting, self._remembering, self._tell)
            if not is_new:
                await self._reopen(browser)
        return self._desk

    async def _reopen(self, browser: LiveBrowser) -> None:
        """After a loss of the browser the last page is opened again, without sending anything."""
        seen = [one.observation.url for one in observations(self._transcript.events)]
        if seen and seen[-1].startswith(("http://", "https://")):
            with contextlib.suppress(BrowserError):
                await browser.perform(Navigate(seen[-1]))
                await browser.settle()

    async def _with_handles(self, call: ToolCall, arguments: dict[str, Any], allowed: Allowed) -> ToolCall | str:
        """The call with handles in place of paths that may be taken; the refusal when one may not."""
        named = FILE_ARGUMENTS.get(call.name)
        wanted = arguments.get(named) if named else None
        several = wanted if isinstance(wanted, list) else [wanted]
        names = [one for one in several if isinstance(one, str)]
        if named is None or len(names) != len(several):
            return call  # the tool says what it takes
        files = self._remembering.files
        given = await allowed([one for one in names if files.named(one) is None])
        if isinstance(given, str):
            return refusal(given)
        paths = iter(await files.give(given))
        handles = [one if files.named(one) is not None else next(paths).id for one in names]
        arguments[named] = handles if isinstance(wanted, list) else handles[0]
        return replace(call, arguments=json.dumps(arguments))

    async def _close_question(self) -> None:
        """A question that nobody will answer any more does not stay open on record."""
        answered = {one.event.question_id for one in self._transcript.events if isinstance(one.event, PersonAnswered)}
        for stored in self._transcript.events[-2:]:
            event = stored.event
            if isinstance(event, PersonAsked) and event.question_id not in answered:
                await self._transcript.add(PersonAnswered(event.question_id, "no", "nobody could be asked"))

    def _tell(self, text: str) -> None:
        self.doing = text

    def _result_of(self, call: ToolCallId) -> ToolAnswered:
        answers = (one.event for one in reversed(self._transcript.events) if isinstance(one.event, ToolAnswered))
        return next(one for one in answers if one.call == call)


_NOT_SENT = "Nothing of it was sent. Tell your user; only they can allow it or do it."


def _said(step: int, call: ToolCall, client: str) -> AssistantSaid:
    return AssistantSaid(step, "", (call,), "tool_calls", Usage(), "mcp", client, WireItems("mcp", client, ""))
