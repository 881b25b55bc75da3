"""Binds an address to a handle and reads the target as it is now; milliseconds, never waiting for it to appear."""

import asyncio
import contextlib
from collections.abc import Collection
from dataclasses import dataclass, replace

from playwright.async_api import ElementHandle, Error, Frame

from app.browser.marking import facts_of, mark
from app.browser.page_script import Answer, ask, descend, held, own_tree
from app.browser.tabs import KnownFrame, Tab
from app.context.page.parse import parse
from app.domain.ids import DocumentId
from app.domain.pages import Cover, FormFacts, NodeAddress, Probe
from app.domain.snapshot import Box, SnapshotNode
from app.guard.masking import mask_fields, mask_text, mask_tree
from app.guard.payloads import bounded

LIMIT_MS = 1500

_DRAWING_MS = 250
_READINGS = 3  # one more after it was scrolled into view, one more when its name changed in between


@dataclass(frozen=True, slots=True)
class Bound:
    """A target that is held, in the page and by the driver."""

    token: int
    tab: Tab
    frame: Frame
    handle: ElementHandle
    input_type: str
    is_editable: bool


async def probe(tab: Tab, address: NodeAddress, token: int) -> tuple[Probe, Bound | None]:
    """The target as it is now; without a bound handle when there is nothing to act on."""
    known = tab.known_frames.get(address.frame_prefix)
    if known is None or known.document != address.document or known.frame.is_detached():
        return Probe("other_document"), None
    try:
        return await _read(tab, known, token, address.driver_ref)
    except Error as exc:
        if tab.dialogs.is_open.is_set():
            return Probe("dialog_open"), None
        if "Timeout" in str(exc) and not known.frame.is_detached():
            raise
        return Probe("other_document"), None


async def probe_at(
    tab: Tab, question: str, token: int, x: float = 0, y: float = 0
) -> tuple[Probe, Bound | None, NodeAddress]:
    """The same for what has the focus ("focus") or lies at a point ("under"); too deep a frame does not answer."""
    nowhere = NodeAddress(tab.id, "", DocumentId(""), "")
    found = await descend(tab.page.main_frame, question, token, x, y, limit_ms=LIMIT_MS)
    if found is None:
        return Probe("unresponsive"), None, nowhere
    if found[1]["kind"] == "none":
        return Probe("gone"), None, nowhere
    frame, answer = found[0], found[1]
    prefix = next((prefix for prefix, known in tab.known_frames.items() if known.frame == frame), "")
    element_ref = tab.known_frames[prefix].element_ref if prefix in tab.known_frames else ""
    known = KnownFrame(frame, DocumentId(answer["document"]), element_ref)
    probed, bound = await _read(tab, known, token)
    return probed, bound, NodeAddress(tab.id, prefix, known.document, str(answer["ref"]))


async def _read(tab: Tab, known: KnownFrame, token: int, ref: str = "") -> tuple[Probe, Bound | None]:
    """The page script reads first and remembers what it read, so that a change after that is seen at the gate."""
    frame, reading = known.frame, 0
    while True:
        reading += 1
        facts = await ask(frame, "probe", token, ref, limit_ms=LIMIT_MS)
        if facts["document"] != known.document:
            return Probe("other_document"), None
        if not facts["found"]:
            return Probe("gone"), None
        if facts["scrolled"] and reading == 1:
            await _next_drawing(frame, token)
            continue
        handle, text = await asyncio.gather(
            held(frame, token, limit_ms=LIMIT_MS), own_tree(frame, token, limit_ms=LIMIT_MS)
        )
        node = _node(text, str(facts["ref"]))
        if node is not None or _has_no_line(facts) or reading >= _READINGS:
            break
    node = node or _without_line(facts)
    bound = Bound(token, tab, frame, handle, str(facts["type"]), bool(facts["editable"]))
    return await _probe(tab, known, facts, node), bound


def _node(text: str, ref: str) -> SnapshotNode | None:
    """The target in its own tree; none when it was called something else when the page script read it."""
    return next((one for one in parse(text).children if one.driver_ref and one.driver_ref == ref), None)


def _has_no_line(facts: Answer) -> bool:
    """A thing without a role stands in the driver's own tree only with what it holds."""
    return any(role == "generic" for _, role, *_ in facts["left"])


def _without_line(facts: Answer) -> SnapshotNode | None:
    """The target as the look put it in, when the driver's own tree has no line for such a thing."""
    left_out = facts_of([facts]).left_out
    return left_out[0].node if left_out else None


async def _next_drawing(frame: Frame, token: int) -> None:
    """What was scrolled into view may be drawn anew by that; the driver's stillness is two frames."""
    with contextlib.suppress(Error):
        handle = await held(frame, token, limit_ms=LIMIT_MS)
        await handle.wait_for_element_state("stable", timeout=_DRAWING_MS)


async def _probe(tab: Tab, known: KnownFrame, facts: Answer, node: SnapshotNode | None) -> Probe:
    tab.secrets.update(facts["secrets"])
    left, top, cover_above = await _placed(tab, known, facts)
    x, y, width, height = facts["box"]
    return Probe(
        state="ok",
        node=_masked(replace(node, around=str(facts["around"])), facts, tab.secrets) if node else None,
        frame_url=mask_text(str(facts["url"]), tab.secrets),
        visible=bool(facts["visible"]),
        enabled=bool(facts["enabled"]),
        readonly=bool(facts["readonly"]),
        cover=_cover(facts["cover"]) or cover_above,
        box=Box(left + x, top + y, width, height),
        tag=str(facts["tag"]),
        input_type=str(facts["type"]),
        value=mask_text(str(facts["value"]), tab.secrets),
        submits=bool(facts["submits"]),
        form=_form(facts["form"], tab.secrets),
        href=mask_text(str(facts["href"]), tab.secrets),
        words=mask_text(str(facts["words"]), tab.secrets),
    )


def _masked(node: SnapshotNode, facts: Answer, secrets: Collection[str]) -> SnapshotNode:
    around = mask_text(node.around, secrets)
    found = replace(facts_of([facts]), arounds={node.driver_ref: around})
    return mask_tree(mark(node, found), secrets)


async def _placed(tab: Tab, known: KnownFrame, facts: Answer) -> tuple[float, float, Cover | None]:
    """Where the frame lies in the page, and what of the pages around it lies over the target."""
    left = top = 0.0
    frame, element_ref, point = known.frame, known.element_ref, facts["point"]
    while frame.parent_frame is not None:
        parent = frame.parent_frame
        element = await frame.frame_element()
        inner = await element.evaluate(_CONTENT_PLACE)
        await element.dispose()
        left, top = left + inner[0], top + inner[1]
        if point is not None:
            point = [point[0] + inner[0], point[1] + inner[1]]
            over = await ask(parent, "top", *point, limit_ms=LIMIT_MS)
            if element_ref and over["frame"] != element_ref and over["description"]:
                return left, top, _cover(over)
        frame = parent
        element_ref = next((one.element_ref for one in tab.known_frames.values() if one.frame == parent), "")
    return left, top, None


_CONTENT_PLACE = """element => {
  const box = element.getBoundingClientRect(), style = getComputedStyle(element);
  const left = box.left + element.clientLeft + parseFloat(style.paddingLeft);
  return [left, box.top + element.clientTop + parseFloat(style.paddingTop)];
}"""


def _cover(answer: Answer | None) -> Cover | None:
    if not answer:
        return None
    past, fades = str(answer.get("past", "")), bool(answer.get("fades"))
    return Cover(str(answer["description"]), str(answer["ref"]), past, fades)


def _form(answer: Answer | None, secrets: Collection[str]) -> FormFacts | None:
    if answer is None:
        return None
    fields = tuple((mask_text(str(name), secrets), mask_text(str(value), secrets)) for name, value in answer["fields"])
    action, submit = mask_text(str(answer["action"]), secrets), mask_text(str(answer["submit"]), secrets)
    words = mask_text(str(answer["words"]), secrets)
    sends = mask_fields(bounded([(str(name), str(value)) for name, value in answer["sends"]]), secrets)
    return FormFacts(str(answer["method"]), action, fields, submit, words, sends)
