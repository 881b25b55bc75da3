"""Tells when the text of a page shows little of what a person sees on it."""

from app.context.page.roles import can_be_acted_on
from app.domain.pages import Look
from app.domain.snapshot import SnapshotNode, walk

DRAWN = 0.4  # share of the viewport
DRAWN_WITH_FEW_WORDS = 0.15
FEW_WORDS = 5  # nodes that say anything
UNNAMED = 4  # controls without a word on them


def is_poor(look: Look, tree: SnapshotNode) -> bool:
    """A large drawing, a drawing beside next to no text, or controls most of which say nothing."""
    if look.drawn >= DRAWN:
        return True
    nodes = list(walk(tree))
    if look.drawn >= DRAWN_WITH_FEW_WORDS and sum(bool(node.name or node.text) for node in nodes) < FEW_WORDS:
        return True
    controls = [node for node in nodes if node.role != "iframe" and can_be_acted_on(node)]
    unnamed = sum(not _says(node) for node in controls)
    return unnamed >= UNNAMED and unnamed * 2 > len(controls)


def _says(node: SnapshotNode) -> bool:
    return any(one.name or one.text or one.hint or one.placeholder for one in walk(node))
