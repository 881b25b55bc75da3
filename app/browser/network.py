"""Follows the requests of one tab: the list of them, writes, the status of the page, what still runs."""

import itertools
import time
from collections import OrderedDict
from dataclasses import dataclass, replace

from playwright.async_api import Error, Page, Request, Response

from app.browser.notices import Notices
from app.domain.pages import NetworkEntry, NetworkWrite

UNSAFE_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})

_KEPT = 500
_WAITED_FOR = frozenset({"document", "xhr", "fetch", "script", "stylesheet"})
_LONG_RUNNING_S = 2.0
_keys = itertools.count(1)


@dataclass(frozen=True, slots=True)
class _Followed:
    key: int
    entry: NetworkEntry
    started_at: float
    write: bool


class Traffic:
    """The requests of the current document of a tab."""

    def __init__(self, page: Page, notices: Notices) -> None:
        self.http_status: int | None = None
        self.changed_at = time.monotonic()
        self._page = page
        self._notices = notices
        self._entries: OrderedDict[int, NetworkEntry] = OrderedDict()
        self._running: dict[Request, _Followed] = {}
        page.on("request", self._on_request)
        page.on("response", self._on_response)
        page.on("requestfinished", self._on_finished)
        page.on("requestfailed", self._on_failed)

    def entries(self) -> tuple[NetworkEntry, ...]:
        return tuple(self._entries.values())

    def running(self, *, since: float | None = None) -> int:
        """Requests that are waited for; with `since`, without those that already ran long before that time."""
        followed = [one for one in self._running.values() if one.entry.resource in _WAITED_FOR]
        if since is not None:
            followed = [one for one in followed if since - one.started_at < _LONG_RUNNING_S]
        return len(followed)

    def forget_running(self) -> None:
        """The page crashed: nothing will be told of what still ran."""
        for followed in self._running.values():
            self._end(followed, replace(followed.entry, failure="the page crashed"))
        self._running.clear()

    def _on_request(self, request: Request) -> None:
        self._touch()
        if self._opens_document(request):
            self.http_status = None
            if request.redirected_from is None:
                self._entries.clear()
        entry = NetworkEntry(request.method, request.url, request.resource_type, None)
        followed = _Followed(next(_keys), entry, time.monotonic(), request.method in UNSAFE_METHODS)
        self._running[request] = followed
        self._keep(followed, entry)

    def _on_response(self, response: Response) -> None:
        followed = self._running.get(response.request)
        if followed is None:
            return
        if self._opens_document(response.request):
            self.http_status = response.status
        entry = replace(followed.entry, status=response.status)
        self._running[response.request] = replace(followed, entry=entry)
        self._keep(followed, entry)

    def _on_finished(self, request: Request) -> None:
        self._touch()
        followed = self._running.pop(request, None)
        if followed is not None:
            self._end(followed, followed.entry)

    def _on_failed(self, request: Request) -> None:
        self._touch()
        followed = self._running.pop(request, None)
        if followed is not None:
            failure = "" if followed.entry.status is not None else request.failure or "no answer"
            self._end(followed, replace(followed.entry, failure=failure))

    def _end(self, followed: _Followed, entry: NetworkEntry) -> None:
        self._keep(followed, entry)

    def _keep(self, followed: _Followed, entry: NetworkEntry) -> None:
        self._entries[followed.key] = entry
        while len(self._entries) > _KEPT:
            self._entries.popitem(last=False)
        if followed.write:
            write = NetworkWrite(entry.method, entry.url, entry.status, entry.failure)
            self._notices.write(followed.key, write)

    def _opens_document(self, request: Request) -> bool:
        try:
            return request.is_navigation_request() and request.frame == self._page.main_frame
        except Error:
            return False

    def _touch(self) -> None:
        self.changed_at = time.monotonic()
