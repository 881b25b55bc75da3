"""A model that goes round in circles is stopped in a known number of steps; honest work is never warned about."""

import asyncio
import itertools
import re
from collections.abc import Awaitable, Callable

import pytest

from app.agent.control import NeedsPerson
from app.browser.browser import PlaywrightBrowser
from app.domain.ids import ConversationId
from app.runtime.serving import Serving
from tests.browser.tools_desk import ToolsDesk
from tests.fakes.record import MemoryRecord
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

Step = Callable[[ToolsDesk], Awaitable[object]]


def click(role: str, name: str) -> Step:
    return lambda tools: tools.click(role, name)


async def steps_until_the_person_is_asked(tools: ToolsDesk, shape: list[Step], most: int) -> int:
    for number, step in enumerate(itertools.islice(itertools.cycle(shape), most), 1):
        try:
            await step(tools)
        except NeedsPerson:
            return number
        except AssertionError:  # what is to be pressed next is not there: the press before it was held back
            continue
    raise AssertionError(f"still not stopped after {most} steps: {tools.text}")


async def answers_to_a_dead_button(browser: PlaywrightBrowser, site: Site, new_errand_s: float) -> list[str]:
    """What another program is told that presses it six times, with so short a silence for a new errand."""
    serving = Serving(
        record=MemoryRecord(),
        make_browser=lambda: browser,
        client="test",
        consent="yes",
        page_characters=14_000,
        conversation=ConversationId("dead"),
        new_errand_s=new_errand_s,
    )

    async def call(name: str, **arguments: object) -> str:
        answered = await serving.call(name, arguments, None, lambda paths: asyncio.sleep(0, ()))
        shown = answered.observation.shown if answered.observation else ""
        return f"{answered.text}\n{shown}"

    await call("browser_navigate", url=site.url("/cases/tide.html"))
    page = await call("browser_snapshot")
    ref = re.search(r'button "Ask the gauge"[^\n]*\[ref=(e\d+)\]', page)
    assert ref is not None, page
    return [await call("browser_click", target=ref[1]) for _ in range(6)]


def stale(tools: ToolsDesk) -> Awaitable[object]:
    return tools.call("browser_click", target="e1")


DEAD, STILL = click("button", "Ask the gauge"), click("button", "Ask again")
TO_TWO, TO_THREE, TO_ONE = (click("link", f"Buoy {number}") for number in ("two", "three", "one"))
TO_FIRST, MENU = click("link", "First buoy"), click("button", "Menu")


@pytest.mark.parametrize(
    ("page", "shape", "most"),
    [
        pytest.param("tide", [DEAD], 6, id="one dead button"),
        pytest.param("tide", [DEAD, STILL], 6, id="two dead buttons in turn"),
        pytest.param("ring-one", [TO_TWO, TO_FIRST], 9, id="there and back between two pages"),
        pytest.param("ring-one", [TO_TWO, TO_THREE, TO_ONE], 12, id="round three pages"),
        pytest.param("workshop", [MENU], 9, id="a menu opened and closed"),
        pytest.param("tide", [stale], 6, id="one dead ref"),
    ],
)
async def test_a_loop_is_stopped_in_so_many_steps(
    browser: PlaywrightBrowser, site: Site, page: str, shape: list[Step], most: int
) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url("/cases/ring-two.html"))
    await tools.open(site.url(f"/cases/{page}.html"))
    assert await steps_until_the_person_is_asked(tools, shape, most) <= most


@pytest.mark.parametrize("moving", ["clock", "ticker", "ad", "list", "spinner"])
async def test_what_moves_by_itself_hides_no_dead_button(browser: PlaywrightBrowser, site: Site, moving: str) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url(f"/cases/tide.html?moving={moving}"))
    assert await steps_until_the_person_is_asked(tools, [DEAD], 9) <= 9


async def test_honest_work_beside_a_text_that_moves_by_itself_is_never_warned_about(
    browser: PlaywrightBrowser, site: Site
) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url("/cases/workshop.html?moving"))
    for name, times in (("Next", 10), ("+", 8), ("Load more", 10)):
        for _ in range(times):
            await tools.click("button", name)
    for word in ("saw", "hammer", "plane", "chisel", "rasp and file", "adze"):
        await tools.type("textbox", "Find a tool", word)
    assert [text for text in tools.returned if "No progress" in text] == []
    assert "part 10" in tools.page


async def test_a_list_that_loads_late_is_never_warned_about(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url("/cases/workshop.html"))
    for number in range(10):
        await tools.click("button", "Load late")
        await tools.call("browser_wait_for", text=f"part {number + 1}")
    assert [text for text in tools.returned if "No progress" in text] == []


async def test_long_scrolls_and_keys_that_move_the_focus_are_never_warned_about(
    browser: PlaywrightBrowser, site: Site
) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url("/cases/workshop.html"))
    for _ in range(7):
        await tools.call("browser_scroll", deltaY=400)
    for _ in range(7):
        await tools.call("browser_scroll", target=tools.ref("region", "Manual"), deltaY=100)
    for _ in range(5):
        await tools.call("browser_press_key", key="Tab")
    for _ in range(4):
        await tools.call("browser_press_key", key="PageDown")
    assert [text for text in tools.returned if "No progress" in text] == []


async def test_keys_that_move_the_caret_or_the_selection_are_never_warned_about(
    browser: PlaywrightBrowser, site: Site
) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.put("/write", "<textarea aria-label=Notes cols=80>Some words to go through</textarea>"))
    await tools.click("textbox", "Notes")
    for key in ("Home", *["ArrowRight"] * 5, *["Shift+ArrowRight"] * 5):
        await tools.call("browser_press_key", key=key)
    assert [text for text in tools.returned if "No progress" in text] == []
    for _ in range(4):
        await tools.call("browser_press_key", key="Home")
    assert [text for text in tools.returned if "No progress" in text] != []


async def test_a_form_of_thirty_fields_filled_one_by_one_is_never_warned_about(
    browser: PlaywrightBrowser, site: Site
) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url("/cases/workshop.html"))
    for number in range(1, 31):
        await tools.type("textbox", f"Field {number}", "same words")
    assert [text for text in tools.returned if "No progress" in text] == []


async def test_a_scroll_at_the_end_is_told_and_ends_like_any_act_without_effect(
    browser: PlaywrightBrowser, site: Site
) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url("/cases/tide.html"))
    steps = await steps_until_the_person_is_asked(tools, [lambda tools: tools.call("browser_scroll", deltaY=600)], 6)
    assert steps == 6
    assert "nothing scrolled" in tools.returned[1]


async def test_b7_what_an_act_did_beside_the_text_of_the_page_is_said(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await ToolsDesk.made(browser)
    site.put("/told", "ok")
    await tools.open(site.url("/cases/chart.html"))
    await tools.click("button", "Dead")
    drawn = [(await tools.click("button", "Nearer")).text for _ in range(6)]
    assert all("what is drawn on the page changed; its text did not" in text for text in drawn)
    assert "No progress" not in "".join(drawn)
    assert (await tools.click("button", "Dead")).text.endswith("except that the focus moved.")
    assert (await tools.click("button", "Dead")).text == 'Clicked button "Dead": no visible effect.'
    assert "something was sent; this page did not change" in (await tools.click("button", "Tell the office")).text
    assert "it scrolled; the text of the page did not change" in (await tools.click("button", "Further down")).text


async def test_b7_a_drawing_that_moves_by_itself_hides_no_dead_button(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url("/cases/chart.html?moving"))
    assert await steps_until_the_person_is_asked(tools, [click("button", "Dead")], 9) <= 9


async def test_another_program_is_stopped_in_a_loop_but_not_for_what_it_tried_before_a_silence(
    browser: PlaywrightBrowser, site: Site
) -> None:
    at_once = await answers_to_a_dead_button(browser, site, 60.0)
    assert "It was not done again" in "".join(at_once)
    rarely = await answers_to_a_dead_button(browser, site, 0.0)
    assert "No progress" not in "".join(rarely)
