"""Reading stays bounded on pages that are too much, and says what is missing; a busy browser is not called dead."""

import asyncio
import time

import pytest

from app.browser.browser import PlaywrightBrowser
from app.domain.acts import Navigate
from app.domain.snapshot import walk
from tests.browser.inside import active_tab
from tests.browser.steps import until
from tests.browser.tools_desk import ToolsDesk
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

_LOG = "line of a log\n" * 100_000
_ROWS = "".join(f"<tr><td>{row}</td><td><button>Add {row}</button></td></tr>" for row in range(10_000))


async def test_two_hundred_frames_are_read_in_part_and_the_browser_is_not_called_stopped(
    browser: PlaywrightBrowser, site: Site
) -> None:
    site.put("/f", "<p>frame</p><button>In frame</button>")
    await browser.perform(
        Navigate(site.put("/page", "<h1>Many</h1>" + "<iframe src='/f' width=80 height=40></iframe>" * 200))
    )
    await browser.settle()
    began = time.monotonic()
    look = await asyncio.wait_for(browser.look(), 20)
    assert time.monotonic() - began < 15  # about the deadline of a look on an idle machine
    assert browser.is_alive
    assert any(one.name == "Many" for one in walk(look.tree)) or look.missing
    again = await asyncio.wait_for(browser.look(), 20)
    assert browser.is_alive
    assert again.document == look.document
    if sum(one.name == "In frame" for one in walk(again.tree)) < 200:
        assert again.missing
    await browser.perform(Navigate("about:blank"))


async def test_a_plain_wait_on_a_page_of_ten_thousand_rows_answers_in_a_few_lines(
    browser: PlaywrightBrowser, site: Site
) -> None:
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/page", f"<h1>Large</h1><table>{_ROWS}</table>"))
    assert len(desk.text) < 20_000
    await desk.call("browser_wait_for", time=0.2)
    assert "same as" in desk.text
    assert len(desk.text) < 500


async def test_a_button_on_a_page_of_ten_thousand_rows_is_pressed_and_its_effect_is_shown(
    browser: PlaywrightBrowser, site: Site
) -> None:
    page = f"<p id=out>-</p><button onclick=\"out.textContent = 'counted'\">Count</button><table>{_ROWS}</table>"
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/page", page))
    await desk.click("button", "Count")
    assert "counted" in desk.text
    await desk.call("browser_find", text="Add 9876")
    assert desk.ref("button", "Add 9876")


async def test_five_megabytes_of_text_are_cut_and_can_be_searched(browser: PlaywrightBrowser, site: Site) -> None:
    words = "".join(f"<p>Paragraph {number} {'lorem ipsum ' * 40}</p>" for number in range(10_000))
    desk = await ToolsDesk.made(browser)
    began = time.monotonic()
    await desk.open(site.put("/page", f"<h1>Book</h1>{words}"))
    assert time.monotonic() - began < 30
    assert len(desk.text) < 20_000
    await desk.call("browser_find", text="Paragraph 9999 ")
    assert "Paragraph 9999" in desk.text


async def test_one_text_of_one_and_a_half_megabytes_without_any_structure_is_bounded(
    browser: PlaywrightBrowser, site: Site
) -> None:
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/page", f"<h1>Log</h1><pre>{_LOG}</pre><button>Next</button>"))
    assert len(desk.text) < 20_000
    assert 'heading "Log"' in desk.page
    assert "left out" in desk.text or "too large to be read whole" in desk.text  # as the time allows
    await desk.call("browser_find", text="Next")
    assert desk.ref("button", "Next")


async def test_giant_names_titles_addresses_and_lists_of_options_are_cut(
    browser: PlaywrightBrowser, site: Site
) -> None:
    big = "word " * 8_000
    options = "".join(f"<option>Choice {number}</option>" for number in range(1_000))
    page = (
        f"<title>{big}</title><button aria-label='{big}'>x</button><a href='/?q={'a' * 50_000}'>Far</a>"
        f"<select aria-label=Pick>{options}</select><input aria-label=Held value='{big}'><button>Small</button>"
    )
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/page", page))
    assert len(desk.text) < 20_000
    await desk.call("browser_select_option", target=desk.ref("combobox", "Pick"), values=["Choice 921"])
    assert not desk.last.is_error
    assert len(desk.text) < 20_000
    await desk.click("button", "Small")
    assert not desk.last.is_error


async def test_twenty_thousand_nodes_deep_nesting_still_answers(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        "<button>Near</button><div id=at></div><script>let at = document.getElementById('at');"
        "for (let i = 0; i < 20000; i++) at = at.appendChild(document.createElement('div'));"
        "at.innerHTML = '<button>Deep</button>'</script>"
    )
    await browser.perform(Navigate(site.put("/page", page)))
    await browser.settle()
    look = await asyncio.wait_for(browser.look(), 20)
    assert browser.is_alive
    assert any(one.name == "Near" for one in walk(look.tree)) or look.missing
    await browser.perform(Navigate("about:blank"))


async def test_five_hundred_console_lines_of_all_kinds_cost_one_line_and_break_nothing(
    browser: PlaywrightBrowser, site: Site
) -> None:
    page = (
        "<button onclick=\"for (let i = 0; i < 500; i++) console.error('bad ' + i)\">Log</button><script>"
        "console.log(1n, Symbol('x'), null, undefined, NaN, -0, () => 1, document, window, new Proxy({}, {}));"
        "console.table([{a: 1}]); console.dir({a: 1}); console.group('g'); console.trace('t');"
        "console.assert(false, 'a');"
        "console.count(); console.time('t'); console.timeEnd('t'); console.error(new Error('e'));"
        "console.clear();"
        "const self = {};"
        "self.self = self; console.log(self, '%c styled %o', 'color: red', '\\u{1F600}\\ud800')</script>"
    )
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/page", page))
    await desk.click("button", "Log")
    assert len(desk.last.text) < 500
    assert "bad 0" in desk.last.text
    assert "more" in desk.last.text
    await desk.call("browser_console_messages", level="error")
    assert "bad 499" in desk.text
    assert len(desk.text) < 12_000


async def test_a_frame_that_loads_itself_anew_kills_only_its_own_refs(browser: PlaywrightBrowser, site: Site) -> None:
    site.put("/f", "<button>In frame</button>")
    desk = await ToolsDesk.made(browser)
    page = "<p id=out>-</p><button onclick=\"out.textContent = 'yes'\">Main</button>"
    page += f"<iframe src='{site.url('/f', 'localhost')}'></iframe>"
    await desk.open(site.put("/page", page))
    inside, main = desk.ref("button", "In frame"), desk.ref("button", "Main")
    site.put("/f", "<button>Signed in</button>")
    await active_tab(browser).page.frames[1].goto(site.url("/f", "localhost"))
    await desk.call("browser_click", target=inside)
    assert desk.last.is_error
    await desk.call("browser_click", target=main)
    assert not desk.last.is_error
    assert "yes" in desk.page
    await desk.click("button", "Signed in")
    assert not desk.last.is_error


async def test_a_page_that_blocks_its_thread_for_ever_is_told_and_can_be_left(
    browser: PlaywrightBrowser, site: Site
) -> None:
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/page", "<button onclick='setTimeout(() => {for (;;);}, 1)'>Block</button>"))
    await asyncio.wait_for(desk.click("button", "Block"), 30)
    await asyncio.wait_for(desk.call("browser_snapshot"), 30)
    assert "does not answer" in desk.text
    await asyncio.wait_for(desk.open(site.put("/free", "<h1>Free</h1>")), 40)
    assert 'heading "Free"' in desk.page
    await until(lambda: browser.is_alive)
