"""Holds every request that may change something before it leaves, until a gatekeeper has decided on it.

One session with the browser itself holds them for all tabs, frames, popups and workers at once, so there is no moment
in which a new page is not held yet. Scripts, pictures and styles are not touched, and the browser's cache stays on.
"""

import asyncio
import base64
import contextlib
import itertools
import logging
from collections import Counter, OrderedDict
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from typing import Any, Literal, cast

from playwright.async_api import APIRequestContext, BrowserContext, CDPSession, Error, Page, Request

from app import resources
from app.agent.ports import Gatekeeper, LetGo
from app.browser.lifeline import give_up
from app.browser.single_shot import can_be_sent_once, send_once
from app.browser.tabs import Tabs
from app.domain.errors import AppError
from app.domain.submissions import CameBack, Leaving
from app.guard.masking import MASK, mask_fields, mask_text
from app.guard.payloads import Payload, address_fields, payload_of

_KINDS = ("Document", "XHR", "Fetch", "Ping", "Other")
_RESOURCES: dict[str, Literal["document", "fetch", "ping", "other"]] = {
    "Document": "document",
    "XHR": "fetch",
    "Fetch": "fetch",
    "Ping": "ping",
}
_NEVER_LEFT = frozenset({"NameNotResolved", "ConnectionRefused", "AddressUnreachable", "InternetDisconnected"})
_DECIDED_S = 0.4
_FOLLOWED = 200  # requests whose redirects are known

_BINDING = "__pilotfishMaySend"
_numbers = itertools.count(1)  # never given twice, also not by another browser

_LOG = logging.getLogger("app.browser")

Event = dict[str, Any]


class Hold:
    """Used from the engine's loop only."""

    def __init__(
        self,
        session: CDPSession,
        tabs: Tabs,
        gatekeeper: Callable[[], Gatekeeper | None],
        requests: APIRequestContext | None = None,
    ) -> None:
        """Without a gatekeeper everything passes; with `requests` what was allowed is sent once, by the driver."""
        self._requests = requests
        self._session = session
        self._tabs = tabs
        self._secrets = tabs.secrets
        self._gatekeeper = gatekeeper
        self._numbered: OrderedDict[str, int] = OrderedDict()  # the browser's own id -> ours
        self._followed: dict[int, Leaving] = {}  # let go, and not answered yet
        self._under_way: set[asyncio.Task[None]] = set()
        self._dropped: Counter[tuple[str, str]] = Counter()
        self._open = 0
        self.is_waiting = asyncio.Event()  # set while something waits for a person
        session.on("Fetch.requestPaused", self._on_paused)

    async def begin(self) -> None:
        """From here on nothing that may change something leaves unasked. Raises the driver's Error."""
        patterns = [{"urlPattern": "*", "resourceType": kind, "requestStage": "Request"} for kind in _KINDS]
        await self._session.send("Fetch.enable", {"patterns": patterns})

    async def stop(self) -> None:
        for task in tuple(self._under_way):
            await give_up(task)

    def follow(self, context: BrowserContext) -> None:
        """A request that its page gives up, or takes along when it ends, is answered by nothing else."""
        context.on("requestfailed", self._on_failed)
        context.on("page", self._follow_page)
        for page in context.pages:
            self._follow_page(page)

    async def hold_messages(self, context: BrowserContext) -> None:
        """What pages send over web sockets right after an act is held by a script in them. Raises the driver's Error.

        Sockets of workers are out of its reach.
        """
        await context.expose_binding(_BINDING, self._may_send)
        await context.add_init_script(resources.text("scripts", "sockets.js"))

    async def _may_send(self, source: Event, url: str, text: str) -> bool:
        """Whether a message may leave; nothing tells whether it came through."""
        gatekeeper = self._gatekeeper()
        if gatekeeper is None:
            return True
        number = next(_numbers)
        page_url = mask_text(source["frame"].url, self._secrets)
        leaving = Leaving(number, "SEND", mask_text(url, self._secrets), "socket", page_url=page_url)
        payload = payload_of("application/json", text.encode(errors="replace"), self._hide)
        let_go = await gatekeeper.may_leave(self._masked(leaving, payload))
        if let_go == "followed":
            await gatekeeper.came_back(CameBack(number, None))
        return let_go != "dropped"

    def _on_paused(self, event: Event) -> None:
        is_answer = "responseStatusCode" in event or "responseErrorReason" in event
        self._start(self._answered(event) if is_answer else self._leaving(event))

    def _on_failed(self, request: Request) -> None:
        url = mask_text(request.url, self._secrets)
        if self._dropped[request.method, url]:
            self._dropped[request.method, url] -= 1  # by us
            return
        given_up = [one for one in self._followed.values() if (one.method, one.url) == (request.method, url)]
        for leaving in given_up[:1]:
            self._start(self._gave_up(leaving, "the page gave it up"))

    def _follow_page(self, page: Page) -> None:
        page.on("crash", self._on_page_gone)
        page.on("close", self._on_page_gone)

    def _on_page_gone(self, page: Page) -> None:
        """An answer that comes all the same is put on record as well."""
        site = mask_text(page.url, self._secrets).partition("?")[0]
        for leaving in [one for one in self._followed.values() if one.page_url.partition("?")[0] in (site, "")]:
            self._start(self._gave_up(leaving, "the page is gone"))

    async def _gave_up(self, leaving: Leaving, why: str) -> None:
        gatekeeper, known = self._gatekeeper(), self._followed.pop(leaving.hold, None)
        if gatekeeper is not None and known is not None:
            await gatekeeper.came_back(CameBack(leaving.hold, None, why))

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._until_gone(work), name="held-request")
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)

    async def _until_gone(self, work: Coroutine[Any, Any, None]) -> None:
        """A request whose page or browser went away needs no answer; one that is not on record counts as unknown."""
        try:
            await work
        except Error:
            return
        except AppError:
            _LOG.exception("what came of a request could not be put on record")

    async def _leaving(self, event: Event) -> None:
        let_go: LetGo = "dropped"
        name, gatekeeper = event["requestId"], self._gatekeeper()
        try:
            if gatekeeper is not None and _body(event["request"]):
                await self._tabs.read_secrets()
            leaving = self._told(event)
            with self._undecided():
                let_go = await gatekeeper.may_leave(leaving) if gatekeeper else "passed"
        finally:
            if let_go == "dropped":  # the page stays as it is
                self._dropped[event["request"]["method"], mask_text(event["request"]["url"], self._secrets)] += 1
                await self._session.send("Fetch.failRequest", {"requestId": name, "errorReason": "Aborted"})
        if let_go == "followed" and self._requests is not None and can_be_sent_once(event):
            await self._send_once(self._requests, event, leaving)
        elif let_go != "dropped":
            await self._let_go(event, leaving, is_followed=let_go == "followed")

    async def _let_go(self, event: Event, leaving: Leaving, *, is_followed: bool) -> None:
        """A page that gave it up while it was decided on sends nothing any more. Raises the driver's Error."""
        if is_followed:
            self._followed[leaving.hold] = leaving
        follow = {"interceptResponse": True} if is_followed else {}
        try:
            await self._session.send("Fetch.continueRequest", {"requestId": event["requestId"], **follow})
        except Error:
            gatekeeper = self._gatekeeper()
            if gatekeeper is not None and self._followed.pop(leaving.hold, None) is not None:
                await gatekeeper.came_back(CameBack(leaving.hold, None, "the page had given it up", never_left=True))
            raise

    @contextlib.contextmanager
    def _undecided(self) -> Iterator[None]:
        """Somebody is waited for when a decision takes longer than any rule does."""
        waits = asyncio.get_running_loop().call_later(_DECIDED_S, self.is_waiting.set)
        self._open += 1
        try:
            yield
        finally:
            waits.cancel()
            self._open -= 1
            if not self._open:
                self.is_waiting.clear()

    async def _send_once(self, requests: APIRequestContext, event: Event, leaving: Leaving) -> None:
        back, told = await send_once(requests, event, leaving.hold)
        gatekeeper = self._gatekeeper()
        try:
            if gatekeeper is not None:
                await gatekeeper.came_back(back)
        finally:
            answer = "Fetch.failRequest" if back.status is None else "Fetch.fulfillRequest"
            await self._session.send(cast("Any", answer), {"requestId": event["requestId"], **told})

    async def _answered(self, event: Event) -> None:
        """The site's answer waits until it is on record, so that nothing on the page is ahead of the record."""
        name, status, gatekeeper = event["requestId"], event.get("responseStatusCode"), self._gatekeeper()
        reason = str(event.get("responseErrorReason", ""))
        self._followed.pop(self._number(name), None)
        back = CameBack(self._number(name), status, reason, never_left=reason in _NEVER_LEFT)
        try:
            if gatekeeper is not None:
                await gatekeeper.came_back(back)
        finally:
            go_on = "Fetch.continueResponse" if status is not None else "Fetch.continueRequest"
            await self._session.send(cast("Any", go_on), {"requestId": name})

    def _told(self, event: Event) -> Leaving:
        request = event["request"]
        headers = {name.lower(): str(value) for name, value in request["headers"].items()}
        followed = event.get("redirectedRequestId")
        leaving = Leaving(
            hold=self._number(event["requestId"]),
            method=request["method"],
            url=mask_text(request["url"] + request.get("urlFragment", ""), self._secrets),
            resource=_RESOURCES.get(event.get("resourceType", ""), "other"),
            page_url=mask_text(headers.get("referer") or headers.get("origin", ""), self._secrets),
            follows=self._numbered.get(followed) if followed else None,
        )
        return self._masked(leaving, payload_of(headers.get("content-type", ""), _body(request), self._hide))

    def _hide(self, text: str) -> str:
        return mask_text(text, self._secrets)

    def _masked(self, leaving: Leaving, payload: Payload) -> Leaving:
        fields = (*address_fields(leaving.url), *payload.fields)
        shown = mask_fields(fields, self._secrets)
        return replace(
            leaving,
            fields=shown,
            digest=payload.digest,
            words=payload.words,
            files=payload.files,
            has_secret=shown != fields or any(MASK in value for _, value in fields),
        )

    def _number(self, name: str) -> int:
        """A redirect names what it follows by the browser's own id."""
        number = self._numbered.get(name) or next(_numbers)
        self._numbered[name] = number
        while len(self._numbered) > _FOLLOWED:
            self._numbered.popitem(last=False)
        return number


def _body(request: Event) -> bytes:
    entries = request.get("postDataEntries") or []
    if entries:
        return b"".join(base64.b64decode(entry.get("bytes", "")) for entry in entries)
    if request.get("postData"):
        return str(request["postData"]).encode(errors="replace")
    return b"(too long to be read)" if request.get("hasPostData") else b""
