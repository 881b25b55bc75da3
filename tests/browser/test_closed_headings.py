"""Keys reach what a page keeps closed, from a place that can be pressed."""

import pytest

from app.browser.browser import PlaywrightBrowser
from tests.browser.tools_desk import ToolsDesk
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

CLOSED = """<title>Berths</title><h2>Berths</h2><berth-box></berth-box><p id=said></p><script>
customElements.define('berth-box', class extends HTMLElement { connectedCallback() {
  const root = this.attachShadow({mode: 'closed'});
  root.innerHTML = '<button>Take berth 7</button>';
  root.firstChild.onclick = () => { said.textContent = 'berth 7 is yours'; } } })</script>"""


async def test_a_closed_root_is_reached_by_keys_from_a_heading_of_its_page(
    browser: PlaywrightBrowser, site: Site
) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.put("/berths", CLOSED))
    await tools.click("heading", "Berths")
    await tools.call("browser_press_key", key="Tab")
    await tools.call("browser_press_key", key="Enter")
    assert "berth 7 is yours" in tools.page


async def test_on_a_page_without_a_closed_root_a_heading_is_no_place_to_press(
    browser: PlaywrightBrowser, site: Site
) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.put("/plain", "<h2>Berths</h2><button>Take berth 7</button>"))
    assert 'heading "Berths" [level=2]\n' in tools.page
