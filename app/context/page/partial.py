"""Reads a part of a page that was asked for: below a ref, to a depth, page by page, or as text."""

from dataclasses import dataclass, replace

from app.context.page.cut import cut
from app.context.page.find import subtree, to_depth
from app.context.page.lean import lean, without_needless_urls
from app.context.page.paging import text_page, tree_page
from app.context.page.reading import text_with_headings
from app.context.page.render import render
from app.domain.ids import Ref
from app.domain.snapshot import SnapshotNode


@dataclass(frozen=True, slots=True)
class Part:
    """What is asked for: all below a ref or of the page, down to a depth, with boxes in CSS pixels.

    With a `page` it is that page of it, uncut; `as_text` is the text a person reads there.
    """

    ref: Ref | None = None
    depth: int | None = None
    boxes: bool = False
    page: int | None = None
    as_text: bool = False


@dataclass(frozen=True, slots=True)
class ReadPart:
    """The lines of the part with words that say which it is; or why there is none, and the way on."""

    words: str = ""
    text: str = ""
    reason: str = ""
    way_on: str = ""


def read_part(tree: SnapshotNode, wanted: Part, size: int) -> ReadPart:
    """The part of an identified tree in at most about `size` characters."""
    part = tree if wanted.ref is None else subtree(tree, wanted.ref)
    if part is None:
        return ReadPart(reason=f"{wanted.ref} is not on the page", way_on="Find it again on the newest page.")
    if wanted.page is None and not wanted.as_text:
        return ReadPart("A part of the page:", render(cut(_lean_part(part, wanted), size).tree))
    what = f"{'the text of ' if wanted.as_text else ''}{wanted.ref or 'the whole page'}"
    number = wanted.page or 1
    if wanted.as_text:
        paged = text_page(text_with_headings(part), number, size)
    else:
        paged = tree_page(_lean_part(part, wanted), number, size)
    if number > paged.count:
        only = f"{what} has {paged.count} page{'s' if paged.count > 1 else ''}"
        return ReadPart(reason=f"there is no page {number}: {only}")
    following = f"page={number + 1} shows the next" if number < paged.count else "this is the end"
    return ReadPart(f"Page {number} of {paged.count} of {what}, nothing left out; {following}:", paged.text)


def _lean_part(tree: SnapshotNode, wanted: Part) -> SnapshotNode:
    """Below a ref addresses stay whole."""
    part = to_depth(lean(tree), wanted.depth)
    part = part if wanted.ref is not None else without_needless_urls(part)
    return _with_boxes(part) if wanted.boxes else part


def _with_boxes(node: SnapshotNode) -> SnapshotNode:
    box = node.box
    states = node.states if box is None else (*node.states, f"box={box.x:g},{box.y:g},{box.width:g},{box.height:g}")
    return replace(node, states=states, children=tuple(_with_boxes(child) for child in node.children))
