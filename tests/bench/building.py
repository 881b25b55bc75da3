"""How long it takes to build the request of a long conversation."""

import gc
import statistics
import time
from collections.abc import Callable, Sequence

from app.context.request.projection import Projection, project
from app.domain.events import AssistantSaid, StoredEvent
from tests.bench.playing import Played, play
from tests.bench.replayer import Replayer
from tests.bench.tape import Tape, joined
from tests.bench.walks.walk import Walk

STEPS = 500
TRIES = 15
LAST_STEPS = 40


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
    """The same when the request of the step before is still at hand; the middle one of the newest steps.

    Where a page was left in between, the fold has it made anew, which takes as long as from nothing.
    """
    said = [place for place, one in enumerate(played.events) if isinstance(one.event, AssistantSaid)][-LAST_STEPS:]
    projection = Projection()
    projection.follow(played.events[: said[0]])
    return statistics.median(_ms(_step_of(projection, played.events[:place])) for place in said[1:])


def _step_of(projection: Projection, events: Sequence[StoredEvent]) -> Callable[[], object]:
    def step() -> object:
        projection.follow(events)
        return projection.request("script", "low", 8_000)

    return step


def _median_ms(work: Callable[[], object]) -> float:
    return statistics.median(_ms(work) for _ in range(TRIES))


def _ms(work: Callable[[], object]) -> float:
    gc.collect()
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1000
