"""What a model searches for: words, or a regular expression that is given up when it takes too long."""

from collections.abc import Callable

import regex

PATTERN_S = 0.5  # for one line; a line is short, so only a runaway pattern needs that long


class BadPattern(Exception):
    """The pattern cannot be used; the text says why."""


def matcher(text: str | None, pattern: str | None) -> Callable[[str], bool]:
    """Whether a line holds it. Raises BadPattern, also from the function it returns, when the pattern runs away."""
    if text is not None:
        wanted = " ".join(text.split()).casefold()
        return lambda line: wanted in " ".join(line.split()).casefold()
    try:
        compiled = regex.compile(pattern or "", regex.IGNORECASE)
    except regex.error as error:
        raise BadPattern(f"the regular expression is wrong: {error}") from error
    return lambda line: _search(compiled, line)


def _search(compiled: "regex.Pattern[str]", line: str) -> bool:
    try:
        return compiled.search(line, timeout=PATTERN_S, concurrent=True) is not None
    except TimeoutError as error:
        raise BadPattern("the regular expression takes too long; search for plain text instead") from error
