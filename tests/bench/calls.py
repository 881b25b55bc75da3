"""The steps of a walk as calls of our tools, their targets found in the newest page by role and name."""

import json
from collections.abc import Iterator

from app.domain.snapshot import SnapshotNode
from tests.bench.walks.walk import Action, Aim, Back, Click, Fill, Open, Press, Select, Wait

_HOLDERS = ("row", "listitem", "group", "article", "dialog", "region")

Path = tuple[SnapshotNode, ...]


def call_of(action: Action, root: str, page: SnapshotNode | None) -> tuple[str, str]:
    """Tool and arguments. Raises LookupError when the target is not on the page."""
    match action:
        case Open(path):
            return "browser_navigate", _json(url=root + path)
        case Back():
            return "browser_navigate_back", _json()
        case Press(key):
            return "browser_press_key", _json(key=key)
        case Wait(text):
            return "browser_wait_for", _json(text=text)
        case Click(aim):
            return "browser_click", _json(target=ref_of(aim, page), element=aim.name)
        case Fill(aim, value):
            return "browser_type", _json(target=ref_of(aim, page), element=aim.name, text=value)
        case Select(aim, label):
            return "browser_select_option", _json(target=ref_of(aim, page), element=aim.name, values=[label])


def said_of(action: Action) -> str:
    """What a model says beside the call, in few words; the same under every policy."""
    match action:
        case Open(path):
            return f"I open {path}."
        case Back():
            return "I go back."
        case Press(key):
            return f"I press {key}."
        case Wait(text):
            return f"I wait for “{text}”."
        case Click(aim):
            return f"I click “{aim.name}”."
        case Fill(aim, value):
            return f"I write “{value}” into “{aim.name}”."
        case Select(aim, label):
            return f"I choose “{label}” in “{aim.name}”."


def ref_of(aim: Aim, page: SnapshotNode | None) -> str:
    """The ref of what is aimed at. Raises LookupError."""
    found = [] if page is None else list(_found(page, aim, ()))
    if len(found) <= aim.nth:
        raise LookupError(f"{len(found)} times {aim.role} “{aim.name}” ({aim.nth + 1} wanted, within “{aim.within}”)")
    return found[aim.nth]


def _found(node: SnapshotNode, aim: Aim, path: Path) -> Iterator[str]:
    if node.ref and (node.role, node.name) == (aim.role, aim.name) and _stands_within(path, aim.within):
        yield node.ref
    for child in node.children:
        yield from _found(child, aim, (*path, node))


def _stands_within(path: Path, text: str) -> bool:
    if not text:
        return True
    holder = next((one for one in reversed(path) if one.role in _HOLDERS), None)
    return holder is not None and text in _said(holder)


def _said(node: SnapshotNode) -> str:
    return " ".join((node.name, node.text, *map(_said, node.children)))


def _json(**arguments: object) -> str:
    return json.dumps(arguments, ensure_ascii=False)
