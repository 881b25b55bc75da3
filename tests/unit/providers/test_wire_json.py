import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.providers.wire_json import as_count, dump, joined, object_in


@given(st.dictionaries(st.text(), st.none() | st.integers() | st.text()))
def test_what_is_written_can_be_read_back(value: dict[str, object]) -> None:
    assert json.loads(dump(value)) == value
    assert dump(value) == dump(dict(value))


@given(st.text(), st.integers(0, 50))
def test_a_text_cut_anywhere_in_utf_16_is_put_together_again(text: str, at: int) -> None:
    units = text.encode("utf-16-le")
    halves = (units[: 2 * at], units[2 * at :])
    cut = "".join(half.decode("utf-16-le", "surrogatepass") for half in halves)
    assert joined(cut) == text


@pytest.mark.parametrize(("text", "found"), [("", {}), ("{}", {}), ('{"a":1}', {"a": 1}), ("[]", None), ("{", None)])
def test_an_object_is_found_only_where_one_is(text: str, found: object) -> None:
    assert object_in(text) == found


@pytest.mark.parametrize(("value", "count"), [(3, 3), (3.0, 3), (None, 0), ("3", 0), (float("nan"), 0), (True, 1)])
def test_counts_are_numbers(value: object, count: int) -> None:
    assert as_count(value) == count
