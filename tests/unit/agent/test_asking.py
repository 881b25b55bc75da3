"""What could order, send or delete waits for the person, and is judged again by what is there then."""

import asyncio
import json

import pytest

from app.domain.events import PersonAnswered
from app.domain.ids import TabId
from app.domain.messages import ModelTurn, Request
from app.domain.pages import Dialog
from tests.fakes.agent import Desk, desk
from tests.fakes.model import calls, says
from tests.fakes.shop import OPEN, SHOP, TWO, click, ref_of


async def test_a_consequential_click_waits_for_the_person_and_happens_once() -> None:
    one = await desk([SHOP, TWO], OPEN, _to_order, _order, says("ordered"))
    _bind(one)
    turn = asyncio.create_task(one.play())
    await one.asked.wait()
    assert ("amount", "10") in one.questions[0].about
    assert one.browser.acts == [("Click", "Next")]
    one.control.answer(PersonAnswered(one.questions[0].question_id, "yes"))
    await turn
    assert one.browser.acts == [("Click", "Next"), ("Click", "Place order")]


async def test_a_consequential_click_that_is_refused_never_reaches_the_page() -> None:
    one = await desk([SHOP, TWO], OPEN, _to_order, _order, says("not ordered"), consent="no", attended=False)
    _bind(one)
    await one.play()
    assert one.browser.acts == [("Click", "Next")]
    assert "the person did not allow it" in one.answers[-1].text


async def test_a_drag_of_a_consequential_button_onto_itself_asks_too() -> None:
    def drag(_: Request) -> ModelTurn:
        ref = ref_of(_current[0], "button", "Place order")
        return calls(("browser_drag", json.dumps({"startTarget": ref, "endTarget": ref})))

    one = await desk([SHOP, TWO], OPEN, _to_order, drag, says("not ordered"), consent="no", attended=False)
    _bind(one)
    await one.play()
    assert one.browser.acts == [("Click", "Next")]
    assert "the person did not allow it" in one.answers[-1].text


async def test_accepting_a_consequential_question_of_the_page_asks_too() -> None:
    accept = calls(("browser_handle_dialog", '{"accept": true}'))
    one = await desk([SHOP], OPEN, accept, says("no"), consent="no", attended=False)
    one.browser.dialog = Dialog(TabId(1), "confirm", "Place the order for $900?")
    await one.play()
    assert one.browser.acts == []
    assert "the person did not allow it" in one.answers[-1].text


async def test_a_harmless_question_of_the_page_is_answered_at_once() -> None:
    accept = calls(("browser_handle_dialog", '{"accept": true}'))
    one = await desk([SHOP], OPEN, accept, says("ok"), consent="no", attended=False)
    one.browser.dialog = Dialog(TabId(1), "confirm", "Keep the book?")
    await one.play()
    assert one.browser.acts == [("AnswerDialog", "")]


async def test_a_button_that_became_another_one_while_the_person_thought_is_refused() -> None:
    one = await desk([SHOP, TWO], OPEN, _to_order, _order, says("no"))
    _bind(one)
    turn = asyncio.create_task(one.play())
    await one.asked.wait()
    one.browser.redraw(TWO.snapshot.replace("Place order", "Place order for 1000"))
    one.control.answer(PersonAnswered(one.questions[0].question_id, "yes"))
    await turn
    assert one.browser.acts == [("Click", "Next")]
    assert "Place order for 1000" in one.answers[-1].text


PRESSES = [
    ("browser_press_key", '{"key": "Enter"}'),
    ("browser_press_key", '{"key": "Control+Enter"}'),
    ("browser_press_key", '{"key": "Space"}'),
    ("browser_press_key", '{"key": "\\n"}'),
]


@pytest.mark.parametrize("press", PRESSES)
async def test_a_key_is_judged_again_after_the_person_was_asked(press: tuple[str, str]) -> None:
    one = await desk([SHOP, TWO], OPEN, _to_order, calls(press), says("ordered"))
    _bind(one)
    one.browser.focused = "Place order"
    turn = asyncio.create_task(one.play())
    await one.asked.wait()
    one.browser.focused = "Delete account"
    one.asked.clear()
    one.control.answer(PersonAnswered(one.questions[0].question_id, "yes"))
    await one.asked.wait()
    assert one.browser.acts == [("Click", "Next")]
    assert "Delete account" in one.questions[1].text
    one.control.answer(PersonAnswered(one.questions[1].question_id, "no"))
    await turn
    assert one.browser.acts == [("Click", "Next")]


_current: list[Desk] = []


def _bind(one: Desk) -> None:
    _current[:] = [one]


def _to_order(_: Request) -> ModelTurn:
    return calls(click(ref_of(_current[0], "button", "Next")))


def _order(_: Request) -> ModelTurn:
    return calls(click(ref_of(_current[0], "button", "Place order")))
