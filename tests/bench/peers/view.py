"""A page as a peer shows it, read into one tree, so that targets and controls can be found in every peer's text."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from app.context.page.parse import parse
from app.domain.snapshot import SnapshotNode

HOLDERS = frozenset(["row", "listitem", "group", "article", "dialog", "region", "fieldset", "tr", "li"])
_QUOTED = r'"(?:[^"\\]|\\.)*"'
_CHROME = re.compile(rf"(?P<role>[A-Za-z]\w*)(?: (?P<name>{_QUOTED}))?(?P<rest>.*)")
_OURS = re.compile(rf"([A-Za-z]+)(?: ({_QUOTED}))?((?: \[[^\]]*\])*?) \[ref=(e\d+)\]")
_TAG = re.compile(r"(?:\|[^|]*\|)?\*?(?:\[(?P<ref>\d+)\])?<(?P<tag>[\w-]+)(?P<rest>.*?)/?>")
_ATTRIBUTE = re.compile(r"([\w-]+)=(\S+(?: (?![\w-]+=|/)\S+)*)")
_INPUTS = {
    "checkbox": "checkbox",
    "radio": "radio",
    "search": "searchbox",
    "number": "spinbutton",
    "range": "slider",
    "submit": "button",
    "button": "button",
    "reset": "button",
    "image": "button",
}
_FIELDS = frozenset(["textbox", "searchbox", "combobox", "checkbox", "radio", "spinbutton", "slider"])
_TAGS = {"a": "link", "button": "button", "textarea": "textbox", "select": "combobox", "iframe": "iframe"}


@dataclass(slots=True)
class Node:
    """One line of a view; `said` is what it says besides role and name, which may be guessed from words beside it."""

    role: str = "page"
    name: str = ""
    ref: str = ""
    said: str = ""
    is_guessed: bool = False
    children: list["Node"] = field(default_factory=list)


def walk(node: Node) -> Iterator[Node]:
    stack = [node]
    while stack:
        top = stack.pop()
        yield top
        stack.extend(reversed(top.children))


def paths(node: Node, above: tuple[Node, ...] = ()) -> Iterator[tuple[tuple[Node, ...], Node]]:
    """Every node with those it stands in, outermost first."""
    yield above, node
    for child in node.children:
        yield from paths(child, (*above, node))


def words(node: Node) -> str:
    return " ".join(f"{one.name} {one.said}" for one in walk(node))


def of_playwright(text: str) -> Node:
    """The tree of @playwright/mcp, whose refs are the driver's."""
    return of_driver_tree(parse(text))


def of_driver_tree(tree: SnapshotNode) -> Node:
    """A parsed snapshot with the driver's own refs."""
    return _of_snapshot(tree)


def of_our_tree(tree: SnapshotNode) -> Node:
    """The page as our tools hold it, with the refs that they gave."""
    return _of_snapshot(tree, ours=True)


def of_our_text(text: str) -> Node:
    """The controls that stand in a text of ours; what is not written there is not here."""
    page = Node(said=text)
    for role, name, _, ref in _OURS.findall(text):
        page.children.append(Node(role, json.loads(name, strict=False) if name else "", ref))
    return page


def of_chrome_devtools(text: str) -> Node:
    """Lines such as `  uid=1_4 link "New in" url="…"`."""
    root = Node()
    stack = [(-1, root)]
    for line in text.splitlines():
        body = line.lstrip(" ")
        found = re.match(r"uid=(\S+) (.*)", body)
        if found is None:
            stack[-1][1].said += f" {body}"
            continue
        made = _named(found[2], found[1])
        _hang(stack, len(line) - len(body), made)
    return root


def of_agent_browser(text: str) -> Node:
    """Lines such as `  - link "New in" [ref=e5]`."""
    root = Node()
    stack = [(-1, root)]
    for line in text.splitlines():
        body = line.lstrip(" ")
        if not body.startswith("- "):
            stack[-1][1].said += f" {body}"
            continue
        ref = re.search(r"ref=(e\d+)\]", body)
        _hang(stack, len(line) - len(body), _named(body[2:], ref[1] if ref else ""))
    return root


def of_browser_use(text: str) -> Node:
    """Lines such as `\t[13]<button />` with the texts of a tag below it; a field is named by the words beside it."""
    root = Node()
    stack = [(-1, root)]
    for line in text.splitlines():
        body = line.lstrip("\t")
        found = _TAG.match(body)
        _hang(stack, len(line) - len(body), _tagged(found) if found else Node("text", said=body))
    before = ""
    for path, node in paths(root):
        if node.role in _FIELDS and not node.name:
            parent = path[-1]
            node.name, node.is_guessed = _texts(parent) if parent.role == "label" else before, True
        elif not node.name:
            node.name = _texts(node)
        before = node.said if node.role == "text" else before
    return root


def _of_snapshot(node: SnapshotNode, *, ours: bool = False) -> Node:
    said = " ".join(filter(None, (node.text, node.url, node.placeholder)))
    ref = (node.ref or "") if ours else node.driver_ref
    children = [_of_snapshot(child, ours=ours) for child in node.children]
    return Node(node.role, node.name, ref, said, children=children)


def _named(body: str, ref: str) -> Node:
    if body.startswith('"'):
        return Node("text", said=_unquoted(body), ref=ref)
    found = _CHROME.match(body)
    if found is None:
        return Node("text", said=body, ref=ref)
    return Node(found["role"], _unquoted(found["name"] or ""), ref, found["rest"])


def _texts(node: Node) -> str:
    return " ".join(child.said for child in walk(node) if child.role == "text").strip()


def _tagged(found: re.Match[str]) -> Node:
    given = dict(_ATTRIBUTE.findall(found["rest"]))
    tag = found["tag"]
    role = given.get("role") or (
        _INPUTS.get(given.get("type", ""), "textbox") if tag == "input" else _TAGS.get(tag, tag)
    )
    name = given.get("aria-label") or given.get("title") or given.get("alt") or ""
    if not name and tag == "input" and role == "button":
        name = given.get("value", "")
    return Node(role, name, found["ref"] or "", found["rest"])


def _unquoted(text: str) -> str:
    try:
        return str(json.loads(text, strict=False)) if text else ""
    except json.JSONDecodeError:
        return text.strip('"')


def _hang(stack: list[tuple[int, Node]], indent: int, made: Node) -> None:
    while stack[-1][0] >= indent:
        stack.pop()
    stack[-1][1].children.append(made)
    stack.append((indent, made))
