"""What a test does in place of a person or another program, behind the ports: the open tabs and the driver's pages."""

from app.browser.browser import PlaywrightBrowser
from app.browser.tabs import Tab
from app.domain.pages import TabInfo


def active_tab(browser: PlaywrightBrowser) -> Tab:
    tab = browser._alive().tabs.active_now()  # noqa: SLF001 - no port leads to the driver's page
    assert tab is not None
    return tab


def open_tabs(browser: PlaywrightBrowser) -> tuple[TabInfo, ...]:
    return browser._alive().tabs.infos()  # noqa: SLF001 - without the time a look takes


def has_dialog(browser: PlaywrightBrowser) -> bool:
    """Whether one is open on the active tab; without the time a look takes."""
    tab = browser._alive().tabs.active_now()  # noqa: SLF001
    return tab is not None and tab.dialogs.is_open.is_set()


async def open_from_outside(browser: PlaywrightBrowser, url: str) -> None:
    """As another program opens an address in a running browser."""
    session = browser._alive()._launched.pulse  # noqa: SLF001 - a session with the browser itself
    await session.send("Target.createTarget", {"url": url})
