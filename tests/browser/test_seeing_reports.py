"""Reports of a second model on a real page: boxes become refs by a hit test, and a failed point asks for a new look."""

import json
import re

import pytest

from app.agent.eyes import Eyes
from app.browser.browser import PlaywrightBrowser
from app.domain.messages import ModelTurn
from tests.browser.tools_desk import ToolsDesk
from tests.fakes.model import FakeModel, says
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

WIDTH, HEIGHT = 1280, 800


def box(left: float, top: float, width: float, height: float) -> list[float]:
    """As a model gives it: from 0 to 1000."""
    return [left / WIDTH * 1000, top / HEIGHT * 1000, (left + width) / WIDTH * 1000, (top + height) / HEIGHT * 1000]


def report(*actions: tuple[str, list[float]]) -> ModelTurn:
    empty: dict[str, object] = {"blockers": [], "context": "A desk", "primary": None, "panels": [], "fields": []}
    return says(json.dumps({**empty, "actions": [{"what": what, "box": at} for what, at in actions], "notes": []}))


async def desk_with(browser: PlaywrightBrowser, site: Site, *reports: ModelTurn) -> tuple[ToolsDesk, FakeModel]:
    vision = FakeModel(*reports)
    tools = await ToolsDesk.made(browser, eyes=Eyes(False, vision, "eyes"))
    await tools.open(site.url("/seeing/desk.html"))
    return tools, vision


async def test_boxes_become_refs_where_there_is_something_to_act_on(browser: PlaywrightBrowser, site: Site) -> None:
    seen = report(
        ("the first button", box(400, 60, 60, 30)),
        ("the one in the frame", box(708, 158, 60, 30)),
        ("the one in the root", box(20, 300, 90, 40)),
        ("empty ground", box(1100, 600, 40, 40)),
    )
    tools, _ = await desk_with(browser, site, seen)
    await tools.call("look", question="What can be pressed?")
    assert f'the first button · button "Save" [ref={tools.ref("button", "Save")}]' in tools.text
    assert f'the one in the frame · button "Inside" [ref={tools.ref("button", "Inside")}]' in tools.text
    assert f'the one in the root · button "Rooted" [ref={tools.ref("button", "Rooted")}]' in tools.text
    assert "empty ground · at 1120, 620" in tools.text
    await tools.call("browser_click", target=tools.ref("button", "Save"))
    assert "pressed Save" in tools.page


async def test_things_in_one_drawing_are_told_apart_by_their_points(browser: PlaywrightBrowser, site: Site) -> None:
    tools, _ = await desk_with(
        browser, site, report(("a lamp", box(40, 80, 20, 20)), ("a rope", box(240, 180, 20, 20)))
    )
    await tools.call("look", question="Where is the lamp?")
    assert re.search(r"a lamp · at 50, 90 of \S+ \S*Sheet\S* \[ref=e\d+\]", tools.text)
    assert "a rope · at 250, 190 of " in tools.text


async def test_after_a_failed_point_the_error_asks_for_a_new_look(browser: PlaywrightBrowser, site: Site) -> None:
    tools, vision = await desk_with(browser, site, report(("Save", box(400, 60, 60, 30))), report())
    await tools.call("look", question="Where is Save?")
    await tools.click("button", "Rename it")
    answer = await tools.call("browser_mouse_click_xy", x=430, y=75)
    assert answer.is_error
    assert "looks different there" in answer.text
    assert "Call look again first." in answer.text
    await tools.call("look", question="Where is Save?")
    assert len(vision.requests) == 2


async def test_a_look_at_an_unchanged_page_gives_the_old_report_as_the_same(
    browser: PlaywrightBrowser, site: Site
) -> None:
    tools, vision = await desk_with(browser, site, report(("Save", box(400, 60, 60, 30))), report())
    first = await tools.call("look", question="Where is Save?")
    again = await tools.call("look", question="Where  is Save?")
    assert first.observation is not None
    assert again.text == f"Same: nothing changed on the picture, the report {first.observation.id} still holds."
    assert len(vision.requests) == 1
    await tools.click("button", "Paint the map")
    await tools.call("look", question="Where is Save?")
    assert len(vision.requests) == 2


async def test_a_report_can_be_had_back_and_is_dead_then(browser: PlaywrightBrowser, site: Site) -> None:
    tools, _ = await desk_with(browser, site, report(("Save", box(400, 60, 60, 30))))
    looked = await tools.call("look", question="Where is Save?")
    assert looked.observation is not None
    await tools.call("recall", observation=looked.observation.id)
    assert "page context: A desk" in tools.text
    assert "[ref=" not in tools.text
