"""A question before something leaves: exactly what, beside what left before, and never answered by accident."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.domain.commands import AnswerPerson
from app.domain.events import PersonAsked, SubmissionKept
from app.ui.leaving_table import LONGEST_VALUE, side_by_side
from app.ui.theme import Theme
from tests.ui.card_desk import Desk
from tests.ui.conversations import asked, submission
from tests.ui.seeing import can_be_pressed, text, texts, unnamed

SITE = "https://harbour-lights.example"
NOW = (("Button", "Place order"), ("Site", SITE), ("Name", "Ada Example"), ("Total", "$90.00"), ("Gift", "yes"))
THEN = (("s1 had Name", "Ada Example"), ("s1 had Total", "$45.00"))
AGAIN = (("yes", "Send it again"), ("no", "Do not"), ("takeover", "I do it myself"))


@pytest.fixture
def desk(qtbot: QtBot, theme: Theme) -> Desk:
    return Desk(qtbot)


def repeat(about: tuple[tuple[str, str], ...]) -> PersonAsked:
    return PersonAsked("k1", "consent", "Shall the agent press it all the same?", AGAIN, about)


def at(card: QWidget, words: str) -> tuple[int, int]:
    """Where a label stands on its card."""
    (label,) = [one for one in card.findChildren(QLabel) if one.text() == words and one.isVisible()]
    corner = label.mapTo(card, label.rect().topLeft())
    return corner.x(), corner.y()


def test_a_repeat_shows_now_and_then_side_by_side(desk: Desk) -> None:
    card = desk.card(SubmissionKept(submission(1)), repeat((*NOW, *THEN)))
    (now_x, now_y), (then_x, then_y) = at(card, "$90.00"), at(card, "$45.00")
    assert now_y == then_y
    assert now_x < then_x
    assert at(card, "Now")[0] == now_x
    assert "s1 had" not in text(card)
    assert any(words.startswith("s1, ") for words in texts(card))


def test_each_value_stands_beside_its_own_and_none_is_lost() -> None:
    leaves = (("item", "lantern"), ("item", "rope"), ("new", "1"))
    earlier = submission(1, shown=(("item", "lantern"), ("item", "oil"), ("old", "2")), control="")
    pairs = [(pair.name, pair.now, pair.then) for pair in side_by_side(leaves, earlier)]
    assert pairs == [("item", "lantern", "lantern"), ("item", "rope", "oil"), ("new", "1", None), ("old", None, "2")]


@pytest.mark.parametrize(
    "named", [(("s1 had Total", "$1"),), (("s7 had Name", "x"),), (*THEN, ("Other", "$9,000"))], ids=str
)
def test_a_page_cannot_pass_what_leaves_now_off_as_what_left_then(
    desk: Desk, named: tuple[tuple[str, str], ...]
) -> None:
    shown = texts(desk.card(SubmissionKept(submission(1)), repeat((*NOW, *named))))
    assert "Now" not in shown
    for name, value in named:
        assert shown[shown.index(name) + 1] == value


def test_the_site_is_the_largest_and_a_second_one_of_a_page_is_only_a_field(desk: Desk) -> None:
    about = (("Button", "Pay"), ("Site", "https://b\u0430nk.example"), ("Site", "https://bank.example"))
    card = desk.card(PersonAsked("k1", "consent", "Shall it?", AGAIN, about))
    (site,) = [one for one in card.findChildren(QLabel) if one.text() == "https://b\u0430nk.example"]
    others = [one.font().pointSizeF() for one in card.findChildren(QLabel) if one is not site]
    assert site.font().pointSizeF() > max(others)
    assert "written out: xn--bnk-6cd.example" in texts(card)


def test_a_long_value_is_cut_and_shown_whole_on_demand(desk: Desk) -> None:
    letter = "word " * LONGEST_VALUE + "the end"
    card = desk.card(PersonAsked("k1", "consent", "Shall it?", AGAIN, (("Text", letter),)))
    assert "the end" not in text(card)
    desk.press(card, "Show all")
    assert letter in texts(card)
    assert unnamed(card) == []


def test_yes_is_neither_the_first_nor_the_marked_choice_and_waits(qtbot: QtBot, desk: Desk) -> None:
    card = desk.card(asked())
    assert not can_be_pressed(card, "Allow once")
    qtbot.mouseClick(card, Qt.MouseButton.LeftButton)
    qtbot.keyClick(card, Qt.Key.Key_Return)
    assert desk.commands == []
    qtbot.waitUntil(lambda: can_be_pressed(card, "Allow once"))
    assert [words for words in texts(card) if words.startswith("[")] == ["[Do not]", "[I do it myself]", "[Allow once]"]
    desk.press(card, "Allow once")
    assert desk.commands == [AnswerPerson("k1", "yes")]
