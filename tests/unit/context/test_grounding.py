"""A quote is kept only when it stands in what was observed, in whatever form the page wrote it."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.context.evidence.grounding import Source, ground, nearest, says_more
from app.context.evidence.quotes import held
from app.context.evidence.wording import comparable, flat
from app.domain.ids import ObservationId, QuoteId
from app.domain.records import Quote

# Characters as they are drawn, so that no slice of a page cuts one.
DRAWN = [
    *"aAzZéßİıſﬁÆαΣς",
    *"09٣３²½",
    *"。、价格元の가한ไ",
    *"“”‘’„«»\"'-–—−…|.,:/()",
    *" \n\t\u00a0\u202f\u3000",
    *["e\u0301", "o\u0302\u0323", "क्षि", "السَّلام", "مرحـبا", "한", "ก็"],
    *[
        "👍🏽",
        "👩\u200d👩\u200d👧",
        "❤️",
        "🇩🇪",
        "1\ufe0f\u20e3",
        "x\u00ady",
        "a\u200bb",
        "\u200fש\u200e",
        "می\u200cخواهم",
    ],
]
# Nothing that could be drawn together with what stands before it.
PARTS = "".join(map(chr, (*range(0x1160, 0x1200), *range(0x1F1E6, 0x1F200), *range(0x1F3FB, 0x1F400))))
SINGLE = st.characters(exclude_categories=("Cs", "M", "Cf"), exclude_characters=PARTS)


def source(text: str, name: str = "o1") -> Source:
    return Source(ObservationId(name), "http://site.test/", "Site", text)


def quote(text: str, number: int = 1, url: str = "http://site.test/") -> Quote:
    return Quote(QuoteId(f"q{number}"), text, "", ObservationId("o1"), url, "Site", 0, 0.0, "")


@pytest.mark.parametrize(
    ("page", "asked", "kept"),
    [
        ("The lamp burns 48 hours.", "The lamp burns 48 hours.", "The lamp burns 48 hours."),
        ("The  lamp\n burns", "the lamp burns", "The  lamp\n burns"),
        ("He said “yes” – twice", 'He said "yes" - twice', "He said “yes” – twice"),
        ("It’s “fine”", "It's 'fine'", "It’s “fine”"),
        ("Split between , nodes", "Split between, nodes", "Split between , nodes"),
        ("价格：１２ 元，保修五年。", "价格:12元", "价格：１２ 元"),
        ("灯台は「二日」で届きます。", "灯台は“二日”で届きます", "灯台は「二日」で届きます"),
        ("السعر ١٢ دينار", "السعر ١٢", "السعر ١٢"),
        ("مرحـــبا بكم", "مرحبا", "مرحـــبا"),
        ("مرحبا بكم", "مرحـــبا", "مرحبا"),
        ("قال السَّلام عليكم", "السَّلام عليكم", "السَّلام عليكم"),
        ("ship it 🚢 today", "it 🚢 today", "it 🚢 today"),
        ("good 👍🏽 yes", "👍🏽 yes", "👍🏽 yes"),
        ("by 👩\u200d💻 Ada", "👩\u200d💻 Ada", "👩\u200d💻 Ada"),
        ("I ❤️ lamps", "I ❤ lamps", "I ❤️ lamps"),
        ("cafe\u0301 noir", "café noir", "cafe\u0301 noir"),
        ("café noir", "cafe\u0301 noir", "café noir"),
        ("한국어", "\u1112\u1161\u11ab국어", "한국어"),
        ("Straße", "STRASSE", "Straße"),
        ("ﬁne print", "fine", "ﬁne"),
        ("extra\u00adordi\u00adnary", "extraordinary", "extra\u00adordi\u00adnary"),
        ("\u200fשלום\u200e עולם", "שלום עולם", "שלום\u200e עולם"),
        ("ze\u200bro width", "zero width", "ze\u200bro width"),
        ("Burn time 48 hours", "Burn time | 48 hours", "Burn time 48 hours"),
        ("It burns 48 hours.", "“It burns 48 hours.”", "It burns 48 hours."),
        ('Say "hi" now', 'Say \\"hi\\" now', 'Say "hi" now'),
        ("Total\n£12", "Total £12", "Total\n£12"),
        ("unavailable today, available soon", "available", "available"),
    ],
)
def test_a_quote_is_found_and_kept_in_the_words_of_the_page(page: str, asked: str, kept: str) -> None:
    found = ground(asked, [source(page)])
    assert found is not None
    assert found.text == kept
    assert page[found.offset : found.offset + len(found.text)] == kept
    assert not says_more(found, asked)


@pytest.mark.parametrize(
    ("page", "asked"),
    [
        ("The lamp burns 48 hours.", "The lamp burns 49 hours."),
        ("It burns 148 hours", "48 hours"),
        ("Price 12.50", "Price 12"),
        ("Price 12.50", "50"),
        ("Price 1,299", "Price 1"),
        ("1\n23", "123"),
        ("1 23", "12 3"),
        ("12\n3", "1 23"),
        ("5\n3 items", "53 items"),
        ("Room 12 | 3 beds", "Room 123 beds"),
        ("10² m", "102 m"),
        ("cafe\u0301", "cafe"),
        ("한", "하"),
        ("good 👍🏽", "good 👍"),
        ("by 👩\u200d💻", "by 👩"),
        ("Total\n" + "filler\n" * 50 + "£12", "Total £12"),
        ("السَّلام", "السلام"),
        ("The lamp", ""),
        ("The lamp", "   "),
        ("The lamp", "“”"),
    ],
)
def test_what_stands_nowhere_is_refused(page: str, asked: str) -> None:
    assert ground(asked, [source(page)]) is None


@pytest.mark.parametrize(
    ("page", "asked", "kept"),
    [("This is unavailable.", "available", "unavailable"), ("Это недоступно", "доступно", "недоступно")],
)
def test_a_part_of_a_word_grows_to_the_word_of_the_page(page: str, asked: str, kept: str) -> None:
    found = ground(asked, [source(page)])
    assert found is not None
    assert found.text == kept
    assert says_more(found, asked)


@given(st.data(), st.lists(st.sampled_from(DRAWN) | SINGLE))
def test_any_slice_of_a_page_that_cuts_no_number_grounds_where_the_words_are_equal(
    data: st.DataObject, drawn: list[str]
) -> None:
    start = data.draw(st.integers(0, len(drawn)))
    end = data.draw(st.integers(start, len(drawn)))
    page, asked = "".join(drawn), "".join(drawn[start:end])
    before, after = len("".join(drawn[:start])), len("".join(drawn[:end]))
    if cuts(page, before) or cuts(page, after) or not comparable(asked).text.strip("' "):
        return
    found = ground(asked, [source(page)])
    assert found is not None
    assert page[found.offset : found.offset + len(found.text)] == found.text
    assert flat(asked).strip("'") in flat(found.text)
    if not says_more(found, asked):
        assert flat(found.text).strip("'") == flat(asked).strip("'")


def cuts(page: str, at: int) -> bool:
    """A slice may begin and end anywhere but within a number, or between a letter and what is drawn on it."""
    left, right = page[:at], page[at:]
    if not left or not right:
        return False
    if left[-1].isdigit() and right[0].isdigit():
        return True
    if left[-1].isdigit() and right[0] in ".," and right[1:2].isdigit():
        return True
    if left[-1] in ".," and left[-2:-1].isdigit() and right[0].isdigit():
        return True
    return unicodedata.category(right[0]).startswith("M")


@given(st.lists(st.sampled_from(DRAWN)), st.lists(st.sampled_from(DRAWN)))
def test_what_is_found_word_for_word_is_found_in_the_coarse_form(page: list[str], asked: list[str]) -> None:
    whole, part = comparable("".join(page)), comparable("".join(asked))
    if part.text and part.text in whole.text:
        assert flat(part.source) in flat(whole.source)


@given(st.lists(st.integers(0, 99_999), min_size=2, max_size=6), st.integers(0, 9_999_999))
def test_figures_of_different_cells_never_make_a_new_figure(cells: list[int], figure: int) -> None:
    found = ground(str(figure), [source("\n".join(map(str, cells)))])
    assert (found is not None) == (figure in cells)


def test_a_quote_that_is_nearly_right_is_answered_with_the_line_of_the_page() -> None:
    page = source("Delivery\nThe Curlew is covered for five years.\nReturns")
    assert nearest("The Curlew is covered for 5 years", page) == "The Curlew is covered for five years."
    assert nearest("nothing like it at all here", page) == ""


def test_the_first_source_that_holds_it_wins() -> None:
    found = ground("same", [source("nothing", "o3"), source("the same", "o2"), source("same", "o1")])
    assert found is not None
    assert found.source.observation == "o2"


@pytest.mark.parametrize(
    ("text", "url", "known"),
    [
        ("It burns 48 hours", "http://site.test/", True),
        ("it  burns 48 hours", "http://site.test/?utm_source=mail", True),
        ("burns 48 hours", "http://site.test/?gclid=1", True),
        ("burns 8 hours", "http://site.test/", False),
        ("It burns 48 hours and more", "http://site.test/", False),
        ("It burns 48 hours", "http://site.test/?id=2", False),
    ],
)
def test_what_a_kept_quote_of_the_same_page_says_is_not_kept_twice(text: str, url: str, known: bool) -> None:
    kept = [quote("nothing of it", 1), quote("It burns 48 hours", 7)]
    assert held(text, url, kept) == (kept[1] if known else None)
