"""Reading a page is bounded, whatever the page does; what is missing is said."""

import asyncio
import time

import pytest

from app.browser.browser import PlaywrightBrowser
from app.domain.acts import Click, Navigate, ScrollBy, Wheel
from app.domain.snapshot import walk
from tests.browser.steps import act, address, node, opened, prepared, until
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_page_of_ten_thousand_rows_is_read_in_part_and_says_so(browser: PlaywrightBrowser, site: Site) -> None:
    rows = "".join(f"<tr><td>{row}</td><td><button>Add {row}</button></td></tr>" for row in range(10_000))
    await browser.perform(Navigate(site.put("/page", f"<h1>Large</h1><table>{rows}</table>")))
    await browser.settle()
    started = time.monotonic()
    look = await browser.look()
    assert time.monotonic() - started < 8  # far less on an idle machine
    assert len(look.missing) == 1
    assert "too large to be read whole" in look.missing[0]
    assert len(list(walk(look.tree))) < 3000
    target = await prepared(browser, look, "Add 3")
    assert target.probe.node is not None
    assert (target.probe.node.name, target.probe.node.around) == ("Add 3", "3")
    assert "9999" in await browser.text()
    await browser.perform(Wheel(0, 100_000))
    await until(lambda: _screens_above(browser))
    scrolled = await browser.look()
    assert any(one.name.startswith("Add ") and int(one.name[4:]) > 1000 for one in walk(scrolled.tree))


async def test_a_page_that_blocks_itself_does_not_block_the_look(browser: PlaywrightBrowser, site: Site) -> None:
    page = '<button onclick="setTimeout(() => {for (;;);}, 1)">Block</button>'
    look = await opened(browser, site.put("/page", page))
    where = address(look, node(look, "Block"))
    await act(browser, look, "Block", Click())
    await asyncio.sleep(0.1)
    blocked = await asyncio.wait_for(browser.look(), 12)
    assert blocked.missing == ("everything: the page does not answer",)
    assert blocked.document == look.document
    assert (await asyncio.wait_for(browser.prepare(where), 6)).probe.state == "unresponsive"
    assert await asyncio.wait_for(browser.text(), 10) == ""
    assert (await asyncio.wait_for(browser.perform(Navigate(site.put("/free", "<h1>Free</h1>"))), 25)).status == "done"
    assert "Free" in await browser.text()


async def test_many_frames_are_all_read(browser: PlaywrightBrowser, site: Site) -> None:
    site.put("/f", "<button>In frame</button>")
    look = await opened(browser, site.put("/page", "<iframe src='/f' width='120' height='60'></iframe>" * 15))
    assert len([one for one in walk(look.tree) if one.name == "In frame"]) == 15
    assert len({frame.document for frame in look.frames}) == 16


async def test_a_frame_that_never_loads_is_named_and_the_rest_is_read(browser: PlaywrightBrowser, site: Site) -> None:
    site.put("/f", "<button>In frame</button>")
    page = "<button>Main</button><iframe></iframe><iframe src='/f'></iframe><iframe src='/held'></iframe>"
    await browser.perform(Navigate(site.put("/page", page)))
    await browser.settle()
    look = await asyncio.wait_for(browser.look(), 10)
    assert look.missing == ("a frame that does not answer (still without a page)",)
    for name in ("Main", "In frame"):
        assert (await prepared(browser, look, name)).probe.state == "ok"
    site.gate.set()


async def test_deep_nesting_is_read(browser: PlaywrightBrowser, site: Site) -> None:
    look = await opened(browser, site.put("/page", "<div>" * 450 + "<button>Deep</button>"))
    assert (await prepared(browser, look, "Deep")).probe.state == "ok"
    assert (await act(browser, look, "Deep", ScrollBy())).status == "done"


async def test_an_empty_and_a_plain_text_page_are_read(browser: PlaywrightBrowser, site: Site) -> None:
    assert (await opened(browser, "about:blank")).missing == ()
    for kind, body in (
        ("text/plain", "just text"),
        ("application/xml", "<a>just text</a>"),
        ("image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'><text y='20'>just text</text></svg>"),
    ):
        look = await opened(browser, site.put("/plain", body, kind=kind))
        assert any("just text" in one.text or "just text" in one.name for one in walk(look.tree)), kind
        assert look.missing == ()


async def test_a_frameset_is_read(browser: PlaywrightBrowser, site: Site) -> None:
    site.put("/f", "<button>In frame</button>")
    look = await opened(
        browser, site.put("/page", "<frameset cols='50%,50%'><frame src='/f'><frame src='/f'></frameset>")
    )
    assert [one.name for one in walk(look.tree) if one.role == "button"] == ["In frame"] * 2


async def _screens_above(browser: PlaywrightBrowser) -> float:
    return (await browser.look()).screens_above


@pytest.mark.parametrize(
    "policy",
    [
        "default-src 'none'",
        "script-src 'self'; object-src 'none'",
        "require-trusted-types-for 'script'; trusted-types 'none'",
        "sandbox",
    ],
)
async def test_a_page_with_a_strict_policy_is_read_and_acted_on(
    browser: PlaywrightBrowser, site: Site, policy: str
) -> None:
    body = "<a href='#there'>Link</a><input type='password' aria-label='Secret' value='hunter2-is-long'>"
    look = await opened(browser, site.put("/page", body, headers=(("Content-Security-Policy", policy),)))
    assert look.missing == ()
    assert "hunter2-is-long" not in repr(look)
    assert (await act(browser, look, "Link", Click())).status == "done"
    assert (await browser.look()).url.endswith("#there")
