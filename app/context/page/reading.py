"""The text of a page as a person reads it, without roles, refs and states; quotes and searches stand on it."""

from app.domain.snapshot import SnapshotNode

_RUN_ON = frozenset(["paragraph", "link", "listitem", "cell", "heading", "row", "button", "strong", "emphasis", "code"])


def reading_text(tree: SnapshotNode) -> str:
    """Every text of the tree once, in document order, one block a line."""
    return "\n".join(_read(tree, with_headings=False))


def text_with_headings(tree: SnapshotNode) -> str:
    """The same text with the headings marked by their level, as `## Delivery`."""
    return "\n".join(_read(tree, with_headings=True))


def _read(node: SnapshotNode, *, with_headings: bool) -> list[str]:
    is_line = node.role in _RUN_ON
    below = [line for child in node.children for line in _read(child, with_headings=with_headings and not is_line)]
    own = [text for text in (node.name, node.text) if text]
    if not below:
        lines = [" ".join(own)] if own else []
    else:
        # A name that is made of what stands below it would be read twice.
        inner = " ".join(below)
        new = [text for text in own if not _made_of(text, inner)]
        lines = [" ".join([*new, inner])] if is_line else [*new, *below]
    return [f"{'#' * _level(node)} {line}" for line in lines] if with_headings and node.role == "heading" else lines


def _level(heading: SnapshotNode) -> int:
    """From 1 to 6; a heading without a level is one of the second."""
    given = next((state.removeprefix("level=") for state in heading.states if state.startswith("level=")), "")
    return min(max(int(given), 1), 6) if given.isdecimal() else 2


def _made_of(text: str, inner: str) -> bool:
    return "".join(text.split()) in "".join(inner.split())
