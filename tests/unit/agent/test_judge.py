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


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>{"name": "browser_click", "arguments": {"target": "e3"}}</tool_call>',
        'I press it now. <function=browser_click>{"target": "e3"}</function>',
        '{"name": "browser_click", "arguments": {"target": "e3"}}',
        'Here it is:\n```json\n{"name": "browser_click", "parameters": {"target": "e3"}}\n```',
        '[TOOL_CALLS] [{"name": "browser_click"}]',
    ],
)
def test_a_call_that_is_written_as_text_is_no_answer(text: str) -> None:
    verdict = judge(says(text))
    assert verdict.judgement == "bad"
    assert "not carried out" in verdict.reason


@pytest.mark.parametrize(
    "text", ['The file holds ```json\n{"name": "Ada", "port": "Turin"}\n```', "The function is called at noon.", "{}"]
)
def test_an_answer_may_hold_json(text: str) -> None:
    assert judge(says(text)).judgement == "good"
