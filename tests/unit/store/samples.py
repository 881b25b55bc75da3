"""Speaking events for the tests of the store, and looks into the files that it makes."""

import random
from collections.abc import Iterator
from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

from app.domain.events import AssistantSaid, QuoteKept, RecordedEvent, ToolAnswered
from app.domain.ids import BlobHash, ObservationId, QuoteId, ToolCallId
from app.domain.messages import ToolCall, Usage, WireItems
from app.domain.observation import Observation
from app.domain.records import Quote

NO_BLOB = BlobHash("")
BLOB = BlobHash("b" * 64)


def observation(tree: BlobHash, *, shown: str = "- button", title: str = "Shop") -> Observation:
    hints = get_type_hints(Observation)
    rest = {field.name: _blank(hints[field.name]) for field in fields(Observation) if field.default is MISSING}
    return Observation(**rest | {"tree": tree, "shown": shown, "title": title, "url": "http://shop.test/"})


def _blank(hint: Any) -> Any:
    plain = getattr(hint, "__supertype__", hint)
    return get_args(plain)[0] if get_origin(plain) is Literal else plain()


def answered(text: str, tree: BlobHash = NO_BLOB, picture: BlobHash | None = None, **seen: str) -> ToolAnswered:
    shown = observation(tree, **seen)
    return ToolAnswered(ToolCallId("t1"), "browser_click", text, False, observation=shown, picture=picture)


def said(text: str) -> AssistantSaid:
    call = ToolCall(ToolCallId("t1"), "browser_click", '{"target":"e1"}')
    wire = WireItems("openai-chat", "m", '{"role":"assistant"}')
    return AssistantSaid(1, text, (call,), "tool_calls", Usage(10, 5, 2), "openai", "m", wire)


def quote(text: str) -> QuoteKept:
    kept = Quote(QuoteId("q1"), text, "the price", ObservationId("o1"), "http://shop.test/", "Shop", 3, 1.5, "0" * 64)
    return QuoteKept(kept)


def kinds() -> Iterator[str]:
    return (get_args(get_type_hints(event)["kind"])[0] for event in get_args(RecordedEvent))


def noise(size: int, seed: int = 1) -> bytes:
    return random.Random(seed).randbytes(size)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def files_with(folder: Path, needle: bytes) -> list[str]:
    return [path.name for path in sorted(folder.rglob("*")) if path.is_file() and needle in path.read_bytes()]
