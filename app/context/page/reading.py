"""The text of a page as a person reads it, without roles, refs and states; quotes and searches stand on it."""

from app.domain.snapshot import SnapshotNode

_RUN_ON = frozenset(["paragraph", "link", "listitem", "cell", "heading", "row", "button", "strong", "emphasis", "code"])

_SELECTS = frozenset(["combobox", "listbox"])
_CHOICE = "can be chosen: "


def is_only_a_choice(text: str, offset: int) -> bool:
    """Whether what stands there in a reading text is an option that is not the chosen one."""
    return text.startswith(_CHOICE, text.rfind("\n", 0, offset) + 1)


def reading_text(tree: SnapshotNode) -> str:
    """Every text of the tree once, in document order, one block a line."""
    return "\n".join(_read(tree, with_headings=False))


def text_with_headings(tree: SnapshotNode) -> str:
    """The same text with the headings marked by their level, as `## Delivery`."""
    return "\n".join(_read(tree, with_headings=True))


def _read(node: SnapshotNode, *, with_headings: bool) -> list[str]:
    if node.role in _SELECTS and any(child.role == "option" for child in node.children):
        return _read_select(node)
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


def _read_select(node: SnapshotNode) -> list[str]:
    """What is chosen stands beside the name; each other option on a line that says so."""
    options = [child for child in node.children if child.role == "option"]
    chosen = [option.name or option.text for option in options if "selected" in option.states]
    first = " ".join(text for text in (node.name, *(chosen or [node.text])) if text)
    others = [option.name or option.text for option in options if "selected" not in option.states]
    return [*([first] if first else []), *(f"{_CHOICE}{text}" for text in others if text)]


def _level(heading: SnapshotNode) -> int:
    """From 1 to 6; a heading without a level is one of the second."""
    given = next((state.removeprefix("level=") for state in heading.states if state.startswith("level=")), "")
    return min(max(int(given), 1), 6) if given.isdecimal() else 2


def _made_of(text: str, inner: str) -> bool:
    return "".join(text.split()) in "".join(inner.split())
