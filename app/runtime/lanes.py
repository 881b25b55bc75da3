"""Keeps commands from waiting for each other: what takes long runs beside, what a person does by hand runs in order."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

from app.domain.errors import AppError

Work = Coroutine[Any, Any, None]


class Lanes:
    """Every piece of work is held until it ends; an AppError of it is told. Used from the engine thread only."""

    def __init__(self, tell: Callable[[AppError], None], tell_fault: Callable[[BaseException], None]) -> None:
        self._tell = tell
        self._tell_fault = tell_fault
        self._beside: set[asyncio.Task[None]] = set()
        self._in_order: asyncio.Queue[Work] = asyncio.Queue()
        self._worker: asyncio.Task[None] | None = None

    def beside(self, work: Work) -> None:
        """Run it at once, beside everything else."""
        self._started(work)

    def in_order(self, work: Work) -> None:
        """Run it after everything that was put in order before."""
        self._in_order.put_nowait(work)
        if self._worker is None:
            self._worker = asyncio.create_task(self._run_in_order())

    async def close(self) -> None:
        """End what still runs; what waits is not begun."""
        running = [*self._beside, *([self._worker] if self._worker else [])]
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running)
        while not self._in_order.empty():
            self._in_order.get_nowait().close()

    def _started(self, work: Work) -> asyncio.Task[None]:
        task = asyncio.create_task(self._told(work))
        self._beside.add(task)
        task.add_done_callback(lambda _: work.close())  # cancelled before its first step, it was never awaited
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._beside.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            self._tell_fault(fault)

    async def _run_in_order(self) -> None:
        while True:
            await asyncio.wait([self._started(await self._in_order.get())])

    async def _told(self, work: Work) -> None:
        try:
            await work
        except AppError as error:
            self._tell(error)
