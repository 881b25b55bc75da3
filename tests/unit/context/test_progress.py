"""Standing still is seen, moving on is not mistaken for it."""

from dataclasses import replace

import pytest

from app.context.parse import parse
from app.context.progress import Act, Progress, after_act, before_act, fingerprint
from app.domain.records import ProgressWarning


def act(before: str, after: str, target: str = 'button "Next"', arguments: str = "") -> Act:
    return Act("browser_click", target, arguments, before, after)


def done(acts: list[Act]) -> list[str]:
    """The rung of the warning at each act, "" where there was none, "-x" where it was not allowed to run."""
    progress, rungs = Progress(), []
    for one in acts:
        progress, stopped = before_act(progress, replace(one, after=""))
        if stopped is not None:
            rungs.append(f"-{stopped.rung}")
            continue
        progress, warning = after_act(progress, one)
        rungs.append(warning.rung if isinstance(warning, ProgressWarning) else "")
    return rungs


def test_the_ladder_has_four_rungs_for_an_act_that_never_moves_anything() -> None:
    assert done([act("a", "a")] * 6) == ["", "", "hint", "warning", "-blocked", "-paused"]


def test_another_way_out_resets_the_ladder() -> None:
    dead, moved = act("a", "a"), act("a", "b", 'link "Stock"')
    assert done([dead, dead, dead, dead, moved, act("b", "c")]) == ["", "", "hint", "warning", "", ""]


def test_a_cycle_that_goes_round_twice_is_seen() -> None:
    there, back = act("a", "b", 'button "Open"'), act("b", "a", 'button "Close"')
    assert "hint" in done([there, back] * 3)


@pytest.mark.parametrize(
    "acts",
    [
        [act(str(page), str(page + 1)) for page in range(20)],  # paging with one button
        [act(str(count), str(count + 1), 'button "+"') for count in range(15)],  # a quantity button
        [Act("browser_wait_for", "", "", str(n), str(n + 1)) for n in range(12)],  # polling that sees change
        [act(str(n), str(n + 1), f'textbox "Field {n}"') for n in range(30)],  # a long form
        [Act("browser_scroll", "the page", "600", str(n), str(n + 1)) for n in range(25)],  # a long scroll
    ],
)
def test_honest_work_raises_no_alarm(acts: list[Act]) -> None:
    assert set(done(acts)) == {""}


@pytest.mark.parametrize(
    ("before", "after", "same"),
    [
        ('- button "Save" [ref=e2]', '- button "Save" [ref=e9]', True),
        ("- text: 12:01:33", "- text: 12:01:34", True),
        ("- text: saved 3 seconds ago", "- text: saved 4 seconds ago", True),
        ('- button "Save" [active] [ref=e2]', '- button "Save" [ref=e2]', True),
        ('- textbox "Name" [ref=e2]', '- textbox "Name" [ref=e2]: Ada', False),
        ('- checkbox "Agree" [ref=e2]', '- checkbox "Agree" [checked] [ref=e2]', False),
        ("- text: 3 items", "- text: 4 items", False),
    ],
)
def test_a_fingerprint_sees_what_a_person_would_call_a_change(before: str, after: str, same: bool) -> None:
    one, two = (fingerprint(parse(text), "http://site.test/", "d1", 1) for text in (before, after))
    assert (one == two) is same


def test_another_address_document_or_tab_is_another_page() -> None:
    tree = parse('- button "Save" [ref=e2]')
    marks = {fingerprint(tree, "u", "d", 1), fingerprint(tree, "v", "d", 1), fingerprint(tree, "u", "e", 1)}
    assert len(marks | {fingerprint(tree, "u", "d", 2)}) == 4
