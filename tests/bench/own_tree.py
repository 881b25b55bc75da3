"""A look as Playwright's own snapshot would read: nothing leaned, nothing shown as changes."""

from collections.abc import Iterator

from app.domain.pages import Look
from app.domain.snapshot import SnapshotNode

LIMIT = 14_000  # characters; clients that send it cut it there


def own_tree(look: Look) -> str:
    """The lines of the tree with the driver's refs, cut off at the limit."""
    return "\n".join(line for child in look.tree.children for line in _lines(child, ""))[:LIMIT]


def _lines(node: SnapshotNode, indent: str) -> Iterator[str]:
    below = list(_properties(node, f"{indent}  "))
    below += [line for child in node.children for line in _lines(child, f"{indent}  ")]
    colon = f": {node.text}" if node.text else ":" if below else ""
    if node.role == "text":
        yield f"{indent}- text{colon}"
        return
    name = f' "{node.name}"' if node.name else ""
    states = "".join(f" [{state}]" for state in node.states)
    ref = f" [ref={node.driver_ref}]" if node.driver_ref else ""
    pointer = " [cursor=pointer]" if node.pointer else ""
    yield f"{indent}- {node.role}{name}{states}{ref}{pointer}{colon}"
    yield from below


def _properties(node: SnapshotNode, indent: str) -> Iterator[str]:
    if node.url:
        yield f"{indent}- /url: {node.url}"
    if node.placeholder:
        yield f"{indent}- /placeholder: {node.placeholder}"
