"""Follows the requests of one tab: the list of them, writes, the status of the page, what still runs."""

import itertools
import re
import time
from collections import Counter, OrderedDict
from dataclasses import dataclass, replace

from playwright.async_api import Error, Page, Request, Response

from app.browser.notices import Notices
from app.domain.pages import NetworkEntry, NetworkWrite

UNSAFE_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})

_KEPT = 500
_WAITED_FOR = frozenset({"document", "xhr", "fetch", "script", "stylesheet"})
_LONG_RUNNING_S = 2.0
_BY_ITSELF_S = 1.1  # so long after an act a request may still come of it
_A_HABIT = 2  # requests for one path that nobody's act began
_STREAMS = re.compile(
    r"text/event-stream|ndjson|jsonl|json-seq|application/grpc|multipart/x-mixed-replace|^(audio|video)/"
)
_COUNTERS = re.compile(
    r"(^|[./-])(google-analytics|googletagmanager|doubleclick|hotjar|mixpanel|segment|amplitude|sentry|datadoghq|nr-data"
    r"|clarity|matomo|plausible|fullstory)\.|/(collect|beacon|telemetry|rum|pixel)([/?.]|$)",
    re.IGNORECASE,
)
_keys = itertools.count(1)
_KEPT_BY_VIEWER = "application/pdf"  # its request is never told to be finished


@dataclass(frozen=True, slots=True)
class _Followed:
    key: int
    entry: NetworkEntry
    started_at: float
    write: bool
    is_waited_for: bool


class Traffic:
    """The requests of the current document of a tab."""

    def __init__(self, page: Page, notices: Notices) -> None:
        self.http_status: int | None = None
        self.changed_at = time.monotonic()
        self.began_at = 0.0  # the newest request that may have come of an act
        self.acted_at = 0.0  # the newest act
        self.from_worker = False  # the document came from a service worker
        self.method = "GET"  # by which the document was asked for
        self._habits: Counter[str] = Counter()  # requests by path that came by themselves
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
        followed = [one for one in self._running.values() if one.is_waited_for]
        if since is not None:
            followed = [one for one in followed if since - one.started_at < _LONG_RUNNING_S]
        return len(followed)

    def forget_running(self) -> None:
        """The page crashed: nothing will be told of what still ran."""
        for followed in self._running.values():
            self._end(followed, replace(followed.entry, failure="the page crashed"))
        self._running.clear()

    def _on_request(self, request: Request) -> None:
        if self._opens_document(request):
            self.http_status = None
            self.method = request.method
            if request.redirected_from is None:
                self._entries.clear()
                self._habits.clear()
        entry = NetworkEntry(request.method, request.url, request.resource_type, None)
        now = time.monotonic()
        is_waited_for = self._is_waited_for(entry, now)
        if is_waited_for:
            self.began_at = now
            self._touch()
        followed = _Followed(next(_keys), entry, now, request.method in UNSAFE_METHODS, is_waited_for)
        self._running[request] = followed
        self._keep(followed, entry)

    def _on_response(self, response: Response) -> None:
        followed = self._running.get(response.request)
        if followed is None:
            return
        if self._opens_document(response.request):
            self.http_status = response.status
            self._note_worker(response)
        entry = replace(followed.entry, status=response.status)
        kind = response.headers.get("content-type", "")
        streams = _STREAMS.search(kind) is not None or kind.startswith(_KEPT_BY_VIEWER)
        waited_for = followed.is_waited_for and not streams
        self._running[response.request] = replace(followed, entry=entry, is_waited_for=waited_for)
        self._keep(followed, entry)

    def _note_worker(self, response: Response) -> None:
        """Told once for each site: a page that a worker serves may be older than the site's."""
        self.from_worker = response.from_service_worker
        site = "/".join(response.url.split("/", 3)[:3])
        if self.from_worker and self._notices.is_news(f"worker {site}"):
            words = "the page came from the site's cache (service worker) and may be old; browser_reload asks the site"
            self._notices.tell(words)

    def _is_waited_for(self, entry: NetworkEntry, now: float) -> bool:
        """Not what a page asks for again and again by itself, nor what only counts visitors."""
        if entry.resource not in _WAITED_FOR or _COUNTERS.search(entry.url):
            return False
        if entry.resource == "document" or entry.method in UNSAFE_METHODS:
            return True
        path = entry.url.partition("?")[0]
        if now - self.acted_at > _BY_ITSELF_S:
            self._habits[path] += 1
        return self._habits[path] < _A_HABIT

    def _on_finished(self, request: Request) -> None:
        followed = self._running.pop(request, None)
        if followed is not None:
            self._end(followed, followed.entry)

    def _on_failed(self, request: Request) -> None:
        followed = self._running.pop(request, None)
        if followed is not None:
            failure = "" if followed.entry.status is not None else request.failure or "no answer"
            self._end(followed, replace(followed.entry, failure=failure))

    def _end(self, followed: _Followed, entry: NetworkEntry) -> None:
        if followed.is_waited_for:
            self._touch()
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
