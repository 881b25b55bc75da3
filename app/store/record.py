"""The record as the agent and the runtime know it: one file, one connection, one worker thread."""

import asyncio
import shutil
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Self, TypeVar

import apsw
from filelock import BaseFileLock, FileLock, Timeout

from app.domain.errors import StoreError
from app.domain.events import ActIntended, ConversationSummary, RecordedEvent, StoredEvent
from app.domain.ids import BlobHash, ConversationId
from app.store import faults
from app.store.archive import Archive
from app.store.opening import open_for_reading, open_for_writing, suspect

MIN_FREE_BYTES = 200_000_000
_T = TypeVar("_T")


class SqliteRecord:
    """Implements `Record`. A cancelled call has written all of what it was given, or nothing of it.

    Work waits in the order in which it was asked for. An `ActIntended` is refused while less than `min_free_bytes` are
    free on the disk, since an act that cannot be recorded to its end must not start; all other events are written as
    long as there is any room, so that what has happened is known.
    """

    def __init__(self, path: Path, min_free_bytes: int, visits: Path | None = None) -> None:
        """Use `open` or `open_readonly`."""
        self._path = path
        self._visits = visits
        self._min_free_bytes = min_free_bytes
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="pilotfish-store")
        self._is_closed = False
        self._lock: BaseFileLock | None = None
        self._archive: Archive | None = None

    @classmethod
    async def open(
        cls,
        path: Path,
        *,
        min_free_bytes: int = MIN_FREE_BYTES,
        now: Callable[[], float] = time.time,
        clean: Callable[[str], str] = str,
        visits: Path | None = None,
    ) -> Self:
        """Open or create the record, for this process alone. `clean` takes out of every text what must not be stored.

        `visits` is the folder in which processes beside this one record; what they leave is taken in.

        Raises StoreError: in_use beside another process; newer for a file of a later version, which stays as it is;
        damaged for a file that was found so and kept under a new name, after which a second try starts a fresh record.
        """
        record = cls(path, min_free_bytes, visits)
        return await record._start(lambda: Archive(record._open_alone(), now, clean))

    @classmethod
    async def open_readonly(cls, path: Path) -> Self:
        """Open it to read only, also beside a process that writes; every write raises StoreError."""
        record = cls(path, 0)
        return await record._start(lambda: Archive(open_for_reading(path)))

    async def create(self, id: ConversationId, title: str, *, demo: bool = False) -> None:
        await self._run(lambda archive: archive.create(id, title, demo))

    async def append(self, conversation: ConversationId, *events: RecordedEvent) -> tuple[StoredEvent, ...]:
        """All of them in one transaction. Raises StoreError."""

        def work(archive: Archive) -> tuple[StoredEvent, ...]:
            if any(isinstance(event, ActIntended) for event in events):
                self._refuse_without_room()
            return archive.append(conversation, events)

        return await self._run(work)

    async def events(self, conversation: ConversationId) -> tuple[StoredEvent, ...]:
        return await self._run(lambda archive: archive.events(conversation))

    async def conversations(self, query: str = "") -> tuple[ConversationSummary, ...]:
        """Newest first; with a query those in which each of its words stands, whatever its case, accents or width."""

        def work(archive: Archive) -> tuple[ConversationSummary, ...]:
            self._take_in(archive)
            return archive.conversations(query)

        return await self._run(work)

    async def rename(self, conversation: ConversationId, title: str) -> None:
        await self._run(lambda archive: archive.rename(conversation, title))

    async def delete(self, conversation: ConversationId) -> None:
        """Rows, blobs that nothing else needs, search text; the bytes are overwritten. An unknown one is deleted."""
        await self._run(lambda archive: archive.delete(conversation))

    async def put_blob(self, data: bytes) -> BlobHash:
        """The same bytes are kept once. They stay only when an event names them."""
        return await self._run(lambda archive: archive.put_blob(data))

    async def blob(self, hash: BlobHash) -> bytes:
        return await self._run(lambda archive: archive.blob(hash))

    async def close(self) -> None:
        """Safe to call twice; work that was asked for before is done first."""
        if not self._is_closed:
            self._is_closed = True
            self._worker.submit(self._end)
        await asyncio.to_thread(self._worker.shutdown)

    async def _start(self, opening: Callable[[], Archive]) -> Self:
        try:
            await self._in_worker(lambda: self._set(opening()))
        except BaseException:
            self._worker.submit(self._end)
            await asyncio.to_thread(self._worker.shutdown)
            raise
        return self

    async def _run(self, work: Callable[[Archive], _T]) -> _T:
        if self._is_closed:
            raise faults.closed(self._path)
        return await self._in_worker(lambda: work(self._opened()))

    async def _in_worker(self, work: Callable[[], _T]) -> _T:
        return await asyncio.get_running_loop().run_in_executor(self._worker, self._guarded, work)

    # What follows runs in the worker.

    def _guarded(self, work: Callable[[], _T]) -> _T:
        try:
            with faults.plain_faults(self._path, self._system_error):
                return work()
        except StoreError as exc:
            if exc.fault == "damaged" and self._lock is not None:
                suspect(self._path)
            raise

    def _system_error(self) -> int:
        return self._archive.system_error() if self._archive else 0

    def _opened(self) -> Archive:
        if self._archive is None:
            raise faults.closed(self._path)
        return self._archive

    def _set(self, archive: Archive) -> None:
        self._archive = archive
        if self._lock is not None:
            archive.tidy()
            self._take_in(archive)

    def _take_in(self, archive: Archive) -> None:
        if self._visits is not None:
            archive.take_in(self._visits)

    def _open_alone(self) -> apsw.Connection:
        """The lock ends with the process, however that ends."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lock = FileLock(self._path.with_name(f"{self._path.name}.lock"), timeout=0)
        try:
            lock.acquire()
        except Timeout as exc:
            raise faults.in_use(self._path) from exc
        except NotImplementedError as exc:
            raise faults.no_locks(self._path) from exc
        self._lock = lock
        return open_for_writing(self._path)

    def _refuse_without_room(self) -> None:
        free = shutil.disk_usage(self._path.parent).free
        if free < self._min_free_bytes:
            raise faults.no_room(self._path, free, self._min_free_bytes)

    def _end(self) -> None:
        if self._archive is not None:
            self._archive.close()
            self._archive = None
        if self._lock is not None:
            self._lock.release()
            self._lock = None
