"""Runs driver calls so that each ends: by its result, its limit, a dialog, a lost browser or a cancelled caller."""

import asyncio
import time
from collections.abc import Coroutine
from typing import Any, TypeVar

from playwright.async_api import CDPSession, Error

from app.domain.errors import BrowserError

PULSE_EVERY_S = 0.8
SILENT_S = 3.6  # without any answer from the browser, to whatever call
BUSY_S = 14.0  # the same while it may be busy with something large that it was asked for
_LATE_S = 0.5  # a loop that comes round so much later was itself held up, and time stood still for it
_LAST_WORD_S = 2.0
_MOST_BEATS = 3

T = TypeVar("T")


class InterruptedByDialogError(Exception):
    """A dialog opened while a call was running; the call was given up, what it sent may have arrived."""


class InterruptedByHoldError(Exception):
    """What a call sent off is held until somebody decides on it; the call was given up, it had arrived."""


NO_ANSWER = (Error, TimeoutError, InterruptedByDialogError)
"""The ways in which a page does not answer."""


class Lifeline:
    """Knows whether the browser still lives. Made inside the loop that uses it."""

    def __init__(self, pulse: CDPSession) -> None:
        self.lost = asyncio.Event()
        self._pulse = pulse
        self._sign_at = time.monotonic()
        self._calls = 0
        self._gave_up_at = 0.0
        self._beats: set[asyncio.Task[Any]] = set()
        self._watch = asyncio.create_task(self._watch_pulse(), name="browser-watch")

    async def stop(self) -> None:
        """End the watch; from here on the browser counts as lost."""
        self.lost.set()
        await give_up(self._watch)
        for beat in tuple(self._beats):
            await give_up(beat)

    def check(self) -> None:
        """Raises BrowserError when the browser is lost."""
        if self.lost.is_set():
            raise lost_error()

    async def run(
        self,
        work: Coroutine[Any, Any, T],
        *,
        limit_s: float,
        unless: asyncio.Event | None = None,
        held: asyncio.Event | None = None,
    ) -> T:
        """The result of the call.

        Raises TimeoutError at the limit, InterruptedByDialogError when `unless` is set first, InterruptedByHoldError
        when `held` is, BrowserError when the browser is lost. However it ends, the call does not go on behind it.
        """
        if self.lost.is_set():
            work.close()
            raise lost_error()
        task = asyncio.ensure_future(work)
        self._calls += 1
        alarms = [asyncio.ensure_future(event.wait()) for event in (self.lost, unless, held) if event is not None]
        try:
            await asyncio.wait({task, *alarms}, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._calls -= 1
            for alarm in alarms:
                alarm.cancel()
            if not task.done():
                self._gave_up_at = time.monotonic()
                await give_up(task)
        if task.cancelled() or self.lost.is_set():
            _forget(task)
            self.check()
            if unless is not None and unless.is_set():
                raise InterruptedByDialogError
            if held is not None and held.is_set():
                raise InterruptedByHoldError
            raise TimeoutError
        return await self._result(task)

    async def _result(self, task: "asyncio.Task[T]") -> T:
        try:
            result = task.result()
        except Error as exc:
            if _is_end(exc):
                await self._beat()
                self.check()
            raise
        self._sign_at = time.monotonic()
        return result

    async def _watch_pulse(self) -> None:
        """A driver that dies tells nobody, a frozen browser neither; one that is only busy answers in the end."""
        while not self.lost.is_set():
            if len(self._beats) < _MOST_BEATS:
                beat = asyncio.create_task(self._beat(), name="browser-pulse")
                self._beats.add(beat)
                beat.add_done_callback(self._beats.discard)
            began = time.monotonic()
            await asyncio.sleep(PULSE_EVERY_S)
            now = time.monotonic()
            if now - began > PULSE_EVERY_S + _LATE_S:
                self._sign_at = min(self._sign_at + now - began - PULSE_EVERY_S, now)
            is_busy = self._calls or now - self._gave_up_at < BUSY_S
            if now - self._sign_at > (BUSY_S if is_busy else SILENT_S):
                self.lost.set()

    async def _beat(self) -> None:
        try:
            await asyncio.wait_for(self._pulse.send("Browser.getVersion"), BUSY_S)
        except TimeoutError:
            return
        except Error:
            self.lost.set()
            return
        self._sign_at = time.monotonic()


def _is_end(exc: Error) -> bool:
    return "has been closed" in str(exc) or "Connection closed" in str(exc)


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
