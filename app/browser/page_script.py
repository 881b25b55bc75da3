"""Asks a frame questions in the driver's isolated world, where page scripts can neither see nor lie."""

import json
from typing import Any

from playwright.async_api import ElementHandle, Frame, Locator

ENGINE = "pilotfish"

Answer = dict[str, Any]


async def ask(frame: Frame, question: str, *words: object, limit_ms: float) -> Answer:
    """The page script's answer. Raises the driver's Error when the frame is gone or does not answer in time."""
    text = await _locate(frame, question, *words).text_content(timeout=limit_ms)
    answer: Answer = json.loads(text or "{}")
    return answer


async def held(frame: Frame, token: int, *, limit_ms: float) -> ElementHandle:
    """The handle of the element that was bound to the token."""
    return await _locate(frame, "held", token).element_handle(timeout=limit_ms)


async def own_tree(frame: Frame, token: int, *, limit_ms: float) -> str:
    """The driver's own tree of the bound element, freshly computed; refs of the newest look stay usable."""
    return await _locate(frame, "held", token).aria_snapshot(mode="ai", boxes=True, depth=1, timeout=limit_ms)


async def held_label(frame: Frame, token: int, *, limit_ms: float) -> ElementHandle | None:
    """The label to click in place of the bound element, when that one is hidden behind it."""
    answer = await ask(frame, "label", token, limit_ms=limit_ms)
    if not answer["found"]:
        return None
    return await _locate(frame, "labelof", token).element_handle(timeout=limit_ms)


def secret_fields(frame: Frame) -> Locator:
    """All fields of the frame whose value must not be seen."""
    return _locate(frame, "secretfields")


def _locate(frame: Frame, question: str, *words: object) -> Locator:
    return frame.locator(f"{ENGINE}={':'.join(str(word) for word in (question, *words))}")
