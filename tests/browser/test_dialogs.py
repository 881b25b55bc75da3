"""A native dialog never holds anything up, and is never answered by itself."""

import pytest

from app.browser.browser import PlaywrightBrowser
from app.domain.acts import AnswerDialog, Click, GoBack, Navigate, OpenTab, PressKey, Reload, SelectTab, Type
from tests.browser.steps import act, address, node, opened, prepared, until
from tests.browser.tools_desk import ToolsDesk
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    ("script", "answer", "result"),
    [
        ("alert('Hello')", AnswerDialog(accept=True), "undefined"),
        ("confirm('Sure?')", AnswerDialog(accept=True), "true"),
        ("confirm('Sure?')", AnswerDialog(accept=False), "false"),
        ("prompt('Name?', 'Ann')", AnswerDialog(accept=True, text="Bob"), "Bob"),
        ("prompt('Name?', 'Ann')", AnswerDialog(accept=True), "Ann"),
        ("prompt('Name?', 'Ann')", AnswerDialog(accept=False), "null"),
    ],
)
async def test_a_click_that_opens_a_dialog_returns_and_the_answer_arrives(
    browser: PlaywrightBrowser, site: Site, script: str, answer: AnswerDialog, result: str
) -> None:
    page = f"<button>Other</button><p id=out></p><button onclick=\"out.textContent = 'said ' + {script}\">Ask</button>"
    look = await opened(browser, site.put("/page", page))
    assert (await act(browser, look, "Ask", Click())).status == "done"
    assert await browser.settle()
    frozen = await browser.look()
    assert frozen.dialog is not None
    assert frozen.dialog.kind == script.partition("(")[0]
    assert frozen.document == look.document
    assert frozen.tree.children == ()
    assert (await prepared(browser, look, "Other")).probe.state == "dialog_open"
    assert (await browser.perform(PressKey("Enter"))).status == "failed"
    assert (await browser.perform(Reload())).status == "failed"
    assert await browser.text() == ""
    assert (await browser.picture()).data == b""
    assert (await browser.perform(answer)).status == "done"
    assert await browser.wait_for(text=f"said {result}", time_ms=3000)
    assert [one.message for one in browser.happenings().dialogs] == [frozen.dialog.message]
    assert (await browser.perform(answer)).status == "failed"


async def test_an_act_with_a_dialog_is_told_as_what_it_was(browser: PlaywrightBrowser, site: Site) -> None:
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/page", "<button onclick=\"confirm('Keep it?')\">Ask</button>"))
    await desk.click("button", "Ask")
    assert 'Clicked button "Ask": a dialog opened, and the page waits for its answer.' in desk.text
    await desk.call("browser_take_screenshot")
    assert desk.text.startswith(
        "Not done: a dialog is open and the page is frozen. Answer it with browser_handle_dialog"
    )
    await desk.call("browser_handle_dialog", accept=True)
    assert "Accepted the dialog: the dialog is closed; the text of the page did not change." in desk.text
    await desk.call("browser_handle_dialog", accept=True)
    assert desk.text.startswith("Not done: the dialog is not open.")


async def test_a_dialog_while_loading_does_not_hold_the_navigation_up(browser: PlaywrightBrowser, site: Site) -> None:
    site.put("/page", "<script>alert('first')</script><h1>Loaded</h1>")
    assert (await browser.perform(Navigate(site.url("/page")))).status == "done"
    look = await until(lambda: _dialog_look(browser))
    assert look.dialog.message == "first"
    await browser.perform(AnswerDialog(accept=True))
    assert await browser.wait_for(text="Loaded", time_ms=3000)


async def test_dialogs_in_a_row_come_one_by_one(browser: PlaywrightBrowser, site: Site) -> None:
    page = "<button onclick=\"alert('one'); alert('two'); document.title = 'over'\">Ask</button>"
    look = await opened(browser, site.put("/page", page))
    await act(browser, look, "Ask", Click())
    for message in ("one", "two"):
        frozen = await until(lambda: _dialog_look(browser))
        assert frozen.dialog.message == message
        await browser.perform(AnswerDialog(accept=True))
        await until(lambda m=message: _other_dialog(browser, m))
    await until(lambda: _title(browser, "over"))


async def test_leaving_a_changed_form_is_asked_and_not_decided(browser: PlaywrightBrowser, site: Site) -> None:
    page = "<input aria-label='Note'><script>onbeforeunload = event => event.preventDefault()</script>"
    look = await opened(browser, site.put("/form", page))
    await act(browser, look, "Note", Type("unsaved"))
    site.put("/other", "<h1>Other</h1>")
    outcome = await browser.perform(Navigate(site.url("/other")))
    assert outcome.status == "uncertain"
    frozen = await browser.look()
    assert frozen.dialog is not None
    assert frozen.dialog.kind == "beforeunload"
    await browser.perform(AnswerDialog(accept=False))
    stayed = await browser.look()
    assert (stayed.document, node(stayed, "Note").text) == (look.document, "unsaved")
    await browser.perform(Navigate(site.url("/other")))
    await browser.perform(AnswerDialog(accept=True))
    await until(lambda: _shows(browser, "Other"))
    assert (await browser.perform(GoBack())).status == "done"


async def test_a_dialog_in_another_tab_holds_up_only_that_tab(browser: PlaywrightBrowser, site: Site) -> None:
    page = "<button onclick=\"setTimeout(() => alert('late'), 1)\">Ask</button>"
    first = await opened(browser, site.put("/page", page))
    await act(browser, first, "Ask", Click())
    await until(lambda: _dialog_look(browser))
    await browser.perform(OpenTab(site.put("/free", "<button>Free</button>")))
    free = await browser.look()
    assert free.dialog is None
    assert (await browser.prepare(address(free, node(free, "Free")))).probe.state == "ok"
    await browser.perform(SelectTab(first.tab))
    assert (await browser.look()).dialog is not None


async def _dialog_look(browser: PlaywrightBrowser):  # type: ignore[no-untyped-def]
    look = await browser.look()
    return look if look.dialog is not None else None


async def _other_dialog(browser: PlaywrightBrowser, message: str) -> bool:
    look = await browser.look()
    return look.dialog is None or look.dialog.message != message


async def _title(browser: PlaywrightBrowser, title: str) -> bool:
    return (await browser.look()).title == title


async def _shows(browser: PlaywrightBrowser, text: str) -> bool:
    return text in await browser.text()
