"""Any event that Hypothesis can think of."""

import types
from dataclasses import fields
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from hypothesis import strategies as st

from app.domain.events import RecordedEvent
from app.domain.ids import BlobHash

TEXTS = st.text(st.characters(codec=None), max_size=12)  # with lone surrogates, as pages hold them


def events(blobs: st.SearchStrategy[str] = TEXTS) -> st.SearchStrategy[RecordedEvent]:
    """Any event of any kind; fields for blobs are drawn from `blobs`."""
    return st.one_of([_values(event, blobs) for event in get_args(RecordedEvent)])


def one_of_each(blobs: st.SearchStrategy[str] = TEXTS) -> st.SearchStrategy[tuple[RecordedEvent, ...]]:
    """An event of every kind."""
    return st.tuples(*[_values(event, blobs) for event in get_args(RecordedEvent)])


def _values(hint: Any, blobs: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    if hint is BlobHash:
        return blobs
    if hasattr(hint, "__supertype__"):
        return _values(hint.__supertype__, blobs)
    if get_origin(hint) is Literal:
        return st.sampled_from(get_args(hint))
    if get_origin(hint) in (Union, types.UnionType):
        return st.one_of([_values(part, blobs) for part in get_args(hint)])
    if get_origin(hint) is tuple:
        return _tuples(get_args(hint), blobs)
    return _PLAIN[hint] if hint in _PLAIN else _instances(hint, blobs)


def _tuples(parts: tuple[Any, ...], blobs: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    if parts[-1] is Ellipsis:
        return st.lists(_values(parts[0], blobs), max_size=2).map(tuple)
    return st.tuples(*[_values(part, blobs) for part in parts])


def _instances(owner: type, blobs: st.SearchStrategy[str]) -> st.SearchStrategy[Any]:
    hints = get_type_hints(owner)
    return st.builds(owner, **{field.name: _values(hints[field.name], blobs) for field in fields(owner)})


_PLAIN: dict[Any, st.SearchStrategy[Any]] = {
    str: TEXTS,
    int: st.integers(-(2**53), 2**53),
    float: st.floats(allow_nan=False, allow_infinity=False),
    bool: st.booleans(),
    type(None): st.none(),
}
