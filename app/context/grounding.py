"""Grounds a quote: it is kept only when its text stands in a page that was really observed."""

import difflib
import hashlib
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.domain.ids import ObservationId
from app.domain.records import Quote

QUOTE_CAP = 2_000  # characters of one quote
TOTAL_CAP = 16_000  # characters of all quotes in view
COUNT_CAP = 32

_OUTER_MARKS = "\"'“”„‘’«»"
_QUOTE_MARKS = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "‚": "'", "–": "-", "—": "-", "−": "-"})


@dataclass(frozen=True, slots=True)
class Source:
    """The readable text of one stored observation."""

    observation: ObservationId
    url: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Grounded:
    """Where a quote stands: `text` is the page's own wording, `offset` counts characters in the source's text."""

    source: Source
    offset: int
    text: str


@dataclass(frozen=True, slots=True)
class Ungrounded:
    """Why a quote was refused, with the way on."""

    reason: str


def ground(text: str, sources: Iterable[Source]) -> Grounded | Ungrounded:
    """The first source that holds the text; Unicode forms, case, quotation marks and space make no difference.

    A page splits its sentences between nodes, so where its spaces stand is an accident of markup.
    """
    wanted, _ = _normal(text.strip().strip(_OUTER_MARKS))
    if not wanted:
        return Ungrounded("The quote is empty. Give the exact words of the page.")
    if len(text) > QUOTE_CAP:
        return Ungrounded(
            f"The quote has {len(text)} characters; {QUOTE_CAP} is the most. Quote the decisive sentence."
        )
    for source in sources:
        normal, places = _normal(source.text)
        at = normal.find(wanted)
        if at >= 0:
            start, end = places[at], places[at + len(wanted) - 1] + 1
            return Grounded(source, start, source.text[start:end])
    return Ungrounded(
        "These words stand in no page that was shown. Copy them exactly, as the page has them, without quotation marks "
        "around them and without the bars and roles of the tree; or look at the page first."
    )


def admit(found: Grounded, kept: Sequence[Quote]) -> Quote | Ungrounded | None:
    """The quote that is already there, a refusal when the limits are reached, or None: it may be kept."""
    digest = digest_of(found.source.url, found.text)
    for quote in kept:
        if quote.digest == digest:
            return quote
    if len(kept) >= COUNT_CAP or sum(len(quote.text) for quote in kept) + len(found.text) > TOTAL_CAP:
        return Ungrounded(
            f"{len(kept)} quotes are kept already and this one goes over the limit; it was not kept. "
            "Answer with the quotes you have."
        )
    return None


def nearest(text: str, source: Source) -> str:
    """The line of the source that comes closest to a text that does not stand in it; empty when none is close."""
    lines = [line for line in source.text.splitlines() if line.strip()]
    return next(iter(difflib.get_close_matches(text, lines, n=1, cutoff=0.5)), "")[:300]


def digest_of(url: str, text: str) -> str:
    """SHA-256 of URL and text, in hex."""
    return hashlib.sha256(f"{url}\n{text}".encode()).hexdigest()


def _normal(text: str) -> tuple[str, list[int]]:
    """The text in comparable form, and for each of its characters the place it came from.

    The bars between the cells of a row are ours, not the page's.
    """
    out: list[str] = []
    places: list[int] = []
    for place, char in enumerate(text):
        for piece in unicodedata.normalize("NFKC", char.translate(_QUOTE_MARKS)).casefold():
            if not piece.isspace() and piece != "|":
                out.append(piece)
                places.append(place)
    return "".join(out), places
