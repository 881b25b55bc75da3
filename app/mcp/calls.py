"""One call of a client while it runs: what it has to ask of the client, and the answers that come back."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from mcp_types import CallToolResult, ElicitRequest, ElicitResult, InputRequest, InputResponse

from app.agent.control import NeedsPerson
from app.domain.events import PersonAnswered, PersonAsked
from app.mcp.questions import answer_of, form_of

PERSON_LIMIT_S = 600.0


class Wish:
    """Something the client is asked for."""

    def __init__(self, request: InputRequest) -> None:
        self.request = request
        self.answer: asyncio.Future[InputResponse] = asyncio.get_running_loop().create_future()

    def take(self, said: InputResponse | None) -> None:
        """What the client says; nothing when it could not ask, or came back without an answer."""
        if self.answer.done():
            return
        if said is None:
            self.answer.set_exception(NeedsPerson("the client could not ask."))
        else:
            self.answer.set_result(said)


class OpenCall:
    """Made when a call comes in; it goes on until its result is there, over as many requests as that takes."""

    def __init__(self) -> None:
        self._wishes: asyncio.Queue[Wish] = asyncio.Queue()
        self._wish: Wish | None = None
        self._work: asyncio.Task[CallToolResult] | None = None

    @property
    def asks_person(self) -> bool:
        return self._wish is not None and isinstance(self._wish.request, ElicitRequest)

    def start(self, work: Coroutine[Any, Any, CallToolResult], on_end: Callable[[], None]) -> None:
        self._work = asyncio.create_task(work)
        self._work.add_done_callback(lambda _: on_end())

    async def reach(self, question: PersonAsked) -> PersonAnswered:
        """Put a question of consent to the person. Raises NeedsPerson for any other, and when no answer comes."""
        if question.question_kind != "consent":
            raise NeedsPerson(question.text)
        try:
            said = await self.ask(form_of(question), limit_s=PERSON_LIMIT_S)
        except NeedsPerson as why:
            raise NeedsPerson(f"{question.text} But {why}") from why
        return answer_of(question, said if isinstance(said, ElicitResult) else ElicitResult(action="cancel"))

    async def ask(self, request: InputRequest, *, limit_s: float) -> InputResponse:
        """The client's answer. Raises NeedsPerson when none comes."""
        self._wish = Wish(request)
        self._wishes.put_nowait(self._wish)
        try:
            return await asyncio.wait_for(self._wish.answer, limit_s)
        except TimeoutError as exc:
            raise NeedsPerson("nobody answered in time.") from exc
        finally:
            self._wish = None

    def take(self, said: InputResponse | None) -> None:
        """An answer that came with another request."""
        if self._wish is not None:
            self._wish.take(said)

    async def next_step(self, tick_s: float) -> CallToolResult | Wish | None:
        """The result, or what the client is asked for; None when neither came within the time."""
        work = self._running()
        coming = asyncio.ensure_future(self._wishes.get())
        try:
            await asyncio.wait({work, coming}, timeout=tick_s, return_when=asyncio.FIRST_COMPLETED)
            if coming.done():
                return coming.result()
            return work.result() if work.done() else None
        finally:
            coming.cancel()

    async def cancel(self) -> None:
        """Returns when nothing of it goes on."""
        work = self._running()
        work.cancel()
        await asyncio.wait([work])

    def _running(self) -> asyncio.Task[CallToolResult]:
        if self._work is None:
            raise RuntimeError("the call was not started")
        return self._work
