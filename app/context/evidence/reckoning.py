"""Says how a figure follows from others: a sum, a difference, a multiple, a share, an average, a rounding."""

from collections.abc import Iterable, Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal
from itertools import combinations, permutations

from app.context.evidence.figures import Figure

OPERANDS = 40
THREE_OF = 12  # more would make almost any figure the sum of some three
_HUNDRED = Decimal(100)


def computed_from(claim: Figure, known: Sequence[Figure], counts: Iterable[Decimal]) -> str:
    """How the figure follows from known ones, such as “46 + 6”; empty when it does not, as far as is tried."""
    usable = _distinct(known)[:OPERANDS]
    for value in sorted(claim.values):
        for result, how in _results(claim, usable, sorted(set(counts))):
            if _is_near(value, result, claim.step):
                return how
    return ""


def _distinct(known: Sequence[Figure]) -> list[Figure]:
    """A figure that is known twice counts once."""
    found: dict[tuple[frozenset[Decimal], str], Figure] = {}
    for figure in known:
        found.setdefault((figure.values, figure.kind), figure)
    return list(found.values())


def _results(claim: Figure, known: Sequence[Figure], counts: Sequence[Decimal]) -> Iterator[tuple[Decimal, str]]:
    alike = [(max(one.values), one) for one in known if one.agrees_with(claim) and one.kind != "percent"]
    if claim.kind == "percent":
        yield from _shares([max(one.values) for one in known if one.kind != "percent"])
        yield from _sums([max(one.values) for one in known if one.kind == "percent"])
        return
    same = [value for value, one in alike if one.adds_up_with(claim)]
    yield from _rounded(same, claim)
    yield from _sums(same)
    yield from _multiples([value for value, _ in alike], counts)
    yield from _parts([value for value, _ in alike], [max(one.values) for one in known if one.kind == "percent"])


def _rounded(values: Sequence[Decimal], claim: Figure) -> Iterator[tuple[Decimal, str]]:
    """At least two digits of it must be left."""
    for value in values:
        near = (value / claim.step).to_integral_value(ROUND_HALF_UP)
        if near >= 10:
            yield near * claim.step, f"{value:f}, rounded"


def _sums(values: Sequence[Decimal]) -> Iterator[tuple[Decimal, str]]:
    for one, two in combinations(values, 2):
        yield one + two, f"{one:f} + {two:f}"
        yield abs(one - two), f"{max(one, two):f} − {min(one, two):f}"
        yield (one + two) / 2, f"({one:f} + {two:f}) / 2"
    few = values[:THREE_OF]
    for one, two, three in combinations(few, 3):
        yield one + two + three, f"{one:f} + {two:f} + {three:f}"
        yield (one + two + three) / 3, f"({one:f} + {two:f} + {three:f}) / 3"
    for one, two, three in permutations(few, 3):
        if one < two:
            yield one + two - three, f"{one:f} + {two:f} − {three:f}"
    if len(few) > 3:
        yield sum(few, Decimal(0)), " + ".join(f"{value:f}" for value in few)


def _multiples(values: Sequence[Decimal], counts: Sequence[Decimal]) -> Iterator[tuple[Decimal, str]]:
    for value in values:
        for count in counts:
            if count > 1:
                yield value * count, f"{count:f} × {value:f}"
                yield value / count, f"{value:f} / {count:f}"


def _shares(values: Sequence[Decimal]) -> Iterator[tuple[Decimal, str]]:
    for part, whole in permutations(values, 2):
        if whole:
            yield part / whole * _HUNDRED, f"{part:f} of {whole:f}"
            yield abs(part - whole) / whole * _HUNDRED, f"{part:f} against {whole:f}"


def _parts(values: Sequence[Decimal], percents: Sequence[Decimal]) -> Iterator[tuple[Decimal, str]]:
    for value in values:
        for percent in percents:
            part = value * percent / _HUNDRED
            yield part, f"{percent:f} % of {value:f}"
            yield value + part, f"{value:f} + {percent:f} %"
            yield value - part, f"{value:f} − {percent:f} %"


def _is_near(value: Decimal, result: Decimal, step: Decimal) -> bool:
    """Equal, or rounded to the last digit that is given."""
    if result == value:
        return True
    return result != result.to_integral_value() and abs(result - value) <= step / 2
