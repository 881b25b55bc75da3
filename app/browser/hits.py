"""Finds what lies at a point of the viewport, through frames, without moving anything."""

from dataclasses import replace

from playwright.async_api import Error

from app.browser.page_script import Answer, ask, held
from app.browser.tabs import Tab
from app.domain.ids import DocumentId
from app.domain.pages import Spot, SpotNode
from app.guard.masking import mask_text

LIMIT_MS = 1500
_FRAMES_DEEP = 6
_SCALED = 0.01


async def spot_at(tab: Tab, token: int, x: float, y: float) -> Spot:
    """What is topmost there; a frame that does not answer, or lies too deep, is "unresponsive"."""
    frame, wide, by = tab.page.main_frame, 0.0, 1.0
    try:
        for _ in range(_FRAMES_DEEP):
            answer = await ask(frame, "spot", x, y, token, wide, limit_ms=LIMIT_MS)
            by *= float(answer["k"])
            if answer["kind"] != "frame":
                return _found(tab, answer, by)
            handle = await held(frame, token, limit_ms=LIMIT_MS)
            inner = await handle.content_frame()
            await handle.dispose()
            if inner is None:
                break
            left, top, wide = answer["inner"]
            x, y = x * float(answer["k"]) - left, y * float(answer["k"]) - top
            frame = inner
    except Error:
        pass
    return Spot("unresponsive")


def _found(tab: Tab, answer: Answer, by: float) -> Spot:
    """Offsets are in the outermost page's pixels, as the driver takes them; `by` of the frame's are one of those."""
    empty = Spot("nothing", DocumentId(str(answer["document"])))
    if answer["kind"] == "none":
        return empty
    return replace(
        empty,
        state="ok",
        nodes=tuple(SpotNode(str(ref), (left / by, top / by)) for ref, left, top in answer["nodes"]),
        is_control=bool(answer["control"]),
        is_drawn=bool(answer["drawn"]),
        is_scaled=abs(by - 1) > _SCALED,
        name=mask_text(str(answer["name"]), tab.secrets),
    )
