"""What became of an answered submission is judged by what the page says since, and by nothing it said before."""

from dataclasses import replace

import pytest

from app.agent.observing import Observing, Seeing
from app.agent.proving import judged
from app.domain.ids import SubmissionId
from app.domain.submissions import Submission
from tests.fakes.agent import desk
from tests.fakes.browser import FakePage

FORM = (
    '- heading "Checkout" [level=1] [ref=e1]\n- textbox "Card holder" [ref=e2]\n- paragraph [ref=e4]: Pay by card\n'
    '- button "Place order" [ref=e3]'
)
SHOP = FakePage("http://shop.test/checkout", FORM, title="Checkout")
ANSWERED = Submission(
    SubmissionId("s1"),
    "answered",
    "pay",
    "http://shop.test",
    control="Place order",
    url="http://shop.test/order",
    status=200,
)


async def seen(*snapshots: str, url: str = SHOP.url) -> tuple[Seeing, Seeing]:
    """The page before, and the page after."""
    one = await desk([SHOP, *(FakePage(f"{url}?{at}", text, title="After") for at, text in enumerate(snapshots))])
    one.browser.go(SHOP.url)
    observing: Observing = one.run.observing
    before = await observing.see("whole")
    if snapshots:
        one.browser.go(f"{url}?0")
    else:
        one.browser.redraw(FORM)
    return before, await observing.see("whole")


async def test_an_answer_is_settled_by_what_the_page_says_since() -> None:
    before, after = await seen('- heading "Thank you" [level=1] [ref=e1]\n- paragraph [ref=e2]: Order 17 was placed')
    found = judged(ANSWERED, before, after)
    assert found.state == "settled"
    assert found.proof is not None
    assert (found.proof.words, found.proof.observation) == ("Thank you", after.observation.id)


async def test_what_the_page_said_before_proves_nothing() -> None:
    before, after = await seen()
    assert judged(ANSWERED, before, after) == ANSWERED


@pytest.mark.parametrize(
    "words", ["Error 504: Gateway Timeout", "Something went wrong. Please try again.", "The request timed out"]
)
async def test_a_page_that_says_that_something_went_wrong_leaves_it_unknown(words: str) -> None:
    before, after = await seen(f'- heading "{words}" [level=1] [ref=e1]')
    found = judged(ANSWERED, before, after)
    assert found.state == "unknown"
    assert words in found.note


async def test_a_form_that_is_there_again_with_its_errors_was_refused() -> None:
    before, after = await seen(f"- alert [ref=e9]: Card holder is required\n{FORM}")
    found = judged(ANSWERED, before, after)
    assert found.state == "refused"
    assert "Card holder is required" in found.note


async def test_a_message_without_an_answer_of_its_own_is_unknown_until_something_shows_it() -> None:
    message = replace(ANSWERED, status=None)
    assert judged(message, *await seen()).state == "unknown"
    shown = await seen(f"{FORM}\n- status [ref=e8]: Order 17 was placed")
    assert judged(message, *shown).state == "settled"


@pytest.mark.parametrize("words", ["Your card was declined.", "Incorrect password", "The order was not placed"])
async def test_words_of_a_failure_settle_nothing_and_are_told(words: str) -> None:
    before, after = await seen(f'- heading "{words}" [level=1] [ref=e1]')
    found = judged(ANSWERED, before, after)
    assert found.state == "answered"
    assert words in found.note
