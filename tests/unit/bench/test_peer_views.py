"""Every peer's text is read into the same controls, and what is missing in it is missed."""

import pytest

from tests.bench.peers.aims import NotFound, Place, place_of, target
from tests.bench.peers.recall import controls, on_page, recall
from tests.bench.peers.view import (
    Node,
    of_agent_browser,
    of_browser_use,
    of_chrome_devtools,
    of_our_text,
    of_playwright,
    walk,
)
from tests.bench.walks.walk import Aim

PLAYWRIGHT = of_playwright(
    """\
- main [ref=e1]:
  - textbox "Postal code" [ref=e2]
  - row [ref=e3]:
    - cell "Mug" [ref=e4]
    - cell [ref=e5]:
      - button "Add" [ref=e6]
  - row [ref=e7]:
    - cell "Rope" [ref=e8]
    - cell [ref=e9]:
      - button "Add" [ref=e10]
  - link "Terms: all" [ref=e11] [cursor=pointer]:
    - /url: /terms
"""
)
CHROME = of_chrome_devtools(
    """\
uid=1_0 RootWebArea "Shop" url="http://127.0.0.1/"
  uid=1_1 "Postal code "
  uid=1_2 textbox "Postal code"
  uid=1_3 "Mug"
  uid=1_4 button "Add"
  uid=1_5 "Rope"
  uid=1_6 button "Add"
  uid=1_7 link "Terms: all" url="http://127.0.0.1/terms"
"""
)
AGENT_BROWSER = of_agent_browser(
    """\
✓ Done
- main
  - LabelText
    - StaticText "Postal code "
    - textbox "Postal code" [required, ref=e1]: 10124
  - row
    - cell "Mug" [ref=e2]
    - cell "Add" [ref=e3]
      - button "Add" [ref=e4]
  - row
    - cell "Rope" [ref=e5]
    - cell "Add" [ref=e6]
      - button "Add" [ref=e7]
  - link "Terms: all" [ref=e8]
"""
)
BROWSER_USE = of_browser_use(
    """\
[Start of page]
[4]<label />
	Postal code
	|SHADOW(open)|[5]<input name=code required=true />
[6]<tr />
	[7]<td />
		Mug
	[8]<td />
		*[9]<button />
			Add
[10]<tr />
	[11]<td />
		Rope
	[12]<td />
		[13]<button />
			Add
[14]<a />
	Terms: all
[End of page]
"""
)
OURS = of_our_text(
    """\
[page 1a2b3c]
- main:
  - textbox "Postal code" [required] [ref=e1]: 10124
  - row: Mug | button "Add" [ref=e2]
  - row: Rope | button "Add" [ref=e3]
  - link "Terms: all" [ref=e4] [url=/terms]
[end 1a2b3c]"""
)


@pytest.mark.parametrize("view", [PLAYWRIGHT, CHROME, AGENT_BROWSER, BROWSER_USE, OURS])
def test_a_whole_view_shows_every_control_of_the_driver_s_tree(view: Node) -> None:
    found = recall(controls(PLAYWRIGHT), view, exactly=view is OURS)
    assert (found.found, found.total, found.missing) == (4, 4, ())


@pytest.mark.parametrize(
    ("view", "ref"),
    [(PLAYWRIGHT, "e10"), (AGENT_BROWSER, "e7"), (BROWSER_USE, "13"), (CHROME, "1_6")],
)
def test_a_target_is_told_apart_by_its_row_or_else_by_its_place(view: Node, ref: str) -> None:
    aim = Aim("button", "Add", within="Rope")
    assert target(view, aim, place_of(PLAYWRIGHT, aim)).ref == ref


def test_a_target_that_a_view_does_not_hold_is_not_guessed() -> None:
    with pytest.raises(NotFound, match="0 of that role and name"):
        target(CHROME, Aim("button", "Remove"), None)


def test_the_place_does_not_tell_in_a_view_that_shows_fewer_of_them() -> None:
    with pytest.raises(NotFound):
        target(CHROME, Aim("button", "Add", within="Rope"), Place(1, 5))


def test_a_target_whose_name_a_view_has_lost_is_found_by_its_place_among_its_role() -> None:
    view = of_agent_browser('- link "Home" [ref=e1]\n- link [ref=e2]\n- link "Terms" [ref=e3]')
    assert target(view, Aim("link", "Choose a date"), Place(0, 1, 1, 3)).ref == "e2"


def test_a_target_without_a_name_is_found_by_what_stands_in_it() -> None:
    tree = of_playwright("- button [ref=e1]:\n  - emphasis [ref=e2]: Save draft")
    view = of_chrome_devtools('uid=1_1 button "Help"\nuid=1_2 button "Save draft"')
    aim = Aim("button", "")
    assert target(view, aim, place_of(tree, aim)).ref == "1_2"


def test_a_target_of_another_name_is_not_taken_for_it_by_its_place() -> None:
    view = of_agent_browser('- link "Home" [ref=e1]\n- link "Help" [ref=e2]\n- link "Terms" [ref=e3]')
    with pytest.raises(NotFound):
        target(view, Aim("link", "Choose a date"), Place(0, 1, 1, 3))


def test_a_control_that_is_not_shown_counts_only_when_a_line_tells_of_it() -> None:
    wanted = [("button", "Add"), ("button", "Add"), ("link", "Terms"), ("checkbox", "Fragile")]
    view = of_our_text('- button "Add" [ref=e1]\n- … left out: 3 row (1 button, 1 link; 90 characters)')
    found = recall(wanted, view, exactly=True)
    assert (found.found, found.counted, found.total) == (1, 2, 4)


def test_a_control_that_has_gone_by_itself_is_not_looked_for() -> None:
    wanted = [("button", "Add"), ("button", "Add"), ("button", "Saved elsewhere")]
    assert on_page(wanted, PLAYWRIGHT) == [("button", "Add"), ("button", "Add")]


def test_one_shown_control_answers_for_one() -> None:
    view = of_our_text('- button "Add" [ref=e1]')
    assert recall([("button", "Add"), ("button", "Add")], view, exactly=True).found == 1


def test_a_field_of_browser_use_bears_the_words_of_its_label() -> None:
    assert [one.name for one in walk(BROWSER_USE) if one.role == "textbox"] == ["Postal code"]
