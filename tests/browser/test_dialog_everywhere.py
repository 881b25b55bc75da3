"""A native dialog is told wherever it comes from, is never answered by itself, and the person may answer it first."""

import asyncio
import os
import time
from pathlib import Path

import pytest

from app.browser.browser import PlaywrightBrowser
from app.domain.acts import AnswerDialog
from tests.browser.inside import active_tab
from tests.browser.processes import children_of, is_running
from tests.browser.steps import options_for, until
from tests.browser.tools_desk import ToolsDesk
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_opening_a_page_that_asks_in_its_head_returns_at_once_with_the_dialog(
    browser: PlaywrightBrowser, site: Site
) -> None:
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/before", "<h1>Before</h1>"))
    began = time.monotonic()
    await desk.open(site.put("/page", "<head><script>alert('Read this first')</script></head><h1>Loaded</h1>"))
    assert time.monotonic() - began < 6
    assert "Read this first" in desk.text
    await desk.call("browser_handle_dialog", accept=True)
    assert 'heading "Loaded"' in desk.page


async def test_dialogs_of_a_timer_between_two_calls_are_told_one_after_the_other(
    browser: PlaywrightBrowser, site: Site
) -> None:
    row = "alert('first'); if (confirm('second')) document.querySelector('h1').textContent = prompt('third', 'Ann')"
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/page", f"<h1>Wait</h1><script>setTimeout(() => {{ {row} }}, 400)</script>"))
    await until(lambda: _dialog(browser))
    await desk.call("browser_snapshot")
    assert "first" in desk.text
    await desk.call("browser_handle_dialog", accept=True)
    assert "second" in desk.text
    await desk.call("browser_handle_dialog", accept=True)
    assert "third" in desk.text
    await desk.call("browser_handle_dialog", accept=True, promptText="Bob")
    assert 'heading "Bob"' in desk.page


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"], ids=["same site", "other site"])
async def test_a_dialog_of_a_frame_is_told_and_answered(browser: PlaywrightBrowser, site: Site, host: str) -> None:
    site.put(
        "/f", "<p id=out>-</p><button onclick=\"out.textContent = 'said ' + confirm('In the frame?')\">Ask</button>"
    )
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/page", f"<iframe src='{site.url('/f', host)}'></iframe>"))
    await desk.click("button", "Ask")
    assert "In the frame?" in desk.text
    await desk.call("browser_handle_dialog", accept=False)
    assert "said false" in desk.page


async def test_what_the_person_answers_while_a_tool_waits_is_told_with_who_did_it(
    browser: PlaywrightBrowser, site: Site
) -> None:
    page = "<p id=out>-</p><button onclick=\"out.textContent = 'said ' + confirm('Really?')\">Ask</button>"
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/page", page))
    await desk.click("button", "Ask")
    waiting = asyncio.create_task(desk.call("browser_wait_for", text="said true", time=8))
    await browser.perform(AnswerDialog(accept=True, by_person=True))
    await waiting
    assert not desk.last.is_error
    assert "the person accepted the confirm “Really?”" in desk.last.text
    assert await _dialog(browser) is None


async def test_a_wait_ends_soon_when_a_dialog_holds_the_page_and_nobody_answers_it(
    browser: PlaywrightBrowser, site: Site
) -> None:
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/page", "<p id=out>-</p><button onclick=\"confirm('Really?')\">Ask</button>"))
    await desk.click("button", "Ask")
    began = time.monotonic()
    await desk.call("browser_wait_for", text="never")
    assert time.monotonic() - began < 8
    assert "Really?" in desk.text
    await desk.call("browser_handle_dialog", accept=True)


async def test_a_dialog_that_is_closed_in_the_browsers_own_window_does_not_seem_open(
    browser: PlaywrightBrowser, site: Site
) -> None:
    desk = await ToolsDesk.made(browser)
    await desk.open(
        site.put("/page", "<p id=out>-</p><button onclick=\"alert('Hm'); out.textContent = 'on'\">Ask</button>")
    )
    await desk.click("button", "Ask")
    tab = active_tab(browser)
    await (await tab.session).send("Page.handleJavaScriptDialog", {"accept": True})  # as its own button does
    await until(lambda: not tab.dialogs.is_open.is_set())
    await desk.call("browser_snapshot")
    assert "the person accepted the alert" in desk.last.text
    assert "on" in desk.page


async def test_a_page_that_asks_to_print_is_told_and_nothing_hangs(browser: PlaywrightBrowser, site: Site) -> None:
    site.put("/f", "<button onclick='print()'>Print frame</button>")
    desk = await ToolsDesk.made(browser)
    page = "<button onclick=\"window.print(); document.title = 'After'\">Print</button><iframe src='/f'></iframe>"
    await desk.open(site.put("/page", page))
    for name in ("Print", "Print frame"):
        await desk.click("button", name)
        assert "asked to print" in desk.last.text
        assert desk.last.receipt is not None
        assert desk.last.receipt.status == "confirmed"
    await desk.open(site.put("/page", "<h1>Ticket</h1><script>print()</script>"))
    assert "asked to print" in desk.last.text


@pytest.mark.parametrize("way", ["navigate", "close"])
async def test_a_page_that_asks_for_ever_can_be_left_and_nobody_is_said_to_have_answered(
    browser: PlaywrightBrowser, site: Site, way: str
) -> None:
    desk = await ToolsDesk.made(browser)
    calm = site.put("/calm", "<p>calm</p>")
    await desk.open(calm)
    await desk.call(
        "browser_tabs", action="new", url=site.put("/page", "<script>setInterval(() => alert('hm'), 1)</script>")
    )
    await desk.call("browser_close")
    assert "a dialog is open" in desk.text
    for _ in range(2):
        await desk.call("browser_handle_dialog", accept=True)
    if way == "navigate":
        await desk.open(calm)
    else:
        await desk.call("browser_close")
    assert "calm" in desk.page
    assert "open dialog" not in desk.text
    assert "the person" not in "".join(desk.returned)


async def test_closing_a_tab_with_unsaved_input_is_asked_and_not_decided(
    browser: PlaywrightBrowser, site: Site
) -> None:
    page = "<input aria-label='Note'><script>onbeforeunload = event => event.preventDefault()</script>"
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/form", page))
    await desk.type("textbox", "Note", "unsaved")
    await desk.call("browser_close")
    assert "beforeunload" in desk.text
    await desk.call("browser_handle_dialog", accept=False)
    assert "unsaved" in desk.page
    await desk.call("browser_close")
    await desk.call("browser_handle_dialog", accept=True)
    assert not (await browser.look()).url.endswith("/form")


async def test_closing_the_browser_with_unsaved_input_ends_within_five_seconds(tmp_path: Path, site: Site) -> None:
    before = children_of(os.getpid())
    browser = PlaywrightBrowser(options_for(tmp_path))
    await browser.start()
    mine = children_of(os.getpid()) - before
    desk = await ToolsDesk.made(browser)
    page = "<input aria-label='Note'><script>onbeforeunload = event => event.preventDefault()</script>"
    await desk.open(site.put("/form", page))
    await desk.type("textbox", "Note", "unsaved")
    began = time.monotonic()
    await browser.close()
    assert time.monotonic() - began < 5
    await until(lambda: not any(is_running(pid) for pid in mine))


async def test_a_browser_with_an_open_dialog_closes_within_five_seconds(tmp_path: Path, site: Site) -> None:
    browser = PlaywrightBrowser(options_for(tmp_path))
    await browser.start()
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/page", "<script>alert('Stay')</script>"))
    began = time.monotonic()
    await browser.close()
    assert time.monotonic() - began < 5


async def _dialog(browser: PlaywrightBrowser):  # type: ignore[no-untyped-def]
    return (await browser.look()).dialog
