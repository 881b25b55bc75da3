"""The text of a page as a person reads it, without roles, refs and states; quotes and searches stand on it."""

from app.domain.snapshot import SnapshotNode


def reading_text(tree: SnapshotNode) -> str:
    """Every text of the tree once, in document order, one block a line."""
    lines: list[str] = []
    _read(tree, lines)
    return "\n".join(lines)


def _read(node: SnapshotNode, lines: list[str]) -> None:
    below: list[str] = []
    for child in node.children:
        _read(child, below)
    own = [text for text in (node.name, node.text) if text]
    if not below:
        lines += [" ".join(own)] if own else []
        return
    # A name that is made of what stands below it would be read twice.
    inner = " ".join(below)
    if node.role in ("paragraph", "link", "listitem", "cell", "heading", "row", "button", "strong", "emphasis", "code"):
        lines.append(" ".join([*(text for text in own if not _made_of(text, inner)), inner]))
    else:
        lines += [*(text for text in own if not _made_of(text, inner)), *below]


def _made_of(text: str, inner: str) -> bool:
    return "".join(text.split()) in "".join(inner.split())
