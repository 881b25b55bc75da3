"""Several steps in one call on a real page: each is checked again right before, and the first surprise ends them."""

from typing import Any

import pytest

from app.agent.answers import Answer
from app.browser.browser import PlaywrightBrowser
from tests.browser.tools_desk import ToolsDesk
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def _desk(browser: PlaywrightBrowser, site: Site) -> ToolsDesk:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url("/batch/cart.html"))
    return tools


async def _batch(tools: ToolsDesk, *steps: dict[str, Any]) -> Answer:
    return await tools.call("browser_batch", steps=list(steps))


def _on(tools: ToolsDesk, do: str, role: str, name: str, value: str = "") -> dict[str, Any]:
    return {"do": do, "target": tools.ref(role, name), "value": value}


async def test_steps_are_done_in_order_with_one_look_and_an_outcome_for_each(
    browser: PlaywrightBrowser, site: Site
) -> None:
    tools = await _desk(browser, site)
    done = await _batch(
        tools,
        _on(tools, "click", "button", "More rope"),
        _on(tools, "click", "button", "More rope"),
        _on(tools, "type", "textbox", "Ship", "Ada"),
        {"do": "press", "value": "Enter"},
        _on(tools, "check", "checkbox", "High tide only"),
        _on(tools, "select", "combobox", "Pier", "South"),
    )
    lines = done.text.splitlines()
    assert lines[:2] == ['Clicked button "More rope".'] * 2
    assert lines[2] == 'Typed into textbox "Ship": it is now “Ada”.'
    assert lines[3] == "Pressed Enter."
    assert done.receipt is not None
    assert (done.receipt.verb, done.receipt.target) == ("did", "6 steps")
    assert "2 rope" in tools.page
    assert "entered" in tools.page
    assert 'checkbox "High tide only" [checked]' in tools.page


@pytest.mark.parametrize(
    ("button", "surprise"), [("Tides", "a dialog opened"), ("Chart", "a new tab opened"), ("Float", "")]
)
async def test_a_surprise_ends_the_steps_and_what_was_left_is_named(
    browser: PlaywrightBrowser, site: Site, button: str, surprise: str
) -> None:
    tools = await _desk(browser, site)
    done = await _batch(tools, _on(tools, "click", "button", button), _on(tools, "click", "button", "More lamps"))
    assert ("Not run" in done.text) == bool(surprise)
    if not surprise:
        assert "1 lamp" in tools.page
        return
    assert f'Not run, because {surprise}; read the page first: button "More lamps".' in done.text
    assert done.receipt is not None
    assert done.receipt.target == "1 of 2 steps"
    if button == "Tides":
        await tools.call("browser_handle_dialog", accept=True)
    assert "1 lamp" not in tools.page


@pytest.mark.parametrize("by_key", [True, False])
async def test_a_new_page_ends_the_steps_also_for_a_key(browser: PlaywrightBrowser, site: Site, by_key: bool) -> None:
    tools = await _desk(browser, site)
    late = {"do": "press", "value": "Tab"} if by_key else _on(tools, "click", "button", "More lamps")
    done = await _batch(
        tools, _on(tools, "type", "textbox", "Ship", "Ada"), _on(tools, "click", "button", "Keep"), late
    )
    assert done.text.splitlines()[2].startswith("Not done: ")
    assert done.observation is not None
    assert done.observation.url.endswith("kept=Ada")
    assert "1 lamp" not in tools.page


async def test_a_target_that_became_another_thing_is_refused_before_its_step(
    browser: PlaywrightBrowser, site: Site
) -> None:
    tools = await _desk(browser, site)
    floats = _on(tools, "click", "button", "Float")
    done = await _batch(tools, floats, floats, _on(tools, "click", "button", "More lamps"))
    assert "Not done: " in done.text
    assert "Not run, because the one before failed: button" in done.text
    assert "1 lamp" not in tools.page


async def test_a_field_that_does_not_take_the_text_ends_the_steps(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await _desk(browser, site)
    done = await _batch(tools, _on(tools, "type", "textbox", "Berth", "12345"), _on(tools, "click", "button", "Keep"))
    assert done.observation is not None
    assert "kept" not in done.observation.url
    assert done.receipt is not None
    assert done.receipt.status in ("contradicted", "failed")


async def test_steps_that_are_not_whole_are_refused_before_any_of_them(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await _desk(browser, site)
    done = await _batch(tools, _on(tools, "click", "button", "More rope"), {"do": "click"})
    assert done.is_error
    assert "click needs a target" in done.text
    assert "0 rope" in (await tools.call("browser_snapshot")).observation.shown  # type: ignore[union-attr]
