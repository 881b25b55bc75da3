"""Takes the one snapshot of a page: bounded, masked, with marks; degrades to text when the page is too much."""

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from playwright.async_api import Error, Frame

from app.browser.closed_roots import find_closed, with_closed
from app.browser.lifeline import NO_ANSWER, Lifeline
from app.browser.marking import facts_of, mark
from app.browser.page_script import Answer, ask
from app.browser.tabs import KnownFrame, Tab
from app.browser.trees import MOST_ELEMENTS, Read, read_tree
from app.context.refs.meaning import stable
from app.domain.ids import DocumentId
from app.domain.pages import Look, TabInfo
from app.domain.snapshot import FrameInfo, SnapshotNode, walk
from app.guard.masking import mask_text, mask_tree

DEADLINE_S = 6.0
TEXT_DEADLINE_S = 3.0

_MOST_FRAMES = 60
_FRAME_LIMIT_S = 1.5
_EMPTY_FRAME_LIMIT_S = 0.15  # of one that has no document yet, which may never come
_BESIDE_DEAD_FRAME_S = 1.2  # the driver waits for a dead frame as long as it may
_TRIES = 5
_TRIES_MOVING = 2  # of a page of which only what its parts say changes
_CHARACTERS = 250  # weigh as much as an element
_MISSING_TOLD = 5


@dataclass(frozen=True, slots=True)
class _Reading:
    """One pass over a page: the answers of the frames that answered, and the tree if there was one."""

    answers: dict[Frame, Answer]
    tree: SnapshotNode | None
    missing: tuple[str, ...] = ()
    in_parts: bool = False
    searched: str = ""
    is_torn: bool = False


async def look(
    tab: Tab,
    lifeline: Lifeline,
    infos: Callable[[], tuple[TabInfo, ...]],
    *,
    deadline_s: float = DEADLINE_S,
    near: tuple[str, ...] = (),
) -> Look:
    """Read the tab within the deadline. With a dialog open there is nothing to read but the dialog."""
    reading = _Reading({}, None, ("everything: the page does not answer",))
    if tab.crashed:
        reading = _Reading({}, None, ("everything: the page crashed; load it again or open another address",))
    elif tab.dialogs.current is None:
        with contextlib.suppress(*NO_ANSWER):
            reading = await lifeline.run(
                _read(tab, deadline_s, near), limit_s=deadline_s + _FRAME_LIMIT_S, unless=tab.dialogs.is_open
            )
    if tab.dialogs.current is not None:
        return _dialog_look(tab, infos())
    return _assemble(tab, infos, reading)


async def visible_text(tab: Tab, lifeline: Lifeline, *, deadline_s: float = TEXT_DEADLINE_S) -> str:
    """The text of all frames that answer, masked; empty while a dialog is open."""
    if tab.dialogs.current is not None:
        return ""
    try:
        answers = await lifeline.run(
            _ask_all(tab, "text", deadline_s), limit_s=deadline_s + 0.5, unless=tab.dialogs.is_open
        )
    except NO_ANSWER:
        return ""
    secrets = {secret for answer in answers.values() for secret in answer["secrets"]}
    tab.secrets.update(secrets)
    return mask_text("\n".join(answer["text"] for answer in answers.values()), tab.secrets)


async def _read(tab: Tab, deadline_s: float, near: tuple[str, ...]) -> _Reading:
    """Read until the same documents stood still before and after, so that no node is taken for another one."""
    until = time.monotonic() + deadline_s
    reading = _Reading({}, None)
    known: dict[tuple[Frame, str], str] | None = None
    for tried in range(_TRIES):
        before = await _ask_all(tab, "watch", _FRAME_LIMIT_S)
        silent = [frame for frame in tab.page.frames[:_MOST_FRAMES] if frame not in before]
        whole_until = min(until, time.monotonic() + _BESIDE_DEAD_FRAME_S) if silent else until
        await find_closed(tab, before)
        read, _ = await asyncio.gather(_tree(tab, before, whole_until, until, near), _tell_listeners(tab, before))
        read = replace(read, tree=await with_closed(read.tree, before))
        after = await _ask_all(tab, "look", _FRAME_LIMIT_S, but=silent)
        changed = [frame for frame in before if _document(before, frame) != _document(after, frame)]
        tree = _without_refs_of(read.tree, changed, after, many=len(tab.page.frames) > _MOST_FRAMES)
        missing = (*read.missing, *_unread(tab, silent, after))
        is_torn = any(_is_torn(read.tree, before[frame], answer) for frame, answer in after.items() if frame in before)
        reading = _Reading(after, tree, missing, read.in_parts, read.searched, is_torn)
        said, known = known, _surroundings(after)
        moved = tried < _TRIES_MOVING and known != said and not read.in_parts and _has_moved(before, after)
        in_doubt = changed or is_torn or moved
        if not in_doubt or time.monotonic() > until:
            break
    return reading


async def _tell_listeners(tab: Tab, before: dict[Frame, Answer]) -> None:
    """Before the page is asked for its marks, where it is small enough to be read whole."""
    main = before.get(tab.page.main_frame)
    if main is not None and int(main["elements"]) <= MOST_ELEMENTS:
        await tab.listeners.tell(str(main["document"]))


def _surroundings(answers: dict[Frame, Answer]) -> dict[tuple[Frame, str], str]:
    """What stands around each node, as it counts for its meaning."""
    return {
        (frame, ref): stable(answer["words"][index])
        for frame, answer in answers.items()
        for ref, index in answer.get("arounds", ())
    }


def _has_moved(before: dict[Frame, Answer], after: dict[Frame, Answer]) -> bool:
    """Whether the tree may show another moment than what was asked after it."""
    return any(before[frame]["movedAt"] != answer["movedAt"] for frame, answer in after.items() if frame in before)


def _is_torn(tree: SnapshotNode | None, before: Answer, after: Answer) -> bool:
    """Whether the frame was drawn anew while it was read, so that nodes of the tree were no longer there to ask."""
    if tree is None or after["prefix"] is None or before["movedAt"] == after["movedAt"]:
        return False
    prefix = str(after["prefix"])
    shown = sum(node.driver_ref.rpartition("e")[0] == prefix for node in walk(tree) if node.driver_ref)
    return shown > int(after["marked"])


async def _tree(tab: Tab, before: dict[Frame, Answer], whole_until: float, until: float, near: tuple[str, ...]) -> Read:
    main = before.get(tab.page.main_frame)
    if main is not None and main["bare"] is not None:
        return Read(SnapshotNode("page", children=(SnapshotNode("text", text=str(main["bare"])),)))
    elements = sum(max(int(one["elements"]), int(one["characters"]) // _CHARACTERS) for one in before.values())
    return await read_tree(tab, elements, whole_until, until, near)


def _unread(tab: Tab, silent: list[Frame], answers: dict[Frame, Answer]) -> tuple[str, ...]:
    if tab.page.main_frame not in answers:
        return ("everything: the page does not answer",)
    more = len(tab.page.frames) - _MOST_FRAMES
    missing = [f"{more} more frames: in them nothing can be acted on"] if more > 0 else []
    missing += [f"a frame that does not answer ({frame.url or 'still without a page'})" for frame in silent]
    closed = sorted({name for answer in answers.values() for name in answer["closed"]})
    if closed:
        missing.append(f"what is inside {', '.join(f'<{name}>' for name in closed[:3])}: the page keeps it closed")
    if not all(answer["whole"] for answer in answers.values()):
        missing.append("time ran out to check, on a part of the page, which text a person cannot see")
    return tuple(missing[:_MISSING_TOLD])


async def _ask_all(tab: Tab, question: str, limit_s: float, but: Sequence[Frame] = ()) -> dict[Frame, Answer]:
    frames = [frame for frame in tab.page.frames[:_MOST_FRAMES] if not frame.is_detached() and frame not in but]
    limits_s = (limit_s if frame.url else _EMPTY_FRAME_LIMIT_S for frame in frames)
    answers = await asyncio.gather(*map(_ask_one, frames, [question] * len(frames), limits_s))
    return {frame: answer for frame, answer in zip(frames, answers, strict=True) if answer is not None}


async def _ask_one(frame: Frame, question: str, limit_s: float) -> Answer | None:
    try:
        return await ask(frame, question, limit_ms=limit_s * 1000)
    except Error:
        return None


def _document(answers: dict[Frame, Answer], frame: Frame) -> str | None:
    answer = answers.get(frame)
    return None if answer is None else str(answer["document"])


def _without_refs_of(
    tree: SnapshotNode | None, changed: list[Frame], after: dict[Frame, Answer], *, many: bool
) -> SnapshotNode | None:
    """Frames that never stood still, or are too many to be asked, are shown, but nothing in them can be acted on."""
    if tree is None or not (changed or many):
        return tree
    kept = {answer["prefix"] for frame, answer in after.items() if frame not in changed}
    return _keep_refs(tree, kept)


def _keep_refs(node: SnapshotNode, prefixes: set[str]) -> SnapshotNode:
    prefix, _, number = node.driver_ref.rpartition("e")
    kept = node.driver_ref if number and prefix in prefixes else ""
    return replace(node, driver_ref=kept, children=tuple(_keep_refs(child, prefixes) for child in node.children))


def _assemble(tab: Tab, infos: Callable[[], tuple[TabInfo, ...]], reading: _Reading) -> Look:
    main = reading.answers.get(tab.page.main_frame)
    facts = facts_of(tuple(reading.answers.values()))
    tab.secrets.update(facts.secrets)
    tab.title = mask_text(str(main["title"]) if main else tab.title, tab.secrets)
    tree = reading.tree if reading.tree is not None else SnapshotNode("page")
    if main is not None:
        tab.known_frames = _known_frames(tree, reading.answers)
    masked = mask_tree(mark(tree, facts), tab.secrets)
    height = int(main["height"]) if main else 0
    return Look(
        tab=tab.id,
        document=DocumentId(main["document"]) if main else _last_document(tab),
        url=mask_text(tab.page.url, tab.secrets),
        title=tab.title,
        tree=masked,
        frames=tuple(_frame_infos(tab, reading.answers)),
        tabs=infos(),
        viewport_width=int(main["width"]) if main else 0,
        viewport_height=height,
        http_status=tab.traffic.http_status,
        screens_above=round(main["above"] / height, 1) if main and height else 0.0,
        screens_below=round(max(main["below"], 0) / height, 1) if main and height else 0.0,
        settled=tab.settled,
        requests_running=tab.traffic.running(),
        missing=reading.missing,
        in_parts=reading.in_parts,
        restless=reading.is_torn,
        searched=reading.searched,
        draws=any(answer["draws"] for answer in reading.answers.values()),
        drawn=round(float(main["drawn"]), 2) if main else 0.0,
        is_paper=main is not None and bool(main["paper"]),
    )


def _known_frames(tree: SnapshotNode, answers: dict[Frame, Answer]) -> dict[str, KnownFrame]:
    elements: dict[str, str] = {}
    stack = [tree]
    while stack:
        node = stack.pop()
        stack.extend(node.children)
        if node.role == "iframe" and node.children:
            first = next((child.driver_ref for child in node.children if child.driver_ref), "")
            elements[first.rpartition("e")[0]] = node.driver_ref
    return {
        str(answer["prefix"]): KnownFrame(frame, DocumentId(answer["document"]), elements.get(answer["prefix"], ""))
        for frame, answer in answers.items()
        if answer["prefix"] is not None
    }


def _frame_infos(tab: Tab, answers: dict[Frame, Answer]) -> Iterator[FrameInfo]:
    """Frames that show anything; one without a ref has no prefix that could be told."""
    for frame, answer in answers.items():
        is_main = frame == tab.page.main_frame
        if is_main or answer["prefix"] is not None:
            url = mask_text(str(answer["url"]), tab.secrets)
            yield FrameInfo(str(answer["prefix"] or ""), DocumentId(answer["document"]), url, is_main)


def _dialog_look(tab: Tab, tabs: tuple[TabInfo, ...]) -> Look:
    """Without a word from the page, which is frozen."""
    size = tab.page.viewport_size
    return Look(
        tab=tab.id,
        document=_last_document(tab),
        url=mask_text(tab.page.url, tab.secrets),
        title=mask_text(tab.title, tab.secrets),
        tree=SnapshotNode("page"),
        frames=(),
        tabs=tabs,
        viewport_width=size["width"] if size else 0,
        viewport_height=size["height"] if size else 0,
        http_status=tab.traffic.http_status,
        dialog=tab.dialogs.current,
    )


def _last_document(tab: Tab) -> DocumentId:
    main = next((known for known in tab.known_frames.values() if known.frame == tab.page.main_frame), None)
    return main.document if main else DocumentId("")
