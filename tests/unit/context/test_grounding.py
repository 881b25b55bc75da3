"""A quote is kept only when it stands in what was observed, in whatever form the page wrote it."""

import pytest

from app.context.grounding import (
    COUNT_CAP,
    QUOTE_CAP,
    Grounded,
    Source,
    Ungrounded,
    admit,
    digest_of,
    ground,
    nearest,
)
from app.domain.ids import ObservationId, QuoteId
from app.domain.records import Quote


def source(text: str, name: str = "o1") -> Source:
    return Source(ObservationId(name), "http://site.test/", "Site", text)


def quote(text: str, number: int = 1) -> Quote:
    digest = digest_of("http://site.test/", text)
    return Quote(QuoteId(f"q{number}"), text, "", ObservationId("o1"), "http://site.test/", "Site", 0, 0.0, digest)


@pytest.mark.parametrize(
    ("page", "asked", "kept"),
    [
        ("The lamp burns 48 hours.", "The lamp burns 48 hours.", "The lamp burns 48 hours."),
        ("The  lamp\n burns", "the lamp burns", "The  lamp\n burns"),
        ("He said “yes” – twice", 'He said "yes" - twice', "He said “yes” – twice"),
        ("Split between , nodes", "Split between, nodes", "Split between , nodes"),
        ("价格：１２ 元，保修五年。", "价格:12元", "价格：１２ 元"),
        ("السعر ١٢ دينار", "السعر ١٢", "السعر ١٢"),
        ("ship it 🚢 today", "it 🚢 today", "it 🚢 today"),
        ("Straße", "STRASSE", "Straße"),
        ("ﬁne print", "fine", "ﬁne"),
        ("Burn time 48 hours", "Burn time | 48 hours", "Burn time 48 hours"),
        ("It burns 48 hours.", "“It burns 48 hours.”", "It burns 48 hours."),
    ],
)
def test_a_quote_is_found_and_kept_in_the_words_of_the_page(page: str, asked: str, kept: str) -> None:
    found = ground(asked, [source(page)])
    assert isinstance(found, Grounded)
    assert found.text == kept
    assert page[found.offset : found.offset + len(found.text)] == kept


@pytest.mark.parametrize("asked", ["The lamp burns 49 hours.", "", "   ", "x" * (QUOTE_CAP + 1)])
def test_what_stands_nowhere_is_refused(asked: str) -> None:
    assert isinstance(ground(asked, [source("The lamp burns 48 hours." + "x" * 3000)]), Ungrounded)


def test_a_quote_that_is_nearly_right_is_answered_with_the_line_of_the_page() -> None:
    page = source("Delivery\nThe Curlew is covered for five years.\nReturns")
    assert nearest("The Curlew is covered for 5 years", page) == "The Curlew is covered for five years."
    assert nearest("nothing like it at all here", page) == ""


def test_the_first_source_that_holds_it_wins() -> None:
    found = ground("same", [source("nothing", "o3"), source("the same", "o2"), source("same", "o1")])
    assert isinstance(found, Grounded)
    assert found.source.observation == "o2"


def test_the_same_quote_is_not_kept_twice() -> None:
    found = ground("burns", [source("It burns")])
    assert isinstance(found, Grounded)
    assert admit(found, [quote("burns", 7)]) == quote("burns", 7)


def test_quotes_over_the_limits_are_refused_with_a_notice() -> None:
    found = ground("burns", [source("It burns")])
    assert isinstance(found, Grounded)
    assert admit(found, []) is None
    assert isinstance(admit(found, [quote(f"t{number}", number) for number in range(COUNT_CAP)]), Ungrounded)
    assert isinstance(admit(found, [quote("y" * 1999, number) for number in range(9)]), Ungrounded)
