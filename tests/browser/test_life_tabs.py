"""A tab that opens is told at once and followed when the page goes on there; only the agent's own tabs are closed."""

import pytest

from app.browser.browser import PlaywrightBrowser
from app.domain.acts import OpenTab
from app.domain.ids import TabId
from tests.browser.inside import open_from_outside, open_tabs
from tests.browser.steps import until
from tests.browser.tools_desk import ToolsDesk
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_link_that_opens_a_tab_is_followed_there_and_the_old_tab_stays(
    browser: PlaywrightBrowser, site: Site
) -> None:
    site.put("/code", "<title>Code</title><h1>Your code is 4711</h1>")
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/page", "<a href='/code' target='_blank' rel='noopener'>Show code</a>"))
    await desk.click("link", "Show code")
    assert "the active one now" in desk.last.text
    assert "Your code is 4711" in desk.text
    assert desk.last.receipt is not None
    assert desk.last.receipt.status == "confirmed"
    await desk.call("browser_tabs", action="list")
    assert desk.text.count(site.url("/")) >= 2


async def test_a_popup_beside_a_page_that_changed_is_told_and_not_followed(
    browser: PlaywrightBrowser, site: Site
) -> None:
    site.put("/ad", "<h1>Buy now</h1>")
    page = "<p id=out>-</p><button onclick=\"out.textContent = 'Order found'; window.open('/ad')\">Find</button>"
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/page", page))
    await desk.click("button", "Find")
    assert "browser_tabs selects it" in desk.last.text
    assert "Order found" in desk.text
    assert "Buy now" not in desk.page


async def test_a_popup_that_its_opener_fills_later_is_followed_when_it_is_filled(
    browser: PlaywrightBrowser, site: Site
) -> None:
    page = (
        "<button onclick=\"const w = window.open(''); setTimeout(() => w.document.body.innerHTML = '<h1>Report</h1>"
        "<button>Save report</button>', 700)\">Report</button>"
    )
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/page", page))
    await desk.click("button", "Report")
    assert desk.ref("button", "Save report")
    assert "the active one now" in desk.last.text


async def test_a_popup_that_stays_blank_is_told_and_the_opener_stays_active(
    browser: PlaywrightBrowser, site: Site
) -> None:
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/page", "<h1>Opener</h1><button onclick=\"window.open('')\">Blank</button>"))
    await desk.click("button", "Blank")
    assert "browser_tabs selects it" in desk.last.text
    assert "Opener" in desk.page


async def test_a_popup_that_gives_its_value_back_and_closes_itself_leads_back_to_its_opener(
    browser: PlaywrightBrowser, site: Site
) -> None:
    save = "opener.document.querySelector('input').value = 'Ann'; window.close()"
    site.put("/popup", f'<h1>New author</h1><button onclick="{save}">Save</button>')
    add = "window.open('/popup', 'add', 'width=400,height=300')"
    page = f"<input aria-label='Author'><button onclick=\"{add}\">Add</button>"
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/page", page))
    await desk.call("browser_tabs", action="new", url=site.put("/other", "<h1>Another tab</h1>"))
    await desk.call("browser_tabs", action="select", index=_tab_at(browser, site.url("/page")))
    await desk.click("button", "Add")
    assert "New author" in desk.text
    await desk.click("button", "Save")
    assert "closed" in desk.last.text
    assert 'textbox "Author"' in desk.page
    assert "Ann" in desk.page


async def test_a_tab_that_the_person_opened_is_neither_taken_over_nor_closed(
    browser: PlaywrightBrowser, site: Site
) -> None:
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/page", "<h1>Mine</h1><button>Go</button>"))
    await browser.perform(OpenTab(site.put("/theirs", "<h1>Theirs</h1>"), by_person=True))
    theirs = _tab_at(browser, site.url("/theirs"))
    await desk.call("browser_tabs", action="close", index=theirs)
    assert desk.last.is_error
    assert "the person opened" in desk.last.text
    assert _tab_at(browser, site.url("/theirs")) == theirs
    await desk.call("browser_tabs", action="select", index=_tab_at(browser, site.url("/page")))
    await desk.call("browser_close")
    look = await browser.look()
    assert look.tab != theirs
    assert "opened by the person" in desk.text


async def test_a_tab_that_came_from_outside_is_the_persons(browser: PlaywrightBrowser, site: Site) -> None:
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/page", "<h1>Mine</h1>"))
    outside = site.put("/outside", "<h1>Outside</h1>")
    await open_from_outside(browser, outside)
    tab = await until(lambda: next((one for one in open_tabs(browser) if one.url == outside), None))
    assert tab.opened_by_person
    assert (await browser.look()).url.endswith("/page")


async def test_a_tab_in_which_a_dialog_waits_is_marked_in_the_list(browser: PlaywrightBrowser, site: Site) -> None:
    desk = await ToolsDesk.made(browser)
    page = "<h1>Free</h1><button onclick=\"out.textContent = 'sent'\">Send</button><p id=out></p>"
    await desk.open(site.put("/asks", "<script>setTimeout(() => confirm('Still there?'), 300)</script>"))
    await desk.call("browser_tabs", action="new", url=site.put("/page", page))
    await until(lambda: any(one.has_dialog for one in open_tabs(browser)))
    await desk.click("button", "Send")
    assert "a dialog is open there" in desk.text
    assert "sent" in desk.page


def _tab_at(browser: PlaywrightBrowser, url: str) -> TabId:
    return next(one.id for one in open_tabs(browser) if one.url == url)
