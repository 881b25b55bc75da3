"""A model that goes round in circles is warned, shown the page, held back, and at last the person is asked."""

import asyncio
import itertools
import json

import pytest

from app.domain.events import PersonAnswered
from app.domain.messages import ModelTurn, Request
from app.domain.pages import Download, Happenings, Look
from tests.fakes.agent import desk
from tests.fakes.browser import FakePage
from tests.fakes.clicking import ADDRESS, BUTTONS, OPEN, SHOP, clicking, ref_of, rungs
from tests.fakes.model import calls, says


async def test_a_dead_button_is_pressed_four_times_and_then_the_person_is_asked() -> None:
    one = await clicking(*["Dead"] * 9)
    ended = await one.play()
    assert ended.end == "needs_person"
    assert rungs(one) == ["hint", "warning", "blocked", "paused"]
    assert one.browser.acts == [("Click", "Dead")] * 4
    assert [question.question_kind for question in one.questions] == ["progress"]
    assert [label for _, label in one.questions[0].choices] == ["Try another way", "Take over", "Stop"]


async def test_the_second_warning_brings_the_page_as_it_is_now_with_it() -> None:
    one = await clicking(*["Dead"] * 4)
    await one.play()
    hint, warning = one.answers[3], one.answers[4]
    assert hint.observation is not None
    assert hint.observation.shown_as == "same"
    assert "Warning: No progress: the last 4 acts changed nothing" in warning.text
    assert warning.observation is not None
    assert warning.observation.shown_as == "whole"
    assert 'button "Still"' in warning.observation.shown


async def test_a_person_who_wants_another_way_lets_the_agent_go_on_from_the_first_rung() -> None:
    one = await clicking(*["Dead"] * 6, "Still", attended=True)
    playing = asyncio.create_task(one.play())
    await one.asked.wait()
    one.control.answer(PersonAnswered(one.questions[0].question_id, "another", "Use the search."))
    assert (await playing).end == "done"
    assert "The person asks you to try another way. The person says: Use the search." in one.answers[6].text
    assert one.browser.acts[-1] == ("Click", "Still")
    assert rungs(one) == ["hint", "warning", "blocked", "paused"]


async def test_two_dead_buttons_in_turn_are_seen_through() -> None:
    one = await clicking(*["Dead", "Still"] * 4)
    assert (await one.play()).end == "needs_person"
    assert len(one.browser.acts) == 4


@pytest.mark.parametrize("moves", ["text", "list", "spinner"])
async def test_what_moves_by_itself_does_not_hide_a_dead_button(moves: str) -> None:
    words = itertools.cycle(["up", "down", "sideways", "up again", "over", "under", "behind"])

    def drawn() -> str:
        word = next(words)
        if moves == "text":
            return f"- paragraph [ref=e2]: {word}\n{BUTTONS}"
        if moves == "spinner":
            return f"- status [ref=e2]{': ' + word if len(word) % 2 else ''}\n{BUTTONS}"
        return f"- list [ref=e2]:\n  - listitem: {word}\n  - listitem: {next(words)}\n{BUTTONS}"

    one = await clicking(*["Dead"] * 12)
    look = one.browser.look

    async def moving_look(near: tuple[str, ...] = ()) -> Look:
        if one.browser.acts:
            one.browser.redraw(drawn())
        return await look(near)

    one.browser.look = moving_look  # type: ignore[method-assign]
    assert (await one.play()).end == "needs_person"
    assert len(one.browser.acts) <= 8
    assert moves == "spinner" or any("only what changes by itself did" in answer.text for answer in one.answers)


async def test_a_change_beside_a_text_that_moves_by_itself_is_progress() -> None:
    counts = itertools.count()

    def draw() -> None:
        news, items = "abcdefghijklmnopqrstuvwxyz"[next(counts)], next(counts)
        one.browser.redraw(f"- paragraph [ref=e2]: {news}\n- text: {items} items\n{BUTTONS}")

    one = await clicking(*["More"] * 10)
    one.browser.before_act = draw
    assert (await one.play()).end == "done"
    assert rungs(one) == []


async def test_a_dead_ref_tried_again_and_again_ends_with_the_person() -> None:
    stale = calls(("browser_click", '{"target": "e77"}'))
    one = await desk([SHOP], OPEN, *[stale] * 9, attended=False)
    assert (await one.play()).end == "needs_person"
    assert rungs(one) == ["hint", "warning", "blocked", "paused"]
    assert "errors of one kind in a row: the targets were not there" in one.answers[3].text
    assert one.answers[4].observation is not None
    assert one.answers[4].observation.shown_as == "whole"
    assert one.browser.acts == []


async def test_wrong_arguments_again_and_again_end_with_the_person() -> None:
    wrong = calls(("browser_click", '{"ref": "e3"}'))
    one = await desk([SHOP], OPEN, *[wrong] * 9, attended=False)
    assert (await one.play()).end == "needs_person"
    assert rungs(one) == ["hint", "warning", "blocked", "paused"]
    assert "Read what the tool takes" in one.answers[3].text


async def test_what_the_person_refused_is_told_as_that_and_not_as_a_dead_ref() -> None:
    page = FakePage(ADDRESS, '- button "Delete account" [ref=e2]')
    one = await clicking(*["Delete account"] * 3, page=page, consent="no")
    await one.play()
    assert "the person did not allow it; the newest was" in one.answers[-1].text
    assert "Ask with ask_user what they want instead" in one.answers[-1].text


async def test_a_re_rendered_target_is_the_same_target_whatever_its_ref() -> None:
    numbers = itertools.count(50)

    def anew() -> None:
        one.browser.redraw(f'- button "Dead" [ref=e{next(numbers)}]')

    one = await clicking(*["Dead"] * 9, page=FakePage(ADDRESS, '- button "Dead" [ref=e2]'))
    one.browser.before_act = anew
    assert (await one.play()).end == "needs_person"
    assert len(one.browser.acts) == 4


async def test_waiting_looking_and_listing_tabs_neither_count_nor_reset() -> None:
    def dead(_: Request) -> ModelTurn:
        return calls(
            ("browser_click", json.dumps({"target": ref_of(one, "Dead")})),
            ("browser_tabs", '{"action": "list"}'),
            ("browser_wait_for", '{"time": 0.1}'),
            ("browser_snapshot", "{}"),
        )

    one = await desk([SHOP], OPEN, *[dead] * 9, attended=False)
    assert (await one.play()).end == "needs_person"
    assert len(one.browser.acts) == 4


async def test_ten_waits_and_ten_looks_raise_no_alarm() -> None:
    poll = calls(
        ("browser_wait_for", '{"time": 0.1}'), ("browser_snapshot", "{}"), ("browser_tabs", '{"action": "list"}')
    )
    one = await desk([SHOP], OPEN, *[poll] * 10, says("ok"))
    assert (await one.play()).end == "done"
    assert rungs(one) == []


async def test_ten_words_typed_into_one_field_raise_no_alarm() -> None:
    words = iter([f"word {'abcdefghij'[number]}" for number in range(10)])

    def type_next(_: Request) -> ModelTurn:
        return calls(("browser_type", json.dumps({"target": ref_of(one, "Find"), "text": next(words)})))

    one = await desk([SHOP], OPEN, *[type_next] * 10, says("ok"))
    assert (await one.play()).end == "done"
    assert rungs(one) == []


async def test_ten_pages_by_one_button_raise_no_alarm() -> None:
    pages = [
        FakePage(
            f"{ADDRESS}{n}",
            f'- heading "Page {n}" [ref=e1]\n- link "Next" [ref=e2]',
            leads={"Next": f"{ADDRESS}{n + 1}"},
        )
        for n in range(12)
    ]

    def go_on(_: Request) -> ModelTurn:
        return calls(("browser_click", json.dumps({"target": ref_of(one, "Next")})))

    first = calls(("browser_navigate", json.dumps({"url": f"{ADDRESS}0"})))
    one = await desk(pages, first, *[go_on] * 10, says("ok"))
    assert (await one.play()).end == "done"
    assert rungs(one) == []


@pytest.mark.parametrize("length", [2, 3])
async def test_going_round_between_pages_ends_with_the_person(length: int) -> None:
    pages = [FakePage(f"{ADDRESS}{n}", f'- heading "Page {n}" [ref=e1]') for n in range(length)]
    visits = [calls(("browser_navigate", json.dumps({"url": page.url}))) for page in pages]
    one = await desk(pages, *visits * 6, attended=False)
    assert (await one.play()).end == "needs_person"
    assert rungs(one) == ["hint", "warning", "blocked", "paused"]
    assert len(one.answers) <= 2 * length + 4


async def test_three_downloads_that_leave_the_page_as_it_is_raise_no_alarm() -> None:
    numbers = itertools.count()
    one = await clicking("Dead", "Still", "More")

    def happened() -> Happenings:
        return Happenings(downloads=(Download(f"file {next(numbers)}", ADDRESS),))

    one.browser.happenings = happened  # type: ignore[method-assign]
    await one.play()
    assert rungs(one) == []
