"""Says of a page that was gone to what its title does not: that it wants a sign-in, or to be left alone."""

import time

from playwright.async_api import Error, Page, Response

from app.browser.page_script import secret_fields

MOST_TRIES = 3

_ASK_LIMIT_S = 1.0
_WAIT_S = 20.0
_LONGEST_WAIT_S = 120
_TOO_MUCH = frozenset({429, 503})


class Patience:
    """Leaves an address alone that has asked for it often enough."""

    def __init__(self) -> None:
        self._asked: dict[str, int] = {}  # address -> how often in a row
        self._until: dict[str, float] = {}

    def note(self, url: str, response: Response | None) -> None:
        if response is None or response.status not in _TOO_MUCH:
            self._asked.pop(url, None)
            return
        wait = response.headers.get("retry-after", "")
        self._asked[url] = self._asked.get(url, 0) + 1
        self._until[url] = time.monotonic() + (min(int(wait), _LONGEST_WAIT_S) if wait.isdecimal() else _WAIT_S)

    def left_s(self, url: str) -> int:
        """Seconds in which it is not to be asked again."""
        left = self._until.get(url, 0.0) - time.monotonic()
        return round(left + 0.5) if self._asked.get(url, 0) >= MOST_TRIES and left > 0 else 0


async def arrival_note(page: Page, response: Response | None) -> str:
    """Empty for an ordinary page."""
    if response is None:
        return ""
    if response.status == 401 and "www-authenticate" in response.headers:
        return (
            "the site wants a user name and a password in a window of the browser; ask the person, who can give an "
            "address with them"
        )
    if response.status in _TOO_MUCH:
        wait = response.headers.get("retry-after", "")
        return f"the site asks to wait{f' {wait} s' if wait.isdecimal() else ''} before another try"
    was_sent_on = response.request.redirected_from is not None
    if was_sent_on and await _wants_sign_in(page):
        return (
            "it leads to a sign-in; an earlier one may have run out. Ask the person to do it (ask_user with takeOver)"
        )
    return ""


async def _wants_sign_in(page: Page) -> bool:
    try:
        return await secret_fields(page.main_frame).count() > 0
    except Error:
        return False
