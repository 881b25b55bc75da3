"""A seeded sample of the ledger bench: nothing is sent twice without the person, counted at the server."""

import random
import sys
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.bench.ledger import hostile, kills, matrix, repeats
from tests.bench.ledger.actors import Ours, ours
from tests.bench.ledger.kinds import Kind, kinds
from tests.bench.ledger.trials import Disturbance

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes through /proc"),
]

_SEED = 20_261
_KINDS = {one.name: one for one in kinds()}
_CELLS: tuple[tuple[str, Disturbance], ...] = (
    ("form", "reset after the work"),  # which the browser itself sends again
    ("fetch", "false timeout"),
    ("redirect-307", "none"),
    ("websocket", "false timeout"),
)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def actor() -> AsyncIterator[Ours]:
    async with ours() as one:
        yield one


@pytest.mark.parametrize(("kind", "disturbance"), _CELLS, ids=str)
async def test_what_was_sent_under_a_disturbance_is_not_sent_again(
    actor: Ours, kind: str, disturbance: Disturbance
) -> None:
    chosen: Kind = _KINDS[kind]
    cell = await matrix.cell(actor, chosen, disturbance)
    assert cell.faults == (), cell


@pytest.mark.parametrize("number", random.Random(_SEED).sample(range(hostile.COUNT), 2))
async def test_a_hostile_script_does_nothing_a_second_time(actor: Ours, number: int) -> None:
    script = next(one for one in hostile.scripts(number + 1, _SEED) if one.number == number)
    played = await hostile.play(actor, script)
    assert played.faults == (), played


@pytest.mark.parametrize("number", random.Random(_SEED).sample(range(60), 2))
async def test_an_honest_repeat_goes_through_unasked(actor: Ours, number: int) -> None:
    repeat = await repeats.play(actor, repeats.ways()[number])
    assert (repeat.is_blocked, repeat.extra) == (False, 0), repeat


async def test_an_order_under_which_the_program_is_killed_is_done_once() -> None:
    killed = await kills.killed(kills.AT_THE_SITE, random.Random(_SEED))
    assert (killed.lost, killed.done, killed.faults) == (0, 1, ()), killed
    assert "unknown" in killed.states
