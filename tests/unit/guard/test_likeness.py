"""Two payloads are the same when a person would say so, whatever a page made anew in between."""

import pytest

from app.domain.submissions import Fields
from app.guard.likeness import likeness, rewritten

NOW = 1_790_000_000.0
ORDER: Fields = (("item", "Blue mug"), ("quantity", "2"), ("street", "Lane 4"))


def of(*more: tuple[str, str], **changed: str) -> Fields:
    return (*((name, changed.get(name, value)) for name, value in ORDER), *more)


@pytest.mark.parametrize(
    "token",
    [
        ("csrfmiddlewaretoken", "abc"),
        ("authenticity_token", "x"),
        ("__RequestVerificationToken", "y"),
        ("Idempotency-Key", "1"),
        ("_ts", "17"),
        ("meta.requestId", "9"),
    ],
)
def test_a_field_named_like_a_token_never_counts(token: tuple[str, str]) -> None:
    assert likeness(of(token), of((token[0], "another")), NOW) == "same"


def test_a_time_about_now_does_not_count_and_a_date_that_somebody_chose_does() -> None:
    assert likeness(of(("at", "1790000001")), of(("at", "1790000555")), NOW) == "same"
    assert likeness(of(("day", "1790900000000")), of(("day", "1790000000000")), NOW) != "same"
    assert likeness((("day", "2026-11-30"),), (("day", "2026-12-01"),), NOW) == "different"


def test_what_only_looks_random_leaves_a_doubt() -> None:
    first, second = ("item_id", "9f8b7c6d5e4f3a2b1c0d"), ("item_id", "0d1c2b3a4f5e6d7c8b9f")
    assert likeness(of(first), of(second), NOW) == "alike"


def test_the_order_of_fields_and_spaces_do_not_count() -> None:
    assert likeness(ORDER, ORDER[::-1], NOW) == "same"
    assert likeness((("text", "a\r\nb"),), (("text", "a\nb"),), NOW) == "same"


def test_most_fields_equal_is_alike_and_a_different_thing_is_different() -> None:
    assert likeness(ORDER, of(quantity="3"), NOW) == "alike"
    assert likeness((("to", "Ann"), ("text", "hello")), (("to", "Bob"), ("text", "bye")), NOW) == "different"
    assert likeness((("item", "17"),), (("item", "18"),), NOW) == "different"


def test_a_page_that_sends_another_value_than_its_form_had_is_found_out() -> None:
    shown = (("amount", "10"), ("to", "Ann"), ("csrf", "a"))
    assert rewritten(shown, (("amount", "1000"), ("to", "Ann"), ("csrf", "b"), ("total", "1000")), NOW) == ("amount",)
    assert rewritten(shown, (("amount", "10"),), NOW) == ()
