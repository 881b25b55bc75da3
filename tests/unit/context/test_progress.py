"""Standing still is seen, moving on is not mistaken for it."""

from dataclasses import replace

import pytest

from app.context.progress.repeats import Act, Progress, after_act, before_act
from app.domain.pages import ActFault
from app.domain.records import ProgressWarning


def act(before: str, after: str, target: str = 'button "Next"', arguments: str = "") -> Act:
    return Act("browser_click", target, arguments, before, after)


def done(acts: list[Act]) -> list[str]:
    """The rung of the warning at each act, "" where there was none, "-x" where it was not allowed to run."""
    progress, rungs = Progress(), []
    for one in acts:
        progress, stopped = before_act(progress, replace(one, after="", fault=None))
        if stopped is not None:
            rungs.append(f"-{stopped.rung}")
            continue
        progress, warning = after_act(progress, one)
        rungs.append(warning.rung if isinstance(warning, ProgressWarning) else "")
    return rungs


def round_of(*pages: str) -> list[Act]:
    """One act from each page to the next, and back to the first."""
    return [act(one, other, f"{one} to {other}") for one, other in zip(pages, (*pages[1:], pages[0]), strict=True)]


LADDER = ["", "", "hint", "warning", "-blocked", "-paused"]


def test_the_ladder_has_four_rungs_for_an_act_that_never_moves_anything() -> None:
    assert done([act("a", "a")] * 6) == LADDER


def test_another_way_out_resets_the_ladder() -> None:
    dead, moved = act("a", "a"), act("a", "b", 'link "Stock"')
    assert done([dead, dead, dead, dead, moved, act("b", "c")]) == ["", "", "hint", "warning", "", ""]


def test_two_dead_buttons_in_turn_climb_the_ladder_as_one_does() -> None:
    one, other = act("a", "a", "one"), act("a", "a", "other")
    assert done([one, other] * 3) == LADDER


@pytest.mark.parametrize("length", [2, 3, 4])
def test_a_cycle_that_goes_round_twice_climbs_the_whole_ladder(length: int) -> None:
    rungs = done(round_of(*"abcd"[:length]) * 4)
    assert [rung for rung in rungs if rung][:4] == ["hint", "warning", "-blocked", "-paused"]
    assert rungs.index("hint") == 2 * length - 1
    assert rungs.index("-paused") == 2 * length + 2


def test_scrolling_between_two_tries_of_a_dead_button_does_not_hide_that_it_is_dead() -> None:
    dead = act("a", "a")
    scroll = Act("browser_scroll", "the page", "600", "a", sight="a")
    scrolls = [replace(scroll, after=f"a scrolled {number}") for number in range(8)]
    rungs = done([one for scroll in scrolls for one in (dead, scroll)])
    assert [rung for rung in rungs if rung] == ["hint", "warning", "-blocked", "-paused", "-paused", "-paused"]


def test_an_act_that_always_comes_to_the_same_is_seen_though_it_does_something() -> None:
    opens = act("a", "a and a new tab")
    assert done([opens] * 6) == LADDER


def test_what_came_late_is_a_change_too() -> None:
    late = [replace(act(str(count), str(count)), late=count > 0) for count in range(10)]
    assert set(done(late)) == {""}


@pytest.mark.parametrize("fault", ["stale", "covered", "timeout", "disabled", "refused_by_person", "bad_arguments"])
def test_errors_of_one_kind_climb_and_are_told_with_the_way_out_of_that_kind(fault: ActFault) -> None:
    progress = Progress()
    told: list[ProgressWarning] = []
    for number in range(5):
        progress, warning = after_act(progress, replace(act("a", "a", f"target {number}"), fault=fault))
        told += [warning] if warning else []
    assert [one.rung for one in told] == ["hint", "warning", "warning"]
    assert "errors of one kind" in told[0].what
    other, _ = after_act(Progress(progress.acts[:2]), replace(act("a", "a"), fault="network"))
    assert other.rung == 0


def test_each_kind_of_error_has_advice_of_its_own() -> None:
    advice = set()
    kinds: tuple[ActFault, ...] = ("stale", "covered", "timeout", "disabled", "readonly", "dialog", "bad_arguments")
    for kind in kinds:
        failing = replace(act("a", "a"), fault=kind)
        progress = Progress()
        for _ in range(3):
            progress, warning = after_act(progress, failing)
        assert warning is not None
        advice.add(warning.advice)
    assert len(advice) == len(kinds)


def test_the_same_dead_target_tried_again_and_again_is_blocked_at_the_fifth_time() -> None:
    assert done([replace(act("a", "a", "dead e5"), fault="stale")] * 6) == LADDER


@pytest.mark.parametrize(
    "acts",
    [
        [act(str(page), str(page + 1)) for page in range(20)],  # paging with one button
        [act(str(count), str(count + 1), 'button "+"') for count in range(15)],  # a quantity button
        [act(str(n), str(n + 1), f'textbox "Field {n}"') for n in range(30)],  # a long form
        [Act("browser_scroll", "the page", "600", "a", f"a scrolled {n}") for n in range(25)],  # a long scroll
        [act("list", f"item {n}", f"link {n}") if n % 2 else act(f"item {n - 1}", "list", "back") for n in range(20)],
        [act(f"{n}", f"{n + 1}", 'searchbox "Find"', f"word {n}") for n in range(10)],  # other words each time
    ],
)
def test_honest_work_raises_no_alarm(acts: list[Act]) -> None:
    assert set(done(acts)) == {""}
