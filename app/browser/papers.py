"""Reads PDFs: the text of a file by page, and of the one that a tab shows where a tree of the page would be empty."""

import asyncio
import json
import subprocess
import sys
import threading
from collections import OrderedDict
from dataclasses import replace
from pathlib import Path

from playwright.async_api import Error

from app.browser.downloads import Downloads
from app.browser.paper_worker import READ_PAPER
from app.browser.tabs import Tab
from app.context.files.paper import paper_tree
from app.context.files.types import is_paper
from app.domain.files import Paper
from app.domain.ids import DocumentId
from app.domain.pages import Look
from app.guard.masking import mask_text

READ_LIMIT_S = 20.0
FETCH_LIMIT_S = 20.0
MOST_CHARACTERS = 3_000_000
MOST_BYTES = 200_000_000
MOST_LINES_IN_A_LOOK = 8_000

_CALL_LIMIT_S = 1.0
_KEPT = 6
_FETCH = """() => {
    const link = document.createElement('a');
    link.href = location.href.split('#')[0];
    link.download = '';
    link.click(); }"""


async def read_paper(path: str, first: int = 1, *, limit_s: float = READ_LIMIT_S) -> Paper:
    """The pages from the first one on that could be read within the limits; nothing else waits for it."""
    if await asyncio.to_thread(_size, path) > MOST_BYTES:
        return Paper(0, first, trouble=f"it is larger than the {MOST_BYTES // 1_000_000} MB that are read")
    paper = Paper(0, first, trouble="it could not be read within the limits of time and memory")
    texts: list[str] = []
    unread: list[int] = []
    for line in await _Worker(path, first, limit_s).lines():
        if "trouble" in line:
            return replace(paper, trouble=str(line["trouble"]))
        if "pages" in line:
            paper = Paper(int(str(line["pages"])), first)
            continue
        texts.append(str(line["text"]))
        unread += [len(texts) + first - 1] if line.get("unreadable") else []
    return replace(paper, texts=tuple(texts), unreadable=tuple(unread))


class Papers:
    """What the tabs show of PDFs; each is fetched and read once for a document."""

    def __init__(self, downloads: Downloads, time_scale: float) -> None:
        self._downloads = downloads
        self._fetch_limit_s = max(FETCH_LIMIT_S * time_scale, 5.0)
        self._read_limit_s = max(READ_LIMIT_S * time_scale, 5.0)
        self._read: OrderedDict[DocumentId, tuple[str, Paper]] = OrderedDict()

    async def filled(self, tab: Tab, look: Look) -> Look:
        """The look itself, unless its tab shows a PDF: then with the text of that."""
        if not look.is_paper:
            return look
        name, paper = self._read.get(look.document) or await self._fetched(tab, look.document)
        return _as_page(look, name, _masked(paper, tab))

    async def _fetched(self, tab: Tab, document: DocumentId) -> tuple[str, Paper]:
        """Through the browser itself, so with all that it is signed in with."""
        ending = self._downloads.expect(tab.page, MOST_BYTES)
        try:
            await asyncio.wait_for(tab.page.evaluate(_FETCH), _CALL_LIMIT_S)
            saved = await asyncio.wait_for(ending, self._fetch_limit_s)
        except (Error, TimeoutError):
            return "", Paper(0, 1, trouble="the file could not be fetched in time")
        finally:
            self._downloads.forget(tab.page)
        if saved.failure:
            return "", Paper(0, 1, trouble=f"the file could not be fetched: {saved.failure}")
        name = Path(saved.path).name
        if not is_paper(saved.type):
            return name, Paper(0, 1, trouble="its address gives something else when it is asked for again")
        read = name, await read_paper(saved.path, limit_s=self._read_limit_s)
        self._read[document] = read
        while len(self._read) > _KEPT:
            self._read.popitem(last=False)
        return read


def _as_page(look: Look, name: str, paper: Paper) -> Look:
    tree, left_out = paper_tree(paper, MOST_LINES_IN_A_LOOK)
    missing = tuple(part for part in (*look.missing, paper.shortcoming, left_out) if part)
    title = look.title or name
    return replace(look, title=title, tree=tree, missing=missing)


def _masked(paper: Paper, tab: Tab) -> Paper:
    return replace(paper, texts=tuple(mask_text(text, tab.secrets) for text in paper.texts)) if tab.secrets else paper


class _Worker:
    """One process that reads one file; it never outlives its limit, nor the one who asked for it."""

    def __init__(self, path: str, first: int, limit_s: float) -> None:
        self._arguments = (path, str(first), str(MOST_CHARACTERS), str(limit_s))
        self._limit_s = limit_s
        self._process: subprocess.Popen[bytes] | None = None
        self._is_over = False

    async def lines(self) -> list[dict[str, object]]:
        """What it said until it was done or out of time."""
        try:
            return await asyncio.to_thread(self._run)
        finally:
            self._end()

    def _run(self) -> list[dict[str, object]]:
        """In a thread of its own, which waits for the process and for nothing else."""
        process = self._process = subprocess.Popen(
            (*_command(), *self._arguments),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        limit = threading.Timer(self._limit_s, self._end)
        limit.start()
        if self._is_over:
            self._end()
        with process:
            said = [json.loads(line) for line in process.stdout or () if line.endswith(b"\n")]
        limit.cancel()
        return said

    def _end(self) -> None:
        self._is_over = True
        if self._process is not None:
            self._process.kill()


def _command() -> tuple[str, ...]:
    """A frozen program has no interpreter beside it; it is its own worker."""
    if getattr(sys, "frozen", False):
        return (sys.executable, READ_PAPER)
    return (sys.executable, "-m", "app.browser.paper_worker")


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0
