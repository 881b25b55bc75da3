"""The tables of the hands bench."""

from collections.abc import Sequence

from tests.bench.hands.run import Episode
from tests.bench.hands.sums import ACTORS, Overhead, is_false_done, overhead, score
from tests.bench.result import Table


def tables(episodes: Sequence[Episode]) -> tuple[Table, ...]:
    return (_actors(episodes), _times(episodes), _tasks(episodes), _losses(episodes), _false_words(episodes))


def _actors(episodes: Sequence[Episode]) -> Table:
    scores = [score(actor, episodes) for actor in ACTORS]
    rows = [
        (
            one.actor,
            f"{one.won} of {one.episodes}",
            str(one.ended_wrong),
            str(one.false_done),
            str(one.acts),
            f"{one.seconds * 1000:.0f} ms",
        )
        for one in scores
    ]
    columns = ("actor", "episodes won", "ended by a wrong act", "said done, page saw nothing", "acts", "median act")
    return Table("MiniWoB++ by actor", columns, tuple(rows))


def _times(episodes: Sequence[Episode]) -> Table:
    kinds = sorted({act.kind for one in episodes for act in one.acts})
    found = [(kind, overhead(episodes, kind)) for kind in kinds] + [("all", overhead(episodes))]
    rows = [_time(kind, one) for kind, one in found if one is not None]
    columns = ("act", "pairs", "plain", "our checks", "of it", "ours whole, above plain")
    return Table("Time per act beside plain Playwright", columns, tuple(rows))


def _time(kind: str, one: Overhead) -> tuple[str, ...]:
    share = one.checks_s / one.plain_s if one.plain_s else 0.0
    times = (f"{seconds * 1000:.0f} ms" for seconds in (one.plain_s, one.checks_s, one.extra_s))
    plain, checks, extra = times
    return kind, str(one.pairs), plain, checks, f"{share:.0%}", extra


def _tasks(episodes: Sequence[Episode]) -> Table:
    names = list(dict.fromkeys(one.task for one in episodes))
    rows = [(name, *(_won(name, actor, episodes) for actor in ACTORS)) for name in names]
    return Table("Seeds won, by task", ("task", *ACTORS), tuple(rows))


def _won(task: str, actor: str, episodes: Sequence[Episode]) -> str:
    own = [one for one in episodes if (one.task, one.actor) == (task, actor)]
    return f"{sum(one.is_won for one in own)} of {len(own)}"


def _losses(episodes: Sequence[Episode]) -> Table:
    """Only of ours: these are faults to mend, or limits of the policy."""
    lost = [one for one in episodes if one.actor == ACTORS[0] and not one.is_won]
    rows = tuple((one.task, str(one.seed), _why(one)) for one in lost)
    return Table("Lost by ours", ("task", "seed", "why"), rows)


def _why(episode: Episode) -> str:
    judged = f"judged {episode.reward:g}" if episode.reward is not None else "not finished"
    return "; ".join(filter(None, (judged, episode.reason, episode.stopped)))[:200].replace("|", "¦")


def _false_words(episodes: Sequence[Episode]) -> Table:
    rows = [
        (one.actor, one.task, str(one.seed), act.kind) for one in episodes for act in one.acts if is_false_done(act)
    ]
    return Table("Said to be done where the page saw nothing", ("actor", "task", "seed", "act"), tuple(rows[:40]))
