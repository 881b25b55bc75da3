"""Looks at a part of a page, as a model calls for them: they say which part it is, and move no base."""

import re

import pytest

from tests.fakes.agent import desk
from tests.fakes.browser import FakePage
from tests.fakes.model import calls, says

BUTTONS = "\n".join(f'- button "Order number {at} of the long list" [ref=e{at}]' for at in range(10, 700))
LONG = FakePage("http://shop.test/", f'- heading "Orders" [level=1] [ref=e1]\n{BUTTONS}', title="Orders")
OPEN = calls(("browser_navigate", '{"url": "http://shop.test/"}'))
CLICK = calls(("browser_click", '{"target": "e1"}'))


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("browser_snapshot", '{"page": 2}', "Page 2 of 3 of the whole page, nothing left out; page=3 shows the next:"),
        ("browser_snapshot", '{"text": true}', "Page 1 of 2 of the text of the whole page, nothing left out; page=2"),
        ("browser_snapshot", '{"depth": 1}', "A part of the page:"),
        (
            "browser_find",
            '{"text": "order number"}',
            "Found at 690 places, here 1-40, the most exact first; page=2 shows",
        ),
        (
            "browser_find",
            '{"text": "number 444"}',
            "Found at 1 place (searched: names, texts, values and addresses of all",
        ),
        ("browser_find", '{"text": "order number", "page": 18}', "here 681-690, the most exact first (searched: names"),
    ],
)
async def test_a_partial_look_says_which_part_it_is_and_moves_no_base(name: str, arguments: str, said: str) -> None:
    one = await desk([LONG], OPEN, calls((name, arguments)), CLICK, says("ok"))
    await one.play()
    opened, partial, clicked = (answer.observation for answer in one.answers)
    assert said in one.answers[1].text
    assert opened
    assert partial
    assert clicked
    assert (partial.shown_as, clicked.shown_as) == ("partial", "same")
    assert f"same as {opened.id}" in clicked.shown
    assert len(partial.shown) < 14_200


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("browser_snapshot", '{"page": 9}', "Not done: there is no page 9: the whole page has 3 pages."),
        (
            "browser_find",
            '{"text": "order number", "page": 19}',
            "Not done: there is no page 19 of the places, only 18.",
        ),
        ("browser_snapshot", '{"target": "e99999"}', "Not done: e99999 is not on the page. Find it again"),
        ("browser_snapshot", '{"page": 0}', "page: Input should be greater than or equal to 1"),
    ],
)
async def test_a_part_that_is_not_there_is_refused_with_the_reason(name: str, arguments: str, said: str) -> None:
    one = await desk([LONG], OPEN, calls((name, arguments)), says("ok"))
    await one.play()
    assert one.answers[1].is_error
    assert said in one.answers[1].text
    assert one.answers[1].observation is None


async def test_all_pages_together_are_the_whole_page_and_their_refs_can_be_used() -> None:
    looks = [calls(("browser_snapshot", f'{{"page": {page}}}')) for page in range(1, 4)]
    last_ref = "e690"
    one = await desk([LONG], OPEN, *looks, calls(("browser_click", f'{{"target": "{last_ref}"}}')), says("ok"))
    await one.play()
    shown = "".join(answer.observation.shown for answer in one.answers[1:4] if answer.observation)
    assert re.findall(r"Order number (\d+)", shown) == [str(at) for at in range(10, 700)]
    assert one.browser.acts == [("Click", "Order number 699 of the long list")]
