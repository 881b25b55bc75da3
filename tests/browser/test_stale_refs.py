"""A ref of something that is gone is told at once, and is never taken for something else."""

import time

import pytest

from app.browser.browser import PlaywrightBrowser
from app.domain.acts import Click, Navigate, OpenTab, Reload, SelectTab
from app.domain.pages import ProbeState
from tests.browser.steps import act, address, node, opened, prepared, until
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

READ_MORE = "<h1>Articles</h1><button onclick=\"document.title = 'read'\">Read more</button>"
DELETE = "<h1>Account</h1><button onclick=\"document.title = 'DELETED'\">Delete account</button>"
FRAME = '<h1>Outer</h1><iframe id="frame" src="{src}" width="400" height="200"></iframe>'
REFUSAL_LIMIT_S = 0.2


async def refused(browser: PlaywrightBrowser, where: object) -> ProbeState:
    """What prepare says, and that it did not wait; the best of three, since a loaded machine can delay any one."""
    took, states = [], set()
    for _ in range(3):
        started = time.perf_counter()
        states.add((await browser.prepare(where)).probe.state)  # type: ignore[arg-type]
        took.append(time.perf_counter() - started)
    assert min(took) < REFUSAL_LIMIT_S
    assert len(states) == 1
    return states.pop()


async def test_a_ref_of_a_page_that_was_left_is_refused(browser: PlaywrightBrowser, site: Site) -> None:
    look = await opened(browser, site.put("/a", READ_MORE))
    old = address(look, node(look, "Read more"))
    await browser.perform(Navigate(site.put("/b", DELETE)))
    assert await refused(browser, old) == "other_document"
    await browser.look()
    assert await refused(browser, old) == "other_document"


async def test_a_ref_from_before_a_reload_is_refused(browser: PlaywrightBrowser, site: Site) -> None:
    look = await opened(browser, site.put("/a", READ_MORE))
    old = address(look, node(look, "Read more"))
    await browser.perform(Reload())
    await browser.look()
    assert await refused(browser, old) == "other_document"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_a_ref_in_a_frame_that_went_on_is_refused(browser: PlaywrightBrowser, site: Site, host: str) -> None:
    site.put("/a", READ_MORE)
    site.put("/b", DELETE + "<script>parent.postMessage('here', '*')</script>")
    page = FRAME.format(src=site.url("/a", host)) + (
        f"<button onclick=\"frame.src = '{site.url('/b', host)}'\">Go on</button>"
        "<script>onmessage = () => document.body.append('arrived')</script>"
    )
    look = await opened(browser, site.put("/outer", page))
    old = address(look, node(look, "Read more"))
    assert (await browser.prepare(old)).probe.state == "ok"
    await act(browser, look, "Go on", Click())
    assert await browser.wait_for(text="arrived", time_ms=5000)
    assert await refused(browser, old) == "other_document"
    fresh = await browser.look()
    assert node(fresh, "Delete account").driver_ref == old.driver_ref
    assert await refused(browser, old) == "other_document"


async def test_a_ref_of_another_tab_is_told_as_such(browser: PlaywrightBrowser, site: Site) -> None:
    first = await opened(browser, site.put("/a", READ_MORE))
    old = address(first, node(first, "Read more"))
    await browser.perform(OpenTab(site.put("/b", DELETE)))
    second = await browser.look()
    assert node(second, "Delete account").driver_ref == old.driver_ref
    assert await refused(browser, old) == "other_tab"
    await browser.perform(SelectTab(first.tab))
    assert (await browser.prepare(old)).probe.state == "ok"


async def test_a_recycled_node_is_read_with_its_new_name(browser: PlaywrightBrowser, site: Site) -> None:
    page = '<button id="row">Open mail 1</button><button onclick="row.textContent = \'Delete ALL\'">Scroll</button>'
    look = await opened(browser, site.put("/recycled", page))
    old = address(look, node(look, "Open mail 1"))
    await act(browser, look, "Scroll", Click())
    now = await browser.prepare(old)
    assert now.probe.state == "ok"
    assert now.probe.node is not None
    assert now.probe.node.name == "Delete ALL"


async def test_a_row_that_was_given_to_something_else_is_read_with_its_new_surroundings(
    browser: PlaywrightBrowser, site: Site
) -> None:
    page = (
        '<table><tr><td id="cell">Report A</td><td><button>Remove</button></td></tr></table>'
        "<button onclick=\"cell.textContent = 'Report B'\">Sort</button>"
    )
    look = await opened(browser, site.put("/rows", page))
    assert node(look, "Remove").around == "Report A"
    assert (await prepared(browser, look, "Remove")).probe.node.around == "Report A"  # type: ignore[union-attr]
    await act(browser, look, "Sort", Click())
    assert (await prepared(browser, look, "Remove")).probe.node.around == "Report B"  # type: ignore[union-attr]


async def test_a_node_that_was_drawn_anew_is_gone(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        '<div id="list"><button>Item</button></div>'
        "<button onclick=\"list.innerHTML = '<button>Item</button>'\">Draw</button>"
    )
    look = await opened(browser, site.put("/redraw", page))
    old = address(look, node(look, "Item"))
    await act(browser, look, "Draw", Click())
    assert await refused(browser, old) == "gone"
    assert (await prepared(browser, await browser.look(), "Item")).probe.state == "ok"


async def test_a_route_change_keeps_the_document(browser: PlaywrightBrowser, site: Site) -> None:
    page = READ_MORE + "<button onclick=\"history.pushState(1, '', '/other'); location.hash = 'x'\">Route</button>"
    look = await opened(browser, site.put("/a", page))
    await act(browser, look, "Route", Click())
    after = await browser.look()
    assert after.url.endswith("/other#x")
    assert after.document == look.document
    assert (await prepared(browser, look, "Read more")).probe.state == "ok"


async def test_every_other_ref_stays_usable_after_one_was_prepared(browser: PlaywrightBrowser, site: Site) -> None:
    buttons = "".join(f"<button>Number {number}</button>" for number in range(8))
    look = await opened(browser, site.put("/many", buttons))
    for number in range(8):
        found = await prepared(browser, look, f"Number {number}")
        assert found.probe.node is not None
        assert found.probe.node.name == f"Number {number}"


async def test_a_prepared_target_acts_once(browser: PlaywrightBrowser, site: Site) -> None:
    page = '<p id=out>0</p><button onclick="out.textContent = +out.textContent + 1">Count</button>'
    look = await opened(browser, site.put("/count", page))
    target = await prepared(browser, look, "Count")
    assert (await browser.dispatch(target, Click())).status == "done"
    assert (await browser.dispatch(target, Click())).status == "failed"
    assert (await browser.text()).startswith("1")


async def test_a_node_of_a_frame_that_was_taken_out_is_refused(browser: PlaywrightBrowser, site: Site) -> None:
    site.put("/a", READ_MORE)
    page = FRAME.format(src="/a") + '<button onclick="frame.remove()">Close</button>'
    look = await opened(browser, site.put("/outer", page))
    old = address(look, node(look, "Read more"))
    await act(browser, look, "Close", Click())
    assert await refused(browser, old) == "other_document"


async def test_the_document_is_another_one_only_when_it_was_loaded_anew(browser: PlaywrightBrowser, site: Site) -> None:
    first = await opened(browser, site.put("/a", READ_MORE))
    assert (await browser.look()).document == first.document
    await browser.perform(Reload())
    await until(lambda: _document_changed(browser, first.document))


async def _document_changed(browser: PlaywrightBrowser, document: str) -> bool:
    return (await browser.look()).document != document
