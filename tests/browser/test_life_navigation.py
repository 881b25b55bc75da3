"""What can go wrong on the way to a page is named, bounded, and repeated only where that is safe."""

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from app.browser.browser import PlaywrightBrowser
from app.domain.acts import Click, GoBack, Navigate, Reload
from tests.browser.inside import active_tab
from tests.browser.steps import act, opened, options_for
from tests.browser.tools_desk import ToolsDesk
from tests.pages.site import Site

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://127.0.0.1:1/", "do not open this port"),
        ("http://no-such-name.invalid/", "its name was not found"),
        ("http://", "not a web address|not a whole address"),
        ("https://exa mple/", "not a whole address|its name was not found"),
        ("file:///etc/passwd", "not a web address"),
        ("javascript:alert(1)", "not a web address"),
        ("chrome://settings", "not a web address"),
    ],
)
async def test_an_address_that_leads_nowhere_is_named(browser: PlaywrightBrowser, url: str, words: str) -> None:
    desk = await ToolsDesk.made(browser)
    await desk.open(url)
    assert desk.last.is_error
    assert any(one in desk.last.text for one in words.split("|")), desk.last.text


async def test_a_site_that_refuses_connections_is_tried_twice_and_named(browser: PlaywrightBrowser) -> None:
    outcome = await browser.perform(Navigate(f"http://127.0.0.1:{_free_port()}/"))
    assert (outcome.status, outcome.reason) == ("failed", "The page did not load: the site refuses connections.")


async def test_a_site_that_comes_up_a_moment_later_is_reached(browser: PlaywrightBrowser) -> None:
    port = _free_port()
    opening = asyncio.create_task(browser.perform(Navigate(f"http://127.0.0.1:{port}/")))
    await asyncio.sleep(0.25)
    with _raw_site(port, b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nup") as asked:
        assert (await opening).status == "done"
        assert asked


@pytest_asyncio.fixture(loop_scope="module")
async def hasty(tmp_path: Path) -> AsyncIterator[PlaywrightBrowser]:
    """A browser whose limits are a fifth of the usual ones."""
    browser = PlaywrightBrowser(options_for(tmp_path, time_scale=0.2))
    await browser.start()
    yield browser
    await browser.close()


@pytest.mark.parametrize(
    ("answer", "words"),
    [(b"", "closed the connection without an answer"), (None, "did not answer within 4 seconds")],
    ids=["cut off", "hangs"],
)
async def test_a_site_that_may_have_heard_us_is_named_bounded_and_not_asked_again(
    hasty: PlaywrightBrowser, answer: bytes | None, words: str
) -> None:
    port = _free_port()
    asked: list[str] = []  # by us; what was cut off the browser tries again by itself, within one request
    active_tab(hasty).page.on("request", lambda request: asked.append(request.url))
    began = time.monotonic()
    with _raw_site(port, answer) as heard:
        outcome = await hasty.perform(Navigate(f"http://127.0.0.1:{port}/"))
    assert words in outcome.reason
    assert time.monotonic() - began < 10
    assert asked == [f"http://127.0.0.1:{port}/"]
    assert any(b"GET / " in one for one in heard)


async def test_a_redirect_in_a_circle_is_named(browser: PlaywrightBrowser, site: Site) -> None:
    site.put("/round", "", status=302, headers=(("Location", "/round"),))
    assert "redirects in a circle" in (await browser.perform(Navigate(site.url("/round")))).reason


async def test_an_error_with_an_empty_page_is_named_with_its_number(browser: PlaywrightBrowser, site: Site) -> None:
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/gone", "", status=500))
    assert "answered with an error and nothing else" in desk.text or "HTTP 500" in desk.text
    await desk.open(site.put("/missing", "<h1>Nothing here</h1>", status=404))
    assert "HTTP 404" in desk.last.text


async def test_an_overloaded_site_is_asked_at_most_three_times_and_then_left_alone_as_long_as_it_wants(
    browser: PlaywrightBrowser, site: Site
) -> None:
    desk = await ToolsDesk.made(browser)
    url = site.put("/busy", "<h1>Busy</h1>", status=503, headers=(("Retry-After", "7"),))
    texts = [(await desk.open(url)).text for _ in range(6)]
    assert "wait 7 s before another try" in texts[0]
    assert [text.startswith("Not done") for text in texts] == [False] * 3 + [True] * 3, texts
    assert "asked 3 times to wait" in texts[3]


async def test_a_basic_sign_in_is_named_and_the_credentials_of_an_address_are_told_to_nobody(
    browser: PlaywrightBrowser, site: Site
) -> None:
    desk = await ToolsDesk.made(browser)
    url = site.put("/vault", "<h1>Who are you</h1>", status=401, headers=(("WWW-Authenticate", 'Basic realm="x"'),))
    await desk.open(url)
    assert "ask the person" in desk.last.text or "wants a sign-in" in desk.last.text
    site.put("/vault", "<h1>Inside</h1>")
    await desk.open(url.replace("//", "//ann:geheim99@"))
    assert "Inside" in desk.page
    await desk.call("browser_network_requests")
    assert "geheim99" not in "".join(desk.returned)
    ours = [one.event for one in desk.transcript.events]
    assert "geheim99" not in repr(ours)


async def test_a_sign_in_that_ran_out_is_told_when_the_site_sends_us_to_its_form(
    browser: PlaywrightBrowser, site: Site
) -> None:
    site.put("/login", "<h1>Sign in</h1><form><input name=u><input type=password name=p></form>")
    site.put("/account", "", status=302, headers=(("Location", "/login?next=/account"),))
    desk = await ToolsDesk.made(browser)
    await desk.open(site.url("/account"))
    assert "leads to a sign-in" in desk.last.text
    await desk.open(site.url("/login"))
    assert "leads to a sign-in" not in desk.last.text


async def test_the_answer_to_a_form_is_never_loaded_again_by_itself(browser: PlaywrightBrowser, site: Site) -> None:
    site.put("/order", "<h1>Thank you</h1><a href='/next'>Next</a>", headers=(("Cache-Control", "no-store"),))
    site.put("/next", "<h1>Next</h1>")
    page = "<form action='/order' method='post'><button>Order</button></form>"
    look = await opened(browser, site.put("/page", page))
    await act(browser, look, "Order", Click())
    await browser.settle()
    assert len(site.posts) == 1
    outcome = await browser.perform(Reload())
    assert outcome.status == "failed"
    assert "would send the form again" in outcome.reason
    await act(browser, await browser.look(), "Next", Click())
    await browser.settle()
    back = await browser.perform(GoBack())
    await browser.settle()
    assert len(site.posts) == 1, back


async def test_a_page_from_a_service_worker_is_told_and_a_reload_gets_the_new_one(
    browser: PlaywrightBrowser, site: Site
) -> None:
    worker = (
        "self.addEventListener('install', event => self.skipWaiting());"
        "self.addEventListener('activate', event => event.waitUntil(clients.claim()));"
        "self.addEventListener('fetch', event => { if (event.request.mode === 'navigate')"
        " event.respondWith(new Response('<h1>Old price</h1>', {headers: {'Content-Type': 'text/html'}})); })"
    )
    site.put("/sw/worker.js", worker, kind="text/javascript")
    page = "<h1>New price</h1><script>navigator.serviceWorker.register('/sw/worker.js').then(() =>"
    page += " navigator.serviceWorker.ready).then(() => document.title = 'ready')</script>"
    desk = await ToolsDesk.made(browser)
    await desk.open(site.put("/sw/page", page))
    await desk.call("browser_wait_for", time=1)
    await desk.open(site.url("/sw/page"))
    assert "Old price" in desk.page
    assert "service worker" in desk.last.text
    await desk.call("browser_reload")
    assert "New price" in desk.page


async def test_a_page_that_goes_on_twice_while_it_is_looked_at_and_drawn_harms_nothing(
    browser: PlaywrightBrowser, site: Site
) -> None:
    site.put("/three", "<h1>Arrived</h1>")
    site.put("/two", "<script>setTimeout(() => location = '/three', 150)</script>", delay_s=0.2)
    look = await opened(browser, site.put("/one", "<a href='/two'>Go</a>"))
    await act(browser, look, "Go", Click())
    for _ in range(4):
        picture, seen = await asyncio.gather(browser.picture(), browser.look())
        assert isinstance(picture.data, bytes)
        assert seen.tab == look.tab
    assert await browser.settle()
    assert (await browser.look()).url.endswith("/three")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def _raw_site(port: int, answer: bytes | None) -> Iterator[list[bytes]]:
    """Every connection is answered with these bytes and closed; with None it is left hanging."""
    asked: list[bytes] = []
    kept: list[socket.socket] = []
    listening = socket.create_server(("127.0.0.1", port))

    def serve() -> None:
        while True:
            try:
                connection, _ = listening.accept()
            except OSError:
                return
            kept.append(connection)
            asked.append(connection.recv(65536))
            if answer is not None:
                with contextlib.suppress(OSError):
                    connection.sendall(answer)
                connection.close()

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield asked
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        for connection in kept:
            with contextlib.suppress(OSError):  # one that was opened ahead and says nothing would be waited for
                connection.shutdown(socket.SHUT_RDWR)
        thread.join(5)
        for connection in kept:
            connection.close()
