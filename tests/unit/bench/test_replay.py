"""Playing a recorded walk: the same bytes each time, each policy by its own rule, and a broken walk says why."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.context.request.view import observations
from app.domain.events import Folded, Policy
from app.domain.messages import Request, TextBlock, ToolResultBlock, UserMessage
from tests.bench.fences import shown_of
from tests.bench.last_state import last_state
from tests.bench.playing import Played, WalkBroken, play
from tests.bench.policies import ALL, APPEND_ALL, measured
from tests.bench.replayer import Replayer
from tests.bench.tape import Tape, joined
from tests.bench.walks.walk import Aim, Click, Open, Step, Walk
from tests.unit.bench.tiny_walk import WALK, tape

POLICIES: tuple[Policy, ...] = ("chain", "newest", "two-pages", "off")


async def played(policy: Policy = "chain", *, always_whole: bool = False) -> Played:
    return await play(WALK, Replayer(tape()), tape().root, policy, always_whole=always_whole)


def texts(request: Request) -> list[str]:
    """Every text of a request, in its order."""
    found: list[str] = []
    for message in request.messages:
        for block in message.content if isinstance(message, UserMessage) else ():
            parts = block.content if isinstance(block, ToolResultBlock) else (block,)
            found += [part.text for part in parts if isinstance(part, TextBlock)]
    return found


def pages_in(request: Request, walked: Played) -> int:
    """How many of the pages that were shown whole stand in a request."""
    shown = [seen.observation for seen in observations(walked.events) if seen.observation.shown_as == "whole"]
    heads = [one.shown.splitlines()[0] for one in shown]
    return sum(any(text.startswith(head) for text in texts(request)) for head in heads)


@pytest.mark.parametrize("policy", POLICIES)
async def test_a_tape_played_twice_sends_the_same_bytes(policy: Policy) -> None:
    first, second = await played(policy), await played(policy)
    assert len(first.requests) == len(WALK.steps) + 1
    assert first.requests == second.requests


async def test_every_step_of_the_tape_works_and_answers() -> None:
    answers = (await played()).answers
    assert [one.is_error for one in answers] == [False] * len(WALK.steps)
    assert "was added" in shown_of(answers[4])


@pytest.mark.parametrize(("policy", "pages"), [("chain", 1), ("newest", 1), ("two-pages", 2), ("off", 4)])
async def test_what_a_policy_keeps_is_what_the_last_request_holds(policy: Policy, pages: int) -> None:
    walked = await played(policy)
    # The page of the newest step has just come; the one before it may leave only after it was read.
    assert pages_in(walked.requests[-1], walked) in (pages, pages + 1)
    assert any(isinstance(one.event, Folded) for one in walked.events) is (policy != "off")


async def test_a_client_that_knows_no_changes_shows_every_page_whole() -> None:
    walked = await played("off", always_whole=True)
    assert {one.observation.shown_as for one in walked.answers if one.observation} == {"whole"}
    usual = await played("off")
    assert sum(map(len, map(shown_of, walked.answers))) > sum(map(len, map(shown_of, usual.answers)))


async def test_the_last_state_is_one_page_and_a_note_of_each_step() -> None:
    whole = await played("off", always_whole=True)
    requests = list(last_state(whole))
    assert len(requests) == len(whole.requests)
    for step, (request, answered) in enumerate(zip(requests[1:], whole.answers, strict=True), 1):
        task, *notes, page = texts(request)
        assert page == shown_of(answered)
        assert len(notes) == step
        assert notes[-1].startswith(f"Step {step}: ")
        assert all(len(note) <= 300 for note in notes)
        assert "tiny" in task


async def test_every_policy_is_measured_and_pages_cost_what_they_are() -> None:
    found = {one.policy: one for one in await measured(WALK, tape(), lambda text: len(text) // 4)}
    assert tuple(found) == ALL
    assert found["chain"].sent < found["off"].sent < found[APPEND_ALL].sent
    assert found["chain"].states < found[APPEND_ALL].states
    assert found["chain"].same_page < found[APPEND_ALL].same_page / 2
    assert found["off"].cached_b > 0.5
    assert found["off"].folds == 0 < found["chain"].folds
    assert all(one.cost_a > 0 and one.cost_b > 0 for one in found.values())


async def test_every_measure_is_the_same_each_time() -> None:
    first, second = [await measured(WALK, tape(), lambda text: len(text.split())) for _ in range(2)]
    assert first == second


async def test_a_text_that_does_not_stand_on_the_page_breaks_the_walk() -> None:
    wrong = replace(WALK, steps=(Step(Open("/help.html"), "Entry 31"), *WALK.steps[1:]))
    with pytest.raises(WalkBroken, match=r"tiny, step 1 .*“Entry 31” does not stand on the page"):
        await play(wrong, Replayer(tape()), tape().root)


async def test_a_target_that_is_not_there_breaks_the_walk() -> None:
    wrong = Walk("tiny", "widgets", (WALK.steps[0], Step(Click(Aim("link", "Nowhere")))))
    with pytest.raises(WalkBroken, match="step 2: 0 times link “Nowhere”"):
        await play(wrong, Replayer(tape()), tape().root)


@pytest.mark.expected_log("the turn ended by a fault of the program")
async def test_more_acts_than_were_recorded_break_the_walk() -> None:
    with pytest.raises(WalkBroken, match="the turn ended as failed"):
        await play(WALK, Replayer(tape().until(3)), tape().root)


async def test_tapes_play_one_after_another_and_their_documents_stay_apart() -> None:
    twice = replace(WALK, steps=WALK.steps * 2)
    walked = await play(twice, Replayer(joined((tape(), tape()))), tape().root)
    documents = [one.observation.document for one in walked.answers if one.observation]
    assert len(set(documents)) == 2 * len(set(documents[: len(WALK.steps)]))


def test_a_tape_is_read_as_it_was_written(tmp_path: Path) -> None:
    tape().write(tmp_path / "again.json.gz")
    assert Tape.read(tmp_path / "again.json.gz") == tape()
