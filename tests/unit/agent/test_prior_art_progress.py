"""Where others were blind to standing still, or took honest work for it; each weak point by its number."""

import itertools
import json
from dataclasses import replace

from app.context.page.parse import parse
from app.context.progress.fingerprint import fingerprint
from app.domain.messages import ModelTurn, Request
from app.domain.pages import Look
from app.domain.snapshot import Mark, SnapshotNode
from tests.fakes.agent import desk
from tests.fakes.browser import FakePage
from tests.fakes.clicking import ADDRESS, BUTTONS, OPEN, SHOP, clicking, ref_of, rungs
from tests.fakes.model import calls, says

LADDER = ["hint", "warning", "blocked", "paused"]


async def test_a14_different_looks_between_dead_acts_do_not_hide_that_they_are_dead() -> None:
    looks = itertools.cycle([("browser_snapshot", "{}"), ("browser_find", '{"text": "calm"}')])

    def dead(_: Request) -> ModelTurn:
        return calls(("browser_click", json.dumps({"target": ref_of(one, "Dead")})), next(looks))

    one = await desk([SHOP], OPEN, *[dead] * 9, attended=False)
    assert (await one.play()).end == "needs_person"
    assert rungs(one) == LADDER


async def test_a14_going_back_and_forth_between_two_pages_is_seen() -> None:
    pages = [FakePage(f"{ADDRESS}{n}", f'- heading "Page {n}" [ref=e1]') for n in range(2)]
    visits = [calls(("browser_navigate", json.dumps({"url": page.url}))) for page in pages]
    one = await desk(pages, *visits * 6, attended=False)
    assert (await one.play()).end == "needs_person"
    assert rungs(one) == LADDER


async def test_a14_a_clock_an_advertisement_and_a_scroll_are_no_progress_of_a_dead_button() -> None:
    words = itertools.cycle(["tea", "rope", "oil", "salt", "soap"])
    one = await clicking(*["Dead"] * 12)
    look = one.browser.look

    async def moving(near: tuple[str, ...] = ()) -> Look:
        if one.browser.acts:
            one.browser.redraw(
                f"- text: 12:0{len(one.browser.acts)}:3{len(one.answers) % 10}\n- link: buy {next(words)}\n{BUTTONS}"
            )
        return await look(near)

    one.browser.look = moving  # type: ignore[method-assign]
    assert (await one.play()).end == "needs_person"
    assert rungs(one) == LADDER


def test_a14_what_lies_over_a_thing_or_outside_the_window_is_no_part_of_the_fingerprint() -> None:
    tree = parse('- button "Save" [ref=e2]\n- text: calm')

    def marked(*marks: Mark) -> str:
        first, *others = tree.children
        changed = SnapshotNode("page", children=(replace(first, marks=marks), *others))
        return fingerprint(changed, ADDRESS, "d1", 1)

    assert marked() == marked("covered") == marked("unseen")


async def test_a15_tab_lists_pictures_and_reports_are_no_standing_still() -> None:
    one = await desk(
        [SHOP],
        OPEN,
        *[
            calls(
                ("browser_tabs", '{"action": "list"}'),
                ("browser_take_screenshot", "{}"),
                ("browser_console_messages", "{}"),
            )
        ]
        * 5,
        says("ok"),
    )
    assert (await one.play()).end == "done"
    assert rungs(one) == []


async def test_a16_the_same_click_is_the_same_whatever_number_its_target_has() -> None:
    numbers = itertools.count(50)
    one = await clicking(*["Dead"] * 9, page=FakePage(ADDRESS, '- button "Dead" [ref=e2]'))
    one.browser.before_act = lambda: one.browser.redraw(f'- button "Dead" [ref=e{next(numbers)}]')
    assert (await one.play()).end == "needs_person"
    assert len(one.browser.acts) == 4


async def test_a16_polling_a_slow_page_by_looks_and_waits_ends_nothing() -> None:
    poll = calls(("browser_snapshot", "{}"), ("browser_wait_for", '{"time": 0.1}'))
    one = await desk([SHOP], OPEN, *[poll] * 12, says("ok"))
    assert (await one.play()).end == "done"
    assert rungs(one) == []


async def test_a17_advice_that_is_not_taken_becomes_a_block_and_a_question() -> None:
    one = await clicking(*["Dead"] * 9)
    assert (await one.play()).end == "needs_person"
    assert "It was not done again" in one.answers[5].text
    assert len(one.browser.acts) == 4
    assert one.questions[0].question_kind == "progress"


async def test_b7_a_click_that_only_changed_a_drawing_is_not_told_as_nothing() -> None:
    numbers = itertools.count()

    def draw() -> None:
        one.browser.drawn = f"picture {next(numbers)}".encode()

    one = await clicking(*["Dead"] * 8)
    one.browser.draws = True
    one.browser.before_act = draw
    assert (await one.play()).end == "done"
    assert "what is drawn on the page changed; its text did not" in one.answers[1].text
    assert rungs(one) == []


async def test_b11_twenty_scrolls_that_move_are_let_through_and_clicks_that_change_refs_are_not() -> None:
    scroll = calls(("browser_scroll", '{"deltaY": 600}'))
    one = await desk([SHOP], OPEN, *[scroll] * 20, says("ok"))
    assert (await one.play()).end == "done"
    assert rungs(one) == []
    assert one.browser.acts == [("Wheel", "")] * 20


async def test_c4_an_act_that_changed_nothing_is_never_told_as_a_success() -> None:
    one = await clicking("Dead")
    await one.play()
    receipt = one.answers[1].receipt
    assert receipt is not None
    assert (receipt.status, receipt.effect) == ("not_confirmed", "no visible effect")


async def test_c5_act_arguments_and_page_together_are_the_key_of_a_repeat() -> None:
    words = iter(["saw", "axe", "saw", "axe", "adze", "rasp"])

    def type_next(_: Request) -> ModelTurn:
        return calls(("browser_type", json.dumps({"target": ref_of(one, "Find"), "text": next(words)})))

    one = await desk([SHOP], OPEN, *[type_next] * 6, says("ok"))
    assert (await one.play()).end == "done"
    assert [rung for rung in rungs(one) if rung != "hint"] == []
