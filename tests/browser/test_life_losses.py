"""A crash or a lost browser is noticed, mended with the same profile and address, and told; nothing hangs."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from app.agent.reviving import MOST_RESTARTS
from app.browser.browser import PlaywrightBrowser
from app.domain.errors import BrowserError
from app.domain.events import BrowserNoticed
from app.domain.passing import ErrorShown, PassingEvent
from tests.browser.inside import active_tab
from tests.browser.processes import children_of, command, is_running
from tests.browser.steps import options_for, until
from tests.browser.tools_desk import ToolsDesk
from tests.pages.site import Site

pytestmark = [
    pytest.mark.asyncio(loop_scope="function"),
    pytest.mark.skipif(sys.platform != "linux", reason="looks at processes through /proc"),
]


@pytest_asyncio.fixture
async def lone(tmp_path: Path) -> AsyncIterator[PlaywrightBrowser]:
    """A browser of its own, which the test may break."""
    browser = PlaywrightBrowser(options_for(tmp_path))
    await browser.start()
    yield browser
    await browser.close()


_PAGE = "<title>Cart</title><h1>Cart</h1><input aria-label='Note'><button>Keep</button>"


async def test_a_renderer_that_is_killed_is_replaced_at_the_same_address_and_told(
    lone: PlaywrightBrowser, site: Site
) -> None:
    desk = await ToolsDesk.made(lone)
    await desk.open(site.put("/cart", _PAGE))
    old = desk.ref("button", "Keep")
    await _kill_renderers()
    await until(lambda: active_tab(lone).crashed)
    began = time.monotonic()
    await desk.call("browser_click", target=old)
    assert time.monotonic() - began < 10
    assert desk.last.is_error
    await desk.call("browser_snapshot")
    assert "crashed" in "".join(desk.returned)
    assert 'heading "Cart"' in desk.page
    await desk.click("button", "Keep")
    assert not desk.last.is_error


async def test_a_page_that_crashes_again_is_not_loaded_for_ever(lone: PlaywrightBrowser, site: Site) -> None:
    desk = await ToolsDesk.made(lone)
    await desk.open(site.put("/cart", _PAGE))
    for _ in range(2):
        await _kill_renderers()
        await until(lambda: active_tab(lone).crashed)
        await desk.call("browser_snapshot")
    assert "everything: the page crashed" in desk.text
    await desk.call("browser_reload")
    assert 'heading "Cart"' in desk.page


@pytest.mark.parametrize("victim", ["browser", "driver"])
async def test_a_browser_that_is_killed_comes_back_with_profile_and_address_and_all_are_told(
    lone: PlaywrightBrowser, site: Site, victim: str
) -> None:
    told: list[PassingEvent] = []
    await lone.show(lambda frame: None, told.append)
    site.put("/in", "<script>document.cookie = 'user=ann; max-age=3600'</script>")
    page = "<h1 id=who></h1><button>Keep</button><script>who.textContent = 'Hello ' + document.cookie</script>"
    desk = await ToolsDesk.made(lone)
    await desk.open(site.url("/in"))
    await desk.open(site.put("/cart", page))
    await asyncio.sleep(0)
    old = desk.ref("button", "Keep")
    began = time.monotonic()
    os.kill(_process_of(victim), signal.SIGKILL)
    await until(lambda: not lone.is_alive, limit_s=5)
    assert time.monotonic() - began < 5
    await until(lambda: any(isinstance(one, ErrorShown) for one in told))
    await asyncio.wait_for(desk.call("browser_snapshot"), 40)
    assert desk.last.is_error
    assert "started again with the same profile" in desk.last.text
    assert 'heading "Hello' in desk.page
    noticed = [one.event.text for one in desk.transcript.events if isinstance(one.event, BrowserNoticed)]
    assert any(text.endswith("What was typed and not sent is lost.") for text in noticed)
    await desk.call("browser_click", target=old)
    assert desk.last.is_error
    assert "from before a restart of the browser" in desk.last.text
    await desk.click("button", "Keep")
    assert not desk.last.is_error
    shown = len(told)
    await desk.call("browser_tabs", action="new")
    await until(lambda: len(told) > shown)  # the panel follows the new browser


async def test_an_act_under_which_the_browser_dies_is_uncertain_and_not_repeated(
    lone: PlaywrightBrowser, site: Site
) -> None:
    page = "<button onclick=\"fetch('/pay', {method: 'POST'})\">Send</button>"
    site.put("/pay", "paid", delay_s=1.5)
    desk = await ToolsDesk.made(lone)
    await desk.open(site.put("/page", page))
    killing = asyncio.create_task(_kill_when(lambda: bool(site.posts)))
    await asyncio.wait_for(desk.click("button", "Send"), 40)
    await killing
    assert desk.last.text.startswith("Uncertain: clicked")
    assert desk.last.receipt is not None
    assert desk.last.receipt.status == "uncertain"
    assert len(site.posts) == 1


async def test_a_page_that_answered_a_form_is_not_sent_again_by_a_restart(lone: PlaywrightBrowser, site: Site) -> None:
    site.put("/order", "<h1>Thank you</h1>")
    desk = await ToolsDesk.made(lone)
    await desk.open(site.put("/page", "<form action='/order' method='post'><button>Order</button></form>"))
    await desk.click("button", "Order")
    assert len(site.posts) == 1
    os.kill(_process_of("browser"), signal.SIGKILL)
    await until(lambda: not lone.is_alive)
    await asyncio.wait_for(desk.call("browser_snapshot"), 40)
    assert "was the answer to a form" in desk.last.text
    assert len(site.posts) == 1


async def test_a_browser_that_dies_every_time_ends_in_an_error_and_not_in_a_loop(
    lone: PlaywrightBrowser, site: Site
) -> None:
    desk = await ToolsDesk.made(lone)
    for _ in range(MOST_RESTARTS):
        await _kill_browser_of(lone)
        await desk.call("browser_snapshot")
        assert "started again" in desk.last.text
    await _kill_browser_of(lone)
    with pytest.raises(BrowserError, match="has stopped"):
        await desk.call("browser_snapshot")


async def _kill_browser_of(browser: PlaywrightBrowser) -> None:
    os.kill(_process_of("browser"), signal.SIGKILL)
    await until(lambda: not browser.is_alive)


async def _kill_when(condition) -> None:  # type: ignore[no-untyped-def]
    await until(condition)
    os.kill(_process_of("browser"), signal.SIGKILL)


async def _kill_renderers() -> None:
    """All of them, also the one that waits for the next page; the browser has taken notice when they are reaped."""
    killed = []
    for pid in children_of(os.getpid()):
        flags = " ".join(command(pid))  # a renderer that was forked writes them as one
        if "--type=renderer" in flags and "--extension-process" not in flags:
            os.kill(pid, signal.SIGKILL)
            killed.append(pid)
    await until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in killed))


def _process_of(victim: str) -> int:
    for pid in children_of(os.getpid()):
        flags = command(pid)
        if victim == "driver" and any("run-driver" in flag for flag in flags) and is_running(pid):
            return pid
        if victim == "browser" and "--remote-debugging-pipe" in flags and not any("--type=" in one for one in flags):
            return pid
    raise AssertionError(f"no {victim} runs")
