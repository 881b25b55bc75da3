"""Types into fields and editors, reads back what they hold, and types again by keys what did not stay."""

import re
from dataclasses import dataclass

from playwright.async_api import Error

from app.browser.choosing import choose, type_with_last_key
from app.browser.page_script import ask
from app.browser.probe import Bound
from app.domain.acts import Type
from app.domain.pages import Outcome

_VALUE_LIMIT_MS = 1000
_KEY_DELAY_MS = 15
_NOT_TYPED = frozenset({"checkbox", "radio", "file", "button", "submit", "reset", "image"})
_FORMS = {
    "date": (r"\d{4,6}-\d\d-\d\d", "2024-05-17"),
    "time": (r"\d\d:\d\d(:\d\d(\.\d{1,3})?)?", "13:45"),
    "datetime-local": (r"\d{4,6}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?", "2024-05-17T13:45"),
    "month": (r"\d{4,6}-\d\d", "2024-05"),
    "week": (r"\d{4,6}-W\d\d", "2024-W20"),
    "color": (r"#[0-9a-fA-F]{6}", "#ff8800"),
    "number": (r"-?\d*\.?\d+([eE][-+]?\d+)?", "12.5"),
    "range": (r"-?\d*\.?\d+([eE][-+]?\d+)?", "12.5"),
}


@dataclass(frozen=True, slots=True)
class _Field:
    """What a field holds, masked when it is secret; whether it suggests at each key, and what the browser objects."""

    value: str | None = None
    suggests: bool = False
    against: str = ""


async def type_into(bound: Bound, act: Type, limit_ms: float) -> Outcome:
    """The text in place of what the field held, then Enter when it is to be sent."""
    if bound.input_type.startswith("select"):
        return await choose(bound, (act.text,), limit_ms)
    misfit = _misfit(bound.input_type, act.text)
    if misfit:
        return Outcome("failed", f"Nothing was sent: {misfit}.", fault="unfit")
    if act.slowly or not bound.is_editable:
        await _type_by_keys(bound, act.text, limit_ms)
        field = await _read(bound)
    else:
        field = await _fill(bound, act.text, limit_ms)
    if act.submit:
        await bound.handle.press("Enter", timeout=limit_ms, no_wait_after=True)
    against = f"the browser says: {field.against}" if field.against else ""
    return Outcome("done", against, value_after=field.value)


async def read_value(bound: Bound) -> str | None:
    """What the field holds now, masked when it is secret; None when it is gone."""
    try:
        answer = await ask(bound.frame, "value", bound.token, limit_ms=_VALUE_LIMIT_MS)
    except Error:
        return None
    return str(answer["value"]) if answer.get("found") else None


def _misfit(input_type: str, text: str) -> str:
    """Why a field of this type cannot take the text."""
    if input_type in _NOT_TYPED:
        return f"a {input_type} field cannot be typed into"
    pattern, example = _FORMS.get(input_type, ("", ""))
    if text and pattern and not re.fullmatch(pattern, text):
        return f"a {input_type} field takes what looks like {example}"
    return ""


async def _fill(bound: Bound, text: str, limit_ms: float) -> _Field:
    """What it holds then."""
    by_key = text != "" and (await _read(bound)).suggests
    field = _Field()
    if by_key:
        await type_with_last_key(bound, text, limit_ms)
        field = await _read(bound)
    if not by_key or _is_lost(field.value, text):  # some fields take no keys
        await bound.handle.fill(text, timeout=limit_ms)
        field = await _read(bound)
    if bound.input_type not in _FORMS and _is_lost(field.value, text):
        await _put_in(bound, text, limit_ms)
        field = await _read(bound)
    return field


def _is_lost(value: str | None, text: str) -> bool:
    """Whether the field holds something else than it was given, not only in another spelling; a mask says nothing."""
    return value is not None and not value.startswith("•") and _letters(value) != _letters(text)


def _letters(text: str) -> str:
    return "".join(character for character in text.casefold() if character.isalnum())


async def _put_in(bound: Bound, text: str, limit_ms: float) -> None:
    """As a person does in an editor that keeps its text by itself: select all, delete, put the text in."""
    await bound.handle.focus()
    await bound.handle.press("ControlOrMeta+a", timeout=limit_ms)
    await bound.handle.press("Delete", timeout=limit_ms)
    await bound.tab.page.keyboard.insert_text(text)


async def _type_by_keys(bound: Bound, text: str, limit_ms: float) -> None:
    """Key by key, after what a field held; something that is no field may still listen to keys."""
    await bound.handle.focus()
    if bound.is_editable:
        await bound.handle.select_text(timeout=limit_ms)
        await bound.handle.press("Delete", timeout=limit_ms)
    await bound.handle.type(text, delay=_KEY_DELAY_MS, timeout=limit_ms + 4 * _KEY_DELAY_MS * len(text))


async def _read(bound: Bound) -> _Field:
    """Empty when it is gone."""
    try:
        answer = await ask(bound.frame, "field", bound.token, limit_ms=_VALUE_LIMIT_MS)
    except Error:
        return _Field()
    value = str(answer["value"]) if answer["found"] else None
    return _Field(value, bool(answer["suggests"]), str(answer["against"]))
