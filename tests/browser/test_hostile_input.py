"""Pages that move something else under a press or a key once it is on its way: it gets in where it was meant to."""

import time
from collections.abc import Awaitable, Callable

import pytest

from app.browser.browser import PlaywrightBrowser
from app.domain.acts import MouseInput, PressKey
from tests.browser.steps import until
from tests.browser.tools_desk import ToolsDesk
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

Press = Callable[[ToolsDesk], Awaitable[object]]
PLACE = "position: absolute; left: {}px; top: 50px; width: 300px; height: 100px"
HERE, AWAY = PLACE.format(50), PLACE.format(700)
TARGET = f"<div tabindex=0 onclick='' style='{HERE}'>Next</div>"
END = f"<div tabindex=0 onclick='' style='{HERE.replace('50px; w', '300px; w')}'>End</div>"
PAY = f"<form method=post action=/paid><button id=pay style='{AWAY}; z-index: 9'>Pay</button></form>"
COMES = "<script>document.addEventListener('mousemove', () => {{ {}.style.left = '50px' }}, true)</script>"


def _page(site: Site, body: str) -> str:
    site.put("/paid", "paid")
    site.put(
        "/bank", "<body style='margin: 0'><form method=post action=/paid><button style='width: 300px; height: 100px'>"
    )
    return site.put("/moving", f"<!doctype html><title>t</title><main>{body}</main>")


def _frame(site: Site, host: str) -> str:
    bank = site.url("/bank", host)
    return f"<iframe id=bank src='{bank}' style='{AWAY}; border: 0; opacity: 0.01'></iframe>{COMES.format('bank')}"


async def _click(tools: ToolsDesk) -> None:
    await tools.call("browser_click", target=tools.ref_by_text("Next"))


async def _drag(tools: ToolsDesk) -> None:
    await tools.call("browser_drag", startTarget=tools.ref_by_text("Next"), endTarget=tools.ref_by_text("End"))


async def _point(tools: ToolsDesk) -> None:
    await tools.call("browser_take_screenshot")
    await tools.call("browser_mouse_click_xy", x=200, y=100)


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1"])
@pytest.mark.parametrize("press", [_click, _drag, _point])
async def test_a_frame_that_comes_under_the_pointer_gets_no_press(
    browser: PlaywrightBrowser, site: Site, host: str, press: Press
) -> None:
    tools = await ToolsDesk.made(browser, consent="no")
    await tools.open(_page(site, TARGET + END + _frame(site, host)))
    await press(tools)
    assert "Not done" in tools.text
    assert site.posts == []
    await tools.call("browser_snapshot")
    await tools.call("browser_scroll", deltaY=10)
    assert site.posts == []


@pytest.mark.parametrize("press", [_drag, _point])
async def test_what_comes_under_the_pointer_is_not_pressed_by_a_point_or_a_drag(
    browser: PlaywrightBrowser, site: Site, press: Press
) -> None:
    canvas = f"<canvas style='{HERE}'></canvas>" if press is _point else TARGET + END
    tools = await ToolsDesk.made(browser, consent="no")
    await tools.open(_page(site, canvas + PAY + COMES.format("pay")))
    await press(tools)
    assert "something else came to lie there" in tools.text
    assert site.posts == []


TEXT = "<input id=text aria-label=A><form method=post action=/paid><button id=pay>Pay</button></form>"


@pytest.mark.parametrize(
    ("script", "how"),
    [
        ("text.oninput = () => pay.focus()", {"text": "a b", "slowly": True}),
        ("text.oninput = () => { text.onfocus = () => pay.focus() }", {"text": "ab", "submit": True}),
        ("text.onkeydown = () => pay.focus()", {"text": "ab", "submit": True}),
    ],
)
async def test_a_key_presses_nothing_that_took_the_focus_from_the_field(
    browser: PlaywrightBrowser, site: Site, script: str, how: dict[str, object]
) -> None:
    tools = await ToolsDesk.made(browser, consent="no")
    await tools.open(_page(site, f"{TEXT}<script>{script}</script>"))
    await tools.call("browser_type", target=tools.ref("textbox", "A"), **how)
    assert site.posts == []


@pytest.mark.parametrize("key", ["Enter", "Space"])
async def test_a_key_goes_to_what_was_judged_and_to_nothing_that_takes_the_focus_then(
    browser: PlaywrightBrowser, site: Site, key: str
) -> None:
    page = f"<button id=next autofocus>Next</button>{TEXT}<script>next.onkeydown = () => pay.focus()</script>"
    tools = await ToolsDesk.made(browser, consent="no")
    await tools.open(_page(site, page))
    await tools.call("browser_press_key", key=key)
    assert site.posts == []


async def test_keys_that_wander_from_field_to_field_are_let_through(browser: PlaywrightBrowser, site: Site) -> None:
    """As codes are asked for, a digit a field."""
    page = "<input id=a aria-label=A><input id=b aria-label=B><script>a.oninput = () => b.focus()</script>"
    tools = await ToolsDesk.made(browser)
    await tools.open(_page(site, page))
    await tools.call("browser_type", target=tools.ref("textbox", "A"), text="1 2", slowly=True)
    assert ": 2" in next(line for line in tools.page.splitlines() if 'textbox "B"' in line)


async def test_a_key_of_any_length_is_refused_at_once(browser: PlaywrightBrowser) -> None:
    """What the driver says of it is read in the engine's loop, which must not be held up."""
    began = time.monotonic()
    outcome = await browser.perform(PressKey("x" * 60_000))
    assert outcome.status == "failed"
    assert time.monotonic() - began < 3


async def test_the_person_can_press_in_a_frame_right_after_the_agent_acted_beside_it(
    browser: PlaywrightBrowser, site: Site
) -> None:
    """Also when the act was cut off by a dialog, which leaves the page frozen until it is answered."""
    frame = f"<iframe src='/bank' style='{AWAY}; border: 0'></iframe>"
    page = f"<button style='{HERE}' onclick=\"alert('wait')\">Next</button>{frame}"
    tools = await ToolsDesk.made(browser)
    await tools.open(_page(site, page))
    await tools.click("button", "Next")
    await tools.call("browser_handle_dialog", accept=True)
    for kind in ("move", "press", "release"):
        await browser.send(MouseInput(kind, 800, 100, "left", int(kind == "press"), click_count=1))
    assert len(await until(lambda: site.posts)) == 1
