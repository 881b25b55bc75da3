"""Real SDKs and the real loop against a server that forgives nothing: what was sent is only ever added to."""

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from app.domain.events import POLICIES, Folded, Policy, TurnEnded
from tests.fakes.strict_walk import MOVES, Played, is_cut, long_walk, play, says, turn
from tests.fakes.wire_models import WIRES
from tests.fakes.wire_replies import Wire

pytestmark = pytest.mark.timeout(180)  # the first test of a wire loads its SDK

STUB = 300


def assert_strict(one: Played) -> None:
    """Nothing is refused, every call has one result, and only folds edit what was sent: each once, from its page on."""
    assert one.seen.refusals == []
    assert set(one.results.values()) <= {1}
    assert len(one.seen.bills) == len(one.folds)
    assert one.seen.edits == one.folded
    for number in one.folded:
        pages = one.pages_folded(number)
        edited_at = one.seen.bills[number].edited_at
        assert edited_at is not None
        first = one.seen.requests[number - 1][edited_at].words
        assert any(page in first for page in pages), f"request {number} edits {first[:200]!r}"
        long = [page for page in pages if len(page) > STUB]  # short ones may come again
        still = [page for page in long for block in one.seen.requests[number] if page in block.words]
        assert still == [], f"request {number} still holds what was folded"


def said_last(one: Played) -> str:
    return next(event.text for event in reversed(one.desk.events) if isinstance(event, TurnEnded))


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("wire", WIRES)
async def test_a_long_walk_is_only_edited_by_folds(wire: Wire, policy: Policy) -> None:
    one = await play(long_walk(thinks=True), wire, policy)
    assert_strict(one)
    assert len(one.seen.bills) > 15
    assert bool(one.folded) == (policy != "off")
    assert said_last(one) == "All counted."


@pytest.mark.parametrize("wire", WIRES)
async def test_a_walk_without_reasoning_is_only_edited_by_folds(wire: Wire) -> None:
    one = await play(long_walk(thinks=False), wire, "chain")
    assert_strict(one)
    assert one.folded


@pytest.mark.parametrize("wire", WIRES)
async def test_every_kind_of_step_is_only_edited_by_folds(wire: Wire) -> None:
    steps = [turn(move, thinks=number % 3 > 0) for number, move in enumerate(MOVES.values())]
    one = await play([*steps, is_cut, *steps, says("Done.", thinks=True)], wire, "chain")
    assert_strict(one)
    assert any(block.kind == "picture" for request in one.seen.requests for block in request)


@pytest.mark.parametrize("policy", POLICIES)
async def test_looking_again_and_again_at_one_document_is_only_edited_by_folds(policy: Policy) -> None:
    looks = ["open 0", *["look", "refresh"] * 6]
    script = [turn(MOVES[name], thinks=True) for name in looks]
    one = await play([*script, says("Seen.", thinks=True)], "anthropic", policy)
    assert_strict(one)


@pytest.mark.parametrize("wire", WIRES)
async def test_reasoning_is_sent_back_while_nothing_before_it_was_edited(wire: Wire) -> None:
    moves = ["open 0", "type", "refresh", "look"]
    one = await play([*(turn(MOVES[name], thinks=True) for name in moves), says("Done.", thinks=True)], wire, "chain")
    assert one.folded == []
    assert [block.kind for block in one.seen.requests[-1]].count("reasoning") == len(moves)


@pytest.mark.parametrize("wire", ["openai-chat", "anthropic"])
async def test_what_the_person_adds_after_a_failed_turn_moves_nothing(wire: Wire) -> None:
    one = await play([is_cut] * 3 + [says("Here I am.", thinks=True)], wire, "chain")
    assert_strict(one)


conversations = st.lists(st.tuples(st.sampled_from([*MOVES, "answer", "cut"]), st.booleans()), min_size=4, max_size=16)


@pytest.mark.parametrize("wire", WIRES)
@given(wanted=conversations, policy=st.sampled_from(POLICIES), opens=st.sampled_from(["open 0", "open 2"]))
@settings(max_examples=6, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
async def test_any_conversation_is_only_edited_by_folds(
    wire: Wire, wanted: list[tuple[str, bool]], policy: Policy, opens: str
) -> None:
    said = {"answer": lambda thinks: says("So far so good.", thinks=thinks), "cut": lambda thinks: is_cut}
    moves = [(opens, True), *wanted]
    turns = [said[name](thinks) if name in said else turn(MOVES[name], thinks=thinks) for name, thinks in moves]
    one = await play([*turns, says("Done.", thinks=True)], wire, policy)
    assert_strict(one)
    if policy == "off":
        assert not any(isinstance(event, Folded) for event in one.desk.events)
