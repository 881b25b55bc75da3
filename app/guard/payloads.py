"""Reads the body of a request as names and values, whatever it is written in."""

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email import message_from_bytes, policy
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from app.domain.submissions import Fields

MOST_FIELDS = 60
VALUE_CHARACTERS = 300
_DEEPEST = 6
_WORDS = 400  # characters of a text that is told


@dataclass(frozen=True, slots=True)
class Payload:
    """`digest` stands for a body that has no fields; `words` is its beginning where it is text."""

    fields: Fields = ()
    digest: str = ""
    words: str = ""
    files: tuple[str, ...] = ()


def payload_of(content_type: str, body: bytes, hide: Callable[[str], str] = str) -> Payload:
    """What a body says; one of a kind that is not known is told apart by its digest alone.

    `hide` takes secrets out of each text before it is cut or digested.
    """
    kind = content_type.partition(";")[0].strip().lower()
    if not body:
        return Payload()
    if kind == "multipart/form-data":
        return _multipart(content_type, body, hide)
    text = body.decode(errors="replace")
    if kind == "application/x-www-form-urlencoded":
        return Payload(bounded(parse_qsl(text, keep_blank_values=True), hide))
    fields = _fields_of_json(text, hide)
    if fields is not None:
        return Payload(fields)
    pairs = parse_qsl(text, keep_blank_values=True) if _IS_FORM.fullmatch(text) else []
    if pairs:
        return Payload(bounded(pairs, hide))
    text = hide(text)
    printable = text[:_WORDS] if text[:_WORDS].isprintable() or "\n" in text[:_WORDS] else ""
    return Payload(digest=_digest(text) if printable else hashlib.sha256(body).hexdigest(), words=printable)


def address_fields(url: str) -> Fields:
    """The names and values that an address holds behind its path."""
    return bounded(parse_qsl(urlsplit(url).query, keep_blank_values=True))


_IS_FORM = re.compile(r"[\w.\[\]%+-]+=[^&\s]*(?:&[\w.\[\]%+-]+=[^&\s]*)*")


def _multipart(content_type: str, body: bytes, hide: Callable[[str], str]) -> Payload:
    """A file counts by its name: the browser does not tell what it holds."""
    head = f"Content-Type: {content_type}\r\nMIME-Version: 1.0\r\n\r\n".encode()
    message = message_from_bytes(head + body, policy=policy.HTTP)
    fields, files = [], []
    for part in message.iter_parts() if message.is_multipart() else ():
        name = str(part.get_param("name", "", header="content-disposition"))
        content = part.get_payload(decode=True)
        data = content if isinstance(content, bytes) else b""
        file = part.get_filename()
        if file is None:
            fields.append((name, data.decode(errors="replace")))
        elif file:
            files.append(file)
            fields.append((name, file))
    return Payload(bounded(fields, hide), files=tuple(files))


def _fields_of_json(text: str, hide: Callable[[str], str]) -> Fields | None:
    if text.lstrip()[:1] not in ("{", "["):
        return None
    try:
        return bounded(list(_flat("", json.loads(text), 0)), hide)
    except (ValueError, RecursionError):
        return None


def _flat(path: str, value: Any, depth: int) -> list[tuple[str, str]]:
    if depth < _DEEPEST and isinstance(value, dict):
        named = ((f"{path}.{key}" if path else str(key), one) for key, one in value.items())
    elif depth < _DEEPEST and isinstance(value, list):
        named = ((f"{path}[{index}]", one) for index, one in enumerate(value))
    else:
        return [(path, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))]
    return [pair for name, one in named for pair in _flat(name, one, depth + 1)]


def bounded(pairs: Sequence[tuple[str, str]], hide: Callable[[str], str] = str) -> Fields:
    """What is too long to be told still tells apart: by a digest of the rest, of each value and of all."""
    fields = [(name[:100], _cut(hide(value))) for name, value in pairs[:MOST_FIELDS]]
    rest = pairs[MOST_FIELDS:]
    if rest:
        fields.append(("…", f"{len(rest)} more ({_digest(hide(repr(rest)))})"))
    return tuple(fields)


def _cut(value: str) -> str:
    if len(value) <= VALUE_CHARACTERS:
        return value
    return f"{value[:VALUE_CHARACTERS]}… ({len(value)} characters, {_digest(value)})"


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:12]
