"""Reads JSON of foreign making without believing in its shape, and writes ours in one form."""

import json
from typing import Any

JsonObject = dict[str, Any]


def as_object(value: object) -> JsonObject:
    """The object, or an empty one."""
    return value if isinstance(value, dict) else {}


def as_items(value: object) -> list[Any]:
    """The list, or an empty one."""
    return value if isinstance(value, list) else []


def as_text(value: object) -> str:
    """The text, or an empty one."""
    return value if isinstance(value, str) else ""


def as_count(value: object) -> int:
    """The number, or 0."""
    return int(value) if isinstance(value, int | float) and value == value else 0


def dump(value: object) -> str:
    """Compact JSON text; the same value always gives the same bytes."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def object_in(text: str) -> JsonObject | None:
    """The JSON object a text holds; None when it holds anything else."""
    try:
        value = json.loads(text or "{}")
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def joined(text: str) -> str:
    """The text with surrogate pairs put together that the wire had cut in two; a half without its other is replaced."""
    if not any("\ud800" <= character <= "\udfff" for character in text):
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
