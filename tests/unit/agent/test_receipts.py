"""What the model reads after an act, and after one that was not done."""

import json

import pytest

from app.domain.messages import ModelTurn, Request
from tests.fakes.agent import Desk, desk
from tests.fakes.browser import FakePage
from tests.fakes.model import calls, says

FORM = FakePage(
    "http://shop.test/",
    '- textbox "Name" [ref=e1]\n- button "Like" [ref=e2]\n- button "Nothing" [ref=e3]\n- textbox "Town" [ref=e4]',
    title="Form",
    posts=frozenset({"Like"}),
)
OPEN = ("browser_navigate", '{"url": "http://shop.test/"}')


async def after(*asked: tuple[str, dict[str, object]]) -> Desk:
    """The form is open, then these calls are made in one turn; `$Like` stands for the ref of the thing of that name."""

    def act(_: Request) -> ModelTurn:
        shown = one.answers[0].observation
        assert shown is not None
        refs = {
            line.split('"')[1]: line.split("[ref=")[1].split("]")[0]
            for line in shown.shown.splitlines()
            if "[ref" in line
        }
        made = [(tool, json.dumps(arguments)) for tool, arguments in asked]
        for name, ref in refs.items():
            made = [(tool, arguments.replace(f"${name}", ref)) for tool, arguments in made]
        return calls(*made)

    one = await desk([FORM], calls(OPEN), act, says("ok"), consent="yes")
    await one.play()
    return one


async def test_an_act_that_only_sent_something_is_not_told_as_without_effect() -> None:
    one = await after(("browser_click", {"target": "$Like"}))
    assert one.answers[-1].text.startswith('Clicked button "Like": something was sent; this page did not change.')


async def test_an_act_that_did_nothing_is_told_so() -> None:
    one = await after(("browser_click", {"target": "$Nothing"}))
    assert one.answers[-1].text == 'Clicked button "Nothing": no visible effect.'


async def test_a_text_that_was_sent_off_is_not_told_as_what_the_field_holds() -> None:
    one = await after(("browser_type", {"target": "$Name", "text": "milk", "submit": True}))
    assert one.answers[-1].text.startswith('Typed, then pressed enter in textbox "Name": ')
    assert "milk”" not in one.answers[-1].text
    receipt = one.answers[-1].receipt
    assert receipt is not None
    assert receipt.value_now is None


async def test_a_field_that_was_emptied_is_told_as_empty() -> None:
    one = await after(("browser_type", {"target": "$Name", "text": ""}))
    assert one.answers[-1].text.startswith('Typed into textbox "Name": it is now empty.')


async def test_a_refusal_names_its_target_once_and_ends_in_one_full_stop() -> None:
    one = await after(("browser_click", {"target": "e999"}))
    assert one.answers[-1].text == "Not done: there is no ref e999. Use a ref of the newest page."


async def test_a_form_that_stopped_tells_where_and_how_many_fields_were_filled() -> None:
    fields = [{"target": "$Name", "value": "Ada"}, {"target": "e999", "value": "x"}, {"target": "$Town", "value": "y"}]
    one = await after(("browser_fill_form", {"fields": fields}))
    receipt = one.answers[-1].receipt
    assert receipt is not None
    assert (receipt.verb, receipt.target) == ("filled in", "1 of 3 fields")
    assert receipt.effect == "stopped at e999: there is no ref e999"
    assert one.answers[-1].text.splitlines()[-1] == 'Not run, because the one before failed: textbox "Town".'


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        (
            "browser_click",
            {"ref": "e1"},
            "ref: is no argument of this tool. It takes: target, element, doubleClick, button, modifiers.",
        ),
        ("browser_reload", {"hard": True}, "hard: is no argument of this tool. It takes no arguments."),
        ("browser_click", {"target": "#buy"}, "selectors are not taken."),
        ("browser_navigate", {"url": "/two"}, "/two is not a web address. Give the whole address with its host."),
    ],
)
async def test_wrong_arguments_are_told_with_what_the_tool_takes(
    tool: str, arguments: dict[str, object], said: str
) -> None:
    one = await after((tool, arguments))
    assert one.answers[-1].text.endswith(said)
    assert "Value error" not in one.answers[-1].text


async def test_a_form_that_was_filled_says_of_the_page_below_it_only_what_that_does_not_show() -> None:
    fields = [{"target": "$Name", "value": "Ada"}, {"target": "$Town", "value": "Oban"}]
    one = await after(("browser_fill_form", {"fields": fields}))
    assert "In all: the page changed." not in one.answers[-1].text
    assert one.answers[-1].text.count("it is now") == 2


async def test_a_folded_page_says_that_the_act_before_it_failed() -> None:
    one = await desk([FORM], calls(OPEN), calls(("browser_click", '{"target": "e999"}')), calls(OPEN), says("ok"))
    await one.play()
    folded = [stub for event in one.events for _, stub in getattr(event, "stubs", ())]
    assert any("clicked e999 (failed)" in stub for stub in folded)


async def test_three_acts_without_effect_are_not_told_as_the_same_act_three_times() -> None:
    one = await after(*(("browser_click", {"target": f"${name}"}) for name in ("Nothing", "Name", "Town")))
    said = 'No progress: the last 3 acts changed nothing, the newest was click on textbox "Town".'
    assert said in one.answers[-1].text
