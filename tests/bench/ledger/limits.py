"""Plays one thing to its end within a limit; what breaks it is told and breaks nothing else."""

import asyncio
import traceback
from collections.abc import Coroutine
from typing import Any, TypeVar

LIMIT_S = 90.0
_PLACES = 3
T = TypeVar("T")


async def played(work: Coroutine[Any, Any, T], limit_s: float = LIMIT_S) -> T | str:
    """What it returns; or why it could not be played, a fault of the program with its place."""
    task = asyncio.ensure_future(work)
    await asyncio.wait({task}, timeout=limit_s)
    if not task.done():
        task.cancel()
        await asyncio.wait({task})
        return f"it was not over within {limit_s:.0f} s"
    error = task.exception()
    return task.result() if error is None else _told(error)


def _told(error: BaseException) -> str:
    frames = traceback.extract_tb(error.__traceback__)[-_PLACES:]
    places = " < ".join(f"{frame.filename.rpartition('/')[2]}:{frame.lineno}" for frame in reversed(frames))
    return f"{type(error).__name__}: {str(error)[:300]} ({places})"
