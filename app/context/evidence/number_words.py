"""Small numbers that are written as words: a page says “two years”, an answer “2 years”."""

import re
from collections.abc import Iterator

_WORDS = (
    (1, "one ein eine einem einen un une uno una 一 하나 один"),
    (2, "two zwei deux dos due 二 两 兩 둘 два"),
    (3, "three drei trois tres tre 三 셋 три"),
    (4, "four vier quatre cuatro quattro 四 넷 четыре"),
    (5, "five fünf cinq cinco cinque 五 다섯 пять"),
    (6, "six sechs seis sei 六 여섯 шесть"),
    (7, "seven sieben sept siete sette 七 일곱 семь"),
    (8, "eight acht huit ocho otto 八 여덟 восемь"),
    (9, "nine neun neuf nueve nove 九 아홉 девять"),
    (10, "ten zehn dix diez dieci 十 열 десять"),
    (11, "eleven elf onze once undici 十一"),
    (12, "twelve zwölf douze doce dodici 十二 dozen"),
)
_VALUES = {word: value for value, words in _WORDS for word in words.split()}
_WORD = re.compile("|".join(word if word > "\u2e80" else rf"\b{word}\b" for word in sorted(_VALUES, reverse=True)))


def word_numbers(text: str) -> Iterator[int]:
    """The numbers up to twelve that a text has as words."""
    return (_VALUES[match.group()] for match in _WORD.finditer(text.casefold()))
