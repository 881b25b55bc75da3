"""An effect that comes late is still seen, what moves by itself holds nothing up, and what still runs is told."""

import asyncio
import time

import pytest

from app.browser.browser import PlaywrightBrowser
from app.domain.acts import Click, Type
from tests.browser.inside import active_tab
from tests.browser.steps import act, opened
from tests.browser.tools_desk import ToolsDesk
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

_OUT = "<p id=out>-</p>"
_LATER = "setTimeout(() => out.textContent = 'late', {ms})"
_FETCH = "fetch('/slow?s=0.4').then(answer => answer.text()).then(text => out.textContent = text)"


def _field(script: str) -> str:
    return f'{_OUT}<input aria-label=Find oninput="{script}">'


def _button(script: str) -> str:
    return f'{_OUT}<button onclick="{script}">Go</button>'


@pytest.mark.parametrize(
    "page",
    [
        _button(_LATER.format(ms=350)),
        _button(_LATER.format(ms=800)),
        _button(f"setTimeout(() => {_FETCH}, 300)"),
        _button("out.ariaBusy = 'true'; setTimeout(() => out.ariaBusy = 'false', 1100); " + _LATER.format(ms=1000)),
        _button(f"out.innerHTML = '<progress></progress>'; {_LATER.format(ms=1200)}"),
        _button(f"out.innerHTML = '<i class=spinner>o</i>'; {_LATER.format(ms=1000)}"),
        _button(f"this.disabled = true; setTimeout(() => this.disabled = false, 1050); {_LATER.format(ms=1000)}"),
        _field(f"clearTimeout(window.t); t = {_LATER.format(ms=300)}"),
        _field(f"clearTimeout(window.t); t = {_LATER.format(ms=900)}"),
        _field(f"this.setAttribute('value', this.value); clearTimeout(window.t); t = setTimeout(() => {_FETCH}, 400)"),
    ],
    ids=[
        "timer",
        "long timer",
        "request after a timer",
        "region that says it is busy",
        "progress bar",
        "spinner",
        "button that is disabled meanwhile",
        "debounced field",
        "slowly debounced field",
        "field that the page writes back, then a request",
    ],
)
async def test_an_effect_that_comes_late_is_seen(browser: PlaywrightBrowser, site: Site, page: str) -> None:
    look = await opened(browser, site.put("/page", page))
    is_field = "<input" in page
    await act(browser, look, "Find" if is_field else "Go", Type("abc") if is_field else Click())
    assert await browser.settle()
    assert "late" in await browser.text()


@pytest.mark.parametrize(
    ("page", "name"),
    [
        (_button("out.textContent = 'now'"), "Go"),
        ("<button>Go</button>", "Go"),
        ("<input aria-label=Go>", "Go"),
        ("<form onsubmit='return false'><input aria-label=Go></form>", "Go"),
        (_button("out.textContent = 'now'") + "<script>setInterval(() => fetch('/slow?s=0.1'), 150)</script>", "Go"),
        (
            _button("out.textContent = 'now'")
            + "<script>new EventSource('/held'); new WebSocket('ws://' + location.host)</script>",
            "Go",
        ),
        (_button("out.textContent = 'now'; navigator.sendBeacon('/held'); fetch('/slow?s=2&u=/collect')"), "Go"),
        (
            _button("out.textContent = 'now'") + "<div style='height:3000px'></div><p id=t></p>"
            "<script>setInterval(() => t.textContent = Math.random(), 20)</script>",
            "Go",
        ),
        (
            "<style>@keyframes turn {to {rotate: 360deg}} i {display: block; animation: turn 1s infinite}"
            " button {transition: background 2s} button:hover {background: red}</style><i>o</i>"
            + _button("out.textContent = 'now'"),
            "Go",
        ),
    ],
    ids=[
        "changed at once",
        "dead button",
        "plain field",
        "field of a form that is not sent yet",
        "polling",
        "streams",
        "beacons",
        "moves out of sight",
        "endless animation and a slow colour",
    ],
)
async def test_nothing_that_does_not_matter_is_waited_for(
    browser: PlaywrightBrowser, site: Site, page: str, name: str
) -> None:
    took = []
    for _ in range(3):
        look = await opened(browser, site.put("/page", page))
        if "setInterval(() => fetch" in page:
            await asyncio.sleep(1.6)  # the page has polled by itself
            look = await browser.look()
        await act(browser, look, name, Type("abc") if "<input" in page else Click())
        began = time.monotonic()
        assert await browser.settle()
        took.append(time.monotonic() - began)
    site.gate.set()
    assert min(took) < 0.9  # about 0.11 s on an idle machine


async def test_a_menu_that_slides_in_is_waited_for(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        "<style>nav {opacity: 0; transition: opacity .7s} nav.open {opacity: 1}</style>"
        "<button onclick=\"document.querySelector('nav').className = 'open'\">Menu</button><nav>Item</nav>"
    )
    look = await opened(browser, site.put("/page", page))
    await act(browser, look, "Menu", Click())
    assert await browser.settle()
    assert await active_tab(browser).page.evaluate("getComputedStyle(document.querySelector('nav')).opacity") == "1"


async def test_what_moves_by_itself_is_waited_for_only_once(browser: PlaywrightBrowser, site: Site) -> None:
    page = _button("1") + "<p id=t></p><script>setInterval(() => t.textContent = Math.random(), 20)</script>"
    look = await opened(browser, site.put("/page", page))
    assert not look.settled
    await act(browser, look, "Go", Click())
    began = time.monotonic()
    assert await browser.settle()
    assert time.monotonic() - began < 2


async def test_requests_that_still_run_are_counted_in_the_receipt(browser: PlaywrightBrowser, site: Site) -> None:
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/page", "<button onclick=\"fetch('/held'); fetch('/held?2')\">Go</button>"))
    await desk.click("button", "Go")
    assert "not settled: 2 requests still running" in desk.last.text
    site.gate.set()
    await desk.call("browser_wait_for", time=0.5)
    assert "running" not in desk.text


async def test_an_error_of_the_script_is_told_when_nothing_came_of_an_act(
    browser: PlaywrightBrowser, site: Site
) -> None:
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/page", '<button onclick="cart.add()">Add</button>'))
    await desk.click("button", "Add")
    assert "cart is not defined" in desk.last.text
