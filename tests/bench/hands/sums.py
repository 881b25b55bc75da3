"""Sums of what was played: who won what, whose word was wrong, and what our guards cost in time."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from tests.bench.hands.ours import OURS
from tests.bench.hands.plain import PLAIN
from tests.bench.hands.playwright_mcp import MCP
from tests.bench.hands.run import Act, Episode

ACTORS = (OURS, PLAIN, MCP)
ALLOWED_SHARE, ALLOWED_S = 0.15, 0.03


@dataclass(frozen=True, slots=True)
class Score:
    """Of one actor over all it played."""

    actor: str
    episodes: int
    won: int
    ended_wrong: int
    false_done: int
    acts: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Overhead:
    """Ours beside plain Playwright, act by act of the same episodes; the medians of the differences.

    `checks_s` is the difference up to the waiting: what is checked before the input, at its arrival and of its value.
    `extra_s` is that of the whole act, with what is read of the page afterwards.
    """

    pairs: int
    plain_s: float
    checks_s: float
    extra_s: float

    @property
    def allowed_s(self) -> float:
        return max(ALLOWED_SHARE * self.plain_s, ALLOWED_S)

    @property
    def of_allowed(self) -> float:
        return self.checks_s / self.allowed_s


def score(actor: str, episodes: Sequence[Episode]) -> Score:
    """An episode ended wrong when the page judged an act as failing the task."""
    own = [one for one in episodes if one.actor == actor]
    acts = [act for one in own for act in one.acts]
    return Score(
        actor,
        len(own),
        sum(one.is_won for one in own),
        sum(one.reward is not None and one.reward <= 0 for one in own),
        sum(is_false_done(act) for act in acts),
        len(acts),
        median([act.seconds for act in acts]) if acts else 0.0,
    )


def is_false_done(act: Act) -> bool:
    """Said to be done, and nothing of it came to the page."""
    return act.says_done and not act.page_saw


def lost_alone(episodes: Sequence[Episode]) -> list[Episode]:
    """Episodes of ours that were lost where a peer won."""
    won = {(one.task, one.seed) for one in episodes if one.is_won and one.actor != OURS}
    return [one for one in episodes if one.actor == OURS and not one.is_won and (one.task, one.seed) in won]


def overhead(episodes: Sequence[Episode], kind: str = "") -> Overhead | None:
    """None when no act was done by both in the same place of the same episode."""
    found = [pair for pair in _pairs(episodes) if not kind or pair[0].kind == kind]
    if not found:
        return None
    checks = median((ours.to_input_s or 0.0) - (plain.to_input_s or 0.0) for ours, plain in found)
    extra = median(ours.seconds - plain.seconds for ours, plain in found)
    return Overhead(len(found), median(plain.seconds for _, plain in found), checks, extra)


def _pairs(episodes: Sequence[Episode]) -> list[tuple[Act, Act]]:
    """As far as both did the same kinds of acts, and neither was refused."""
    by_place = {(one.actor, one.task, one.seed): one.acts for one in episodes}
    pairs: list[tuple[Act, Act]] = []
    for (actor, task, seed), acts in by_place.items():
        others = by_place.get((PLAIN, task, seed), ()) if actor == OURS else ()
        for ours, plain in zip(acts, others, strict=False):
            if ours.kind != plain.kind or ours.is_error or plain.is_error:
                break
            if ours.to_input_s is not None and plain.to_input_s is not None:
                pairs.append((ours, plain))
    return pairs
