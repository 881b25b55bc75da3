"""Pages that break browser agents, one kind each: the right way ends well, and an obvious wrong one does no harm."""

import random
from pathlib import Path

import pytest

from app.browser.browser import PlaywrightBrowser
from tests.browser.kinds import NAMES, kind, play
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

NAIVE = sorted(random.Random(4).sample(NAMES, 8))


@pytest.mark.parametrize("name", NAMES)
async def test_the_right_way_comes_to_the_right_end(
    browser: PlaywrightBrowser, site: Site, name: str, tmp_path: Path
) -> None:
    assert await play(browser, site, kind(name), "steps", tmp_path) == []


@pytest.mark.parametrize("name", NAIVE)
async def test_an_obvious_wrong_way_does_no_harm_and_is_not_taken_for_done(
    browser: PlaywrightBrowser, site: Site, name: str, tmp_path: Path
) -> None:
    assert await play(browser, site, kind(name), "naive", tmp_path) == []
