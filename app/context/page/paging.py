"""Divides a page into numbered parts of a size: its tree at the borders of nodes, its text at the borders of blocks."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from app.context.page.render import LEFT_OUT, is_compact, own_line, shown
from app.domain.snapshot import SnapshotNode

_FIELD_SHARE = 8  # of a page: so much one name, text or address of a node may take in a tree


@dataclass(frozen=True, slots=True)
class Paged:
    """Part `number` of `count`; its text is empty when there is no such part."""

    text: str
    number: int
    count: int


def tree_page(tree: SnapshotNode, number: int, size: int) -> Paged:
    """A part of a lean page, uncut. Nodes that go on from the part before stand above it again."""
    parts: list[str] = []
    current: list[str] = []
    above: list[str] = []
    taken = fresh = 0
    for depth, line in _lines(tree, size):
        del above[depth:]
        if fresh and taken + len(line) + 1 > size:
            parts.append("\n".join(current))
            current, fresh = _within(above, size // 2), 0
            taken = sum([len(one) + 1 for one in current])
        current.append(line)
        above.append(line)
        taken, fresh = taken + len(line) + 1, fresh + 1
    return _chosen([*parts, "\n".join(current)], number)


def text_page(text: str, number: int, size: int) -> Paged:
    """A part of a text; a block longer than a part is divided between words."""
    parts: list[str] = []
    current: list[str] = []
    taken = 0
    for block in _blocks(text.split("\n"), size):
        if current and taken + len(block) + 1 > size:
            parts.append("\n".join(current))
            current, taken = [], 0
        current.append(block)
        taken += len(block) + 1
    return _chosen([*parts, "\n".join(current)], number)


def _chosen(parts: list[str], number: int) -> Paged:
    return Paged(parts[number - 1] if 0 < number <= len(parts) else "", number, len(parts))


def _lines(tree: SnapshotNode, size: int) -> Iterator[tuple[int, str]]:
    """Every line with its depth; a row too long for a part has its cells on lines of their own."""
    stack = [(0, child) for child in reversed(tree.children)]
    while stack:
        depth, node = stack.pop()
        node = _bounded(node, size // _FIELD_SHARE)
        indent = "  " * depth
        line = shown(node).line if is_compact(node) or not node.children or node.role == LEFT_OUT else ""
        if line and (len(line) <= size // 2 or not node.children or node.role == LEFT_OUT):
            yield depth, f"{indent}- {line}"
            continue
        yield depth, f"{indent}- {own_line(node)}:"
        stack.extend([(depth + 1, child) for child in reversed(node.children)])


def _bounded(node: SnapshotNode, most: int) -> SnapshotNode:
    """A node whose own words are no longer than this; how much is not shown is said."""
    if len(node.name) <= most and len(node.text) <= most and len(node.url) <= most:
        return node
    return replace(node, name=_short(node.name, most), text=_short(node.text, most), url=_short(node.url, most))


def _short(words: str, most: int) -> str:
    return words if len(words) <= most else f"{words[:most]}… ({len(words) - most:,} more characters)"


def _within(above: list[str], most: int) -> list[str]:
    """The nearest of the lines above that fit."""
    kept: list[str] = []
    for line in reversed(above):
        most -= len(line) + 1
        if most < 0:
            break
        kept.append(line)
    return kept[::-1]


def _blocks(lines: Iterable[str], size: int) -> Iterator[str]:
    for line in lines:
        rest = line
        while len(rest) > size:
            end = rest.rfind(" ", size // 2, size)
            end = size if end < 0 else end
            yield rest[:end]
            rest = rest[end:].lstrip(" ")
        yield rest
