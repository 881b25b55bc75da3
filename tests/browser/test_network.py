"""Requests, writes, console lines and permissions of a page are known."""

import pytest

from app.browser.browser import PlaywrightBrowser
from app.domain.acts import Click, Navigate
from app.domain.pages import NetworkWrite
from tests.browser.steps import act, opened, until
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_write_is_told_with_what_became_of_it(browser: PlaywrightBrowser, site: Site) -> None:
    site.put("/ok", "fine", kind="text/plain")
    site.put("/fail", "no", kind="text/plain", status=422)
    look = await opened(browser, site.url("/writes.html"))
    browser.happenings()
    told = []
    for name in ("Post", "Get", "Put"):
        await act(browser, look, name, Click())
        await browser.settle()
        told.append(browser.happenings().writes)
    assert told == [
        (NetworkWrite("POST", site.url("/ok"), 200),),
        (),
        (NetworkWrite("PUT", site.url("/fail"), 422),),
    ]


async def test_an_unanswered_write_is_told_now_and_once_more_when_answered(
    browser: PlaywrightBrowser, site: Site
) -> None:
    look = await opened(browser, site.url("/writes.html"))
    browser.happenings()
    await act(browser, look, "Hang", Click())
    await browser.settle()
    assert [write.status for write in browser.happenings().writes] == [None]
    assert browser.happenings().writes == ()
    site.gate.set()
    answered = await until(lambda: browser.happenings().writes)
    assert [(write.method, write.status) for write in answered] == [("POST", 200)]


async def test_the_requests_of_the_present_document_are_listed(browser: PlaywrightBrowser, site: Site) -> None:
    site.put("/style.css", "p {}", kind="text/css")
    await opened(browser, site.put("/one", "<h1>One</h1>"))
    await opened(browser, site.put("/two", "<link rel=stylesheet href='/style.css'><script src='/none.js'></script>"))
    listed = {(entry.method, entry.url, entry.resource, entry.status) for entry in browser.network()}
    assert ("GET", site.url("/two"), "document", 200) in listed
    assert ("GET", site.url("/style.css"), "stylesheet", 200) in listed
    assert ("GET", site.url("/none.js"), "script", 404) in listed
    assert not [entry for entry in listed if entry[1] == site.url("/one")]


async def test_console_lines_are_kept_for_one_document(browser: PlaywrightBrowser, site: Site) -> None:
    page = "<script>console.log('hello'); console.warn('careful');"
    page += "setTimeout(() => {throw new Error('broken')}, 1)</script>"
    await opened(browser, site.put("/page", page))
    lines = [(line.level, line.text) for line in browser.console() if "favicon" not in line.url]
    assert ("log", "hello") in lines
    assert ("warning", "careful") in lines
    assert any(level == "error" and "broken" in text for level, text in lines)
    assert any("broken" in text for text in browser.happenings().console_errors)
    await opened(browser, site.put("/other", "<h1>Other</h1>"))
    assert "hello" not in [line.text for line in browser.console()]


async def test_permissions_are_denied_without_asking(browser: PlaywrightBrowser, site: Site) -> None:
    page = (
        "<p id='out'></p><button onclick=\"navigator.geolocation.getCurrentPosition(() => out.textContent = 'granted',"
        " error => out.textContent = 'denied ' + error.code)\">Where</button>"
        "<button onclick=\"Notification.requestPermission().then(answer => out.textContent = 'notify ' + answer)\">"
        "Notify</button>"
    )
    look = await opened(browser, site.put("/page", page))
    await act(browser, look, "Where", Click())
    assert await browser.wait_for(text="denied 1", time_ms=3000)
    await act(browser, look, "Notify", Click())
    assert await browser.wait_for(text="notify denied", time_ms=3000)


async def test_a_page_may_still_copy_to_the_clipboard_when_the_person_clicks(
    browser: PlaywrightBrowser, site: Site
) -> None:
    page = (
        "<p id='out'></p><button onclick=\"navigator.clipboard.writeText('x').then(() => out.textContent = 'copied',"
        ' error => out.textContent = error.name)">Copy</button>'
    )
    await opened(browser, site.put("/page", page))
    await browser.perform(Navigate(site.url("/page", "localhost")))
    look = await browser.look()
    await act(browser, look, "Copy", Click())
    assert await browser.wait_for(text="copied", time_ms=3000)
