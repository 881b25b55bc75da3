"""Saves what pages send as files, and keeps a page's file chooser open until it is answered."""

import asyncio
import contextlib
import itertools
import re
from collections.abc import Callable
from pathlib import Path

from playwright.async_api import BrowserContext, Error, FileChooser, Page
from playwright.async_api import Download as DriverDownload

from app.browser.notices import Notices
from app.domain.pages import Download

_keys = itertools.count(1)
_NOT_IN_NAMES = re.compile(r'[\x00-\x1f<>:"/\\|?*\x7f]')
_LONGEST_NAME = 150


class Downloads:
    """Saves downloads into one folder and tells of each when it starts and when it ended."""

    def __init__(self, folder: Path, notices: Notices) -> None:
        self._folder = folder
        self._notices = notices
        self._tasks: set[asyncio.Task[None]] = set()
        self._taken: set[Path] = set()

    def follow(self, context: BrowserContext) -> None:
        context.on("download", self._on_download)

    async def stop(self) -> None:
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _on_download(self, download: DriverDownload) -> None:
        key = next(_keys)
        self._notices.download(key, Download(download.suggested_filename, download.url))
        task = asyncio.create_task(self._save(key, download), name="download")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _save(self, key: int, download: DriverDownload) -> None:
        name, url = download.suggested_filename, download.url
        target = self._free_place(name)
        try:
            await download.save_as(target)
            size = (await asyncio.to_thread(target.stat)).st_size
            self._notices.download(key, Download(name, url, str(target), size))
        except (Error, OSError) as exc:
            failure = None
            with contextlib.suppress(Error):
                failure = await download.failure()
            self._notices.download(key, Download(name, url, failure=failure or _first_line(exc)))

    def _free_place(self, name: str) -> Path:
        safe = safe_name(name)
        stem, suffix = Path(safe).stem, Path(safe).suffix
        place = self._folder / safe
        for number in itertools.count(2):
            if place not in self._taken and not place.exists():
                break
            place = self._folder / f"{stem} ({number}){suffix}"
        self._taken.add(place)
        return place


class Chooser:
    """The open file chooser of one tab."""

    def __init__(self, page: Page, on_open: Callable[[bool], None]) -> None:
        self._open: FileChooser | None = None
        self._on_open = on_open
        page.on("filechooser", self._on_chooser)
        page.on("framenavigated", lambda frame: self._forget() if frame == page.main_frame else None)
        page.on("close", lambda _: self._forget())

    @property
    def is_open(self) -> bool:
        return self._open is not None

    async def answer(self, paths: tuple[str, ...], *, limit_ms: float) -> None:
        """Give it the files, or close it without one. Raises the driver's Error."""
        chooser = self._open
        self._open = None
        if chooser is not None and paths:
            await chooser.set_files(list(paths), timeout=limit_ms)

    def _on_chooser(self, chooser: FileChooser) -> None:
        self._open = chooser
        self._on_open(chooser.is_multiple())

    def _forget(self) -> None:
        self._open = None


def safe_name(name: str) -> str:
    """A file name that stays inside its folder on every system."""
    cleaned = _NOT_IN_NAMES.sub("_", name).strip(" .") or "download"
    stem, suffix = Path(cleaned).stem, Path(cleaned).suffix
    return stem[: _LONGEST_NAME - len(suffix[:20])] + suffix[:20]


def _first_line(exc: BaseException) -> str:
    return str(exc).splitlines()[0] if str(exc) else "it could not be saved"
