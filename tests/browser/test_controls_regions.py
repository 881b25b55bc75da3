"""Scrollers, covers, modals, frames and shadow roots: what is there is read, what is not reachable is said to be so."""

import time

import pytest

from app.browser.browser import PlaywrightBrowser
from tests.browser.tools_desk import ToolsDesk
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

REFUSED_WITHIN_S = 1.5  # half a second on a quiet machine


async def _opened(browser: PlaywrightBrowser, site: Site, page: str) -> ToolsDesk:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url(f"/controls/{page}.html"))
    return tools


async def test_an_inner_box_is_scrolled_and_says_where_it_stands_and_when_it_ends(
    browser: PlaywrightBrowser, site: Site
) -> None:
    tools = await _opened(browser, site, "scrolls")
    box = tools.ref("region", "Log")
    assert "300 of" in (await tools.call("browser_scroll", target=box, deltaY=300)).text
    assert "(the end)" in (await tools.call("browser_scroll", target=box, deltaY=3000)).text
    assert "it did not move" in (await tools.call("browser_scroll", target=box, deltaY=300)).text


async def test_a_page_that_does_not_scroll_says_so(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await _opened(browser, site, "scrolls")
    assert "nothing scrolled" in (await tools.call("browser_scroll")).text


async def test_a_virtual_list_says_which_part_is_drawn(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await _opened(browser, site, "scrolls")
    assert 'list "Boats" [scrolls] [hint: items 1-7 of 200]' in tools.page
    await tools.call("browser_scroll", target=tools.ref("list", "Boats"), deltaY=3000)
    assert "[hint: items 101-107 of 200]" in tools.page
    await tools.click("button", "Hire", within="Boat 103")
    assert "paragraph: hired boat 103" in tools.page


async def test_an_endless_feed_counts_what_was_seen(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await _opened(browser, site, "scrolls")
    feed = tools.ref("feed", "News")
    assert "of 20 so far" in (await tools.call("browser_scroll", target=feed, deltaY=900)).text
    await tools.call("browser_wait_for", text="40 of 60 shown")
    assert "of 40 so far" in (await tools.call("browser_scroll", target=feed, deltaY=900)).text
    await tools.call("browser_wait_for", text="60 of 60 shown")
    await tools.click("button", "Load more")
    assert "article: News 60" in tools.page


async def test_a_button_in_a_box_in_a_frame_both_scrolled_is_hit(browser: PlaywrightBrowser, site: Site) -> None:
    inner = (
        "<div style='height: 900px'>Above</div><div style='height: 120px; overflow: auto'>"
        "<div style='height: 700px'>More</div><button onclick='this.textContent = \"Hit\"'>Aim</button></div>"
    )
    site.put("/inner", inner)
    tools = await ToolsDesk.made(browser)
    page = "<div style='height: 1500px'>Top</div><iframe src='/inner' height='200'></iframe>"
    await tools.open(site.put("/outer", page))
    await tools.click("button", "Aim")
    assert 'button "Hit"' in tools.page


async def test_a_decoration_over_a_header_does_not_keep_it_from_being_pressed(
    browser: PlaywrightBrowser, site: Site
) -> None:
    tools = await _opened(browser, site, "covers")
    await tools.click("button", "Details")
    assert "paragraph: The details" in tools.page


async def test_a_decoration_over_a_button_with_a_handler_of_its_own_covers_it(
    browser: PlaywrightBrowser, site: Site
) -> None:
    page = (
        "<div id='head' style='position: relative; width: 200px; height: 40px'>"
        "<button onclick=\"document.title = 'hit'\">Own</button><i style='position: absolute; inset: 0'></i></div>"
        "<script>head.onclick = () => 1</script>"
    )
    tools = await ToolsDesk.made(browser)
    await tools.open(site.put("/own", page))
    covered = await tools.click("button", "Own")
    assert covered.is_error
    assert "covered" in covered.text


async def test_a_cover_is_told_at_once_with_what_takes_it_away(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await _opened(browser, site, "covers")
    await tools.click("button", "Show sheet")
    refused = await tools.click("button", "Pay")
    assert refused.is_error
    assert f"in it: {tools.ref('button', 'Accept all')} button" in refused.text
    await tools.click("button", "Accept all")
    await tools.click("button", "Pay")
    assert "paragraph: paid" in tools.page


async def test_a_clear_layer_over_everything_is_refused_in_a_moment(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await _opened(browser, site, "covers")
    await tools.click("button", "Spread veil")
    started = time.monotonic()
    refused = await tools.click("button", "Save")
    assert "veil" in refused.text
    assert time.monotonic() - started < REFUSED_WITHIN_S


@pytest.mark.parametrize(
    ("opener", "closer", "said"), [("Ask", "Yes", "sure"), ("Ask softly", "Fine", "softly")], ids=["native", "drawn"]
)
async def test_what_lies_behind_a_modal_is_counted_and_not_usable(
    browser: PlaywrightBrowser, site: Site, opener: str, closer: str, said: str
) -> None:
    tools = await _opened(browser, site, "covers")
    await tools.click("button", opener)
    assert "what is outside of it is covered: " in tools.text
    refused = await tools.click("button", "Save")
    assert refused.is_error
    await tools.click("button", closer)
    assert f"paragraph: {said}" in tools.page
    await tools.click("button", "Save")
    assert "paragraph: saved" in tools.page


async def test_a_target_that_never_stands_still_is_given_up_within_bounds(
    browser: PlaywrightBrowser, site: Site
) -> None:
    tools = await _opened(browser, site, "covers")
    caught = await tools.click("button", "Drift")
    assert "keeps moving" in caught.text
    assert "disabled" in (await tools.click("button", "Drift off")).text


async def test_frames_and_roots_of_every_kind_are_read_and_used(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await _opened(browser, site, "regions")
    await tools.click("button", "In srcdoc")
    assert "paragraph: srcdoc pressed" in tools.page
    await tools.type("textbox", "Message", "ahoy")
    await tools.click("button", "Send off")
    assert "paragraph: chat ahoy" in tools.page


async def test_closed_roots_are_read_and_used(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await _opened(browser, site, "regions")
    assert "The vault holds 7 coins" in tools.page
    await tools.type("textbox", "Key", "brass")
    await tools.click("button", "Unlock")
    assert "paragraph: unlocked with brass" in tools.page
    await tools.click("button", "Ring")
    assert "paragraph: rang" in tools.page


async def test_a_secret_in_a_closed_root_stays_secret(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        "<my-login style='display: block; height: 40px'></my-login><script>customElements.define('my-login',"
        " class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'closed' }).innerHTML ="
        " '<input type=password aria-label=Pin value=hunter77>' } })</script>"
    )
    tools = await ToolsDesk.made(browser)
    await tools.open(site.put("/login", page))
    assert 'textbox "Pin" [password]' in tools.page
    assert "hunter77" not in "".join(tools.returned)
    assert (await tools.type("textbox", "Pin", "x")).is_error


async def test_a_page_sees_nothing_of_being_asked_what_listens(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        "<div id='tile'>Tile</div><p id='out'>unseen</p><script>"
        "const add = EventTarget.prototype.addEventListener;"
        "tile.addEventListener('click', () => { out.textContent = [Object.keys(tile).length,"
        " add === EventTarget.prototype.addEventListener, document.__pilotfish].join(' ') })</script>"
    )
    tools = await ToolsDesk.made(browser)
    await tools.open(site.put("/tile", page))
    await tools.call("browser_click", target=tools.ref_by_text("Tile"))
    assert "paragraph: 0 true" in tools.page


async def test_a_frame_that_loads_itself_anew_loses_its_refs_and_the_rest_keep_theirs(
    browser: PlaywrightBrowser, site: Site
) -> None:
    tools = await _opened(browser, site, "regions")
    ring, sign_in = tools.ref("button", "Ring"), tools.ref("button", "Sign in")
    await tools.click("button", "Sign in")
    assert 'button "Signed in"' in tools.page
    assert (await tools.call("browser_click", target=sign_in)).is_error
    assert not (await tools.call("browser_click", target=ring)).is_error


async def test_a_frame_that_never_loads_is_named_and_the_rest_is_read(browser: PlaywrightBrowser, site: Site) -> None:
    tools = await ToolsDesk.made(browser)
    await tools.open(site.url("/controls/regions.html?never"))
    assert "missing: a frame that does not answer" in tools.text
    assert 'button "In srcdoc"' in tools.page
