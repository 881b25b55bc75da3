"""How long it takes to build the request of a long conversation."""

import gc
import statistics
import time
from collections.abc import Callable, Sequence

from app.context.projection import Projection, project
from app.domain.events import AssistantSaid, StoredEvent
from tests.bench.playing import Played, play
from tests.bench.replayer import Replayer
from tests.bench.tape import Tape, joined
from tests.bench.walks.walk import Walk

STEPS = 500
TRIES = 15


async def long_conversation(taped: Sequence[tuple[Walk, Tape]], steps: int = STEPS) -> Played:
    """Recorded walks one after another, again and again, until there are so many steps."""
    walks: list[Walk] = []
    tapes: list[Tape] = []
    while sum(len(walk.steps) for walk in walks) < steps:
        walk, tape = taped[len(walks) % len(taped)]
        walks.append(walk)
        tapes.append(tape)
    all_steps = tuple(step for walk in walks for step in walk.steps)[:steps]
    return await play(Walk(f"long-{steps}", "several", all_steps), Replayer(joined(tuple(tapes))), tapes[0].root)


def from_nothing_ms(played: Played) -> float:
    """The request of the last step, made from the transcript alone: what a step after a fold or a restart takes."""
    return _median_ms(lambda: project(played.events, model="script"))


def going_on_ms(played: Played) -> float:
    """The same when the request of the step before is still at hand, as it is between two folds."""
    return statistics.median(_one_more_step(played.events) for _ in range(TRIES))


def _one_more_step(events: Sequence[StoredEvent]) -> float:
    before = [place for place, one in enumerate(events) if isinstance(one.event, AssistantSaid)][-2]
    projection = Projection()
    projection.follow(events[:before])
    projection.request("script", "low", 8_000)
    return _ms(lambda: _follow(projection, events))


def _follow(projection: Projection, events: Sequence[StoredEvent]) -> None:
    projection.follow(events)
    projection.request("script", "low", 8_000)


def _median_ms(work: Callable[[], object]) -> float:
    return statistics.median(_ms(work) for _ in range(TRIES))


def _ms(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1000
