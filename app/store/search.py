"""What of an event can be searched, and how texts and queries are made alike."""

import re
import unicodedata
from itertools import accumulate

from app.domain.events import (
    AssistantSaid,
    BrowserNoticed,
    FileKept,
    HandedBack,
    PersonAnswered,
    PersonAsked,
    QuoteKept,
    RecordedEvent,
    TaskCardKept,
    ToolAnswered,
    TurnEnded,
    UserSaid,
    WarningRaised,
)
from app.domain.observation import Observation

SHORTEST_INDEXED = 3  # the index holds runs of three characters; a shorter word is sought in the texts alone
_AROUND = 60


def searchable(event: RecordedEvent) -> str:
    """The words of the event that a person may remember; page trees are not among them."""
    match event:
        case UserSaid(text=text) | AssistantSaid(text=text) | TurnEnded(text=text) | PersonAnswered(text=text):
            return text
        case ToolAnswered(text=text, observation=seen):
            return f"{text}\n{_page(seen)}".strip()
        case HandedBack(text=text, note=note, observation=seen):
            return f"{text}\n{note}\n{_page(seen)}".strip()
        case QuoteKept(quote=quote):
            return f"{quote.text}\n{quote.why}\n{quote.title}\n{quote.url}"
        case TaskCardKept(card=card):
            return "\n".join([card.goal, *card.done, *card.open, *(fact.text for fact in card.facts)])
        case WarningRaised(warning=warning):
            return f"{warning.what}\n{warning.advice}"
        case PersonAsked(text=text, about=about):
            return "\n".join([text, *(f"{name}: {value}" for name, value in about)])
        case BrowserNoticed(text=text):
            return text
        case FileKept(file=file):
            return f"{file.name}\n{file.url}"
        case _:
            return ""


def folded(text: str) -> str:
    """The text without what a search overlooks: case, accents, full width, broken characters."""
    return unicodedata.normalize("NFKC", text).translate(_FOLD)


def words_of(query: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(folded(query).split()))


def match(word: str) -> str:
    """A full-text query for the texts that may hold the word: those with every run of three of its characters."""
    runs = dict.fromkeys(word[start : start + SHORTEST_INDEXED] for start in range(len(word) - SHORTEST_INDEXED + 1))
    return " AND ".join('"' + run.replace('"', '""') + '"' for run in runs)


def snippet(text: str, word: str) -> str:
    """A line of the text around the folded word, or an empty text when it is not there."""
    plain = unicodedata.normalize("NFKC", text)
    start = folded(plain).find(word)
    if start < 0:
        return ""
    ends = list(accumulate(len(char.translate(_FOLD)) for char in plain))
    first = next(place for place, end in enumerate(ends) if end > start)
    begin, stop = max(0, first - _AROUND), first + len(word) + _AROUND
    piece = re.sub(r"\s+", " ", plain[begin:stop]).strip()
    return ("…" if begin else "") + piece + ("…" if stop < len(plain) else "")


def _page(seen: Observation | None) -> str:
    return f"{seen.title}\n{seen.url}" if seen else ""


class _Fold(dict[int, str]):
    """A translation table that grows as characters are met."""

    def __missing__(self, code: int) -> str:
        self[code] = _fold_character(chr(code))
        return self[code]


def _fold_character(char: str) -> str:
    if char == "\0" or "\ud800" <= char <= "\udfff":
        return " "
    plain = "".join(part for part in unicodedata.normalize("NFKD", char) if not "\u0300" <= part <= "\u036f")
    return unicodedata.normalize("NFC", plain).casefold()


_FOLD = _Fold()
