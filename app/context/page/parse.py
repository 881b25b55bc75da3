"""Reads what the driver prints with mode="ai" and boxes into nodes; every bit of it stays, known or not."""

import json
import re
from dataclasses import dataclass, field

from app.domain.snapshot import Box, SnapshotNode

DEPTH_LIMIT = 200
"""Deeper nesting is kept flat at this level, so that no page can exhaust the stack of what comes after."""

_KEY = re.compile(r'(?P<role>[A-Za-z][\w-]*)(?: (?P<name>"(?:[^"\\]|\\.)*"))?(?P<marks>(?: \[[^\]]*\])*)')
_QUOTED_KEY = re.compile(r"'((?:[^']|'')*)'(.*)", re.DOTALL)
_PROPERTY = re.compile(r"/([\w-]+):(?: (.*))?", re.DOTALL)
_MARK = re.compile(r" \[([^\]]*)\]")
_BOX = re.compile(r"(-?[\d.]+),(-?[\d.]+),(-?[\d.]+),(-?[\d.]+)")
_ESCAPE = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))", re.DOTALL)
_PLAIN_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "0": "\0"}
_SURROGATE = re.compile("[\ud800-\udfff]")


def parse(text: str) -> SnapshotNode:
    """The tree of a snapshot under a root with role "page"; linear in the text, never raises on driver output."""
    root = _Draft("page")
    path = [(-1, root)]
    for line in _SURROGATE.sub("\ufffd", text).split("\n"):
        body = line.lstrip(" ")
        if body.startswith("- "):
            _place(path, len(line) - len(body), body[2:])
        elif body:
            path[-1][1].go_on(body)
    return _frozen(root)


@dataclass(slots=True)
class _Draft:
    """A node while its children are still being read."""

    role: str
    name: str = ""
    text: str = ""
    states: tuple[str, ...] = ()
    url: str = ""
    placeholder: str = ""
    ref: str = ""
    box: Box | None = None
    pointer: bool = False
    children: list["_Draft"] = field(default_factory=list)

    def go_on(self, line: str) -> None:
        """A line that opens no node belongs to the text above it."""
        start = "" if self.text in ("|", "|-", ">", ">-") else self.text
        self.text = f"{start}\n{line}" if start else line


def _place(path: list[tuple[int, _Draft]], indent: int, body: str) -> None:
    while path[-1][0] >= indent:
        path.pop()
    parent = path[-1][1]
    node = _property(parent, body) if body.startswith("/") else _node(body)
    if node is None:
        return
    parent.children.append(node)
    if len(path) < DEPTH_LIMIT:
        path.append((indent, node))


def _property(parent: _Draft, body: str) -> _Draft | None:
    """Moves a `/url` or `/placeholder` line into its node; other properties stay as text."""
    found = _PROPERTY.fullmatch(body)
    if found and found[1] == "url":
        parent.url = _value(found[2] or "")
        return None
    if found and found[1] == "placeholder":
        parent.placeholder = _value(found[2] or "")
        return None
    return _Draft("text", text=body)


def _node(body: str) -> _Draft:
    key, rest = _split_key(body)
    found = _KEY.match(key)
    if found is None or (found.end() < len(key)) or not (rest == "" or rest == ":" or rest.startswith(": ")):
        return _Draft("text", text=body)
    node = _Draft(found["role"], _name(found["name"]), _value(rest[2:]))
    if found["marks"]:
        _read_marks(node, found["marks"])
    return node


def _split_key(body: str) -> tuple[str, str]:
    if body.startswith("'"):
        quoted = _QUOTED_KEY.fullmatch(body)
        if quoted:
            return quoted[1].replace("''", "'"), quoted[2]
    found = _KEY.match(body)
    return (body, "") if found is None else (body[: found.end()], body[found.end() :])


def _name(quoted: str | None) -> str:
    if quoted is None:
        return ""
    if "\\" not in quoted:
        return quoted[1:-1]
    try:
        return _SURROGATE.sub("\ufffd", str(json.loads(quoted, strict=False)))
    except ValueError:
        return quoted[1:-1]


def _value(text: str) -> str:
    if len(text) < 2 or text[0] != '"' or text[-1] != '"':
        return text
    return _ESCAPE.sub(_unescape, text[1:-1]) if "\\" in text else text[1:-1]


def _unescape(found: re.Match[str]) -> str:
    code = found[1] or found[2]
    if code:
        character = chr(int(code, 16))
        return "\ufffd" if "\ud800" <= character <= "\udfff" else character
    return _PLAIN_ESCAPES.get(found[3], found[3])


def _read_marks(node: _Draft, marks: str) -> None:
    states = []
    for mark in _MARK.findall(marks):
        key, _, value = mark.partition("=")
        box = _BOX.fullmatch(value) if key == "box" else None
        if key == "ref":
            node.ref = value
        elif box:
            node.box = Box(float(box[1]), float(box[2]), float(box[3]), float(box[4]))
        elif mark == "cursor=pointer":
            node.pointer = True
        else:
            states.append(mark)
    node.states = tuple(states)


def _frozen(root: _Draft) -> SnapshotNode:
    return SnapshotNode(
        role=root.role,
        name=root.name,
        text=root.text,
        states=root.states,
        url=root.url,
        placeholder=root.placeholder,
        driver_ref=root.ref,
        box=root.box,
        pointer=root.pointer,
        children=tuple([_frozen(child) for child in root.children]),
    )
