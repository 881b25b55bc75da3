"""Recorded events as JSON text and back, exactly."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Annotated, Any, cast, get_args, get_type_hints

from pydantic import Field, TypeAdapter, ValidationError

from app.domain.errors import StoreError
from app.domain.events import RecordedEvent
from app.domain.ids import BlobHash
from app.store.faults import damaged_conversation

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def encode(event: RecordedEvent, clean: Callable[[str], str] = str) -> str:
    """The event as JSON text; `clean` is applied to every text in it."""
    return compact(_plain(event, clean))


def compact(plain: object) -> str:
    """Data as the JSON text that is stored and sealed; the same data gives the same text."""
    text = json.dumps(plain, ensure_ascii=False, separators=(",", ":"))
    return _LONE_SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def decode(kind: str, body: str) -> RecordedEvent:
    """The event that `encode` wrote. Raises StoreError when this version does not know it or cannot read it."""
    if kind not in known_kinds():
        raise StoreError(
            f"This conversation holds an entry of the kind “{kind}”, which a newer version of Pilotfish wrote.",
            fault="newer",
            next_step="Open it with the newest version of Pilotfish.",
        )
    try:
        return _events().validate_python(json.loads(body))
    except (ValidationError, json.JSONDecodeError) as exc:
        raise damaged_conversation() from exc


def seal(previous: bytes, seq: int, at: float, kind: str, body: str) -> bytes:
    """What a row is sealed with: it holds the seal of the row before, so that none can change or go unnoticed."""
    return hashlib.sha256(previous + f"{seq} {at!r} {kind} {body}".encode()).digest()


@cache
def known_kinds() -> frozenset[str]:
    """The kinds of events this version can read."""
    return frozenset(get_type_hints(event)["kind"].__args__[0] for event in get_args(RecordedEvent))


def blobs_of(value: Any) -> Iterator[BlobHash]:
    """The blobs that an event names, wherever in it they stand."""
    for name, is_blob in _places(value.__class__):
        held = getattr(value, name)
        if is_blob and held:
            yield held
        else:
            for item in held if isinstance(held, tuple) else (held,):
                yield from blobs_of(item) if is_dataclass(item) else ()


@cache
def _places(owner: type) -> tuple[tuple[str, bool], ...]:
    hints = get_type_hints(owner)
    return tuple((field.name, _names_a_blob(hints[field.name])) for field in fields(owner))


def _names_a_blob(hint: object) -> bool:
    return hint is BlobHash or BlobHash in get_args(hint)


@cache
def _events() -> TypeAdapter[RecordedEvent]:
    return TypeAdapter(Annotated[RecordedEvent, Field(discriminator="kind")])


def _plain(value: Any, clean: Callable[[str], str]) -> object:
    """JSON-like data. `dataclasses.asdict` keeps tuples and copies deeply; this cleans on the way."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, tuple):
        return [_plain(item, clean) for item in value]
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name), clean) for field in fields(value)}
    return cast("object", value)
