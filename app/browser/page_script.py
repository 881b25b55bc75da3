"""Asks a frame questions in the driver's isolated world, where page scripts can neither see nor lie."""

import asyncio
import json
from typing import Any

from playwright.async_api import ElementHandle, Error, Frame, Locator
from playwright.async_api import TimeoutError as DriverTimeout

from app import resources

ENGINE = "pilotfish"
FILES = (
    "state",
    "secrets",
    "sight",
    "around",
    "acting",
    "look",
    "parts",
    "targets",
    "choosing",
    "gate",
    "stillness",
    "spot",
    "person",
    "engine",
)

_FRAMES_DEEP = 6

Answer = dict[str, Any]


def engine_source() -> str:
    """The page scripts as one selector engine."""
    return "(() => {\n" + "\n".join(resources.text("scripts", f"{name}.js") for name in FILES) + "\n})()"


async def ask(frame: Frame, question: str, *words: object, limit_ms: float) -> Answer:
    """The page script's answer. Raises the driver's Error when the frame is gone or does not answer in time."""
    text = await _locate(frame, question, *words).text_content(timeout=limit_ms)
    answer: Answer = json.loads(text or "{}")
    return answer


async def held(frame: Frame, token: int, ref: str = "", *, limit_ms: float) -> ElementHandle:
    """The handle of the element held under the token, or found by its ref and held from now on.

    It is there or not: asking once costs half of what the driver's waiting for an element costs.
    """
    asked = frame.query_selector(_selector("held", token, ref))
    try:
        handle = await asyncio.wait_for(asked, limit_ms / 1000)
    except TimeoutError as exc:
        raise DriverTimeout(f"Timeout {limit_ms:g}ms exceeded") from exc
    if handle is None:
        raise Error("the frame has no document")
    return handle


async def own_tree(frame: Frame, token: int, ref: str = "", *, limit_ms: float) -> str:
    """The driver's own tree of the held element, freshly computed; refs of the newest look stay usable."""
    return await _locate(frame, "held", token, ref).aria_snapshot(mode="ai", boxes=True, depth=1, timeout=limit_ms)


async def part_tree(frame: Frame, token: int, *, limit_ms: float) -> str:
    """The driver's own tree of one part of a page that is too large to be read whole."""
    return await _locate(frame, "part", token).aria_snapshot(mode="ai", boxes=True, timeout=limit_ms)


async def descend(
    frame: Frame, question: str, token: int, x: float = 0, y: float = 0, *, limit_ms: float
) -> tuple[Frame, Answer, float, float] | None:
    """Ask about a point or the focus, through the frames: the frame that holds it, its answer, and its place."""
    left = top = 0.0
    for _ in range(_FRAMES_DEEP):
        answer = await ask(frame, question, x - left, y - top, token, limit_ms=limit_ms)
        if answer["kind"] != "frame":
            return frame, answer, left, top
        handle = await held(frame, token, limit_ms=limit_ms)
        inner = await handle.content_frame()
        await handle.dispose()
        if inner is None:
            return None
        frame, left, top = inner, left + answer["inner"][0], top + answer["inner"][1]
    return None


async def stand_in(frame: Frame, token: int, *, limit_ms: float) -> ElementHandle:
    """What is pressed in place of the held element, after the page said that there is such a thing."""
    return await _locate(frame, "standin", token).element_handle(timeout=limit_ms)


async def option(frame: Frame, index: int, *, limit_ms: float) -> ElementHandle:
    """One of the options that the page named last."""
    return await _locate(frame, "option", index).element_handle(timeout=limit_ms)


def secret_fields(frame: Frame) -> Locator:
    """All fields of the frame whose value must not be seen."""
    return _locate(frame, "secretfields")


def _locate(frame: Frame, question: str, *words: object) -> Locator:
    return frame.locator(_selector(question, *words))


def _selector(question: str, *words: object) -> str:
    return f"{ENGINE}={':'.join(str(word) for word in (question, *words))}"
