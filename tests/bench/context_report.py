"""Sums the measures of all walks into figures and tables."""

from collections.abc import Callable, Sequence

from tests.bench.policies import ALL, APPEND_ALL, LAST_STATE, Measure
from tests.bench.result import Measured, Table
from tests.bench.walks.all import LENGTHS
from tests.bench.walks.walk import Walk

Rows = Sequence[tuple[Walk, Measure]]

RIVALS = ("newest", "two-pages", "off", LAST_STATE)


def figures_of(rows: Rows) -> list[Measured]:
    """Ratios of sums over all walks, each only where there is something to compare."""
    made: list[Measured] = []
    for length in LENGTHS[1:]:
        what = f"tokens sent over the {length}-step walks, against append-all"
        made += _ratio(what, _of_length(rows, length), APPEND_ALL, lambda one: one.sent)
    for rival in RIVALS:
        made += _ratio(f"cost against {rival}, prices A", rows, rival, lambda one: one.cost_a)
        made += _ratio(f"cost against {rival}, prices B", rows, rival, lambda one: one.cost_b)
    for length in (LENGTHS[0], LENGTHS[-1]):
        made += _page_states(length, _of_length(rows, length))
    return made


def _page_states(length: int, rows: Rows) -> list[Measured]:
    """Against Playwright's own tree, as prior art counts, and against our own lean pages, which is harder."""
    whole = [measure for _, measure in rows if measure.policy == APPEND_ALL]
    ours = [measure for _, measure in rows if measure.policy == "chain"]
    if not whole:
        return []
    states, same = sum(one.states for one in ours), sum(one.same_page for one in ours)
    over, within = f"page states over the {length}-step walks", f"same-page states over the {length}-step walks"
    return [
        Measured(f"{over}, against Playwright's own tree", states / sum(one.own_tree for one in whole), "ratio"),
        Measured(f"{within}, against Playwright's own tree", same / sum(one.own_same_page for one in whole), "ratio"),
        Measured(f"{over}, against our own whole pages", states / sum(one.states for one in whole), "ratio"),
        Measured(f"{within}, against our own whole pages", same / sum(one.same_page for one in whole), "ratio"),
    ]


def tables_of(rows: Rows) -> tuple[Table, ...]:
    """The sums by length and policy, then every walk."""
    sums = [line for length in LENGTHS for line in _lines(f"all of {length}", _of_length(rows, length))]
    single = [line for walk in dict.fromkeys(walk for walk, _ in rows) for line in _lines(walk.name, _of(rows, walk))]
    return (
        Table("All walks of a length", COLUMNS, tuple(sums)),
        Table("Where another policy is better than ours", ("walk", "policy", "what", "ours", "theirs"), _losses(rows)),
        Table("Every walk", COLUMNS, tuple(single)),
    )


COLUMNS = (
    "walk",
    "policy",
    "page states",
    "of it whole",
    "same-page",
    "as own tree",
    "sent",
    "cached A",
    "$ A",
    "cached B",
    "$ B",
    "folds",
    "blind",
)


def _losses(rows: Rows) -> tuple[tuple[str, ...], ...]:
    """Every walk on which some other policy sends less or costs less."""
    ours = {walk.name: measure for walk, measure in rows if measure.policy == "chain"}
    return tuple(
        (walk.name, theirs.policy, what, f"{mine:,.4g}", f"{other:,.4g}")
        for walk, theirs in rows
        if theirs.policy in (*RIVALS, APPEND_ALL)
        for what, mine, other in _compared(ours[walk.name], theirs)
        if other < mine
    )


def _compared(ours: Measure, theirs: Measure) -> tuple[tuple[str, float, float], ...]:
    return (
        ("sent", ours.sent, theirs.sent),
        ("$ A", ours.cost_a, theirs.cost_a),
        ("$ B", ours.cost_b, theirs.cost_b),
    )


def _lines(name: str, rows: Rows) -> list[tuple[str, ...]]:
    lines = []
    for policy in ALL:
        some = [measure for _, measure in rows if measure.policy == policy]
        if some:
            lines.append((name, policy, *_cells(some)))
    return lines


def _cells(some: Sequence[Measure]) -> tuple[str, ...]:
    sent = sum(one.sent for one in some)
    return (
        f"{sum(one.states for one in some):,}",
        f"{sum(one.whole for one in some):,}",
        f"{sum(one.same_page for one in some):,}",
        f"{sum(one.own_tree for one in some):,}" if some[0].policy == APPEND_ALL else "",
        f"{sent:,}",
        f"{sum(one.cached_a * one.sent for one in some) / sent:.0%}",
        f"{sum(one.cost_a for one in some):.3f}",
        f"{sum(one.cached_b * one.sent for one in some) / sent:.0%}",
        f"{sum(one.cost_b for one in some):.3f}",
        f"{sum(one.folds for one in some)}",
        f"{sum(one.blind for one in some)}",
    )


def _of_length(rows: Rows, length: int) -> Rows:
    return [(walk, measure) for walk, measure in rows if len(walk.steps) == length]


def _of(rows: Rows, wanted: Walk) -> Rows:
    return [(walk, measure) for walk, measure in rows if walk is wanted]


def _ratio(what: str, rows: Rows, rival: str, value: Callable[[Measure], float]) -> list[Measured]:
    ours = sum(value(measure) for _, measure in rows if measure.policy == "chain")
    theirs = sum(value(measure) for _, measure in rows if measure.policy == rival)
    return [Measured(what, ours / theirs, "ratio")] if theirs else []
