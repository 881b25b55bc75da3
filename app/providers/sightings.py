"""Looks up in the messages of a request what pages showed: refs by role and name, texts by pattern; pure."""

import re
from collections.abc import Iterator, Sequence

from app.domain.messages import Message, TextBlock, ToolResultBlock, UserMessage

_CONTAINERS = re.compile(r"\s*(?:in |[-+~] ).*\b(?:row|listitem|group|article|form|region|option|cell)\b")
_WHOLE = re.compile(r"^whole page\b", re.MULTILINE)
_GONE = re.compile(r"^gone: (.*)$", re.MULTILINE)
_TAKEN_OUT = re.compile(r"^\s*x .*\[ref=(e\d+)\]", re.MULTILINE)
_REPLACED = re.compile(r"^\s*~ replaced (e\d+)\b", re.MULTILINE)
_RANGE = re.compile(r"e(\d+)(?:-e(\d+))?")
_NAME = r'"((?:[^"\\]|\\.)*)"'


def newest_text(messages: Sequence[Message]) -> str:
    """The text of the newest message."""
    last = messages[-1] if messages else None
    return "\n".join(reversed(list(texts_of(last)))) if isinstance(last, UserMessage) else ""


def find_text(messages: Sequence[Message], pattern: str) -> str | None:
    """The newest text that fits: its first group when the pattern has one."""
    for text in _newest_first(messages):
        if found := re.search(pattern, text, re.MULTILINE):
            return found.group(1) if found.re.groups else found.group(0)
    return None


def find_ref(messages: Sequence[Message], role: str, name: str, row: str = "", nth: int = 0) -> str | None:
    """The newest living ref of a thing: on the newest whole page, or in the changes after it.

    `row` is a text of the row, item or group it stands in; `nth` counts the fitting ones of one text.
    """
    gone: set[str] = set()
    for text in _newest_first(messages):
        gone |= _gone_in(text)
        found = [ref for ref in _refs_in(text, role, name, row) if ref not in gone]
        if len(found) > nth:
            return found[nth]
        if _WHOLE.search(text):
            return None
    return None


def texts_of(message: UserMessage) -> Iterator[str]:
    """The texts of one message, last first."""
    for block in reversed(message.content):
        if isinstance(block, TextBlock):
            yield block.text
        elif isinstance(block, ToolResultBlock):
            yield from (part.text for part in reversed(block.content) if isinstance(part, TextBlock))


def _newest_first(messages: Sequence[Message]) -> Iterator[str]:
    for message in reversed(messages):
        if isinstance(message, UserMessage):
            yield from texts_of(message)


def _refs_in(text: str, role: str, name: str, row: str) -> Iterator[str]:
    lines = text.splitlines()
    for number, line in enumerate(lines):
        if row and row not in line and row not in _container_of(lines, number):
            continue
        for ref, found in _things_in(line, role):
            if _fits(found, name):
                yield ref


def _things_in(line: str, role: str) -> Iterator[tuple[str, str]]:
    """Every thing of a role that a line shows with a ref, as (ref, name)."""
    marks = r"(?: \[[^\]]*\])*?"
    for match in re.finditer(rf"(?<![\w-]){re.escape(role)}(?: {_NAME})?{marks} \[ref=(e\d+)\]", line):
        yield match.group(2), _unescaped(match.group(1) or "")


def _fits(found: str, wanted: str) -> bool:
    if len(wanted) > 1 and wanted.startswith("/") and wanted.endswith("/"):
        return re.search(wanted[1:-1], found) is not None
    return found == wanted


def _container_of(lines: Sequence[str], number: int) -> str:
    """The text of the nearest row, item or group around a line."""
    depth = _depth(lines[number])
    for above in range(number - 1, -1, -1):
        if lines[above].strip() and _depth(lines[above]) < depth:
            depth = _depth(lines[above])
            if _CONTAINERS.match(lines[above]):
                return "\n".join(_block(lines, above))
    return ""


def _block(lines: Sequence[str], start: int) -> Iterator[str]:
    yield lines[start]
    for line in lines[start + 1 :]:
        if _depth(line) <= _depth(lines[start]):
            return
        yield line


def _gone_in(text: str) -> set[str]:
    """Refs that a list of changes calls gone, takes out or replaces."""
    gone = {*_TAKEN_OUT.findall(text), *_REPLACED.findall(text)}
    for listed in _GONE.findall(text):
        for first, last in _RANGE.findall(listed):
            gone.update(f"e{number}" for number in range(int(first), int(last or first) + 1))
    return gone


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _unescaped(name: str) -> str:
    return re.sub(r"\\(.)", r"\1", name)
