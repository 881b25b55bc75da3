"""The comparable form of a text: what stays of its wording when typing, markup and encoding make no difference."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_UNSEEN = [0xAD, 0x34F, 0x61C, 0x640, 0xFEFF, *range(0x180B, 0x180F), *range(0x200B, 0x2010), *range(0x202A, 0x202F)]
_UNSEEN += [*range(0x2060, 0x2070), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)]
_MARKS = '"“”„‟‘’‚‛«»‹›`´′″「」『』〝〞〟＂＇'
_DASHES = "‐‑‒–—―−⁃﹘﹣－"
_BAR = "|"  # between the cells of a row; it is ours, not the page's
_JOINER = "\u200d"
_SAME: dict[int, str | None] = dict.fromkeys((*_UNSEEN, ord(_BAR)))
_SAME.update((ord(mark), "'") for mark in _MARKS)
_SAME.update((ord(dash), "-") for dash in _DASHES)
_SKIN = range(0x1F3FB, 0x1F400)
_FLAG_LETTERS = range(0x1F1E6, 0x1F200)
_TAGS = range(0xE0020, 0xE0080)
_LATER_JAMO = range(0x1160, 0x1200)


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of a text, in its own characters."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Comparable:
    """A text in comparable form: piece `n` of `text` came from the drawn character that stands at `spans[n]`."""

    source: str
    text: str
    spans: tuple[Place, ...]

    def places_of(self, wanted: str) -> Iterator[Place]:
        """Where it stands in the source, without half characters and half numbers: “48 hours” is not in “148 hours”."""
        at = self.text.find(wanted) if wanted else -1
        while at >= 0:
            end = at + len(wanted)
            if self._is_border(at) and self._is_border(end):
                yield Place(self.spans[at].start, self.spans[end - 1].end)
            at = self.text.find(wanted, at + 1)

    def _is_border(self, at: int) -> bool:
        if at in (0, len(self.text)):
            return True
        if self.spans[at - 1] == self.spans[at]:
            return False
        before, after = self.spans[at - 1].end, self.spans[at].start
        return not (_cuts_number(self.source, before) or _cuts_number(self.source, after))


def comparable(text: str) -> Comparable:
    """Forms, case, marks, dashes and space are made equal; figures that do not touch each other never merge."""
    pieces: list[str] = []
    spans: list[Place] = []
    last, is_apart = "", False
    for start, end in _drawn(text):
        piece = _piece(text[start:end])
        if not piece:
            is_apart = is_apart or text[start] == _BAR or text[start].isspace()
            continue
        raised = not text[start].isdecimal()  # 10² is not 102
        if last.isdecimal() and piece[0].isdecimal() and (is_apart or raised):
            pieces.append(" ")
            spans.append(Place(start, start))
        pieces.append(piece)
        spans += [Place(start, end)] * len(piece)
        last, is_apart = piece[-1], False
    return Comparable(text, "".join(pieces), tuple(spans))


def flat(text: str) -> str:
    """A coarser form that is made quickly: what is found in the comparable form is found in this one too."""
    if text.isascii():
        return "".join(text.translate(_SAME).lower().split())
    return "".join(_folded(text).split())


def _folded(text: str) -> str:
    """Both the plain and the decomposed form of everything, so that one accented letter equals letter and accent."""
    once = unicodedata.normalize("NFKD", text.translate(_SAME)).casefold()
    return unicodedata.normalize("NFKD", once).translate(_SAME)


@lru_cache(maxsize=8_192)
def _piece(drawn: str) -> str:
    return "".join(_folded(drawn).split())


def _drawn(text: str) -> Iterator[tuple[int, int]]:
    """The characters as they are drawn: a letter with its accents, an emoji with what is joined to it."""
    start, end, joined = 0, 0, False
    for at, char in enumerate(text):
        code = ord(char)
        if code < 0x80:
            is_more = False
        elif char == _JOINER:
            joined = start < end and unicodedata.category(text[end - 1]) in ("So", "Sk", "Mn")
            continue
        elif code in _SAME and _SAME[code] is None:
            continue
        else:
            is_more = start < end and (_goes_on(code, text[start:end]) or (joined and _is_picture(char)))
        if is_more:
            end, joined = at + 1, False
            continue
        if start < end:
            yield start, end
        start, end, joined = at, at + 1, False
    if start < end:
        yield start, end


def _goes_on(code: int, drawn: str) -> bool:
    if drawn[0].isspace():
        return False
    if code in _FLAG_LETTERS:
        return len(drawn) == 1 and ord(drawn) in _FLAG_LETTERS
    if code in _SKIN or code in _TAGS:
        return True
    if code in _LATER_JAMO:
        return unicodedata.name(drawn[0], "").startswith("HANGUL")
    return unicodedata.category(chr(code)).startswith("M")


def _is_picture(char: str) -> bool:
    return unicodedata.category(char) in ("So", "Sk")


def _cuts_number(text: str, at: int) -> bool:
    """Whether a number goes on across this place: between its digits, or at the mark in 12.50."""
    around = [text[place].isdigit() if 0 <= place < len(text) else False for place in range(at - 2, at + 2)]
    two_before, before, after, two_after = around
    if before and after:
        return True
    if before and two_after:
        return text[at] in ".,"
    return two_before and after and text[at - 1] in ".,"
