"""Finds what a text puts in quotation marks, and whether it stands word for word in others."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.context.evidence.grounding import Source, ground
from app.domain.ids import ObservationId

LEAST_WORDS = 3
LEAST_WIDTH = 12  # less may be a name or a word that is meant otherwise

_INSIDE = r"{4,600}"
_MARKED = re.compile(
    rf"“([^“”\n]{_INSIDE})”|„([^„“”\n]{_INSIDE})[“”]|«([^«»\n]{_INSIDE})»|‹([^‹›\n]{_INSIDE})›"
    rf"|「([^「」\n]{_INSIDE})」|『([^『』\n]{_INSIDE})』|(?<!\w)\"([^\"\n]{_INSIDE})\"(?!\w)"
    rf"|(?<!\w)‘((?:[^‘’\n]|’(?=\w)){_INSIDE})’(?!\w)"
)
_CHANGED = re.compile(r"…|\.\.\.|\[[^\]\n]*\]")  # where a quotation leaves out or puts in
_STYLING = re.compile(r"\]\([^)\s]*\)|[*_`~\\]+")
_EDGES = " \t.,;:!?。、，！？-–—"


@dataclass(frozen=True, slots=True)
class Quotation:
    """`start` and `end` take in the marks."""

    start: int
    end: int
    text: str


def quotations(text: str) -> Iterator[Quotation]:
    """What is long enough to be somebody's words rather than a name."""
    for match in _MARKED.finditer(text):
        words = next(group for group in match.groups() if group is not None)
        if len(words.split()) >= LEAST_WORDS or _width(words) >= LEAST_WIDTH:
            yield Quotation(match.start(), match.end(), words)


def stands_in(words: str, texts: Sequence[str]) -> bool:
    """Whether all of it that is not left out or put in stands there, however it is typed."""
    parts = [part.strip(_EDGES) for part in _CHANGED.split(_STYLING.sub("", words))]
    sources = [Source(ObservationId(""), "", "", text) for text in texts]
    return all(ground(part, sources) is not None for part in parts if part)


def _width(words: str) -> int:
    """In columns; a letter of the far east says as much as two."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in words)
