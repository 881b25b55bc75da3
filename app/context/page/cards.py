"""Knows parts of a page that are items of a list without saying so: alike, side by side, with the same controls."""

from collections import Counter

from app.context.page.roles import can_be_acted_on
from app.domain.snapshot import SnapshotNode, walk

_AT_LEAST = 3
_MOST_NODES = 60  # of one card: larger parts are columns or sections


def cards_of(parent: SnapshotNode) -> frozenset[int]:
    """The `id()` of the children that are cards: three and more plain blocks in which controls bear the same names."""
    blocks = [child for child in parent.children if _is_plain_block(child)]
    if len(blocks) < _AT_LEAST:
        return frozenset()
    controls = {id(block): _controls(block) for block in blocks}
    counts = Counter(name for names in controls.values() for name in names)
    repeated = {name for name, count in counts.items() if count >= _AT_LEAST}
    return frozenset(key for key, names in controls.items() if not repeated.isdisjoint(names))


def _is_plain_block(node: SnapshotNode) -> bool:
    return node.role == "generic" and not node.name and len(node.children) > 1 and not can_be_acted_on(node)


def _controls(block: SnapshotNode) -> frozenset[tuple[str, str]]:
    """Role and name of what can be acted on in it; none when it is too large for a card."""
    parts = []
    for part in walk(block):
        parts.append(part)
        if len(parts) > _MOST_NODES:
            return frozenset()
    return frozenset((part.role, part.name) for part in parts if part.ref and can_be_acted_on(part))
