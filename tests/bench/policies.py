"""One walk under every policy, from its tape: what each run sent, what it cost, how its pages were shown."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.domain.events import Folded, Policy, ToolAnswered
from app.domain.messages import Economy
from tests.bench.costs import Costs, costs_of
from tests.bench.fences import shown_of
from tests.bench.last_state import last_state
from tests.bench.own_tree import own_tree
from tests.bench.playing import Played, play
from tests.bench.replayer import Replayer
from tests.bench.tape import Tape
from tests.bench.tokens import CountText
from tests.bench.walks.walk import Walk

OURS: tuple[Policy, ...] = ("chain", "newest", "two-pages", "off")
APPEND_ALL = "append-all"
LAST_STATE = "last-state"
CHAIN_BOUND = "chain, reasoning bound"
ALL = (*OURS, CHAIN_BOUND, APPEND_ALL, LAST_STATE)


@dataclass(frozen=True, slots=True)
class Measure:
    """One walk under one policy. Tokens of `states` are those of page views, each counted once.

    `own_tree` and `own_same_page` are what the same looks are as Playwright's own tree; they stand under append-all.
    """

    policy: str
    steps: int
    states: int
    whole: int
    same_page: int
    sent: int
    cached_a: float
    cost_a: float
    cached_b: float
    cost_b: float
    folds: int
    blind: int
    own_tree: int
    own_same_page: int


async def measured(walk: Walk, tape: Tape, count: CountText) -> list[Measure]:
    """Every policy on the same tape."""
    made = [_measure(policy, await _played(walk, tape, policy), count) for policy in OURS]
    bound = await play(walk, Replayer(tape), tape.root, "chain", economy=Economy(binds_reasoning=True))
    made.append(_measure(CHAIN_BOUND, bound, count))
    whole = await play(walk, Replayer(tape), tape.root, "off", always_whole=True)
    made.append(_measure(APPEND_ALL, whole, count))
    costs = costs_of(last_state(whole), count, is_last_state=True)
    made.append(_made(LAST_STATE, whole, costs, count))
    return made


async def _played(walk: Walk, tape: Tape, policy: Policy) -> Played:
    return await play(walk, Replayer(tape), tape.root, policy)


def _measure(name: str, played: Played, count: CountText) -> Measure:
    return _made(name, played, costs_of(played.requests, count), count)


def _made(name: str, played: Played, costs: Costs, count: CountText) -> Measure:
    return Measure(
        policy=name,
        steps=len(played.walk.steps),
        states=sum(count(shown_of(one)) for one in played.answers),
        whole=sum(count(shown_of(one)) for one in played.answers if _is_whole(one)),
        same_page=sum(count(shown_of(one)) for one in same_page(played)),
        sent=costs.a.tokens_in,
        cached_a=costs.a.cached_share,
        cost_a=costs.a.cost,
        cached_b=costs.b.cached_share,
        cost_b=costs.b.cost,
        folds=sum(isinstance(one.event, Folded) for one in played.events),
        blind=len(played.blind),
        own_tree=own_tree_tokens(played, played.answers, count) if name == APPEND_ALL else 0,
        own_same_page=own_tree_tokens(played, same_page(played), count) if name == APPEND_ALL else 0,
    )


def own_tree_tokens(played: Played, answers: Sequence[ToolAnswered], count: CountText) -> int:
    """What the looks of these answers are in Playwright's own words."""
    looks = [played.looks[one.observation.id] for one in answers if one.observation]
    return sum(count(own_tree(look)) for look in looks)


def same_page(played: Played) -> list[ToolAnswered]:
    """The results of steps that ended in the document they began in."""
    pairs = zip(played.answers, played.answers[1:], strict=False)
    return [after for before, after in pairs if _document(before) == _document(after) is not None]


def _is_whole(answered: ToolAnswered) -> bool:
    return answered.observation is not None and answered.observation.shown_as == "whole"


def _document(answered: ToolAnswered) -> tuple[object, object] | None:
    one = answered.observation
    return None if one is None else (one.tab, one.document)
