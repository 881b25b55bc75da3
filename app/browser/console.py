"""Keeps the console lines of one tab's current document."""

import secrets
from collections import deque

from playwright.async_api import ConsoleMessage, Error, Page, Request

from app.browser.notices import Notices
from app.domain.pages import ConsoleLine

SIGN = secrets.token_hex(8)
"""With this our own page script, and nothing else, says which input has arrived, also when the page freezes at it."""

_KEPT = 300
_LONGEST = 2000
_SIGNS = 20


class Console:
    """The newest lines; a new document starts afresh."""

    def __init__(self, page: Page, notices: Notices) -> None:
        self._page = page
        self._notices = notices
        self._lines: deque[ConsoleLine] = deque(maxlen=_KEPT)
        self.signs: deque[str] = deque(maxlen=_SIGNS)
        page.on("console", self._on_message)
        page.on("pageerror", self._on_page_error)
        page.on("request", self._on_request)

    def lines(self) -> tuple[ConsoleLine, ...]:
        return tuple(self._lines)

    def _on_message(self, message: ConsoleMessage) -> None:
        if message.text.startswith(SIGN):
            self.signs.append(message.text.removeprefix(f"{SIGN} "))
            return
        url = str(message.location.get("url", ""))
        self._add(ConsoleLine(message.type, message.text[:_LONGEST], url))

    def _on_page_error(self, error: Error) -> None:
        self._add(ConsoleLine("error", str(error)[:_LONGEST]))

    def _add(self, line: ConsoleLine) -> None:
        self._lines.append(line)
        if line.level == "error":
            self._notices.console_error(line.text)

    def _on_request(self, request: Request) -> None:
        try:
            opens = request.is_navigation_request() and request.frame == self._page.main_frame
        except Error:
            return
        if opens and request.redirected_from is None:
            self._lines.clear()
