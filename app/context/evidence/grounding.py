"""Grounds a quote: it is kept only when its text stands in a page that was really observed."""

import difflib
import hashlib
import heapq
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from app.context.evidence.wording import Comparable, Place, comparable, flat
from app.domain.ids import ObservationId

QUOTE_CAP = 2_000  # characters of one quote

_OUTER_MARKS = "\"'“”„‘’«»「」『』"
_TRIED = 200  # places of one page
_COMPARED = 20  # lines of one page


@dataclass(frozen=True, slots=True)
class Source:
    """The readable text of one stored observation."""

    observation: ObservationId
    url: str
    title: str
    text: str
    is_paper: bool = False


@dataclass(frozen=True, slots=True)
class Grounded:
    """Where a quote stands: `text` is the page's own wording, `offset` counts characters in the source's text."""

    source: Source
    offset: int
    text: str


def ground(text: str, sources: Iterable[Source]) -> Grounded | None:
    """The first source that holds the text; forms, case, marks and space make no difference, and no word is cut.

    A page splits its sentences between nodes, so where its spaces stand is an accident of markup.
    """
    wanted = _wanted(text)
    coarse = flat(wanted.source)
    for source in sources:
        found = _found(wanted.text, source.text) if wanted.text and coarse in flat(source.text) else None
        if found is not None:
            return Grounded(source, found.start, source.text[found.start : found.end])
    return None


def says_more(found: Grounded, text: str) -> bool:
    """Whether the page goes on where the given text stops in the middle of a word."""
    return comparable(found.text).text != _wanted(text).text


def nearest(text: str, source: Source) -> str:
    """The line of the source that comes closest to a text that does not stand in it; empty when none is close."""
    pairs = _pairs(text)
    lines = [line for line in source.text.splitlines() if line.strip()]
    likely = heapq.nlargest(_COMPARED, lines, key=lambda line: len(pairs & _pairs(line)))
    return next(iter(difflib.get_close_matches(text, likely, n=1, cutoff=0.5)), "")[:300]


def digest_of(url: str, text: str) -> str:
    """SHA-256 of URL and text, in hex."""
    return hashlib.sha256(f"{url}\n{text}".encode()).hexdigest()


def _wanted(text: str) -> Comparable:
    """The words without the marks that a model puts around them."""
    plain = text.replace('\\"', '"').strip()
    is_marked = plain[:1] in _OUTER_MARKS and plain[-1:] in _OUTER_MARKS
    return comparable(plain.strip(_OUTER_MARKS) if is_marked else plain)


def _found(wanted: str, text: str) -> Place | None:
    """Where it stands, whole words before parts of words; a part grows to its word, so that “able” is no evidence."""
    first: Place | None = None
    for place in islice(comparable(text).places_of(wanted), _TRIED):
        grown = _grown(text, place)
        if grown == place:
            return place
        first = first or grown
    return first


def _grown(text: str, place: Place) -> Place:
    start, end = place.start, place.end
    while start > 0 and _is_lettered(text[start]) and _is_lettered(text[start - 1]):
        start -= 1
    while end < len(text) and _is_lettered(text[end - 1]) and _is_lettered(text[end]):
        end += 1
    return Place(start, end)


def _is_lettered(char: str) -> bool:
    """A letter or an accent of a script that puts spaces between its words and has capitals."""
    return char.lower() != char.upper() or unicodedata.combining(char) > 0


def _pairs(text: str) -> set[str]:
    plain = text.casefold()
    return {plain[at : at + 2] for at in range(len(plain) - 1)}
