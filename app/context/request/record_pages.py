"""Cuts a recorded text into pages at its line borders, and finds lines in it with those they stand under."""

from collections.abc import Sequence


def pages_of(lines: Sequence[str], limit: int) -> list[str]:
    """Pages of at most `limit` characters; one at least, and a single line that is longer is cut."""
    pages: list[str] = []
    page: list[str] = []
    size = 0
    for line in lines:
        for piece in _pieces(line, limit):
            if page and size + len(piece) + 1 > limit:
                pages.append("\n".join(page))
                page, size = [], 0
            page.append(piece)
            size += len(piece) + 1
    return [*pages, "\n".join(page)]


def lines_with(lines: Sequence[str], wanted: str) -> list[str]:
    """The lines that hold a text, whatever its case, each below the less indented lines that lead to it."""
    found: list[str] = []
    above: list[str] = []
    shown = 0  # of the lines above
    for line in lines:
        depth = len(line) - len(line.lstrip())
        while above and len(above[-1]) - len(above[-1].lstrip()) >= depth:
            above.pop()
        shown = min(shown, len(above))
        if wanted.casefold() in line.casefold():
            found += [*above[shown:], line]
            shown = len(above) + 1
        above.append(line)
    return found


def _pieces(line: str, limit: int) -> Sequence[str]:
    return [line[at : at + limit] for at in range(0, len(line), limit)] or [""]
