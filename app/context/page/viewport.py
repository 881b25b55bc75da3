"""Which nodes of a page stand in the part of it that a person sees."""

from app.domain.snapshot import Box, SnapshotNode


def in_view(tree: SnapshotNode, size: tuple[int, int]) -> frozenset[int]:
    """The `id()` of every node whose box meets the viewport; boxes in frames count from where their frame stands.

    A node without a box, such as a text, is where the node before it is, or else the one around it.
    """
    found: set[int] = set()
    stack: list[tuple[SnapshotNode, float, float, bool]] = [(tree, 0.0, 0.0, False)]
    while stack:
        node, shift_x, shift_y, seen = stack.pop()
        if seen:
            found.add(id(node))
        if node.role == "iframe" and node.box:
            shift_x, shift_y = shift_x + node.box.x, shift_y + node.box.y
        near = seen
        for child in node.children:
            near = _meets(child.box, shift_x, shift_y, size) if child.box else near
            stack.append((child, shift_x, shift_y, near))
    return frozenset(found)


def _meets(box: Box, shift_x: float, shift_y: float, size: tuple[int, int]) -> bool:
    x, y = box.x + shift_x, box.y + shift_y
    return x < size[0] and y < size[1] and x + box.width > 0 and y + box.height > 0
