"""Settling ends when the page is quiet, waits for what is under way, and is bounded."""

import time

import pytest

from app.browser.browser import PlaywrightBrowser
from app.domain.acts import Click, Navigate
from tests.browser.steps import act, opened, until
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_quiet_page_is_settled_soon(browser: PlaywrightBrowser, site: Site) -> None:
    await opened(browser, site.put("/page", "<h1>Quiet</h1>"))
    took = []
    for _ in range(3):
        started = time.monotonic()
        assert await browser.settle()
        took.append(time.monotonic() - started)
    assert min(took) < 1.0


async def test_it_waits_for_what_a_request_brings(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        "<p id='out'>before</p><button onclick=\"fetch('/slow?s=0.6').then(answer => answer.text())"
        '.then(text => out.textContent = text)">Load</button>'
    )
    look = await opened(browser, site.put("/page", page))
    await act(browser, look, "Load", Click())
    assert await browser.settle()
    assert "late" in await browser.text()


async def test_it_waits_for_a_navigation_that_a_click_began(browser: PlaywrightBrowser, site: Site) -> None:
    site.put("/next", "<h1>Arrived</h1>", delay_s=0.5)
    look = await opened(browser, site.put("/page", "<a href='/next'>Next</a>"))
    await act(browser, look, "Next", Click())
    assert await browser.settle()
    assert (await browser.look()).url.endswith("/next")


async def test_a_page_that_never_stops_is_said_to_be_unsettled(browser: PlaywrightBrowser, site: Site) -> None:
    page = "<p id='out'></p><script>setInterval(() => out.textContent = Math.random(), 20)</script>"
    await browser.perform(Navigate(site.put("/page", page)))
    started = time.monotonic()
    assert not await browser.settle()
    assert time.monotonic() - started < 6
    assert not (await browser.look()).settled


async def test_a_moving_picture_does_not_unsettle(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        "<style>@keyframes turn {to {rotate: 360deg}} p {animation: turn 1s infinite}</style><p>Turning</p>"
        "<i id='bar'>.</i><script>setInterval(() => bar.style.width = Math.random() + 'px', 20)</script>"
    )
    await browser.perform(Navigate(site.put("/page", page)))
    assert await browser.settle()


async def test_a_request_that_hangs_is_told_and_does_not_hold_up_later_acts(
    browser: PlaywrightBrowser, site: Site
) -> None:
    page = "<button onclick=\"fetch('/held')\">Hang</button>"
    look = await opened(browser, site.put("/page", page))
    await act(browser, look, "Hang", Click())
    assert not await browser.settle()
    assert (await browser.look()).requests_running == 1
    assert await browser.settle()
    site.gate.set()
    await until(lambda: _idle(browser))


async def test_waiting_for_a_text_ends_when_it_comes_or_goes(browser: PlaywrightBrowser, site: Site) -> None:
    page = "<p id='out'>first</p><script>setTimeout(() => out.textContent = 'second', 400)</script>"
    await browser.perform(Navigate(site.put("/page", page)))
    assert await browser.wait_for(text="second", gone="first", time_ms=5000)
    assert not await browser.wait_for(text="third", time_ms=200)
    started = time.monotonic()
    assert await browser.wait_for(time_ms=150)
    assert time.monotonic() - started >= 0.14


async def _idle(browser: PlaywrightBrowser) -> bool:
    return (await browser.look()).requests_running == 0
