"""Runs driver calls so that each ends: by its result, its limit, a dialog, a lost browser or a cancelled caller."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from playwright.async_api import CDPSession, Error

from app.domain.errors import BrowserError

PULSE_EVERY_S = 0.8
PULSE_LIMIT_S = 2.5
SECOND_PULSE_LIMIT_S = 0.8  # a machine that just woke up has let the first one run out
_LAST_WORD_S = 2.0

T = TypeVar("T")


class InterruptedByDialogError(Exception):
    """A dialog opened while a call was running; the call was given up, what it sent may have arrived."""


class Lifeline:
    """Knows whether the browser still lives. Made inside the loop that uses it."""

    def __init__(self, pulse: CDPSession) -> None:
        self.lost = asyncio.Event()
        self._pulse = pulse
        self._watch = asyncio.create_task(self._watch_pulse(), name="browser-watch")

    async def stop(self) -> None:
        """End the watch; from here on the browser counts as lost."""
        self.lost.set()
        await give_up(self._watch)

    def check(self) -> None:
        """Raises BrowserError when the browser is lost."""
        if self.lost.is_set():
            raise lost_error()

    async def run(self, work: Coroutine[Any, Any, T], *, limit_s: float, unless: asyncio.Event | None = None) -> T:
        """The result of the call.

        Raises TimeoutError at the limit, InterruptedByDialogError when `unless` is set first, BrowserError when the
        browser is lost. However it ends, the call does not go on behind it.
        """
        if self.lost.is_set():
            work.close()
            raise lost_error()
        task = asyncio.ensure_future(work)
        alarms = [asyncio.ensure_future(event.wait()) for event in (self.lost, unless) if event is not None]
        try:
            await asyncio.wait({task, *alarms}, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for alarm in alarms:
                alarm.cancel()
            if not task.done():
                await give_up(task)
        if task.cancelled() or self.lost.is_set():
            _forget(task)
            self.check()
            if unless is not None and unless.is_set():
                raise InterruptedByDialogError
            raise TimeoutError
        return await self._result(task)

    async def _result(self, task: "asyncio.Task[T]") -> T:
        try:
            return task.result()
        except Error as exc:
            if "has been closed" in str(exc) or "Connection closed" in str(exc):
                await self._feel_pulse()
                self.check()
            raise

    async def _watch_pulse(self) -> None:
        while not self.lost.is_set():
            await self._feel_pulse()
            await asyncio.sleep(PULSE_EVERY_S)

    async def _feel_pulse(self) -> None:
        """A driver that dies tells nobody, a frozen browser neither."""
        for limit_s in (PULSE_LIMIT_S, SECOND_PULSE_LIMIT_S):
            try:
                await asyncio.wait_for(self._pulse.send("Browser.getVersion"), limit_s)
            except TimeoutError:
                continue
            except Error:
                break
            return
        self.lost.set()


def lost_error() -> BrowserError:
    return BrowserError(
        "The browser has stopped.",
        fault="lost",
        lost="What was on the page and not sent is lost; the conversation is kept.",
        next_step="Start it again to go on.",
    )


async def give_up(task: "asyncio.Task[Any]") -> None:
    """Cancel a task and wait, not for long, until it has ended; its outcome is nobody's any more."""
    task.cancel()
    task.add_done_callback(_forget)
    await asyncio.wait({task}, timeout=_LAST_WORD_S)


def _forget(task: "asyncio.Task[Any]") -> None:
    if task.done() and not task.cancelled():
        task.exception()
