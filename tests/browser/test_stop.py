"""After a cancelled call no input reaches the page, and the browser goes on."""

import asyncio

import pytest

from app.browser.browser import PlaywrightBrowser
from app.domain.acts import Click, Navigate, Type
from tests.browser.steps import act, node, opened, prepared, until
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def cancelled(work: "asyncio.Task[object]") -> None:
    """Cancel as a stop does, and wait until it has ended."""
    work.cancel()
    await asyncio.wait({work}, timeout=3)
    assert work.cancelled()


async def test_a_click_that_waits_is_not_done_after_it_was_stopped(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        "<button id='b' disabled onclick=\"document.title = 'CLICKED'\">Later</button>"
        "<button onclick='b.disabled = false'>Enable</button>"
    )
    look = await opened(browser, site.put("/page", page))
    work = asyncio.create_task(browser.dispatch(await prepared(browser, look, "Later"), Click()))
    await asyncio.sleep(0.2)
    await cancelled(work)
    assert (await act(browser, look, "Enable", Click())).status == "done"
    await browser.settle()
    assert (await browser.look()).title == ""
    assert (await act(browser, look, "Later", Click())).status == "done"
    await until(lambda: _title_is(browser, "CLICKED"))


async def test_slow_typing_stops_where_it_was_stopped(browser: PlaywrightBrowser, site: Site) -> None:
    look = await opened(browser, site.put("/page", "<input aria-label='Field'>"))
    text = "x" * 400
    work = asyncio.create_task(browser.dispatch(await prepared(browser, look, "Field"), Type(text, slowly=True)))
    await until(lambda: _length(browser))
    await cancelled(work)
    await browser.settle()
    length = await _length(browser)
    await browser.settle()
    assert 0 < await _length(browser) < 400
    assert await _length(browser) == length


async def test_a_drag_that_was_stopped_does_not_drop_at_the_next_click(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        "<li draggable='true' aria-label='Card'>Card</li><div style='height: 2000px'></div>"
        "<div aria-label='Bin' role='region' style='height: 80px' ondragover='event.preventDefault()'"
        " ondrop=\"document.title = 'DROPPED'\">Bin</div><button>Other</button>"
    )
    look = await opened(browser, site.put("/page", page))
    start, end = await prepared(browser, look, "Card"), await prepared(browser, look, "Bin")
    work = asyncio.create_task(browser.drag(start, end))
    await asyncio.sleep(0.08)
    work.cancel()
    await asyncio.wait({work}, timeout=3)
    was_stopped = work.cancelled()
    assert (await act(browser, await browser.look(), "Bin", Click())).status == "done"
    await browser.settle()
    assert (await browser.look()).title == ("" if was_stopped else "DROPPED")


@pytest.mark.parametrize("what", ["look", "settle", "navigate", "prepare", "wait_for"])
async def test_every_call_can_be_stopped_and_the_browser_goes_on(
    browser: PlaywrightBrowser, site: Site, what: str
) -> None:
    page = "<button>Button</button><script>setInterval(() => document.body.append('.'), 20)</script>"
    await browser.perform(Navigate(site.put("/page", page)))
    look = await browser.look()
    work = {
        "look": browser.look,
        "settle": browser.settle,
        "navigate": lambda: browser.perform(Navigate(site.url("/held"))),
        "prepare": lambda: prepared(browser, look, "Button"),
        "wait_for": lambda: browser.wait_for(text="never", time_ms=20_000),
    }[what]
    task = asyncio.create_task(work())  # type: ignore[operator]
    await asyncio.sleep(0.1 if what in ("navigate", "wait_for") else 0.001)
    await cancelled(task)
    site.gate.set()
    after = await opened(browser, site.put("/after", "<button>After</button>"))
    assert (await prepared(browser, after, "After")).probe.state == "ok"


async def _title_is(browser: PlaywrightBrowser, title: str) -> bool:
    return (await browser.look()).title == title


async def _length(browser: PlaywrightBrowser) -> int:
    return len(node(await browser.look(), "Field").text)
