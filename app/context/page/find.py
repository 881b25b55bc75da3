"""Finds nodes in the whole tree, also in what was left out of the view, and opens parts of it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from app.context.page.lean import lean
from app.context.page.render import is_compact, label, own_line, quoted
from app.domain.ids import Ref
from app.domain.snapshot import SnapshotNode, walk

MOST_MATCHES = 40
MOST_CHARACTERS = 10_000
_STEP_LIMIT = 60
_LINE_LIMIT = 600


class Pattern(Protocol):
    """A regular expression; it may give up by raising."""

    def search(self, string: str, /) -> object | None: ...


@dataclass(frozen=True, slots=True)
class Hit:
    """A node that matched, under its ancestors, the page first."""

    node: SnapshotNode
    path: tuple[SnapshotNode, ...]


@dataclass(frozen=True, slots=True)
class Found:
    """One page of the places where something stands: pieces of text, the place of the first of them, all there are.

    `only_words` says that no place holds the phrase itself; these hold all of its words.
    """

    texts: tuple[str, ...]
    first: int
    total: int
    page: int
    pages: int
    only_words: bool = False


def find(tree: SnapshotNode, text: str | None = None, regex: Pattern | None = None, page: int = 1) -> Found:
    """One piece of text for each match: where it stands, then the node's line; what says just the text comes first.

    A match in a row or an item that stands on one line brings all of it, its controls on lines of their own. A text
    matches whatever its case and white space; a phrase that no single node holds is looked for in whole blocks, and
    one that is nowhere, by its words. How long a pattern may run is the caller's business.
    """
    page_tree = lean(tree)
    hits = list(_hits(page_tree, _matcher(text, regex)))
    only_words = not hits and len((text or "").split()) > 1
    if only_words:
        words = [_folded(word) for word in (text or "").split()]
        hits = list(_hits(page_tree, lambda value: all(word in _folded(value) for word in words)))
    if text is not None:
        hits.sort(key=lambda hit: _distance(hit.node, text))
    parts = [tuple(_placed(part)) for part in _pages([_text(hit) for hit in hits])]
    here = parts[page - 1] if 0 < page <= len(parts) else ()
    before = sum([len(part) for part in parts[: page - 1]])
    return Found(here, before + 1, len(hits), page, len(parts), only_words and bool(hits))


def _pages(texts: list[str]) -> list[tuple[str, ...]]:
    """At most so many places and characters a page."""
    pages: list[list[str]] = []
    size = 0
    for text in texts:
        if not pages or len(pages[-1]) == MOST_MATCHES or size + len(text) > MOST_CHARACTERS:
            pages.append([])
            size = 0
        pages[-1].append(text)
        size += len(text)
    return [tuple(page) for page in pages]


def _distance(node: SnapshotNode, text: str) -> int:
    """0 where the node says just this, 1 where it says it in these letters, 2 elsewhere."""
    values = _values(node)
    if any(_folded(value) == _folded(text) for value in values):
        return 0
    return 1 if any(text in value for value in values) else 2


def found_words(found: Found) -> str:
    """How many places there are, and which of them stand on this page."""
    places = f"{found.total} place{'' if found.total == 1 else 's'}"
    said = f"The phrase is nowhere; all its words stand at {places}" if found.only_words else f"Found at {places}"
    if found.pages == 1:
        return said
    here = f"here {found.first}-{found.first + len(found.texts) - 1}, the most exact first"
    return f"{said}, {here}{f'; page={found.page + 1} shows the next' if found.page < found.pages else ''}"


def searched(tree: SnapshotNode) -> str:
    """What `find` looked through, for the answer that says there was no match."""
    nodes = sum(1 for _ in walk(tree)) - 1
    frames = sum(1 for node in walk(tree) if node.role == "iframe")
    inside = f" with {frames} frames" if frames > 1 else " with its frame" if frames else ""
    return f"names, texts, values and addresses of all {nodes} nodes{inside}, shown or left out"


def subtree(tree: SnapshotNode, ref: Ref) -> SnapshotNode | None:
    """A page that holds only the node with this ref; None when the ref is not in the tree."""
    node = next((node for node in walk(tree) if node.ref == ref), None)
    return None if node is None else SnapshotNode("page", children=(node,))


def to_depth(page: SnapshotNode, depth: int | None) -> SnapshotNode:
    """The page with so many levels below each of its nodes; all of it without a depth."""
    return page if depth is None else replace(page, children=tuple(_to_depth(one, depth) for one in page.children))


def path_of(path: tuple[SnapshotNode, ...]) -> str:
    """The ancestors that say something, outermost first."""
    return " > ".join(_step(node) for node in path if node.role != "page" and (node.name or node.role != "list"))


def _matcher(text: str | None, regex: Pattern | None) -> Callable[[str], bool]:
    if regex is not None:
        return lambda value: regex.search(value) is not None
    wanted = _folded(text or "")
    return lambda value: wanted in _folded(value)


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def _hits(tree: SnapshotNode, matches: Callable[[str], bool]) -> Iterator[Hit]:
    found = False
    for hit in _nodes(tree, ()):
        if any(matches(value) for value in _values(hit.node)):
            found = True
            yield hit
    if not found:
        yield from _blocks(tree, (), matches)


def _nodes(node: SnapshotNode, path: tuple[SnapshotNode, ...]) -> Iterator[Hit]:
    below = (*path, node)
    for child in node.children:
        yield Hit(child, below)
        if not is_compact(child):
            yield from _nodes(child, below)


def _values(node: SnapshotNode) -> tuple[str, ...]:
    parts = walk(node) if is_compact(node) else (node,)
    values = [value for part in parts for value in (part.name, part.text, part.placeholder, part.url, part.hint)]
    return tuple(value for value in values if value)


def _blocks(node: SnapshotNode, path: tuple[SnapshotNode, ...], matches: Callable[[str], bool]) -> Iterator[Hit]:
    """The smallest blocks whose joined text matches, also with bars between the parts as a row is shown."""
    below = (*path, node)
    inside = [hit for child in node.children for hit in _blocks(child, below, matches)]
    if inside:
        yield from inside
    elif node.children and path:
        values = [value for part in walk(node) for value in (part.name, part.text) if value]
        if matches(" ".join(values)) or matches(" | ".join(values)):
            yield Hit(node, path)


def _placed(texts: tuple[str, ...]) -> Iterator[str]:
    """Where several stand in one place, it is said once."""
    last = ""
    for text in texts:
        place, _, lines = text.partition("\n")
        yield lines if place == last else text.removeprefix("\n")
        last = place


def _text(hit: Hit) -> str:
    """The place on a line of its own, then the lines of the node."""
    where = path_of(hit.path)
    place = f"in {where}:\n" if where else "\n"
    if not is_compact(hit.node):
        return f"{place}- {_short(own_line(hit.node), _LINE_LIMIT)}"
    parts = [part for part in walk(hit.node) if part is not hit.node and not part.children]
    words = " | ".join(part.text for part in parts if part.role == "text" and part.text)
    lines = [f"{place}- {_short(own_line(hit.node, words), _LINE_LIMIT)}"]
    return "\n".join(lines + [f"  - {own_line(part)}" for part in parts if part.role != "text"])


def _step(node: SnapshotNode) -> str:
    if node.name:
        return f"{node.role} {quoted(_short(node.name, _STEP_LIMIT))}"
    if node.role in ("row", "listitem", "cell", "article", "treeitem"):
        words = " ".join(value for part in walk(node) for value in (part.name, part.text) if value)
        return f"{node.role} {quoted(_short(words, _STEP_LIMIT))}" if words else node.role
    return label(node) if node.ref else node.role


def _to_depth(node: SnapshotNode, depth: int) -> SnapshotNode:
    if depth <= 0 and node.children and not is_compact(node):
        count = sum(1 for _ in walk(node)) - 1
        return replace(node, children=(SnapshotNode("left-out", text=f"{count} nodes below this depth"),))
    return replace(node, children=tuple(_to_depth(child, depth - 1) for child in node.children))


def _short(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
