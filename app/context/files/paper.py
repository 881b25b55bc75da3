"""A PDF as a page: a group for each of its pages, whose lines are searched, cut, quoted and paged like any text."""

import re

from app.domain.files import Paper
from app.domain.snapshot import SnapshotNode

_MARK = re.compile(r"^page (\d+) of \d+$", re.MULTILINE)
_LIKE_A_MARK = re.compile(r"^page (?=\d+ of \d+$)")
_NO_BREAK = "page\u00a0"


def paper_tree(paper: Paper, most_lines: int) -> tuple[SnapshotNode, str]:
    """The pages that were read, as far as so many lines go, and what is left out in words."""
    groups: list[SnapshotNode] = []
    left = most_lines
    for number, text in enumerate(paper.texts, paper.first):
        lines = _lines(text)
        if groups and len(lines) > left:
            rest = f"pages {number} to {paper.last} are not in this view; read_file shows them"
            return SnapshotNode("page", children=tuple(groups)), rest
        left -= len(lines)
        texts = tuple(SnapshotNode("paragraph", text=line) for line in lines[:most_lines])
        groups.append(SnapshotNode("group", name=page_mark(number, paper.pages), children=texts))
    with_text = tuple(group for group in groups if group.children)
    return SnapshotNode("page", children=with_text), ""


def page_mark(number: int, count: int) -> str:
    """What stands above the lines of a page, and cannot stand among them."""
    return f"page {number} of {count}"


def page_at(reading: str, offset: int) -> int | None:
    """The number of the page on which this place of a paper's reading text stands."""
    marks = [mark for mark in _MARK.finditer(reading, 0, offset + 1) if mark.start() <= offset]
    return int(marks[-1][1]) if marks else None


def _lines(text: str) -> list[str]:
    lines = [" ".join(line.split()) for line in text.splitlines()]
    return [_LIKE_A_MARK.sub(_NO_BREAK, line) for line in lines if line]
