"""What nothing bears out is marked in the answer itself, with words that say why, and named below it."""

import pytest
from PySide6.QtGui import QTextCharFormat
from pytestqt.qtbot import QtBot

from app.context.evidence.claims import Known, unsupported
from app.domain.events import QuoteKept, TurnEnded
from app.domain.records import Claim
from app.ui.row_book import RowBook
from app.ui.rows import AnswerRow
from app.ui.text_view import TextView
from app.ui.theme import Theme
from tests.ui.card_desk import Desk
from tests.ui.conversations import quote, said, stored
from tests.ui.seeing import text

DOTTED = QTextCharFormat.UnderlineStyle.DotLine
ANSWER = """The **Sturdy** costs $45.00 [q1], the [Storm](https://harbour-lights.example/storm) **$61.50**.

| Lantern | Burn time |
|---|---|
| Sturdy | 48 hours |

- “every lamp has a *ten* year warranty”
- 1,299 g, `4711` and 4711 watts"""
MARKED = ["$61.50", "48 hours", "“every lamp has a ten year warranty”", "1,299 g", "4711"]


@pytest.fixture
def desk(qtbot: QtBot, theme: Theme) -> Desk:
    return Desk(qtbot)


def ended(answer: str, claims: tuple[Claim, ...] | None = None) -> TurnEnded:
    known = Known(quoted=(quote().text,))
    return TurnEnded("done", answer, claims=unsupported(answer, known) if claims is None else claims)


def marked(view: TextView) -> list[tuple[str, str]]:
    """The words under which a dotted line stands, with what is told of them."""
    found: list[tuple[str, str]] = []
    block = view.document().begin()
    while block.isValid():
        place, before = block.begin(), False
        while not place.atEnd():
            look = place.fragment().charFormat()
            is_dotted = look.underlineStyle() == DOTTED
            words = place.fragment().text()
            if is_dotted and before:
                words = found.pop()[0] + words
            if is_dotted:
                found.append((words, look.toolTip()))
            before = is_dotted
            place += 1
        block = block.next()
    return found


@pytest.mark.parametrize("name", ["light", "dark"])
def test_claims_are_underlined_where_they_stand_in_formatted_text(desk: Desk, theme: Theme, name: str) -> None:
    theme.choose(name)
    card = desk.card(QuoteKept(quote()), said(ANSWER), ended(ANSWER), row=-2)
    view = card.findChild(TextView)
    assert [words for words, _ in marked(view)] == MARKED
    assert all("Not found in a kept quote" in tip for _, tip in marked(view))
    assert not any("\uf8f0" <= letter <= "\uf8f3" for letter in view.toPlainText())


def test_what_is_marked_stays_marked_when_the_theme_changes(desk: Desk, theme: Theme) -> None:
    card = desk.card(QuoteKept(quote()), said(ANSWER), ended(ANSWER), row=-2)
    view = card.findChild(TextView)
    theme.choose("dark")
    assert [words for words, _ in marked(view)] == MARKED


def test_the_answer_says_below_what_stands_nowhere_and_what_was_computed(desk: Desk) -> None:
    answer = "Two cost $90.00, one weighs 3 kg."
    card = desk.card(QuoteKept(quote()), said(answer), ended(answer), row=-2)
    assert "Unverified: 3 kg" in text(card)
    assert "Computed: $90.00 = 2 × 45.00" in text(card)
    view = card.findChild(TextView)
    assert [tip for words, tip in marked(view) if words == "$90.00"] == ["Computed from known figures: 2 × 45.00"]
    assert "Unverified: 3 kg" in view.accessibleDescription()


def test_an_answer_that_is_borne_out_says_nothing_more(desk: Desk) -> None:
    answer = "It costs $45.00 [q1]."
    card = desk.card(QuoteKept(quote()), said(answer), ended(answer), row=-2)
    assert text(card) == answer


@pytest.mark.parametrize("answer", ["\uf8f2 costs $99", "<b>$99</b> \uf8f3", "It is $99"])
def test_marks_of_the_answers_own_making_or_at_a_wrong_place_change_nothing(desk: Desk, answer: str) -> None:
    wrong = (Claim(0, 3, "$99", "figure", "unverified"),)
    card = desk.card(said(answer), ended(answer, wrong), row=-2)
    view = card.findChild(TextView)
    assert marked(view) == []
    assert "$99" in view.toPlainText()


def test_only_the_answer_that_ended_the_turn_is_marked() -> None:
    book = RowBook()
    for event in stored((said("It costs $99."), said("It costs $98."), ended("It costs $98."))):
        book.apply(event)
    rows = [row for row in book.rows if isinstance(row, AnswerRow)]
    assert [[claim.text for claim in row.claims] for row in rows] == [[], ["$98"]]
