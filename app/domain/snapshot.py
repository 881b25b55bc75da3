"""A page as the driver's accessibility tree shows it: nodes, boxes, frames."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from app.domain.ids import DocumentId, Ref

Mark = Literal[
    "password",
    "readonly",
    "required",
    "invalid",  # as the browser itself judges, after a try to send
    "unseen",
    "covered",
    "clickable",
    "draggable",
    "editable",  # takes text although no role says so
    "scrolls",  # holds more than it shows
    "current",
    "selected",  # by its looks, where no state says so
]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle in CSS pixels, relative to the viewport of the node's own frame."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class SnapshotNode:
    """One node of a snapshot.

    `states` are the driver's bracketed words without ref, box and cursor, in its order ("checked", "level=2").
    `text` is what stands after the colon: the value of a field, the text of a leaf. Text nodes have role "text".
    `driver_ref` is the driver's own ref ("e12", "f1e3"); `ref` is ours, given by `context.identity`.
    `marks` are facts the page was asked for, which the driver does not print.
    `hint` tells an unnamed control apart (id, class, icon title), or what form a field wants, or which part is drawn.
    `around` is the text of the nearest row, item, group, article or dialog that tells the node apart, read by the same
    page script at a look and at a probe; empty when there is none or the node has no driver ref.
    """

    role: str
    name: str = ""
    text: str = ""
    states: tuple[str, ...] = ()
    url: str = ""
    placeholder: str = ""
    driver_ref: str = ""
    ref: Ref | None = None
    box: Box | None = None
    pointer: bool = False
    marks: tuple[Mark, ...] = ()
    hint: str = ""
    around: str = ""
    children: tuple["SnapshotNode", ...] = ()


@dataclass(frozen=True, slots=True)
class FrameInfo:
    """One frame of a page: `prefix` is the driver's ref prefix ("", "f1" …) of its nodes in this snapshot."""

    prefix: str
    document: DocumentId
    url: str
    is_main: bool


def walk(node: SnapshotNode) -> Iterator[SnapshotNode]:
    """Every node of the tree in document order, the root first."""
    stack = [node]
    while stack:
        top = stack.pop()
        yield top
        stack.extend(reversed(top.children))
