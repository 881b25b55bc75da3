"""Writes a tree the way the driver prints it, with its rules for quoting, so that reading back can be tried."""

import json
import re

from app.domain.snapshot import SnapshotNode

_MUST_QUOTE = re.compile(
    r"^$|^\s|\s$|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|^-|[\n:](?:\s|$)|\s#|[\n\r]|^[&*\],?!>|@\"'#%]|[{}`]|^\["
    r"|^[-+]?\.(?:inf|nan)$",
    re.IGNORECASE | re.ASCII,
)
_WORDS = {"y", "n", "yes", "no", "true", "false", "on", "off", "null", "~"}
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def printed(tree: SnapshotNode) -> str:
    """The text of all that is in the page."""
    return "\n".join(line for child in tree.children for line in _lines(child, 0))


def _lines(node: SnapshotNode, depth: int) -> list[str]:
    indent = "  " * depth
    if node.role == "text":
        return [f"{indent}- text: {_value(node.text)}"]
    key = _key(node)
    below = [f"{indent}  - /url: {_value(node.url)}"] if node.url else []
    below += [f"{indent}  - /placeholder: {_value(node.placeholder)}"] if node.placeholder else []
    if node.text and not below and not node.children:
        return [f"{indent}- {key}: {_value(node.text)}"]
    if node.text:
        below.append(f"{indent}  - text: {_value(node.text)}")
    for child in node.children:
        below += _lines(child, depth + 1)
    return [f"{indent}- {key}:", *below] if below else [f"{indent}- {key}"]


def _key(node: SnapshotNode) -> str:
    parts = [node.role]
    parts += [json.dumps(node.name, ensure_ascii=False)] if node.name else []
    parts += [f"[{state}]" for state in node.states]
    parts += [f"[ref={node.driver_ref}]"] if node.driver_ref else []
    parts += ["[cursor=pointer]"] if node.pointer else []
    if node.box:
        parts.append(f"[box={node.box.x:g},{node.box.y:g},{node.box.width:g},{node.box.height:g}]")
    key = " ".join(parts)
    return "'" + key.replace("'", "''") + "'" if _must_quote(key) else key


def _value(text: str) -> str:
    return '"' + "".join(_escaped(character) for character in text) + '"' if _must_quote(text) else text


def _must_quote(text: str) -> bool:
    return _MUST_QUOTE.search(text) is not None or text.lower() in _WORDS or _is_number(text)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    return f"\\x{ord(character):02x}" if character < " " or "\x7f" <= character <= "\x9f" else character
