"""Keeps the native dialog of one tab open until somebody answers it."""

import asyncio
import time
from collections.abc import Callable, Collection

from playwright.async_api import Dialog as DriverDialog
from playwright.async_api import Page

from app.browser.hiding import hide_in_dialog
from app.domain.ids import TabId
from app.domain.pages import Dialog, DialogAnswer, DialogKind

_ENDLESS = 3  # dialogs of which each follows the answer to the one before
_AT_ONCE_S = 1.0

_KINDS: dict[str, DialogKind] = {
    "alert": "alert",
    "confirm": "confirm",
    "prompt": "prompt",
    "beforeunload": "beforeunload",
}


class Dialogs:
    """The open dialog of a tab; `is_open` is set as long as the page is frozen by one."""

    def __init__(
        self,
        tab: TabId,
        page: Page,
        secrets: Collection[str],
        on_change: Callable[[Dialog | None], None],
        on_answer: Callable[[DialogAnswer], None],
    ) -> None:
        self.is_open = asyncio.Event()
        self.current: Dialog | None = None
        self._tab = tab
        self._secrets = secrets
        self._waiting: DriverDialog | None = None
        self._in_a_row = 0
        self._gone_at = 0.0
        self._on_change = on_change
        self._on_answer = on_answer
        page.on("dialog", self._on_dialog)
        page.on("close", lambda _: self._gone())
        page.on("crash", lambda _: self._gone())

    @property
    def is_endless(self) -> bool:
        """Whether the page asks again as soon as it is answered, so that only leaving it ends that."""
        return self.is_open.is_set() and self._in_a_row >= _ENDLESS

    def let_go(self) -> None:
        """The tab is being closed, and its dialog goes with it."""
        self._gone()

    async def answer(self, accept: bool, text: str | None, *, by_person: bool = False) -> None:
        """Answer the open dialog. Raises the driver's Error when it is gone."""
        waiting = self._waiting
        if waiting is None:
            return
        if by_person:
            self._tell_answer(accept)
        self._gone()
        if accept:
            await waiting.accept(waiting.default_value if text is None else text)
        else:
            await waiting.dismiss()

    def closed_outside(self, accepted: bool) -> None:
        """The browser has closed its dialog; when it was not we who answered, the person did, in its window."""
        if self._waiting is not None:
            self._tell_answer(accepted)
            self._gone()

    def _on_dialog(self, dialog: DriverDialog) -> None:
        self._waiting = dialog
        follows = time.monotonic() - self._gone_at < _AT_ONCE_S and dialog.type != "beforeunload"
        self._in_a_row = self._in_a_row + 1 if follows else 1
        kind = _KINDS.get(dialog.type, "alert")
        opened = Dialog(self._tab, kind, dialog.message, dialog.default_value)
        self.current = hide_in_dialog(opened, self._secrets)
        self.is_open.set()
        self._on_change(self.current)

    def _tell_answer(self, accepted: bool) -> None:
        if self.current is not None:
            self._on_answer(DialogAnswer(self.current, accepted))

    def _gone(self) -> None:
        if self._waiting is None:
            return
        self._waiting = None
        self._gone_at = time.monotonic()
        self.current = None
        self.is_open.clear()
        self._on_change(None)
