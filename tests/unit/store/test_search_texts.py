import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.events import Paused, PersonAsked, RecordedEvent, TaskCardKept, UserSaid
from app.domain.ids import ToolCallId
from app.domain.records import TaskCard
from app.store.search import folded, match, searchable, snippet, words_of
from tests.unit.store import samples


@pytest.mark.parametrize(
    ("text", "overlooked"),
    [
        ("Straße", "strasse"),
        ("CAFÉ", "cafe"),
        ("cafe\u0301", "cafe"),
        ("ＭＵＧ １２", "mug 12"),
        ("買い物", "買い物"),
        ("が", "が"),
        ("한국어", "한국어"),
        ("Ελλάδα", "ελλαδα"),
        ("broken \ud83d", "broken  "),
        ("nul\0l", "nul l"),
    ],
)
def test_case_accents_and_width_are_overlooked_and_nothing_else(text: str, overlooked: str) -> None:
    assert folded(text) == overlooked


@given(st.text(st.characters(codec=None)))
def test_a_folded_text_can_be_stored(text: str) -> None:
    assert "\0" not in folded(text)
    folded(text).encode()


def test_the_words_of_a_query_are_taken_once_each() -> None:
    assert words_of("  Red mug RED\tmug　買 ") == ("red", "mug", "買")


@pytest.mark.parametrize(
    ("word", "query"),
    [
        ("mug", '"mug"'),
        ("mugs", '"mug" AND "ugs"'),
        ("aaaaa", '"aaa"'),
        ('17"x', '"17""" AND "7""x"'),
        ("or*", '"or*"'),
    ],
)
def test_a_word_is_looked_up_by_its_runs_of_three(word: str, query: str) -> None:
    assert match(word) == query


def test_a_snippet_shows_the_surroundings_in_one_line() -> None:
    text = "a" * 100 + " the Blue\nmug costs 12 " + "b" * 100
    shown = snippet(text, "mug")
    assert shown.startswith("…")
    assert shown.endswith("…")
    assert "the Blue mug costs 12" in shown
    assert len(shown) < 140


def test_a_snippet_of_a_short_text_is_the_text() -> None:
    assert snippet("Straße 7", "strasse") == "Straße 7"
    assert snippet("Straße 7", "weg") == ""


@given(st.text(max_size=200), st.text(min_size=1, max_size=5), st.text(max_size=200))
def test_a_word_that_is_in_the_text_is_in_its_snippet(before: str, word: str, after: str) -> None:
    for sought in words_of(word):
        text = f"{before} {word} {after}"
        if sought in folded(text):
            assert sought in folded(snippet(text, sought))


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (UserSaid("buy a mug"), ["buy a mug"]),
        (samples.said("I found it"), ["I found it"]),
        (samples.answered("clicked Save", title="Basket"), ["clicked Save", "Basket", "http://shop.test/"]),
        (samples.quote("12 crowns"), ["12 crowns", "the price", "Shop"]),
        (PersonAsked("p1", "consent", "Send it?", (), (("name", "Ada"),)), ["Send it?", "name: Ada"]),
        (TaskCardKept(TaskCard("two lamps", ("compare",), ("order",)), ToolCallId("c1")), ["two lamps", "compare"]),
        (Paused(), [""]),
    ],
)
def test_what_a_person_may_remember_can_be_searched(event: RecordedEvent, words: list[str]) -> None:
    assert all(word in searchable(event) for word in words)


def test_the_page_tree_is_not_searched() -> None:
    assert "button" not in searchable(samples.answered("clicked", shown="- button"))
