"""The form in which the model reads a page: one line a node, nested by indentation, as models know it from YAML."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from app.domain.snapshot import SnapshotNode

LEFT_OUT = "left-out"
"""The role of a node that stands for what a cut left out: its text says what, its children are what is not shown."""

COMPACT_ROLES = frozenset(["row", "listitem", "combobox", "listbox"])
_QUIET_STATES = frozenset(["active", "aria-hidden"])
_QUIET_MARKS = frozenset(["clickable", "covered"])
_NEEDS_QUOTES = re.compile(r'^$|^[\s"…|&]|\s$|:$|\s[|&]\s|[\x00-\x1f\x7f-\x9f\u2028\u2029]')
_BREAKS = re.compile("[\x7f-\x9f\u2028\u2029]")
_BRACKETS = str.maketrans("[]", "［］")
_HEAD = re.compile(r'(?P<role>[A-Za-z…][\w-]*)(?: (?P<name>"(?:[^"\\]|\\.)*"))?')
_REF_PART = re.compile(r" \[ref=e\d+\]")
_LABEL = re.compile(r'[A-Za-z][\w-]*(?: "(?:[^"\\]|\\.)*")?(?: \[[^\]]*\])*')
_LABEL_LIMIT = 48
_REF = re.compile(r"\[ref=(e\d+)\]")


@dataclass(frozen=True, slots=True)
class ShownNode:
    """One line of a shown page, without dash and colon, and the lines under it.

    `hidden` counts the lines, by digest, that a left-out line stood for when it was first shown; it is not on the page.
    """

    line: str
    children: tuple["ShownNode", ...] = ()
    hidden: Mapping[int, int] | None = field(default=None, compare=False, repr=False)


@dataclass(slots=True)
class _Draft:
    """A line whose children are still being read."""

    line: str
    children: list["_Draft"] = field(default_factory=list)


def render(tree: SnapshotNode) -> str:
    """The text of a whole tree; its root, the page, has no line of its own."""
    return render_shown(shown(tree))


def shown(node: SnapshotNode) -> ShownNode:
    """The lines of a tree as the model reads them; equal lines mean equal texts."""
    if node.role == LEFT_OUT:
        return ShownNode(own_line(node), hidden=digests(tuple([shown(child) for child in node.children])))
    if is_compact(node):
        return ShownNode(own_line(node, " | ".join(_inline(child) for child in node.children)))
    return ShownNode(own_line(node), tuple([shown(child) for child in node.children]))


def render_shown(tree: ShownNode) -> str:
    lines: list[str] = []
    for child in tree.children:
        _write(child, 0, lines)
    return "\n".join(lines)


def parse_shown(text: str) -> ShownNode:
    """Reads a rendered text back; `render_shown` of it gives the same text again."""
    root = _Draft("page")
    path = [(-1, root)]
    for line in text.split("\n") if text else ():
        body = line.lstrip(" ")
        indent = len(line) - len(body)
        while path[-1][0] >= indent:
            path.pop()
        node = _Draft(body.removeprefix("- "))
        path[-1][1].children.append(node)
        path.append((indent, node))
    return _read_back(root)


def digests(lines: tuple[ShownNode, ...]) -> Mapping[int, int]:
    """How often each line stands in these trees, by digest; good within one run of the program."""
    found: Counter[int] = Counter()
    stack = list(lines)
    while stack:
        node = stack.pop()
        found[hash(node.line)] += 1
        stack.extend(node.children)
    return found


def is_compact(node: SnapshotNode) -> bool:
    """Whether a row, an item or a list of options stands on one line with all that is in it."""
    if node.role not in COMPACT_ROLES or not node.children or (node.role != "row" and node.text):
        return False
    return all(_fits_inline(child) for child in node.children)


def own_line(node: SnapshotNode, content: str = "") -> str:
    """A node's line without its children; `content` is what stands after the colon besides its own text."""
    if node.role == LEFT_OUT:
        return f"… {node.text}"
    value = quoted_if_needed(node.text) if node.text else ""
    after = " | ".join(part for part in (value, content) if part)
    if node.role == "text" and not node.marks and not node.states:
        return f"text: {after or quoted('')}"
    return f"{label(node)}: {after}" if after else label(node)


def label(node: SnapshotNode) -> str:
    """Role, name, states, marks, hint, ref and address: all of a line that stands before the colon."""
    line = f"{node.role} {quoted(node.name)}" if node.name else node.role
    if node.states or node.marks:
        line += "".join([f" [{state}]" for state in node.states if state not in _QUIET_STATES])
        line += "".join([f" [{mark}]" for mark in node.marks if mark not in _QUIET_MARKS])
    if node.hint:
        line += f" [hint: {_in_brackets(node.hint)}]"
    if node.placeholder and node.placeholder != node.name:
        line += f" [placeholder: {_in_brackets(node.placeholder)}]"
    if node.pointer:
        line += " [cursor=pointer]"
    if node.ref:
        line += f" [ref={node.ref}]"
    return f"{line} [url={_in_brackets(node.url)}]" if node.url else line


def head_of(line: str) -> tuple[str, str]:
    """Role and name of a shown line."""
    found = _HEAD.match(line)
    if found is None:
        return line, ""
    name = found["name"]
    return found["role"], str(json.loads(name, strict=False)) if name else ""


def refs_of(line: str) -> list[str]:
    """The refs on a shown line, in order; page text cannot hold one, it is shielded."""
    return _REF.findall(line)


def without_refs(text: str) -> str:
    """A rendered text in which nothing can be acted on."""
    return _REF_PART.sub("", text)


def renamed(line: str, refs: Mapping[str, str]) -> str:
    """A shown text with other refs in the place of these."""
    return _REF.sub(lambda found: f"[ref={refs.get(found[1], found[1])}]", line)


def own_ref(line: str) -> str:
    """The ref of the line's own node; those in the cells of a row are not its own."""
    found = _LABEL.match(line)
    refs = _REF.findall(found[0]) if found and "[ref=" in found[0] else []
    return refs[0] if refs else ""


def label_of(line: str) -> str:
    """Enough of a line to know it again: role, name and own ref, or the start of its text."""
    role, name = head_of(line)
    ref = own_ref(line)
    if role == "…" or not (name or ref):
        return _start(without_refs(line))
    return f"{role}{f' {quoted(_start(name))}' if name else ''}{f' [ref={ref}]' if ref else ''}"


def _start(words: str) -> str:
    return words if len(words) <= _LABEL_LIMIT else f"{words[: _LABEL_LIMIT - 1]}…".replace("[", "［")


def quoted(text: str) -> str:
    if text.isprintable() and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return _BREAKS.sub(_escaped, json.dumps(text, ensure_ascii=False))


def quoted_if_needed(text: str) -> str:
    return quoted(text) if _NEEDS_QUOTES.search(text) else text


def _write(node: ShownNode, depth: int, lines: list[str]) -> None:
    indent = "  " * depth
    if not node.children:
        lines.append(f"{indent}- {node.line}")
        return
    lines.append(f"{indent}- {node.line}:")
    for child in node.children:
        _write(child, depth + 1, lines)


def _read_back(draft: _Draft) -> ShownNode:
    if not draft.children:
        return ShownNode(draft.line)
    return ShownNode(draft.line.removesuffix(":"), tuple([_read_back(child) for child in draft.children]))


def _fits_inline(child: SnapshotNode) -> bool:
    if child.role == LEFT_OUT:
        return True
    if child.role == "cell" and not child.text and not child.ref and not child.name:
        return len(child.children) > 1 and all(not part.children for part in child.children)
    return not child.children


def _inline(child: SnapshotNode) -> str:
    if child.role == LEFT_OUT:
        return own_line(child)
    if child.children:
        return " & ".join(_inline(part) for part in child.children)
    if child.role == "text" and not child.marks:
        return quoted_if_needed(child.text) if not _reads_as_node(child.text) else quoted(child.text)
    return own_line(child)


def _reads_as_node(text: str) -> bool:
    """Whether a bare text would look like a node between the bars of a row."""
    return '"' in text or "[" in text or text == ""


def _in_brackets(text: str) -> str:
    return _BREAKS.sub(_escaped, " ".join(text.split())).translate(_BRACKETS)


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"
