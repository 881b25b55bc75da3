"""Finds the dates of a text, in the ways people and pages write them, and says whether two can be the same day."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_MONTHS = (
    "january jan januar janvier janv enero ene gennaio janeiro januari jänner янв января",
    "february feb februar février févr fevrier febrero febbraio fevereiro fev februari фев февраля",
    "march mar märz maerz mrz mars marzo março marco maart мар марта",
    "april apr avril avr abril abr aprile апр апреля",
    "may mai mayo maggio maio mei мая",
    "june jun juni juin junio giugno giu junho июн июня",
    "july jul juli juillet juil julio luglio julho июл июля",
    "august aug août aout agosto augustus авг августа",
    "september sep sept septembre septiembre settembre setembro сен сентября",
    "october oct oktober okt octobre octubre ottobre outubro окт октября",
    "november nov novembre noviembre novembro ноя ноября",
    "december dec dezember dez décembre déc decembre diciembre dic dicembre dezembro дек декабря",
)
_NUMBER_OF = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_WORDS_TOO = ("may", "march", "mar")  # a month only with a capital letter or a year
_MONTH = "(?P<month>" + "|".join(sorted(_NUMBER_OF, key=len, reverse=True)) + r")(?![^\W\d_])\.?"
_YEAR = r"(?P<year>(?:19|20)\d\d)(?!\d)"
_DAY = r"(?<![\d.,])(?P<day>[0-3]?\d)"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        r"(?<!\d)(?P<year>(?:19|20)\d\d)([-/.])(?P<month>[01]?\d)\2(?P<day>[0-3]?\d)(?!\d)",
        r"(?P<year>(?:19|20)\d\d)\s?[年년]\s?(?P<month>[01]?\d)\s?[月월](?:\s?(?P<day>[0-3]?\d)\s?[日号號일])?",
        r"(?<!\d)(?P<month>[01]?\d)\s?[月월]\s?(?P<day>[0-3]?\d)\s?[日号號일]",
        r"(?<![\d.,/-])(?P<one>[0-3]?\d)([./-])(?P<two>[0-3]?\d)\2(?P<year>(?:19|20)\d\d|\d\d)(?![\d./-]*\d)",
        rf"{_DAY}(?:st|nd|rd|th|\.|er|º|ª)?\s+(?:(?:of|de|del)\s+)?{_MONTH}(?:,?\s+(?:(?:de|del)\s+)?{_YEAR})?",
        rf"\b{_MONTH}\s+(?P<day>[0-3]?\d)(?:st|nd|rd|th)?(?![\d:.,]\d|\d)(?:,?\s+{_YEAR})?",
        rf"\b{_MONTH},?\s+(?:(?:de|del)\s+)?{_YEAR}",
    )
)


@dataclass(frozen=True, slots=True)
class Day:
    """One reading of a date; what it does not say is None."""

    year: int | None
    month: int
    day: int | None

    def may_be(self, other: "Day") -> bool:
        """Whether both can mean the same: what only one of them says makes no difference."""
        pairs = ((self.year, other.year), (self.month, other.month), (self.day, other.day))
        return all(one is None or two is None or one == two for one, two in pairs)


@dataclass(frozen=True, slots=True)
class Dated:
    """A date in a text; 03/05/2026 has two readings."""

    start: int
    end: int
    readings: tuple[Day, ...]


def dates(text: str) -> tuple[Dated, ...]:
    """The dates of a text, in its order; where two ways to read one overlap, the longer counts."""
    found = [one for form in _FORMS for match in form.finditer(text) if (one := _dated(match)).readings]
    found.sort(key=lambda one: (one.start, -one.end))
    kept: list[Dated] = []
    for one in found:
        if not kept or one.start >= kept[-1].end:
            kept.append(one)
    return tuple(kept)


def _dated(match: re.Match[str]) -> Dated:
    end = match.end() - (match.group().endswith(".") and not match.group()[-2:-1].isdecimal())
    return Dated(match.start(), end, tuple(day for day in _readings(match.groupdict()) if _is_real(day)))


def _readings(parts: dict[str, str | None]) -> Iterator[Day]:
    said = parts.get("year")
    year = int(said) if said else None
    if "one" in parts:
        one, two = int(parts["one"] or 0), int(parts["two"] or 0)
        full = year + 2000 if year is not None and year < 100 else year
        yield Day(full, two, one)
        if one != two:
            yield Day(full, one, two)
        return
    named = (parts.get("month") or "").casefold()
    if year is None and parts.get("month") in _WORDS_TOO:
        return
    month = int(named) if named.isdecimal() else _NUMBER_OF.get(named, 0)
    day = parts.get("day")
    yield Day(year, month, int(day) if day else None)


def _is_real(day: Day) -> bool:
    return 1 <= day.month <= 12 and (day.day is None or 1 <= day.day <= 31)
