"""One real browser for each test module, on pages of a site of our own."""

import os
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from app.browser.browser import PlaywrightBrowser
from app.domain.acts import AnswerDialog, CloseTab, OpenTab
from tests.browser.inside import has_dialog, open_tabs
from tests.browser.steps import options_for
from tests.pages.site import Site, serve


@pytest.fixture(scope="session")
def server() -> Iterator[Site]:
    site, running = serve()
    yield site
    site.gate.set()
    running.shutdown()
    running.server_close()


@pytest.fixture
def site(server: Site) -> Site:
    server.replies.clear()
    server.posts.clear()
    server.gate.clear()
    return server


@pytest.fixture(scope="module")
def browser_class() -> type[PlaywrightBrowser]:
    """A module may have another one, which notes more."""
    return PlaywrightBrowser


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def running(
    browser_class: type[PlaywrightBrowser], tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[PlaywrightBrowser]:
    browser = browser_class(options_for(tmp_path_factory.mktemp("browser")))
    await browser.start()
    yield browser
    await browser.close()


@pytest_asyncio.fixture(loop_scope="module")
async def browser(running: PlaywrightBrowser) -> AsyncIterator[PlaywrightBrowser]:
    """The browser of the module with one blank tab and nothing left over."""
    yield running
    running.hold_for(None)
    await running.hide()
    tabs = open_tabs(running)
    if has_dialog(running):
        await running.perform(AnswerDialog(accept=True))
    await running.perform(OpenTab())
    for tab in tabs:
        await running.perform(CloseTab(tab.id))
    running.happenings()


@pytest.fixture(scope="session", autouse=True)
def _a_sandbox_cannot_start_as_root() -> None:
    if hasattr(os, "geteuid") and os.geteuid() == 0 and os.environ.get("PILOTFISH_NO_SANDBOX") != "1":
        pytest.fail("as root these tests need PILOTFISH_NO_SANDBOX=1", pytrace=False)
