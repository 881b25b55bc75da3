"""All quotes stay kept; the view holds a limited number of them, and the oldest that no one pinned leave it whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.evidence.quotes import COUNT_CAP, TOTAL_CAP, kept_quotes, leaving, page_address, pinned_ids
from app.domain.events import QuoteKept, QuotePinned, RecordedEvent, StoredEvent
from app.domain.ids import ConversationId, ObservationId, QuoteId
from app.domain.records import Quote


def quote(number: int, text: str = "It burns") -> Quote:
    return Quote(QuoteId(f"q{number}"), text, "", ObservationId("o1"), "http://site.test/", "Site", 0, 0.0, "")


def stored(*events: RecordedEvent) -> list[StoredEvent]:
    return [StoredEvent(ConversationId("c"), number, 0.0, event) for number, event in enumerate(events, 1)]


def ids(*numbers: int) -> tuple[QuoteId, ...]:
    return tuple(QuoteId(f"q{number}") for number in numbers)


def test_nothing_leaves_while_there_is_room() -> None:
    kept = [quote(number, "x" * (TOTAL_CAP // COUNT_CAP)) for number in range(1, COUNT_CAP + 1)]
    assert leaving(kept, (), ()) == ()


@pytest.mark.parametrize(
    ("pinned", "already_out", "out"),
    [((), (), (1, 2)), ((1,), (), (2, 3)), ((), (1,), (2,)), ((1, 2, 3, 4), (), ()), ((1, 2, 3), (), (4,))],
)
def test_the_oldest_that_no_one_pinned_leave(
    pinned: tuple[int, ...], already_out: tuple[int, ...], out: tuple[int, ...]
) -> None:
    kept = [quote(number) for number in range(1, 5)]
    assert leaving(kept, ids(*pinned), ids(*already_out), count=2) == ids(*out)


def test_a_long_quote_leaves_whole_and_short_ones_after_it_stay() -> None:
    kept = [quote(1, "x" * 90), quote(2, "y" * 20), quote(3, "z" * 20)]
    assert leaving(kept, (), (), characters=50) == ids(1)


@given(st.lists(st.integers(1, 40), max_size=30), st.sets(st.integers(1, 30)), st.integers(1, 200), st.integers(1, 10))
def test_after_a_fold_the_view_is_full_only_of_pinned_quotes(
    sizes: list[int], pinned: set[int], characters: int, count: int
) -> None:
    kept = [quote(number, "x" * size) for number, size in enumerate(sizes, 1)]
    out = leaving(kept, ids(*pinned), (), characters=characters, count=count)
    left = [one for one in kept if one.id not in out]
    assert not set(out) & set(ids(*pinned))
    fits = len(left) <= count and sum(len(one.text) for one in left) <= characters
    assert fits or all(one.id in ids(*pinned) for one in left)
    assert leaving(kept, ids(*pinned), out, characters=characters, count=count) == ()


def test_the_newest_word_about_a_pin_counts() -> None:
    first, second = ids(1, 2)
    words = (QuotePinned(first, True), QuotePinned(second, True), QuotePinned(first, False))
    events = stored(QuoteKept(quote(1)), QuoteKept(quote(2)), *words)
    assert kept_quotes(events) == (quote(1), quote(2))
    assert pinned_ids(events) == {second}


@pytest.mark.parametrize(
    ("url", "page"),
    [
        ("https://shop.test/lamp?utm_source=x&id=3&gclid=9#top", "https://shop.test/lamp?id=3#top"),
        ("https://shop.test/lamp?utm_campaign=spring", "https://shop.test/lamp"),
        ("https://shop.test/lamp?page=2&q=utm_source", "https://shop.test/lamp?page=2&q=utm_source"),
        ("https://shop.test/lamp?UTM_Source=x&fbclid=1", "https://shop.test/lamp"),
        ("about:blank", "about:blank"),
    ],
)
def test_an_address_is_the_same_page_without_its_tracking_parts(url: str, page: str) -> None:
    assert page_address(url) == page
