"""A page that changes between look and act: only the thing that was meant is acted on, and it is when it is there."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from app.browser.browser import PlaywrightBrowser
from tests.bench.hands.clocked import ClockedBrowser
from tests.bench.hands.identity_play import play
from tests.bench.hands.identity_site import Site, serving
from tests.bench.hands.identity_trials import KINDS, Trial, trials
from tests.bench.hands.ours import Ours
from tests.bench.peers.ours import Desk

pytestmark = pytest.mark.asyncio(loop_scope="module")

SEED = 4107
EVERY = 4
FEW = 10
RIGHT = {"passed", "passed after a look", "refused rightly"}


@pytest.fixture(scope="module")
def browser_class() -> type[PlaywrightBrowser]:
    return ClockedBrowser


def sample() -> list[list[Trial]]:
    """Every fourth of a row that goes twice through all kinds, so that a kind comes at another moment too."""
    drawn = list(trials(2 * len(KINDS), SEED))[::EVERY]
    return [drawn[start : start + FEW] for start in range(0, len(drawn), FEW)]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def changing() -> AsyncIterator[Site]:
    async with serving() as site:
        yield site


@pytest.mark.parametrize("few", sample(), ids=range(len(sample())))
async def test_no_change_between_look_and_act_leads_to_a_wrong_act_or_stops_a_right_one(
    browser: ClockedBrowser, changing: Site, few: list[Trial]
) -> None:
    desk = await Desk.made(browser)
    assert isinstance(desk, Desk)
    hand = Ours(browser, desk)
    assert [one for one in [await play(hand, changing, trial) for trial in few] if one.verdict not in RIGHT] == []
