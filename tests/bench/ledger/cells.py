"""One cell of the matrix: a kind of submit meets a disturbance, then everything is tried to do it again."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tests.bench.ledger.errands import Errand, Step
from tests.bench.ledger.hand import Hand, NotThere, Said, Target
from tests.bench.ledger.trials import GOOD_PHONE, Trial
from tests.bench.ledger.ways import MATRIX, tried

QUIET_S = 0.3
_QUIET_LIMIT_S = 8.0
_ARRIVES_S = 2.0
SENT_AGAIN_BY_THE_BROWSER = frozenset({"reset before the work", "reset after the work", "network cut"})
"""Where Chromium posts again by itself, because no answer came."""

Crash = Callable[[], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Cell:
    """`first` is how often the server did it after one act, `more` how often after everything tried to repeat it."""

    actor: str
    kind: str
    disturbance: str
    label: str
    first: int
    more: int
    arrived: int
    states: tuple[str, ...] = ()
    tried: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    seconds: float = 0.0


def target_of(trial: Trial) -> Target:
    kind = trial.kind
    name = kind.label if kind.presses_enter else trial.label or kind.label
    return Target(kind.role, name, enters="48.00" if kind.presses_enter else "")


def errand_of(trial: Trial, url: str) -> Errand:
    """Where nothing says what is sent, a name is typed first: so much is always to be seen of what somebody entered."""
    types = (Step("type", "Name", value="Ada Byron"),) if trial.label and trial.kind.fields else ()
    return Errand(url, target_of(trial), types)


async def first_act(hand: Hand, trial: Trial, url: str, crash: Crash) -> Said:
    """Do it once, under the disturbance; a validation error is put right. Raises NotThere."""
    errand = errand_of(trial, url)
    await errand.begin(hand)
    if trial.disturbance == "duplicate tab":
        await hand.new_tab(url)
        await errand.walk(hand)
    acting = asyncio.ensure_future(errand.act(hand))
    if trial.disturbance == "tab crash":
        with contextlib.suppress(TimeoutError):
            await until(lambda: trial.books.arrived() > 0, _ARRIVES_S)
        await crash()
        trial.let_go.set()
    said = await acting
    await quiet(trial)
    return said


async def corrected(hand: Hand, trial: Trial) -> None:
    """What a person would do about the error: the same once more, then with another number."""
    with contextlib.suppress(NotThere):
        await hand.press(target_of(trial))
    await hand.type("Phone", GOOD_PHONE)
    await hand.press(target_of(trial))
    await quiet(trial)


async def repeated(hand: Hand, trial: Trial, url: str) -> list[str]:
    """Everything of the matrix, tried in order; how each went by."""
    errand = errand_of(trial, url)
    found = [await tried(way, hand, errand, trial.books.done) for way in MATRIX]
    await quiet(trial)
    return found


async def quiet(trial: Trial) -> None:
    """Once nothing arrived for a while; what comes late by itself is waited for."""
    began = time.monotonic()
    late = QUIET_S + (2.0 * trial.scale if trial.kind.name == "delayed" else 0.0)
    await asyncio.sleep(late)
    with contextlib.suppress(TimeoutError):
        await until(lambda: trial.books.quiet_for() > QUIET_S, _QUIET_LIMIT_S - (time.monotonic() - began))


async def until(condition: Callable[[], bool], limit_s: float) -> None:
    """Raises TimeoutError."""
    end = time.monotonic() + limit_s
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError
        await asyncio.sleep(0.02)
