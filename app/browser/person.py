"""Carries the person's mouse, keys and text into a tab, over a session of their own."""

import asyncio
import contextlib
from typing import Any

from playwright.async_api import CDPSession, Error

from app.browser.lifeline import Lifeline
from app.browser.tabs import Tab
from app.domain.acts import CompositionInput, KeyInput, MouseInput, TextInput, WheelInput

_CALL_LIMIT_S = 3.0
_ACK_LIMIT_S = 0.5
_MOUSE = {"move": "mouseMoved", "press": "mousePressed", "release": "mouseReleased"}
_BUTTON_BITS = {"left": 1, "right": 2, "middle": 4}


class PersonHands:
    """Input goes out in order; a page that does not take it, because a dialog froze it, holds nobody up."""

    def __init__(self, lifeline: Lifeline) -> None:
        self._lifeline = lifeline
        self._session: CDPSession | None = None
        self._tab: Tab | None = None
        self._under_way: set[asyncio.Task[Any]] = set()
        self._move: asyncio.Task[Any] | None = None
        self._next_move: dict[str, Any] | None = None
        self._keys_down: dict[str, KeyInput] = {}
        self._buttons_down: dict[str, MouseInput] = {}

    async def use(self, tab: Tab) -> None:
        """Send to this tab from now on."""
        if self._tab is tab and self._session is not None:
            return
        await self.leave()
        self._session = await self._lifeline.run(tab.page.context.new_cdp_session(tab.page), limit_s=_CALL_LIMIT_S)
        self._tab = tab

    async def leave(self) -> None:
        """Forget the tab; nothing more goes there."""
        session, self._session, self._tab = self._session, None, None
        self._keys_down.clear()
        self._buttons_down.clear()
        self._next_move = None
        for task in tuple(self._under_way):
            task.cancel()
        if session is not None and not self._lifeline.lost.is_set():
            with contextlib.suppress(Error, TimeoutError):
                await asyncio.wait_for(session.detach(), _CALL_LIMIT_S)

    async def release(self) -> None:
        """Let go of every key and button that is still down."""
        for key in tuple(self._keys_down.values()):
            await self.key(KeyInput("up", key.key, key.code, key_code=key.key_code))
        for press in tuple(self._buttons_down.values()):
            await self.mouse(MouseInput("release", press.x, press.y, press.button, click_count=0))
        self._next_move = None

    async def mouse(self, item: MouseInput) -> None:
        event = {
            "type": _MOUSE[item.kind],
            "x": item.x,
            "y": item.y,
            "button": item.button,
            "buttons": item.buttons,
            "modifiers": item.modifiers,
            "clickCount": item.click_count,
        }
        if item.kind == "move":
            self._move_to(event)
            return
        self._flush_move()
        if item.kind == "press":
            self._buttons_down[item.button] = item
            event["buttons"] = item.buttons or _BUTTON_BITS.get(item.button, 0)
        else:
            self._buttons_down.pop(item.button, None)
        await self._send("Input.dispatchMouseEvent", event)

    async def wheel(self, item: WheelInput) -> None:
        self._flush_move()
        event = {
            "type": "mouseWheel",
            "x": item.x,
            "y": item.y,
            "deltaX": item.delta_x,
            "deltaY": item.delta_y,
            "modifiers": item.modifiers,
        }
        await self._send("Input.dispatchMouseEvent", event)

    async def key(self, item: KeyInput) -> None:
        if item.kind == "down":
            self._keys_down[item.code or item.key] = item
        else:
            self._keys_down.pop(item.code or item.key, None)
        text = item.text or ("\r" if item.key == "Enter" else "")
        event: dict[str, Any] = {
            "type": "keyUp" if item.kind == "up" else "keyDown" if text else "rawKeyDown",
            "key": item.key,
            "code": item.code,
            "windowsVirtualKeyCode": item.key_code,
            "modifiers": item.modifiers,
        }
        if item.kind == "down" and text:
            event["text"] = text
        if item.kind == "down" and item.commands:
            event["commands"] = list(item.commands)
        await self._send("Input.dispatchKeyEvent", event)

    async def text(self, item: TextInput) -> None:
        await self._send("Input.insertText", {"text": item.text})

    async def compose(self, item: CompositionInput) -> None:
        event = {"text": item.text, "selectionStart": item.selection_start, "selectionEnd": item.selection_end}
        await self._send("Input.imeSetComposition", event)

    def _move_to(self, event: dict[str, Any]) -> None:
        """Moves are joined while one is under way: only the newest place counts."""
        self._next_move = event
        if self._move is None:
            self._flush_move()

    def _flush_move(self) -> None:
        event, self._next_move = self._next_move, None
        if event is None:
            return
        self._move = self._start("Input.dispatchMouseEvent", event)
        if self._move is not None:
            self._move.add_done_callback(self._moved)

    def _moved(self, task: "asyncio.Task[Any]") -> None:
        if self._move is task:
            self._move = None
            self._flush_move()

    async def _send(self, method: str, event: dict[str, Any]) -> None:
        task = self._start(method, event)
        if task is not None:
            await asyncio.wait({task}, timeout=_ACK_LIMIT_S)

    def _start(self, method: str, event: dict[str, Any]) -> "asyncio.Task[Any] | None":
        if self._session is None:
            return None
        task = asyncio.ensure_future(self._session.send(method, event))
        self._under_way.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: "asyncio.Task[Any]") -> None:
        self._under_way.discard(task)
        if not task.cancelled():
            task.exception()
