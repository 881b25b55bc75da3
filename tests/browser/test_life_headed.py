"""In a window of its own the browser behaves the same: printing holds nothing up, a window that is closed is told."""

import asyncio
import os
import shutil
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from app.browser.browser import PlaywrightBrowser
from app.domain.acts import OpenTab
from tests.browser.inside import active_tab, open_tabs
from tests.browser.steps import options_for, until
from tests.browser.tools_desk import ToolsDesk
from tests.pages.site import Site

pytestmark = [
    pytest.mark.asyncio(loop_scope="function"),
    pytest.mark.skipif(sys.platform != "linux" or not shutil.which("Xvfb"), reason="needs Xvfb for a screen"),
]


@pytest_asyncio.fixture
async def headed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[PlaywrightBrowser]:
    """A browser with a window on a screen of its own."""
    read, write = os.pipe()
    screen = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1400x1000x24", "-nolisten", "tcp"],
        pass_fds=(write,),
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    with os.fdopen(read) as told:
        monkeypatch.setenv("DISPLAY", f":{(await asyncio.to_thread(told.readline)).strip()}")
    browser = PlaywrightBrowser(options_for(tmp_path, headless=False))
    try:
        await browser.start()
        yield browser
    finally:
        await browser.close()
        screen.terminate()
        screen.wait()


async def test_in_a_window_a_page_that_asks_to_print_is_told_and_the_next_act_goes_through(
    headed: PlaywrightBrowser, site: Site
) -> None:
    desk = await ToolsDesk.made(headed)
    page = "<p id=out>-</p><button onclick='window.print()'>Print</button>"
    await desk.open(site.put("/page", page + "<button onclick=\"out.textContent = 'went on'\">Next</button>"))
    await desk.click("button", "Print")
    assert "asked to print" in desk.last.text
    await desk.click("button", "Next")
    assert "went on" in desk.page


async def test_a_window_that_the_person_closes_is_told_and_opened_again_once_it_is_needed(
    headed: PlaywrightBrowser, site: Site
) -> None:
    desk = await ToolsDesk.made(headed)
    await desk.open(site.put("/page", "<h1>Here</h1><button>Go</button>"))
    await active_tab(headed).page.close()  # the last tab of the window
    began = time.monotonic()
    await asyncio.wait_for(desk.call("browser_snapshot"), 40)
    if not desk.last.is_error:  # the browser itself stayed
        assert "closed" in desk.text
        await desk.open(site.url("/page"))
    assert 'heading "Here"' in desk.page
    assert time.monotonic() - began < 40


async def test_a_window_with_unsaved_input_and_an_open_dialog_closes_within_five_seconds(
    headed: PlaywrightBrowser, site: Site
) -> None:
    desk = await ToolsDesk.made(headed)
    await desk.open(site.put("/page", "<button onclick=\"setTimeout(() => confirm('Stay?'), 1)\">Ask</button>"))
    await desk.click("button", "Ask")
    await headed.perform(
        OpenTab(site.put("/form", "<input aria-label=N><script>onbeforeunload = e => e.preventDefault()</script>"))
    )
    await until(lambda: len(open_tabs(headed)) == 2)
    await desk.call("browser_snapshot")
    await desk.type("textbox", "N", "unsaved")
    began = time.monotonic()
    await headed.close()
    assert time.monotonic() - began < 5
