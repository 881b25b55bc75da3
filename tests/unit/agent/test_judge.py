"""A bad turn is told from a good one."""

import pytest

from app.agent.judge import judge
from tests.fakes.model import calls, says


@pytest.mark.parametrize(
    "text",
    ["upstream request timeout", "502 Bad Gateway", "Error: Internal Server Error", "Service Temporarily Unavailable"],
)
def test_what_a_gateway_says_is_no_answer(text: str) -> None:
    assert judge(says(text)).judgement == "bad"


@pytest.mark.parametrize(
    "text",
    [
        "It opens at 9:30.",
        "The page shows “502 Bad Gateway” for every order since Tuesday; the shop itself says that it is being mended.",
        "Bad gateway" + " and so on" * 60,
    ],
)
def test_an_answer_may_speak_of_gateways(text: str) -> None:
    assert judge(says(text)).judgement == "good"


def test_a_turn_with_a_call_is_not_judged_by_such_words() -> None:
    assert judge(calls(("browser_reload", "{}"), text="Bad gateway, I reload.")).judgement == "good"
