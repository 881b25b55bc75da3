"""Reads files for the model: PDFs by their pages, texts in parts, each as an observation that can be quoted."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from app.agent.answers import Answer, not_done
from app.agent.observing import Observing
from app.agent.remembering import Remembering
from app.context.files.paper import page_mark, paper_tree
from app.context.files.text import plain_text
from app.context.files.types import EMPTY, is_paper, is_text
from app.context.files.wording import size_words
from app.context.page.reading import reading_text
from app.context.page.shield import page_words
from app.context.request.record_pages import lines_with, pages_of
from app.domain.files import KeptFile, Paper
from app.domain.observation import Observation

MOST_BYTES = 20_000_000  # of a text
MOST_CHARACTERS = 3_000_000
_MOST_LINES = 100_000
_FOUND_CHARACTERS = 10_000


@dataclass(frozen=True, slots=True)
class _Read:
    """The text of a file, in pages of its own or cut into some; `text` is all that was read of it."""

    pages: tuple[str, ...]
    first: int
    count: int
    text: str
    is_paper: bool
    missing: str = ""
    mark: Callable[[int], str] = lambda number: ""


async def read_file(observing: Observing, remembering: Remembering, handle: str, page: int, find: str) -> Answer:
    """As many pages from this one on as one look shows, or only the lines that hold `find`."""
    files = await remembering.files.ready([handle])
    if isinstance(files, str):
        return Answer(files, is_error=True)
    (file,) = files
    read = await _read(observing, remembering, file, page)
    if isinstance(read, str):
        return not_done(f"{file.id} “{page_words(file.name)}” {read}")
    if find:
        return await _found(observing, file, read, find)
    if not read.first <= page < read.first + len(read.pages):
        have = f"it has {read.count} {'page' if read.count == 1 else 'pages'}"
        why = have if page > read.count else f"page {page} could not be read"
        return not_done(f"{file.id} “{page_words(file.name)}”: {why}")
    return await _shown(observing, file, read, page)


async def _read(observing: Observing, remembering: Remembering, file: KeptFile, page: int) -> _Read | str:
    if file.type == EMPTY:
        return "is empty"
    if is_paper(file.type):
        return await _paper(observing, remembering, file, page)
    if not is_text(file.type):
        return f"is a {file.type.words}; only PDF and text files are read"
    if file.size_bytes > MOST_BYTES:
        return f"has {size_words(file.size_bytes)}; texts of up to {size_words(MOST_BYTES)} are read"
    return await asyncio.to_thread(_text, file, observing.page_characters)


async def _paper(observing: Observing, remembering: Remembering, file: KeptFile, page: int) -> _Read | str:
    """What was read once is kept; pages beyond it are read when they are asked for."""
    paper = remembering.papers.get(file.id)
    if paper is None or (paper.last < page <= paper.pages) or page < paper.first:
        known = paper is not None and page <= paper.pages
        paper = await observing.browser.read_paper(file.path, page if known else 1)
        if paper.last < page <= paper.pages and paper.first != page:
            paper = await observing.browser.read_paper(file.path, page)
        remembering.papers[file.id] = paper
    if paper.trouble:
        return f"cannot be read: {paper.trouble}"
    if not paper.has_text:
        return f"has {paper.pages} pages with pictures only; no text stands in it"
    return await asyncio.to_thread(_read_of, paper)


def _read_of(paper: Paper) -> _Read:
    tree, _ = paper_tree(paper, _MOST_LINES)
    texts = {group.name: "\n".join(child.text for child in group.children) for group in tree.children}
    marks = [page_mark(number, paper.pages) for number in range(paper.first, paper.last + 1)]
    pages = tuple([texts.get(mark, "") for mark in marks])
    return _Read(
        pages,
        paper.first,
        paper.pages,
        reading_text(tree),
        is_paper=True,
        missing=paper.shortcoming,
        mark=lambda number: page_mark(number, paper.pages),
    )


def _text(file: KeptFile, limit: int) -> _Read:
    text = plain_text(Path(file.path).read_bytes(), is_html=file.type.words == "HTML page")
    missing = f"all after {MOST_CHARACTERS:,} characters" if len(text) > MOST_CHARACTERS else ""
    text = text[:MOST_CHARACTERS]
    pages = tuple(pages_of(text.splitlines(), limit))
    return _Read(pages, 1, len(pages), text, is_paper=False, missing=missing)


async def _shown(observing: Observing, file: KeptFile, read: _Read, page: int) -> Answer:
    """Whole pages as long as they fit; one that is too long by itself is shown as far as it fits."""
    limit = observing.page_characters
    parts: list[str] = []
    number = page
    while number < read.first + len(read.pages):
        text = read.pages[number - read.first]
        part = f"{read.mark(number)}\n{text or '(no text)'}" if read.is_paper else text
        if parts and sum(map(len, parts)) + len(part) > limit:
            break
        parts.append(part)
        number += 1
    shown = "\n".join(parts)
    cut = f"; page {page} goes on beyond this view, find searches all of it" if len(shown) > limit else ""
    some = f"page {page}" if number == page + 1 else f"pages {page} to {number - 1}"
    more = f"; page={number} goes on" if number <= read.count else ""
    head = f"{file.id} “{page_words(file.name)}”, {some} of {read.count}{more}{cut}{_missing(read)}:"
    return Answer(head, observation=await _observed(observing, file, read, shown[:limit]))


async def _found(observing: Observing, file: KeptFile, read: _Read, find: str) -> Answer:
    found: list[str] = []
    places = 0
    for number, text in enumerate(read.pages, read.first):
        lines = lines_with(_flat(text), find)
        places += len(lines)
        found += [read.mark(number) or f"part {number}", *lines] if lines else []
    name = f"{file.id} “{page_words(file.name)}”"
    if not places:
        return Answer(f"Not found in {name}: all {len(read.pages)} pages read were searched{_missing(read)}.")
    shown = "\n".join(found)
    cut = ", the first of them shown" if len(shown) > _FOUND_CHARACTERS else ""
    head = f"Found on {places} {'line' if places == 1 else 'lines'} of {name}{cut}{_missing(read)}:"
    return Answer(head, observation=await _observed(observing, file, read, shown[:_FOUND_CHARACTERS]))


def _flat(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines()]


def _missing(read: _Read) -> str:
    return f"; not read: {read.missing}" if read.missing else ""


async def _observed(observing: Observing, file: KeptFile, read: _Read, shown: str) -> Observation:
    """Given files have no address; their handle stands for one."""
    return await observing.of_file(file.url or file.id, file.name, shown, read.text, is_paper=read.is_paper)
