"""Judges what was measured against the bars of `figures.toml`; what is missing is not reached."""

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import ge, gt, le, lt
from pathlib import Path

from tests.bench.result import Measured

FIGURES = Path(__file__).with_name("figures.toml")
_COMPARES: dict[str, Callable[[float, float], bool]] = {"<=": le, "<": lt, ">=": ge, ">": gt}


@dataclass(frozen=True, slots=True)
class Expected:
    """A figure to reach; `bar` is a comparison and a number, such as "<= 0.25"."""

    what: str
    unit: str
    bar: str

    def is_met(self, value: float) -> bool:
        comparison, number = self.bar.split()
        return _COMPARES[comparison](value, float(number))


@dataclass(frozen=True, slots=True)
class Verdict:
    """One line of the outcome; `value` is None when nothing was measured, `bar` is empty when none is set."""

    what: str
    value: float | None
    unit: str
    bar: str
    ok: bool


def expected(file: Path = FIGURES) -> dict[str, tuple[Expected, ...]]:
    """The figures of every benchmark, by its name."""
    found = tomllib.loads(file.read_text(encoding="utf-8"))
    return {name: tuple(Expected(**one) for one in figures) for name, figures in found.items()}


def judged(wanted: Sequence[Expected], measured: Sequence[Measured]) -> tuple[Verdict, ...]:
    """Every wanted figure in its order, then what was measured beside them, which has no bar to miss."""
    values = {one.what: one for one in measured}
    verdicts = [_verdict(one, values.get(one.what)) for one in wanted]
    names = {one.what for one in wanted}
    beside = [Verdict(one.what, one.value, one.unit, "", ok=True) for one in measured if one.what not in names]
    return (*verdicts, *beside)


def _verdict(wanted: Expected, measured: Measured | None) -> Verdict:
    if measured is None or measured.unit != wanted.unit:
        return Verdict(wanted.what, None, wanted.unit, wanted.bar, ok=False)
    return Verdict(wanted.what, measured.value, wanted.unit, wanted.bar, ok=wanted.is_met(measured.value))
