"""Two looks a person would call the same are the same, also where something moves by itself."""

import itertools

import pytest

from app.context.page.parse import parse
from app.context.progress.fingerprint import fingerprint
from app.context.progress.moving import moving_parts


def mark(text: str, without: frozenset[int] = frozenset()) -> str:
    return fingerprint(parse(text), "http://site.test/", "d1", 1, without=without)


def noise(*looks: str) -> frozenset[int]:
    trees = [parse(look) for look in looks]
    found = [moving_parts(one, other) for one, other in itertools.pairwise(trees)]
    return frozenset().union(*found)


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
    assert (mark(before) == mark(after)) is same


def test_another_address_document_or_tab_is_another_page() -> None:
    tree = parse('- button "Save" [ref=e2]')
    marks = {fingerprint(tree, "u", "d", 1), fingerprint(tree, "v", "d", 1), fingerprint(tree, "u", "e", 1)}
    assert len(marks | {fingerprint(tree, "u", "d", 2)}) == 4


PAGE = """- main [ref=e1]:
  - heading "Stock" [level=1] [ref=e2]
  - paragraph [ref=e3]: {news}
  - button "Load" [ref=e4]
  - status [ref=e5]{status}
  - list [ref=e6]:
    - listitem [ref=e7]: one
    - listitem [ref=e8]: two"""


def page(news: str = "calm", status: str = "") -> str:
    return PAGE.format(news=news, status=f": {status}" if status else "")


def test_a_text_that_moves_by_itself_is_left_out_and_what_stands_beside_it_is_not() -> None:
    moving = noise(page("up a little"), page("down again"))
    assert mark(page("quite still"), moving) == mark(page("up"), moving)
    assert mark(page("quite still", "Loaded"), moving) != mark(page("up"), moving)


def test_the_text_of_a_spinner_that_comes_and_goes_is_left_out() -> None:
    moving = noise(page(), page(status="please wait"))
    assert mark(page(status="one moment"), moving) == mark(page(), moving)
    assert mark(page("busy"), moving) != mark(page(), moving)


def test_what_was_learned_holds_when_every_node_is_made_anew() -> None:
    moving = noise(page("up"), page("down"))
    anew = page("sideways").replace("ref=e", "ref=e9")
    assert mark(anew, moving) == mark(page("up"), moving)


def test_what_was_learned_holds_when_something_comes_before_it() -> None:
    moving = noise(page("up"), page("down"))
    more = [
        page(news).replace("  - paragraph", "  - paragraph [ref=e20]: new\n  - paragraph", 1) for news in ("x", "y")
    ]
    assert mark(more[0], moving) == mark(more[1], moving)


ADS = ('- link "Buy tea" [ref=e9]:\n    - img "tea"', "- paragraph [ref=e11]: Mind the gap", '- button "Win" [ref=e12]')


def with_ad(number: int, total: str) -> str:
    rows = "\n".join(f"  - row [ref=e{50 + n}]: cell {n}" for n in range(70))
    return f"- generic [ref=e1]:\n  {ADS[number]}\n- text: {total}\n- table [ref=e30]:\n{rows}"


def test_an_ad_that_is_swapped_for_another_kind_of_ad_is_left_out_whole() -> None:
    moving = noise(with_ad(0, "3 items"), with_ad(1, "3 items"))
    assert mark(with_ad(2, "3 items"), moving) == mark(with_ad(0, "3 items"), moving)
    assert mark(with_ad(2, "4 items"), moving) != mark(with_ad(0, "3 items"), moving)


def ticker(first: int, button: str = "Load") -> str:
    lines = "\n".join(f"  - listitem [ref=e{n}]: {'abcdefghijkl'[n]}" for n in range(first, first + 4))
    return f'- button "{button}" [ref=e90]\n- list [ref=e91]:\n{lines}'


def test_a_list_of_news_that_runs_on_is_left_out() -> None:
    moving = noise(ticker(0), ticker(1))
    assert mark(ticker(5), moving) == mark(ticker(0), moving)
    assert mark(ticker(5, "Loading"), moving) != mark(ticker(0), moving)


def test_a_list_that_grew_late_is_not_taken_for_news_without_a_pure_look() -> None:
    first, longer = ticker(0), ticker(0) + "\n  - listitem [ref=e70]: more"
    moving = moving_parts(parse(first), parse(longer), flows=False)
    longest = longer + "\n  - listitem [ref=e71]: still more"
    assert mark(longest, moving) != mark(longer, moving)


def test_a_page_that_is_drawn_wholly_anew_by_itself_does_not_vanish_from_the_comparison() -> None:
    rows = [f"- row [ref=e{n}]: cell {n}" for n in range(60)]
    anew = [row.replace("ref=e", "ref=e9") for row in rows]
    moving = noise("\n".join(rows), "\n".join(anew))
    changed = "\n".join([*rows[:30], "- row [ref=e30]: another cell", *rows[31:]])
    assert mark(changed, moving) != mark("\n".join(rows), moving)


def test_two_idle_looks_that_are_the_same_teach_nothing() -> None:
    assert noise(page(), page()) == frozenset()
