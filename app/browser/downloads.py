"""Saves what pages send as files into the folder of the conversation, and tells how far each of them is."""

import asyncio
import contextlib
import itertools
import re
import unicodedata
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from playwright.async_api import BrowserContext, CDPSession, Error, Page
from playwright.async_api import Download as DriverDownload

from app.browser.notices import Notices
from app.context.files.names import free_beside
from app.context.files.types import HEAD_BYTES, type_of
from app.domain.files import FileType
from app.domain.pages import Download

TOLD_EVERY_S = 0.4

_keys = itertools.count(1)
_NOT_IN_NAMES = re.compile(r'[\x00-\x1f<>:"/\\|?*\x7f]')
_UNSEEN = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]")
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?", re.IGNORECASE)
_LONGEST_NAME = 150
_LONGEST_IN_BYTES = 200  # file systems count bytes


@dataclass(slots=True)
class _Arriving:
    """A download under way; `told` is the time at which its progress was told last."""

    driver: DriverDownload
    state: Download
    guid: str = ""
    told: float = 0.0


class Downloads:
    """Saves each download under a name of its own; `folder` may change between two of them."""

    def __init__(self, folder: Path, notices: Notices) -> None:
        self.folder = folder
        self.on_progress: Callable[[], None] = lambda: None
        self.on_saved: Callable[[Download], None] = lambda download: None
        self._notices = notices
        self._arriving: dict[int, _Arriving] = {}
        self._guids: dict[str, list[str]] = {}  # by address, of downloads that the driver has not told of yet
        self._tasks: set[asyncio.Task[None]] = set()
        self._taken: set[str] = set()
        self._expected: dict[Page, tuple[asyncio.Future[Download], int]] = {}

    def follow(self, context: BrowserContext) -> None:
        context.on("download", self._on_download)

    async def watch(self, pulse: CDPSession, incoming: Path) -> None:
        """Hear of the progress too; `incoming` is where the driver lets files arrive. Raises the driver's Error."""
        pulse.on("Browser.downloadWillBegin", self._on_begin)
        pulse.on("Browser.downloadProgress", self._on_progress)
        behaviour = {"behavior": "allowAndName", "downloadPath": str(incoming), "eventsEnabled": True}
        await pulse.send("Browser.setDownloadBehavior", behaviour)

    @property
    def arriving(self) -> tuple[Download, ...]:
        """Those under way, the oldest first."""
        return tuple(one.state for one in self._arriving.values())

    async def finish(self, limit_s: float) -> None:
        """Wait for those under way, but no longer than this."""
        if self._tasks:
            await asyncio.wait(tuple(self._tasks), timeout=limit_s)

    def expect(self, page: Page, most_bytes: int) -> "asyncio.Future[Download]":
        """The end of the next download that this page begins; one that grows larger is cut off."""
        future: asyncio.Future[Download] = asyncio.get_running_loop().create_future()
        self._expected[page] = (future, most_bytes)
        return future

    def forget(self, page: Page) -> None:
        self._expected.pop(page, None)

    async def stop(self) -> None:
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def refresh(self) -> None:
        """Let what is told next of a download that only began say how far it is now."""
        for key, one in self._arriving.items():
            self._notices.refresh_download(key, one.state)

    def _on_download(self, download: DriverDownload) -> None:
        key = next(_keys)
        state = Download(download.suggested_filename, download.url)
        guids = self._guids.get(download.url, [])
        one = _Arriving(download, state, guids.pop(0) if guids else "")
        self._arriving[key] = one
        self._notices.download(key, state)
        self._hold(self._save(key, one))
        self.on_progress()

    def _hold(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work, name="download")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _on_begin(self, event: dict[str, Any]) -> None:
        url, guid = event["url"], event["guid"]
        waiting = next((one for one in self._arriving.values() if one.state.url == url and not one.guid), None)
        if waiting is not None:
            waiting.guid = guid
        else:
            self._guids.setdefault(url, []).append(guid)

    def _on_progress(self, event: dict[str, Any]) -> None:
        one = next((one for one in self._arriving.values() if one.guid == event["guid"]), None)
        if one is None or event["state"] != "inProgress":
            return
        received, expected = int(event["receivedBytes"]), max(int(event["totalBytes"]), 0)
        one.state = replace(one.state, size_bytes=max(received, one.state.size_bytes), expected_bytes=expected)
        _, most_bytes = self._expected.get(one.driver.page, (None, received))
        if received > most_bytes:
            self._hold(one.driver.cancel())
        now = asyncio.get_running_loop().time()
        if now - one.told >= TOLD_EVERY_S:
            one.told = now
            self.on_progress()

    async def _save(self, key: int, one: _Arriving) -> None:
        try:
            ended = await self._saved(one)
        except (Error, OSError) as exc:
            failure = None
            with contextlib.suppress(Error):
                failure = await one.driver.failure()
            ended = replace(one.state, failure=_plain_failure(failure or _first_line(exc)))
        finally:
            self._arriving.pop(key, None)
        self._notices.download(key, ended)
        waiting, _ = self._expected.get(one.driver.page, (None, 0))
        if waiting is not None and not waiting.done():
            waiting.set_result(ended)
        self.on_progress()
        self.on_saved(ended)

    async def _saved(self, one: _Arriving) -> Download:
        await one.driver.path()  # the end of it: only then the folder is made and a name is taken
        target = await asyncio.to_thread(self._free_place, one.state.suggested_name)
        await one.driver.save_as(target)
        with contextlib.suppress(Error):
            await one.driver.delete()
        size, kind = await asyncio.to_thread(_read, target)
        return replace(one.state, path=str(target), size_bytes=size, expected_bytes=0, type=kind)

    def _free_place(self, name: str) -> Path:
        self.folder.mkdir(parents=True, exist_ok=True)
        place = free_beside(self.folder / safe_name(name), self._is_taken)
        self._taken.add(str(place).casefold())
        return place

    def _is_taken(self, place: Path) -> bool:
        return str(place).casefold() in self._taken or place.exists()


def safe_name(name: str) -> str:
    """A file name that stays inside its folder on every system and says of itself what it is."""
    plain = _NOT_IN_NAMES.sub("_", _UNSEEN.sub("", unicodedata.normalize("NFC", name)))
    cleaned = plain.encode(errors="replace").decode().strip(" .") or "download"
    if _RESERVED.fullmatch(cleaned):
        cleaned = f"_{cleaned}"
    stem, suffix = Path(cleaned).stem, Path(cleaned).suffix[:20]
    stem = stem[: _LONGEST_NAME - len(suffix)]
    while len(f"{stem}{suffix}".encode()) > _LONGEST_IN_BYTES:
        stem = stem[:-1]
    return stem + suffix


def _read(path: Path) -> tuple[int, FileType]:
    size = path.stat().st_size
    with path.open("rb") as file:
        return size, type_of(path.name, file.read(HEAD_BYTES), size)


def _plain_failure(words: str) -> str:
    """The driver has one word for everything that ended early."""
    return "it was cut off before its end" if words == "canceled" else words


def _first_line(exc: BaseException) -> str:
    return str(exc).splitlines()[0] if str(exc) else "it could not be saved"
