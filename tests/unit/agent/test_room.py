"""A conversation stays within what its model can read, whatever pages and results it meets, and nothing is lost."""

import asyncio
from collections.abc import Callable

import pytest

from app.agent.tools import specs
from app.context.request.budget import Budget
from app.context.request.projection import project
from app.context.request.tokens import tokens_of_message, tokens_of_prefix
from app.domain.errors import ProviderError
from app.domain.events import Folded, PersonAnswered, RoomWarned, Summarised, ToolAnswered
from app.domain.messages import ModelTurn, Request, TextBlock, ToolResultBlock, Usage, UserMessage
from tests.fakes.agent import Desk, desk
from tests.fakes.browser import FakePage
from tests.fakes.model import calls, says


def weight(request: Request) -> float:
    return tokens_of_prefix(request.system, request.tools) + sum(map(tokens_of_message, request.messages))


def text_of(request: Request) -> str:
    found: list[str] = []
    for message in request.messages:
        for block in message.content if isinstance(message, UserMessage) else ():
            parts = block.content if isinstance(block, ToolResultBlock) else (block,)
            found += [part.text for part in parts if isinstance(part, TextBlock)]
    return "\n".join(found)


def site(pages: int, size: int = 6_000) -> list[FakePage]:
    """Pages of about that many characters, each with a link to the next one and a fact of its own."""
    made = []
    for number in range(1, pages + 1):
        filler = "\n".join(f"- paragraph: Line {line} of page {number} says nothing new." for line in range(size // 60))
        link = f'- link "Next" [ref=e1]:\n  - /url: /{number + 1}'
        made.append(
            FakePage(
                f"http://site.test/{number}",
                f'- heading "Page {number}" [level=1]\n- paragraph: Code K{number:03d}\n{link}\n{filler}',
                f"Page {number}",
                {"Next": f"http://site.test/{number + 1}"},
            )
        )
    return made


OPEN_FIRST = ("browser_navigate", '{"url": "http://site.test/1"}')


def goes_on(request: Request) -> ModelTurn:
    """Clicks "Next" by the newest ref that the model was shown."""
    page = text_of(request).rpartition('link "Next" [ref=')[2]
    return calls(("browser_click", f'{{"target": "{page.partition("]")[0]}"}}'))


@pytest.mark.parametrize(("window", "pages"), [(8_192, 200), (32_000, 60)])
async def test_very_many_pages_fit_a_small_window_and_every_page_can_still_be_had(window: int, pages: int) -> None:
    steps = [calls(OPEN_FIRST), *[goes_on] * (pages - 1)]
    budget = Budget(window)
    recall = calls(("recall", '{"observation": "o3"}'))
    one = await desk(site(pages + 1, 3_000), *steps, recall, says("All read."), max_steps=300)
    one.run.models.budget = budget
    one.run.observing.page_characters = budget.page_characters(14_000)
    summaries = _answer_summaries(one)
    ended = await one.play()
    assert ended.end == "done", ended.text
    assert max(weight(request) for request in one.model.requests if request.tools) <= window - budget.answer_tokens
    assert "K002" in one.answers[-1].observation.shown  # type: ignore[union-attr]
    assert bool(summaries) == (window == 8_192)
    last = text_of(one.model.requests[-1])
    assert "do it" in last, "the task stands in every request"


def _answer_summaries(one: Desk) -> list[Request]:
    """The model sums up when it is asked to; the requests for it are counted."""
    asked: list[Request] = []
    answer = one.model.answer

    async def answers(request: Request, on_text: Callable[[str], None]) -> ModelTurn:
        if request.tools:
            return await answer(request, on_text)
        asked.append(request)
        return says("Pages were read one after the other.")

    one.model.answer = answers  # type: ignore[method-assign]
    return asked


async def test_the_model_is_warned_one_step_before_old_results_are_cleared_in_one_batch() -> None:
    long = "\n".join(f"- text: entry {number} of the list is here" for number in range(400))
    page = FakePage("http://site.test/1", f'- button "Go" [ref=e1]\n{long}')
    look = calls(("browser_snapshot", "{}"))
    one = await desk([page], calls(OPEN_FIRST), *[look] * 30, says("Done."), max_steps=60)
    one.run.models.budget = Budget(32_000)
    await one.play()
    kinds = [type(event).__name__ for event in one.events if isinstance(event, RoomWarned | Folded | ToolAnswered)]
    for place, kind in enumerate(kinds):
        if kind == "Folded" and "RoomWarned" in kinds[:place]:
            assert kinds[place - 1] == "ToolAnswered"
    folds = [event for event in one.events if isinstance(event, Folded)]
    assert folds
    assert all(fold.characters_after < fold.characters_before for fold in folds)


async def test_a_result_of_two_million_characters_is_sent_in_part_and_kept_whole() -> None:
    page = FakePage("http://site.test/1", '- button "Go" [ref=e1]')
    answer = "\n".join(f"Line {number} of a long answer." for number in range(70_000))
    one = await desk([page], calls(OPEN_FIRST), calls(("ask_user", '{"question": "What is it?"}')), says("ok"))
    turn = asyncio.ensure_future(one.play())
    await one.asked.wait()
    one.control.answer(PersonAnswered(one.questions[0].question_id, "", answer))
    assert (await turn).end == "done"
    given = one.answers[-1]
    assert len(given.text) < 12_400
    assert given.whole is not None
    assert answer in (await one.transcript.record.blob(given.whole)).decode()
    assert 'recall(observation="r2", page=2)' in given.text


async def test_a_long_result_can_be_had_back_page_by_page_and_by_a_text_in_it() -> None:
    page = FakePage("http://site.test/1", '- button "Go" [ref=e1]')
    one = await desk(
        [page],
        calls(OPEN_FIRST),
        calls(("browser_find", '{"text": "Go"}')),
        calls(("recall", '{"observation": "r1"}')),
        calls(("recall", '{"observation": "[R2]", "find": "go"}')),
        calls(("recall", '{"observation": "r99"}')),
        says("ok"),
    )
    await one.play()
    first, second, third = one.answers[2:5]
    assert "r1, " in first.text
    assert "http://site.test/1" in first.text
    assert not second.is_error
    assert third.is_error
    assert "Known: o2" in third.text


async def test_a_request_that_the_model_finds_too_long_is_made_shorter_and_asked_again() -> None:
    steps: list[object] = [calls(OPEN_FIRST), *[goes_on] * 12]
    refused = ProviderError(
        "The conversation has grown longer than fake can read.", fault="too_long", retriable=False, next_step="x"
    )
    one = await desk(site(20), *steps, refused, says("Pages were read."), says("All read."), max_steps=60)  # type: ignore[arg-type]
    ended = await one.play()
    assert ended.end == "done", ended.text
    before, after = one.model.requests[-3], one.model.requests[-1]
    assert weight(after) < weight(before) * 0.95
    assert any(isinstance(event, Folded | Summarised) for event in one.events)


async def test_what_is_too_long_from_the_start_is_said_and_not_asked_for_ever() -> None:
    refused = ProviderError(
        "The conversation is longer than it can read.", fault="too_long", retriable=False, next_step=""
    )
    one = await desk([], refused)
    ended = await one.play()
    assert ended.end == "failed"
    assert len(one.model.requests) == 1


async def test_a_summary_that_cannot_be_made_is_written_from_the_record() -> None:
    one = await desk(site(60, 3_000), calls(OPEN_FIRST), *[goes_on] * 50, says("All read."), max_steps=100)
    one.run.models.budget = Budget(8_192)
    one.run.observing.page_characters = Budget(8_192).page_characters(14_000)
    answer = one.model.answer

    async def answers(request: Request, on_text: Callable[[str], None]) -> ModelTurn:
        if request.tools:
            return await answer(request, on_text)
        raise ProviderError("down.", fault="overloaded", retriable=True, next_step="")

    one.model.answer = answers  # type: ignore[method-assign]
    assert (await one.play()).end == "done"
    summaries = [event for event in one.events if isinstance(event, Summarised)]
    assert summaries
    assert all(not event.model for event in summaries)
    assert "clicked link" in summaries[-1].text


async def test_after_a_summary_the_page_in_work_is_in_view_and_its_refs_still_act() -> None:
    steps = [calls(OPEN_FIRST), *[goes_on] * 50, says("All read.")]
    one = await desk(site(60, 3_000), *steps, max_steps=100)
    one.run.models.budget = Budget(8_192)
    one.run.observing.page_characters = Budget(8_192).page_characters(14_000)
    _answer_summaries(one)
    assert (await one.play()).end == "done"
    assert len(one.browser.acts) >= 50
    assert not [answer for answer in one.answers if answer.is_error]


async def test_the_own_count_of_the_provider_corrects_the_estimate() -> None:
    def counted(share: float) -> Callable[[Request], ModelTurn]:
        def turn(request: Request) -> ModelTurn:
            made = goes_on(request) if request.messages[1:] else calls(OPEN_FIRST)
            usage = Usage(int(weight(request) * share), 0, 10)
            return ModelTurn(made.text, made.calls, made.stop, usage, made.model, made.wire)

        return turn

    one = await desk(site(9), *[counted(2.0)] * 6, says("ok"))
    await one.play()
    request = project(one.transcript.events, model="fake")
    assert await one.run.models.tokens(one.transcript) == pytest.approx(weight(request) * 2, rel=0.15)
    other = await desk(site(9), *[counted(0.1)] * 6, says("ok"))
    await other.play()
    request = project(other.transcript.events, model="fake")
    assert await other.run.models.tokens(other.transcript) == pytest.approx(weight(request), rel=0.15)


def test_a_small_window_gets_the_short_prompt_and_the_tools_it_needs() -> None:
    small, whole = specs(small=True), specs()
    assert {tool.name for tool in small} < {tool.name for tool in whole}
    assert sum(len(tool.schema) + len(tool.description) for tool in small) < 5_000
    assert Budget(8_192).is_small
    assert not Budget().is_small
    assert Budget(8_192).tokens + Budget(8_192).answer_tokens < 8_192


@pytest.mark.parametrize("window", [8_192, 32_000, 128_000])
async def test_the_pages_of_a_cut_result_go_on_where_it_was_cut_and_are_not_cut_themselves(window: int) -> None:
    lines = [f"Line {number} of a long answer." for number in range(2_000)]
    recalls = [calls(("recall", f'{{"observation": "r1", "page": {page}}}')) for page in range(1, 13)]
    one = await desk([], calls(("ask_user", '{"question": "What is it?"}')), *recalls, says("ok"), max_steps=60)
    one.run.models.budget = Budget(window)
    one.run.observing.page_characters = Budget(window).page_characters(14_000)
    _answer_summaries(one)
    turn = asyncio.ensure_future(one.play())
    await one.asked.wait()
    one.control.answer(PersonAnswered(one.questions[0].question_id, "", "\n".join(lines)))
    assert (await turn).end == "done"
    given, *pages = one.answers
    named = int(given.text.rpartition("page=")[2].partition(")")[0])
    read = given.text + "\n".join(page.text for page in pages[named - 1 :] if not page.is_error)
    assert not [line for line in lines if line not in read]
    assert not [page for page in pages if page.whole]


async def test_a_window_that_prompt_and_tools_fill_is_not_summed_up_at_every_step() -> None:
    one = await desk(site(40, 2_000), calls(OPEN_FIRST), *[goes_on] * 20, says("All read."), max_steps=100)
    one.run.models.budget = Budget(3_000)
    summaries = _answer_summaries(one)
    assert (await one.play()).end == "done"
    assert len(summaries) < 11


async def test_a_request_that_is_too_long_again_is_made_still_shorter() -> None:
    def too_long() -> ProviderError:
        return ProviderError("It has grown too long.", fault="too_long", retriable=False, next_step="x")

    long = "\n".join(f"- text: entry {number} of the list is here" for number in range(400))
    page = FakePage("http://site.test/1", f'- button "Go" [ref=e1]\n{long}')
    look = calls(("browser_snapshot", "{}"), text="I look again. " * 300)
    one = await desk([page], calls(OPEN_FIRST), *[look] * 3, too_long(), too_long(), says("All read."), max_steps=60)
    _answer_summaries(one)
    ended = await one.play()
    assert ended.end == "done", ended.text
    first, second, third = one.model.requests[-3:]
    assert weight(third) < weight(second) < weight(first)


async def test_changes_are_never_told_against_a_look_that_did_not_come_on_record() -> None:
    page = FakePage(
        "http://site.test/1", '- button "Go" [ref=e1]\n' + "\n".join(f"- paragraph: line {n}" for n in range(90))
    )
    one = await desk([page], calls(OPEN_FIRST), says("ok"))
    await one.play()
    tree = page.snapshot
    one.browser.redraw(f"{tree}\n- paragraph: first news")
    assert (await one.run.observing.see()).observation.shown_as == "changes"
    one.browser.redraw(f"{tree}\n- paragraph: first news\n- paragraph: second news")
    seen = (await one.run.observing.see()).observation
    assert seen.shown_as == "whole"
    assert "first news" in seen.shown
