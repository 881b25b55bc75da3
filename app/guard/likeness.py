"""Tells whether two payloads are the same but for what a page makes anew each time."""

import re
import time
from collections.abc import Iterable
from typing import Literal

from app.domain.submissions import Fields

Likeness = Literal["same", "alike", "different"]

_TOKEN_NAMES = re.compile(
    r"csrf|xsrf|nonce|authenticity|requestverification|viewstate|eventvalidation|antiforgery|form_?(?:key|token|build_id)"
    r"|^_?token$|idempotency|request_?id|correlation_?id|captcha|^_?ts$|^_$|cache_?bust|client_?mutation"
    r"|submission_?(?:id|token)|state_?token|session_?token",
    re.IGNORECASE,
)
_RANDOM = re.compile(
    r"[0-9a-f]{16,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=[^\s]*\d)(?=[^\s]*[a-z])(?=[^\s]*[A-Z])[\w+/=-]{20,}"
)
_CLOCK = re.compile(r"\d{10}(?:\d{3}|\d{6})?|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)?")
_A_DAY_S = 86_400.0
_ALIKE = 0.5  # share of the fields of two payloads that are equal


def likeness(one: Fields, other: Fields, now: float) -> Likeness:
    """Fields named like tokens never count; what looks random or like the clock at `now` counts only as a doubt."""
    first, second = _counted(one), _counted(other)
    if first == second:
        return "same"
    names = {name for name, _ in first} | {name for name, _ in second}
    mine, yours = _by_name(first), _by_name(second)
    differing = [name for name in names if mine.get(name) != yours.get(name)]
    values = [value for name in differing for value in (*mine.get(name, ("",)), *yours.get(name, ("",)))]
    if all(_is_clock(value, now) for value in values):
        return "same"
    if all(_RANDOM.fullmatch(value) or _is_clock(value, now) for value in values):
        return "alike"
    telling = [name for name in names if _is_telling((*mine.get(name, ()), *yours.get(name, ())))]
    equal = sum(name not in differing for name in telling)
    return "alike" if telling and equal and equal >= _ALIKE * len(telling) else "different"


def rewritten(shown: Fields, sent: Fields, now: float) -> tuple[str, ...]:
    """The names of fields that were sent with another value than they had, but for what is made anew each time."""
    had, has = _by_name(_counted(shown)), _by_name(_counted(sent))
    return tuple(
        name
        for name in had
        if name in has
        and had[name] != has[name]
        and not all(_RANDOM.fullmatch(value) or _is_clock(value, now) for value in has[name])
    )


def says_more(before: Fields, now: Fields) -> bool:
    """Whether the later payload holds a value that the earlier one had not, other than what is made anew each time."""
    had = {value for _, value in _counted(before)}
    return any(len(value) > 1 and value not in had and not _RANDOM.fullmatch(value) for _, value in _counted(now))


def is_token(name: str) -> bool:
    """Whether a field is named like one that a page makes anew each time."""
    return _TOKEN_NAMES.search(name.rpartition(".")[2]) is not None


def _counted(fields: Fields) -> tuple[tuple[str, str], ...]:
    """Two texts are one also when only their case, their spaces or the mark at their end differ."""
    return tuple(sorted((name, _plain(value)) for name, value in fields if not is_token(name)))


def _plain(value: str) -> str:
    if _RANDOM.fullmatch(value):
        return value
    return " ".join(value.split()).rstrip(".,;!? ").casefold() or value.strip()


def _by_name(fields: Iterable[tuple[str, str]]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, value in fields:
        found[name] = (*found.get(name, ()), value)
    return found


def _is_clock(value: str, now: float) -> bool:
    """A time about now; another one is what somebody chose."""
    if _CLOCK.fullmatch(value) is None:
        return False
    if value.isdigit():
        return abs(float(value[:10]) - now) < _A_DAY_S
    days = (time.strftime("%Y-%m-%d", time.gmtime(now + days * _A_DAY_S)) for days in (-1, 0, 1))
    return value.startswith(tuple(days))


def _is_telling(values: Iterable[str]) -> bool:
    """A single letter, a digit or an empty field says little about what is sent."""
    return any(len(value) > 1 for value in values)
