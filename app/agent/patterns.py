"""A model's regular expression, which is given up when it takes too long."""

import regex

PATTERN_S = 0.5  # for one text; only a runaway pattern needs that long


class BadPattern(Exception):
    """The pattern cannot be used; the text says why."""


class TimedPattern:
    """Raises BadPattern when it is no regular expression, and from `search` when it runs away."""

    def __init__(self, pattern: str) -> None:
        try:
            self._compiled = regex.compile(pattern, regex.IGNORECASE)
        except regex.error as error:
            raise BadPattern(f"the regular expression is wrong: {error}") from error

    def search(self, string: str, /) -> object | None:
        try:
            return self._compiled.search(string, timeout=PATTERN_S, concurrent=True)
        except TimeoutError as error:
            raise BadPattern("the regular expression takes too long; search for plain text instead") from error
