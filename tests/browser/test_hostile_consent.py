"""Pages that hide what a press sends: each way to press asks first, and without a yes nothing comes to the server."""

from collections.abc import Awaitable, Callable

import pytest

from app.browser.browser import PlaywrightBrowser
from tests.browser.tools_desk import ToolsDesk
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")

_POST = "<form method=post action=/paid>{}</form>"
_SENDS = "fetch('/paid', {method: 'POST', body: 'x'})"
Press = Callable[[ToolsDesk], Awaitable[object]]


def _click(role: str, name: str, **how: object) -> Press:
    return lambda tools: tools.call("browser_click", target=tools.ref(role, name), **how)


def _enter(field: str, text: str = "x", **how: object) -> Press:
    return lambda tools: tools.call("browser_type", target=tools.ref("textbox", field), text=text, **how)


def _key(key: str) -> Press:
    return lambda tools: tools.call("browser_press_key", key=key)


@pytest.mark.parametrize(
    ("page", "press"),
    [
        (_POST.format("<button aria-label=Continue>Place order</button>"), _click("button", "Continue")),
        (f"<label for=b>Go on</label>{_POST.format('<button id=b>Place order</button>')}", _click("button", "Go on")),
        (_POST.format("<button title=Pay>$</button>"), _click("button", "$")),
        (
            f'<form onsubmit="event.preventDefault(); {_SENDS}"><input aria-label=A><button>Buy</button></form>',
            _click("button", "Buy"),
        ),
        (
            f'<form onsubmit="event.preventDefault(); {_SENDS}"><input aria-label=A><button>Buy</button></form>',
            _enter("A", submit=True),
        ),
        (
            "<form action=/paid><input aria-label=A><button formmethod=post>Buy</button></form>",
            _enter("A", submit=True),
        ),
        (_POST.format("<input name=a aria-label=A><button>Buy</button>"), _enter("A", "x\n", slowly=True)),
        (f'<a href="#" onclick="{_SENDS}">Buy</a>', _click("link", "Buy")),
        (f'<a href="/x" data-method=delete onclick="{_SENDS}; return false">Delete</a>', _click("link", "Delete")),
        (f'<p>one</p><h2 onclick="{_SENDS}" style="cursor: pointer">Buy</h2>', _click("heading", "Buy")),
        (
            _POST.format("<p>You will be charged $ 90 for this.</p><button>Continue</button>"),
            _click("button", "Continue"),
        ),
        (
            _POST.format("<select aria-label=Do><option>Delete all rows</select><button>Go</button>"),
            _click("button", "Go"),
        ),
        (f"<p>Delete the three rows?</p>{_POST.format('<button>Yes</button>')}", _click("button", "Yes")),
        (
            f"<textarea aria-label=Note onkeydown=\"if (event.key === 'Enter') {_SENDS}\"></textarea>",
            _enter("Note", submit=True),
        ),
        (
            _POST.format(
                "<input name=elements type=hidden><input name=elements type=hidden><button autofocus>Buy</button>"
            ),
            _key("Enter"),
        ),
        (_POST.format("<input name=matches><input name=method><button autofocus>Buy</button>"), _key("Space")),
    ],
)
async def test_nothing_is_sent_before_the_person_says_yes(
    browser: PlaywrightBrowser, site: Site, page: str, press: Press
) -> None:
    site.put("/paid", "paid")
    tools = await ToolsDesk.made(browser, consent="no")
    await tools.open(site.put("/hostile", f"<!doctype html><title>t</title><main>{page}</main>"))
    await press(tools)
    assert "the person did not allow it" in tools.text
    assert site.posts == []


async def test_a_plain_link_and_a_search_need_nobody(browser: PlaywrightBrowser, site: Site) -> None:
    site.put("/paid", "<p>how to pay</p>")
    tools = await ToolsDesk.made(browser, consent="no")
    page = "<a href=/paid>How to pay</a><form action=/paid><input aria-label=Words><button>Search</button></form>"
    await tools.open(site.put("/harmless", page))
    await tools.click("link", "How to pay")
    assert "how to pay" in tools.page
    await tools.open(site.url("/harmless"))
    await tools.call("browser_type", target=tools.ref("textbox", "Words"), text="pay", submit=True)
    assert "how to pay" in tools.page


async def test_fields_named_like_the_properties_of_a_form_hide_nothing_and_hang_nothing(
    browser: PlaywrightBrowser, site: Site
) -> None:
    names = ("firstElementChild", "localName", "getRootNode", "assignedSlot", "shadowRoot", "matches", "id", "title")
    tools = await ToolsDesk.made(browser)
    for name in names:
        field = f"<form><input name={name} aria-label=A><input type=password value=hunter22></form><p>After</p>"
        await tools.open(site.put("/named", field))
        assert "missing:" not in tools.text, name
        assert "After" in tools.page, name
        assert "hunter22" not in tools.text, name
