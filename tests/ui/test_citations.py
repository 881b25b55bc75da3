import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.domain.events import QuoteKept
from app.ui.text_view import TextView
from app.ui.theme import Theme
from tests.ui.card_desk import Desk
from tests.ui.conversations import quote, said


@pytest.fixture
def desk(qtbot: QtBot, theme: Theme) -> Desk:
    return Desk(qtbot)


def test_a_citation_tells_its_source_and_leads_to_the_quote(desk: Desk) -> None:
    card = desk.card(QuoteKept(quote("q1")), said("It is cheap [q1]."))
    view = card.findChild(TextView)
    assert view.toPlainText() == "It is cheap [q1]."
    place = view.document().find("[q1]")
    tip = place.charFormat().toolTip()
    assert "ships in two days" in tip
    assert "Lanterns · harbour-lights.example" in tip
    assert "2 March 2026" in tip
    view.anchorClicked.emit(place.charFormat().anchorHref())
    assert (desk.quotes, desk.links) == (["q1"], [])


def test_a_citation_is_reached_and_followed_by_key(qtbot: QtBot, desk: Desk) -> None:
    card = desk.card(QuoteKept(quote("q1")), said("It is cheap [q1]."))
    view = card.findChild(TextView)
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Tab)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert desk.quotes == ["q1"]


def test_a_citation_without_a_quote_says_so_and_leads_nowhere(desk: Desk) -> None:
    card = desk.card(said("It is cheap [q7]."))
    view = card.findChild(TextView)
    assert view.toPlainText() == "It is cheap [q7: not kept]."
    assert not view.document().find("q7: not kept").charFormat().isAnchor()


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("See [q1].\n\n[q1]: https://evil.example/", "See [q1].\n[q1]: https://evil.example/"),
        ("[q1](https://evil.example/)", "[q1](https://evil.example/)"),
        ("`[q1]` and\n\n```\n[q1]\n```", "[q1] and\n[q1]"),
    ],
    ids=["a definition", "a link of that name", "code"],
)
def test_a_citation_cannot_be_turned_into_a_link(desk: Desk, written: str, seen: str) -> None:
    card = desk.card(QuoteKept(quote("q1")), said(written))
    view = card.findChild(TextView)
    assert "\n".join(line for line in view.toPlainText().splitlines() if line.strip()) == seen
    place = view.document().find("[q1]")
    assert "evil" not in place.charFormat().anchorHref()
