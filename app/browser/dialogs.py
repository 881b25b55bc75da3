"""Keeps the native dialog of one tab open until somebody answers it."""

import asyncio
from collections.abc import Callable

from playwright.async_api import Dialog as DriverDialog
from playwright.async_api import Error, Page

from app.domain.ids import TabId
from app.domain.pages import Dialog, DialogKind

_KINDS: dict[str, DialogKind] = {
    "alert": "alert",
    "confirm": "confirm",
    "prompt": "prompt",
    "beforeunload": "beforeunload",
}


class Dialogs:
    """The open dialog of a tab; `is_open` is set as long as the page is frozen by one."""

    def __init__(self, tab: TabId, page: Page, on_change: Callable[[Dialog | None], None]) -> None:
        self.is_open = asyncio.Event()
        self.current: Dialog | None = None
        self._tab = tab
        self._waiting: DriverDialog | None = None
        self._on_change = on_change
        page.on("dialog", self._on_dialog)
        page.on("close", lambda _: self._gone())
        page.on("crash", lambda _: self._gone())

    async def answer(self, accept: bool, text: str | None) -> None:
        """Answer the open dialog. Raises the driver's Error when it is gone."""
        waiting = self._waiting
        if waiting is None:
            return
        self._gone()
        if not accept:
            await waiting.dismiss()
        elif text is None:
            await waiting.accept()
        else:
            await waiting.accept(text)

    def _on_dialog(self, dialog: DriverDialog) -> None:
        self._waiting = dialog
        kind = _KINDS.get(dialog.type, "alert")
        self.current = Dialog(self._tab, kind, dialog.message, dialog.default_value)
        self.is_open.set()
        self._on_change(self.current)

    def _gone(self) -> None:
        if self._waiting is None:
            return
        self._waiting = None
        self.current = None
        self.is_open.clear()
        self._on_change(None)


async def dismiss_quietly(dialogs: Dialogs) -> None:
    """Let go of a page that is about to be closed."""
    try:
        await dialogs.answer(False, None)
    except Error:
        return
