"""Streams the newest picture of one tab over its own session with the page."""

import asyncio
import base64
import contextlib
from collections.abc import Callable
from typing import Any

from playwright.async_api import CDPSession, Error

from app.browser.lifeline import Lifeline
from app.browser.tabs import Tab
from app.domain.pages import Frame

_QUALITY = 70
_LARGEST = 2560
_CALL_LIMIT_S = 3.0


class Screencast:
    """One tab at a time. Two pictures may be under way; a page that stands still sends none."""

    def __init__(self, lifeline: Lifeline, on_frame: Callable[[Frame], None]) -> None:
        self._lifeline = lifeline
        self._on_frame = on_frame
        self._session: CDPSession | None = None
        self._tab: Tab | None = None
        self._acks: set[asyncio.Task[Any]] = set()

    @property
    def tab(self) -> Tab | None:
        return self._tab

    async def start(self, tab: Tab) -> None:
        """Show this tab; the first picture comes at once."""
        await self.stop()
        session = await self._lifeline.run(tab.page.context.new_cdp_session(tab.page), limit_s=_CALL_LIMIT_S)
        session.on("Page.screencastFrame", lambda event: self._on_event(session, tab, event))
        self._session = session
        await self._lifeline.run(
            session.send(
                "Page.startScreencast",
                {
                    "format": "jpeg",
                    "quality": _QUALITY,
                    "maxWidth": _LARGEST,
                    "maxHeight": _LARGEST,
                    "maxFramesInFlight": 2,
                },
            ),
            limit_s=_CALL_LIMIT_S,
        )
        self._tab = tab

    async def stop(self) -> None:
        session, self._session, self._tab = self._session, None, None
        if session is not None and not self._lifeline.lost.is_set():
            with contextlib.suppress(Error, TimeoutError):
                await asyncio.wait_for(session.detach(), _CALL_LIMIT_S)

    def _on_event(self, session: CDPSession, tab: Tab, event: dict[str, Any]) -> None:
        if session is not self._session:
            return
        ack = asyncio.ensure_future(session.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]}))
        self._acks.add(ack)
        ack.add_done_callback(self._acknowledged)
        meta = event["metadata"]
        data = base64.b64decode(event["data"])
        self._on_frame(Frame(tab.id, data, int(meta["deviceWidth"]), int(meta["deviceHeight"])))

    def _acknowledged(self, ack: "asyncio.Task[Any]") -> None:
        self._acks.discard(ack)
        if not ack.cancelled():
            ack.exception()
