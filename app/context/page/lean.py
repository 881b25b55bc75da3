"""Takes out of a tree what costs the model tokens and tells it nothing; never a control, never a text."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from app.context.page.addresses import Addresses, addresses_of
from app.context.page.cards import cards_of
from app.context.page.roles import CONTROL_ROLES, INTERACTIVE_ROLES, can_be_acted_on, echoes_its_control
from app.domain.snapshot import SnapshotNode, walk

ICON_PIXELS = 48

_INLINE = frozenset(["text", "strong", "emphasis", "code", "time"])
_WRAPPERS = frozenset(["generic", "rowgroup", "none", "presentation", "strong", "emphasis", "code", "time"])
_TEXT_BLOCKS = frozenset(
    ["paragraph", "blockquote", "caption", "figure", "text", "img", "separator", "status", "alert"]
)
_GROUPS = frozenset(["list", "listitem", "group", "article", "region", "main", "search", "form"])
_FRINGE = frozenset(["banner", "contentinfo", "navigation", "complementary"])
_NOTHING_WHEN_EMPTY = _WRAPPERS | _TEXT_BLOCKS | _GROUPS | _FRINGE
_NAMED_BY_CONTENT = INTERACTIVE_ROLES | {"heading", "columnheader", "rowheader", "cell", "gridcell", "row"}
_FIELDS = frozenset(
    ["textbox", "searchbox", "combobox", "checkbox", "radio", "switch", "slider", "spinbutton", "listbox"]
)
_NAMED_ONLY = frozenset(["button", "link", "tab", "menuitem"])  # their text is a label and never a value
_CELLS = frozenset(["cell", "gridcell", "columnheader", "rowheader"])
_LINES = _CELLS | {"row"}  # in a table also a dash is a value
_SEPARATORS = frozenset("/›»«‹|·•:;,()[]–—> ")


def lean(tree: SnapshotNode) -> SnapshotNode:
    """The tree without unnamed wrappers, repeated words and needless marks, rows folded into their cells' content."""
    return replace(tree, children=_leaned(tree, in_control=False))


def without_needless_urls(tree: SnapshotNode) -> SnapshotNode:
    """A lean tree for the model's eyes: addresses only of links that nothing else tells apart, long ones shortened.

    A link is known by its name and, in a row or an item, by what stands beside it.
    """
    return _shortened(tree, addresses_of(tree), known=frozenset())


def _leaned(parent: SnapshotNode, *, in_control: bool) -> tuple[SnapshotNode, ...]:
    """The lean children; words that run on beside each other are one text, however they are set."""
    in_control = (in_control or parent.role in CONTROL_ROLES) and parent.role != "iframe"
    children: list[SnapshotNode] = []
    runs_on = False
    cards = cards_of(parent)
    for child in parent.children:
        parts = tuple(_lean(child, in_control=in_control))
        for part in _card(child, parts) if id(child) in cards else parts:
            is_running = child.role in _INLINE and _is_plain_text(part)
            if runs_on and is_running:
                children[-1] = replace(children[-1], text=f"{children[-1].text} {part.text}")
            else:
                children.append(part)
            runs_on = is_running
    kept = [child for child in children if not _is_separator(child)] if parent.role not in _LINES else children
    return tuple(_without_labels(kept))


def _lean(node: SnapshotNode, *, in_control: bool) -> Iterator[SnapshotNode]:
    children = _leaned(node, in_control=in_control)
    if in_control and _is_title(node):
        yield from _promoted(replace(node, text=_joined((node.name, node.text), children)), children)
        return
    if _is_wrapper(node) or (node.role == "paragraph" and _holds_no_text(node, children)):
        yield from _promoted(node, children)
        return
    if "unseen" in node.marks:
        children = tuple([_without_mark(child) for child in children])
    text, children = _content(node, children)
    if not _is_nothing(node, text, children):
        pointer = node.pointer and node.role not in INTERACTIVE_ROLES
        yield replace(node, text=text, pointer=pointer, children=children)


def _card(node: SnapshotNode, parts: tuple[SnapshotNode, ...]) -> tuple[SnapshotNode, ...]:
    """The content of one of several alike blocks, as an item: what belongs together stands on one line."""
    if len(parts) < 2:
        return parts
    return (SnapshotNode("listitem", box=node.box, children=tuple(_without_echoes(list(map(_as_text, parts))))),)


def _content(node: SnapshotNode, children: tuple[SnapshotNode, ...]) -> tuple[str, tuple[SnapshotNode, ...]]:
    """The text and the children of a node that stays, without what its name says already."""
    text = "" if node.text == node.name or _is_in_its_name(node) else node.text
    if node.name and node.role in _NAMED_BY_CONTENT:
        children = tuple([child for child in children if not (_is_plain_text(child) and child.text == node.name)])
    if not node.name and node.role in CONTROL_ROLES and len(children) > 1:
        children = _as_one_text(children)
    if len(children) == 1 and not text and _is_plain_text(children[0]):
        text, children = children[0].text, ()
    if node.role == "row":
        children = tuple([_cell_content(child) for child in children])
    elif node.role == "listitem":
        children = tuple(_without_echoes([_as_text(child) for child in children]))
    elif _says_its_name_again(node, text, children):
        return "", ()
    return ("", (SnapshotNode("text", text=text), *children)) if text and children else (text, children)


def _is_in_its_name(node: SnapshotNode) -> bool:
    """Whether the words on a control stand in its name, which says more."""
    return node.role in _NAMED_ONLY and bool(node.text) and f" {node.text} " in f" {node.name} "


def _as_one_text(children: tuple[SnapshotNode, ...]) -> tuple[SnapshotNode, ...]:
    """All that is in a control without a name, when it is only words and named pictures."""
    parts = [SnapshotNode("text", text=child.name) if _is_picture(child) else _as_text(child) for child in children]
    if not all(_is_plain_text(part) for part in parts):
        return children
    return (SnapshotNode("text", text=" ".join(dict.fromkeys(part.text for part in parts if part.text))),)


def _is_picture(node: SnapshotNode) -> bool:
    return node.role == "img" and not (node.children or node.marks or _acts(node))


def _without_mark(node: SnapshotNode) -> SnapshotNode:
    """What stands in an unseen node is unseen; it is said once."""
    return replace(node, marks=tuple([mark for mark in node.marks if mark != "unseen"])) if node.marks else node


def _is_wrapper(node: SnapshotNode) -> bool:
    is_echo = node.ref is None and echoes_its_control(node)
    return is_echo or (node.role in _WRAPPERS and not node.name and not _acts(node))


def _is_title(node: SnapshotNode) -> bool:
    """A generic inside of a control that cannot be acted on by itself: its name is a title."""
    return node.role == "generic" and node.ref is None and not can_be_acted_on(node, in_control=True)


def _joined(texts: tuple[str, ...], children: tuple[SnapshotNode, ...]) -> str:
    """The texts that stand not below already."""
    below = " ".join(_words(children))
    return " ".join(text for text in texts if text and text not in below)


def _holds_no_text(node: SnapshotNode, children: tuple[SnapshotNode, ...]) -> bool:
    """Whether a paragraph is only there for the layout of what is in it."""
    return not (node.name or node.text or _acts(node) or any(child.role == "text" for child in children))


def _as_text(node: SnapshotNode) -> SnapshotNode:
    """A paragraph of an item that is nothing but text is that text."""
    plain = node.role == "paragraph" and not (node.name or node.children or node.marks or node.states or _acts(node))
    return SnapshotNode("text", text=node.text, box=node.box) if plain else node


def _acts(node: SnapshotNode) -> bool:
    return node.ref is not None or can_be_acted_on(node)


def _promoted(node: SnapshotNode, children: tuple[SnapshotNode, ...]) -> Iterator[SnapshotNode]:
    """The content of a wrapper that goes away; what a person cannot see stays marked."""
    unseen = "unseen" in node.marks
    if node.text:
        yield SnapshotNode("text", text=node.text, box=node.box, marks=("unseen",) if unseen else ())
    for child in children:
        hide = unseen and "unseen" not in child.marks
        yield replace(child, box=child.box or node.box, marks=(*child.marks, "unseen") if hide else child.marks)


def _is_plain_text(node: SnapshotNode) -> bool:
    return node.role == "text" and not node.marks


def _says_its_name_again(node: SnapshotNode, text: str, children: tuple[SnapshotNode, ...]) -> bool:
    """Whether all that is in a named node is the words of its name."""
    if not node.name or not (children or text) or node.role not in _NAMED_BY_CONTENT or node.role in _FIELDS:
        return False
    inside = [part for child in children for part in walk(child)]
    if any(_acts(part) or part.marks for part in inside):
        return False
    return [*text.split(), *_words(children)] == node.name.split()


def _words(nodes: tuple[SnapshotNode, ...]) -> list[str]:
    parts = [part for node in nodes for part in walk(node)]
    return [word for part in parts for word in f"{part.name} {part.text}".split()]


def _cell_content(cell: SnapshotNode) -> SnapshotNode:
    """A cell that only holds one thing is that thing; links in rows go without their address."""
    if cell.role not in _CELLS or _acts(cell) or cell.states or cell.marks:
        return cell
    if not cell.children:
        words = cell.text or cell.name
        extra = cell.name and cell.text and cell.name != cell.text
        return cell if extra else SnapshotNode("text", text=words, box=cell.box)
    if cell.name and _words(cell.children) != cell.name.split():
        return cell
    return cell.children[0] if len(cell.children) == 1 else replace(cell, role="cell", name="")


def _shortened(node: SnapshotNode, addresses: Addresses, *, known: frozenset[str]) -> SnapshotNode:
    """`known` are the names of links that the row or item they stand in tells apart."""
    if node.role in ("row", "listitem"):
        known = _known_by_row(node)
    children = tuple([_shortened(child, addresses, known=known) for child in node.children])
    is_known = node.name and (node.name not in addresses.ambiguous or node.name in known)
    url = "" if is_known else addresses.short(node.url)
    if url == node.url and all(old is new for old, new in zip(node.children, children, strict=True)):
        return node
    return replace(node, url=url, children=children)


def _known_by_row(row: SnapshotNode) -> frozenset[str]:
    """The links that stand once in a row that says something beside them."""
    links = Counter(node.name for node in walk(row) if node.role == "link")
    rest = [node for node in walk(row) if node.role != "link" and (node.name or node.text)]
    return frozenset(name for name, count in links.items() if count == 1 and (rest or len(links) > 1))


def _is_separator(node: SnapshotNode) -> bool:
    """A text that only stands between others, as in a path of links."""
    return _is_plain_text(node) and all(character in _SEPARATORS for character in node.text)


def _without_echoes(children: list[SnapshotNode]) -> Iterator[SnapshotNode]:
    """The parts of an item, without words that the name of a control beside them holds; a bare number stays."""
    names = [f" {child.name} " for child in children if child.name and _acts(child)]
    for child in children:
        words = child.text.strip()
        is_echo = _is_plain_text(child) and any(map(str.isalpha, words)) and any(f" {words} " in name for name in names)
        if not is_echo:
            yield child


def _without_labels(children: list[SnapshotNode]) -> Iterator[SnapshotNode]:
    """A text right beside the field that bears it as its name is said once."""
    for at, child in enumerate(children):
        if _is_plain_text(child):
            beside = children[max(at - 1, 0) : at] + children[at + 1 : at + 2]
            if any(other.role in _FIELDS and other.name == child.text.strip() for other in beside):
                continue
        yield child


def _is_nothing(node: SnapshotNode, text: str, children: tuple[SnapshotNode, ...]) -> bool:
    if node.role not in _NOTHING_WHEN_EMPTY or node.name or text or children or _acts(node):
        return False
    return node.role != "img" or (node.box is not None and min(node.box.width, node.box.height) <= ICON_PIXELS)
