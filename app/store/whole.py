"""A whole conversation as one text: each event with its seal, each page and picture; taken back without loss."""

import base64
import binascii
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.domain.errors import UsageError
from app.domain.ids import BlobHash, ConversationId
from app.store.blobs import hash_of, without_secrets
from app.store.codec import blobs_of, compact, decode, encode, seal

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Row:
    """One event as it stands in the record."""

    seq: int
    at: float
    kind: str
    body: str
    seal: bytes


@dataclass(frozen=True, slots=True)
class Whole:
    """A conversation with all that its events name."""

    id: ConversationId
    title: str
    demo: bool
    created_at: float
    updated_at: float
    rows: tuple[Row, ...]
    blobs: tuple[tuple[BlobHash, bytes], ...]


def as_json(whole: Whole) -> str:
    """In ASCII alone, so that no encoding of a terminal or a file can change it."""
    conversation = {
        "id": whole.id,
        "title": whole.title,
        "demo": whole.demo,
        "created_at": whole.created_at,
        "updated_at": whole.updated_at,
        "events": len(whole.rows),
    }
    blobs = [{"hash": name, "data": base64.b64encode(data).decode()} for name, data in whole.blobs]
    text = {
        "pilotfish_conversation": FORMAT,
        "conversation": conversation,
        "events": [_event(row) for row in whole.rows],
        "blobs": blobs,
    }
    return json.dumps(text, indent=1) + "\n"


def from_json(text: str) -> Whole:
    """Raises UsageError when it is not whole and unchanged; StoreError when a newer version wrote it."""
    try:
        held = _Text.model_validate(json.loads(text))
        about = held.conversation
        whole = Whole(
            ConversationId(about.id),
            about.title,
            about.demo,
            about.created_at,
            about.updated_at,
            rows=tuple(Row(one.seq, one.at, one.kind, _body(one.body), bytes.fromhex(one.seal)) for one in held.events),
            blobs=tuple((BlobHash(one.hash), base64.b64decode(one.data, validate=True)) for one in held.blobs),
        )
    except (ValidationError, json.JSONDecodeError, binascii.Error, ValueError, RecursionError) as exc:
        raise UsageError(
            "This file is not an export of a conversation as JSON.",
            next_step="Make one with `pilotfish export ID --format json --out FILE`.",
        ) from exc
    if len(whole.rows) != about.events or not _is_unchanged(whole):
        raise UsageError(
            "This export was changed or is not complete, so it was not taken in.",
            next_step="Export the conversation once more and leave the file as it is.",
        )
    return whole


def without_keys(whole: Whole, clean: Callable[[str], str]) -> Whole:
    """The same when there is nothing to take out; else what holds a secret is changed, and sealed anew."""
    blobs = {name: without_secrets(data, clean) for name, data in whole.blobs}
    names = {name: hash_of(data) for name, data in blobs.items()}
    bodies = [encode(decode(row.kind, row.body), clean) for row in whole.rows]
    for old, new in names.items():
        bodies = [body.replace(old, new) if old != new else body for body in bodies]
    if bodies == [row.body for row in whole.rows] and all(old == new for old, new in names.items()):
        return replace(whole, title=clean(whole.title))
    rows = [replace(row, body=body) for row, body in zip(whole.rows, bodies, strict=True)]
    fresh = tuple((names[name], data) for name, data in blobs.items())
    return replace(whole, title=clean(whole.title), rows=tuple(_sealed(rows)), blobs=fresh)


def _sealed(rows: list[Row]) -> Iterator[Row]:
    last = b""
    for row in rows:
        last = seal(last, row.seq, row.at, row.kind, row.body)
        yield replace(row, seal=last)


def _is_unchanged(whole: Whole) -> bool:
    rows = list(whole.rows)
    if [row.seq for row in rows] != list(range(1, len(rows) + 1)) or list(_sealed(rows)) != rows:
        return False
    needed = {name for row in rows for name in blobs_of(decode(row.kind, row.body))}
    return {name for name, _ in whole.blobs} == needed and all(hash_of(data) == name for name, data in whole.blobs)


def _event(row: Row) -> dict[str, object]:
    """The body is readable as JSON where writing it again gives the very text that is sealed."""
    body = json.loads(row.body)
    return {
        "seq": row.seq,
        "at": row.at,
        "kind": row.kind,
        "body": body if compact(body) == row.body else row.body,
        "seal": row.seal.hex(),
    }


def _body(body: object) -> str:
    return body if isinstance(body, str) else compact(body)


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")


class _Conversation(_Strict):
    id: Annotated[str, Field(min_length=1, max_length=64)]
    title: str
    demo: bool
    created_at: float
    updated_at: float
    events: int


class _Event(_Strict):
    seq: int
    at: float
    kind: str
    body: object
    seal: str


class _Blob(_Strict):
    hash: str
    data: str


class _Text(_Strict):
    pilotfish_conversation: Annotated[int, Field(ge=1, le=FORMAT)]
    conversation: _Conversation
    events: list[_Event]
    blobs: list[_Blob]
