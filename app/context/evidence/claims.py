"""Finds the claims of an answer that nothing bears out: figures, dates and quotations that stand nowhere."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cache

from app.context.evidence.dates import Dated, Day, dates
from app.context.evidence.figures import Figure, figures
from app.context.evidence.number_words import word_numbers
from app.context.evidence.quotations import quotations, stands_in
from app.context.evidence.reckoning import THREE_OF, computed_from
from app.context.evidence.wording import flat
from app.domain.records import Claim

SMALL = 12  # a bare whole number up to this counts things as often as it is a figure of a page
_NEAR = Decimal("0.1")  # of an “about”
_COUNTED = (
    "steps?|parts?|pages?|options?|points?|questions?|tabs?|sections?|chapters?|versions?|items?|lines?|no\\.|nr\\.|v\\.?"
    "|schritte?|seiten?|teile?|punkte?|fragen?|étapes?|pasos?|páginas?"
)
_MASKED = re.compile(
    r"```.*?(?:```|\Z)|`[^`\n]*`"  # code
    r"|(?<=\])\([^()\s]*\)|https?://\S+|www\.\S+|\S+@\S+\.\w+"  # addresses
    r"|\[q\d+\]"
    r"|^[ \t>]*(?:#{1,6}[ \t]+)?\d{1,3}[.)](?=\s)"  # numbers of a list or a heading
    r"|\b\d+(?::\d+)+(?:\s?[ap]\.?m\b\.?)?|\b\d{1,2}\s?[ap]\.?m\b\.?|\b\d{1,2}/\d{1,2}\b(?!/)"  # times and shares
    rf"|\b(?:{_COUNTED})[ \u00a0#]?\d{{1,2}}(?:\.\d+)*\b(?![.,]\d|\s?[%€£$])",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
_NAMED = re.compile(
    r"[\w,;(][*_]* [*_]*[\w-]*[A-Z][\w-]*[ \u00a0][*_]*$"
)  # iPhone 15, but not at the beginning of a sentence
_CODE_NUMBER = re.compile(r"(?<![\w-])(?=[\w-]*\d{3})[A-Za-z]{1,8}[-_#]?\d[\w-]*(?![\w-])")
_PHONE = re.compile(r"\+\d[\d \u00a0()/.-]{6,}\d")
_DIGIT = re.compile(r"\d")
_LIST_LINE = re.compile(r"^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]", re.MULTILINE)
_TABLE_LINE = re.compile(r"^[ \t]*\|.*\|[ \t]*$", re.MULTILINE)
_ABOUT = re.compile(
    r"(?:\b(?:about|around|approximately|roughly|nearly|almost|over|more than|under|less than|up to|at least|at most"
    r"|approx\.|ca\.|circa|etwa|rund|ungefähr|fast|knapp|über|unter|environ|plus de|unos|más de)|~|≈|约|約)[\s*_]*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Known:
    """What an answer may rest on: live pages and what tools said, kept quotes, and the words of the person."""

    pages: tuple[str, ...] = ()
    quoted: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    today: date | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        return (*self.quoted, *self.said, *self.pages)


def unsupported(answer: str, known: Known) -> tuple[Claim, ...]:
    """The claims that stand in nothing known, in the order of the answer. It rather misses one than cries wolf."""
    rest = _Rest(answer)
    rest.drop(_MASKED)
    claims = [
        *_wrong_quotations(rest, known),
        *_wrong_dates(rest, known),
        *_wrong_numbers_of_things(rest, known),
    ]
    claims += _wrong_figures(rest, known)
    return tuple(sorted(claims, key=lambda claim: claim.start))


class _Rest:
    """What of an answer has not been judged yet; what has is blank, so that all places stay the same."""

    def __init__(self, answer: str) -> None:
        self.answer = answer
        self.text = answer

    def drop(self, pattern: re.Pattern[str]) -> None:
        self.text = pattern.sub(_blank, self.text)

    def take(self, start: int, end: int) -> str:
        """The words there; they count as judged."""
        self.text = self.text[:start] + " " * (end - start) + self.text[end:]
        return self.answer[start:end]


def _wrong_quotations(rest: _Rest, known: Known) -> Iterator[Claim]:
    for one in list(quotations(rest.text)):
        words = rest.take(one.start, one.end)
        if not stands_in(one.text, known.texts):
            yield Claim(one.start, one.end, words, "quotation", "unverified")


def _wrong_dates(rest: _Rest, known: Known) -> Iterator[Claim]:
    found = dates(rest.text)
    seen: list[Dated] = [one for text in known.texts for one in dates(_numbered_lines(text))] if found else []
    days = {day for one in seen for day in one.readings}
    if known.today is not None:
        days.add(Day(known.today.year, known.today.month, known.today.day))
    for one in found:
        words = rest.take(one.start, one.end)
        if not any(mine.may_be(day) for mine in one.readings for day in days):
            yield Claim(one.start, one.end, words, "date", "unverified")


def _numbered_lines(text: str) -> str:
    """Those that can hold a date; a long page is mostly words."""
    return "\n".join(line for line in text.splitlines() if _DIGIT.search(line))


def _wrong_numbers_of_things(rest: _Rest, known: Known) -> Iterator[Claim]:
    """Order numbers, articles and telephones are compared sign by sign."""
    signs_of = cache(_signs)  # of whole pages, asked for once for each number
    for pattern in (_CODE_NUMBER, _PHONE):
        for match in list(pattern.finditer(rest.text)):
            words = rest.take(match.start(), match.end())
            if not any(signs_of(words) in signs_of(text) for text in known.texts):
                yield Claim(match.start(), match.end(), words, "figure", "unverified")


def _signs(text: str) -> str:
    return re.sub(r"[^\w]|_", "", flat(text))


def _wrong_figures(rest: _Rest, known: Known) -> Iterator[Claim]:
    found = list(figures(rest.text))
    if not found:
        return
    seen = _Seen(known)
    borne: list[Figure] = []
    counts: list[Figure] = []
    wrong: list[Figure] = []
    for figure in _apart(found, seen):
        if seen.has(figure) or _is_about(figure, rest.text, seen):
            borne.append(figure)
        elif _is_count(figure, rest.answer, known) or _is_name(figure, rest.answer):
            counts.append(figure)
        else:
            wrong.append(figure)
    multiples = _multiples((*borne, *counts, *seen.chosen), (rest.answer, *known.said)) if wrong else frozenset()
    for figure in wrong:
        basis = computed_from(figure, (*borne, *seen.chosen, *seen.few_like(figure)), multiples)
        words = rest.answer[figure.start : figure.end]
        yield Claim(figure.start, figure.end, words, "figure", "computed" if basis else "unverified", basis)


def _multiples(found: Iterable[Figure], texts: Iterable[str]) -> frozenset[Decimal]:
    """By how many something may have been taken."""
    bare = {one.whole for one in found if one.kind == "bare"} | {one for text in texts for one in word_numbers(text)}
    return frozenset(Decimal(one) for one in bare if one is not None and 1 < one <= 1_000)


class _Seen:
    """The figures of all that is known; the `chosen` ones stand in a quote or in the person's words."""

    def __init__(self, known: Known) -> None:
        self.chosen = [one for text in (*known.quoted, *known.said) for one in _figures_of(text)]
        self._on_pages = [one for text in known.pages for one in _figures_of(text)]
        self._by_value: dict[Decimal, list[Figure]] = {}
        for figure in (*self.chosen, *self._on_pages):
            for one in (figure, *figure.parts):
                for value in one.values:
                    self._by_value.setdefault(value, []).append(one)
        self._in_words = {number for text in known.texts for number in word_numbers(text)}

    def has(self, figure: Figure) -> bool:
        if any(one.agrees_with(figure) for value in figure.values for one in self._by_value.get(value, ())):
            return True
        return figure.whole in self._in_words

    def has_near(self, figure: Figure) -> bool:
        near = (value for value in self._by_value for mine in figure.values if abs(value - mine) <= _NEAR * mine)
        return any(one.agrees_with(figure) for value in near for one in self._by_value[value])

    def few_like(self, figure: Figure) -> list[Figure]:
        """Those of the pages that count the same; nothing when they are so many that any figure follows from some."""
        alike = [one for one in self._on_pages if one.adds_up_with(figure)]
        return alike if len({one.values for one in alike}) <= THREE_OF and figure.kind != "bare" else []


def _figures_of(text: str) -> Iterator[Figure]:
    for pattern in (_CODE_NUMBER, _PHONE):
        text = pattern.sub(_blank, text)
    return figures(text)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


def _apart(found: Iterable[Figure], seen: _Seen) -> Iterator[Figure]:
    """Two numbers with a blank between them are one when that one is known."""
    for figure in found:
        if figure.parts and not seen.has(figure) and all(seen.has(part) for part in figure.parts):
            yield from figure.parts
        else:
            yield figure


def _is_about(figure: Figure, text: str, seen: _Seen) -> bool:
    return bool(_ABOUT.search(text[max(0, figure.start - 20) : figure.start])) and seen.has_near(figure)


def _is_name(figure: Figure, answer: str) -> bool:
    is_short = figure.kind == "bare" and max(figure.values) < 100
    return is_short and _NAMED.search(answer[max(0, figure.start - 40) : figure.start]) is not None


def _is_count(figure: Figure, answer: str, known: Known) -> bool:
    """Whether it may count what the answer itself lists, or name the year in which it is given."""
    whole = figure.whole
    if figure.kind != "bare" or whole is None:
        return False
    if known.today is not None and abs(whole - known.today.year) <= 1:
        return True
    lines = len(_LIST_LINE.findall(answer)), len(_TABLE_LINE.findall(answer)) - 2
    return whole <= SMALL or whole in lines
