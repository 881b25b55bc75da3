"""What the person wants of the running turn: stop, pause, take over, hand back, answer.

The loop asks at every gate; whatever runs is cancelled and awaited before a stop or a take-over is reported done,
so that no input reaches the page afterwards.
"""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from app.domain.events import PersonAnswered

T = TypeVar("T")
Interruption = Literal["stopped", "taken_over"]


class Interrupted(Exception):
    """Work was cancelled because the person stopped the turn or took the browser."""

    def __init__(self, by: Interruption) -> None:
        self.by = by
        super().__init__(by)


class NeedsPerson(Exception):
    """A question stands and nobody is there to answer; the turn is parked, not failed."""


@dataclass(frozen=True, slots=True)
class HandBackNote:
    """The person gave the browser back."""

    note: str


class Control:
    """Set by the runtime, asked by the loop; both in the engine thread."""

    def __init__(self) -> None:
        self._stop = False
        self._paused = False
        self._taken = False
        self._changed = asyncio.Event()
        self._handed_back: HandBackNote | None = None
        self._questions: dict[str, asyncio.Future[PersonAnswered]] = {}
        self._under_way: set[asyncio.Task[Any]] = set()
        self._beside: set[asyncio.Task[Any]] = set()

    @property
    def person_drives(self) -> bool:
        return self._taken

    @property
    def stopped(self) -> bool:
        return self._stop

    @property
    def paused(self) -> bool:
        return self._paused

    @property
    def waiting(self) -> tuple[str, ...]:
        """The ids of the questions that wait for an answer."""
        return tuple(name for name, answer in self._questions.items() if not answer.done())

    async def stop(self) -> None:
        """Returns when nothing of the turn runs any more."""
        self._stop = True
        await self._interrupt()

    async def take_over(self) -> None:
        """Returns when no input of the agent can reach the page any more."""
        self._taken = True
        self._handed_back = None
        await self._interrupt()

    def hand_back(self, note: str) -> None:
        self._taken = False
        self._handed_back = HandBackNote(note)
        self._tell()

    def pause(self) -> None:
        self._paused = True

    def resume(self) -> None:
        self._paused = False
        self._tell()

    def answer(self, answer: PersonAnswered) -> bool:
        """Whether somebody was waiting for it."""
        waiting = self._questions.get(answer.question_id)
        if waiting is None or waiting.done():
            return False
        waiting.set_result(answer)
        return True

    @contextmanager
    def question(self, question_id: str) -> Iterator[asyncio.Future[PersonAnswered]]:
        """The person's answer, for which there is no limit; begun before the question is shown, so none comes early."""
        waiting: asyncio.Future[PersonAnswered] = asyncio.get_running_loop().create_future()
        self._questions[question_id] = waiting
        try:
            yield waiting
        finally:
            self._questions.pop(question_id, None)

    async def gate(self) -> HandBackNote | None:
        """Wait while the turn is paused or the person drives; the hand-back that ended the wait, if one did."""
        while not self._stop and (self._taken or self._paused):
            self._changed.clear()
            await self._changed.wait()
        if self._stop:
            raise Interrupted("stopped")
        note, self._handed_back = self._handed_back, None
        return note

    async def guarded(self, work: Coroutine[Any, Any, T]) -> T:
        """Run work that a stop or a take-over cancels. Raises Interrupted."""
        return await self._cancellable(work)

    async def beside(self, work: Coroutine[Any, Any, T]) -> T:
        """The same for what goes on beside the guarded work, such as a question about what is held."""
        return await self._cancellable(work, self._beside)

    async def _cancellable(self, work: Coroutine[Any, Any, T], *kept: set[asyncio.Task[Any]]) -> T:
        if (by := self._interruption()) is not None:
            work.close()
            raise Interrupted(by)
        task = asyncio.create_task(work)
        for tasks in (self._under_way, *kept):
            tasks.add(task)
        try:
            return await task
        except asyncio.CancelledError:
            if (by := self._interruption()) is not None:
                raise Interrupted(by) from None
            raise
        finally:
            for tasks in (self._under_way, *kept):
                tasks.discard(task)

    async def drop_beside(self) -> None:
        """End what runs beside the guarded work; whoever waited for it is gone."""
        for work in tuple(self._beside):
            work.cancel()
            await asyncio.wait([work])

    def _interruption(self) -> Interruption | None:
        """A hand-back that no gate has seen yet still ends what was begun before it."""
        if self._stop:
            return "stopped"
        return "taken_over" if self._taken or self._handed_back is not None else None

    async def _interrupt(self) -> None:
        self._tell()
        under_way = [work for work in self._under_way if not work.done()]
        for work in under_way:
            work.cancel()
        if under_way:
            await asyncio.wait(under_way)

    def _tell(self) -> None:
        self._changed.set()
