"""The record as the agent and the runtime know it: one file, one connection, one worker thread."""

import asyncio
import logging
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
from app.domain.submissions import Submission
from app.store import faults
from app.store.archive import Archive
from app.store.backups import Backups, Copying
from app.store.forgetting import forget
from app.store.opening import open_for_reading, open_for_writing, suspect
from app.store.schema import MIGRATIONS, is_newer
from app.store.whole import as_json, from_json, without_keys

_LOG = logging.getLogger("app.store")
MIN_FREE_BYTES = 200_000_000
UNDER_WAY_S = 120.0
"""In the record of another process that still runs, what is younger may be under way."""
_T = TypeVar("_T")


class SqliteRecord:
    """Implements `Record`. A cancelled call has written all of what it was given, or nothing of it.

    Work waits in the order in which it was asked for. An `ActIntended` is refused while less than `min_free_bytes` are
    free on the disk, since an act that cannot be recorded to its end must not start; all other events are written as
    long as there is any room, so that what has happened is known.
    """

    def __init__(
        self, path: Path, min_free_bytes: int, visits: Path | None = None, backups: Backups | None = None
    ) -> None:
        """Use `open` or `open_readonly`."""
        self._path = path
        self._visits = visits
        self._backups = backups
        self._copying: asyncio.Task[None] | None = None
        self._wants_no_copy = False
        self._refusal: StoreError | None = None  # of every change
        self._min_free_bytes = min_free_bytes
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="pilotfish-store")
        self._is_closed = False
        self._lock: BaseFileLock | None = None
        self._is_visit = False
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
        backups: Path | None = None,
    ) -> Self:
        """Open or create the record, for this process alone. `clean` takes out of every text what must not be stored.

        `visits` is the folder in which processes beside this one record; what they leave is taken in. `backups` is the
        folder for copies: one a day, made beside other work, and one before each migration.

        Raises StoreError: in_use beside another process; newer for a file of a later version, which stays as it is and
        can be opened to read; damaged for a file that was found so and kept under a new name, after which a second try
        opens the newest sound backup, which took its place, or else starts a fresh record.
        """
        record = cls(path, min_free_bytes, visits, Backups(backups, now) if backups is not None else None)
        await record._start(lambda: record._open_alone(now, clean))
        if backups is not None:
            record._copying = asyncio.create_task(record._back_up())
        return record

    @classmethod
    async def open_readonly(cls, path: Path, *, is_visit: bool = False) -> Self:
        """Open it to read only, also beside a process that writes, and one of a later version as far as it is known.

        Every change raises StoreError. Of a visit it is seen whether its process has ended.
        """
        record = cls(path, 0)
        record._is_visit = is_visit
        return await record._start(record._open_to_read)

    async def create(self, id: ConversationId, title: str, *, demo: bool = False) -> None:
        await self._change(lambda archive: archive.create(id, title, demo))

    async def append(self, conversation: ConversationId, *events: RecordedEvent) -> tuple[StoredEvent, ...]:
        """All of them in one transaction. Raises StoreError."""

        def work(archive: Archive) -> tuple[StoredEvent, ...]:
            if any(isinstance(event, ActIntended) for event in events):
                self._refuse_without_room()
            return archive.append(conversation, events)

        return await self._change(work)

    async def events(self, conversation: ConversationId) -> tuple[StoredEvent, ...]:
        return await self._run(lambda archive: archive.events(conversation))

    async def conversations(self, query: str = "") -> tuple[ConversationSummary, ...]:
        """Newest first; with a query those in which each of its words stands, whatever its case, accents or width."""

        def work(archive: Archive) -> tuple[ConversationSummary, ...]:
            self._take_in(archive)
            return archive.conversations(query)

        return await self._run(work)

    async def unsettled(self) -> tuple[tuple[ConversationId, Submission], ...]:
        under_way_s = 0.0 if self._lock is not None or (self._is_visit and _has_ended(self._path)) else UNDER_WAY_S
        return await self._run(lambda archive: archive.unsettled(under_way_s))

    async def rename(self, conversation: ConversationId, title: str) -> None:
        await self._change(lambda archive: archive.rename(conversation, title))

    async def delete(self, conversation: ConversationId) -> None:
        """Rows, blobs that nothing else needs, search text; the bytes are overwritten. An unknown one is deleted.

        It goes from the backups first: when this is broken off, it is still there and can be deleted again.
        """
        if self._refusal is not None:
            raise self._refusal
        await self._end_copying()
        for backup in self._backups.newest_first() if self._backups is not None else ():
            await self._forget(backup.path, conversation)
        await self._change(lambda archive: archive.delete(conversation))

    async def whole_text(self, conversation: ConversationId, clean: Callable[[str], str]) -> str:
        """All of it as JSON, to be taken back; `clean` takes out what must not leave the program."""
        return await self._run(lambda archive: as_json(without_keys(archive.whole(conversation), clean)))

    async def take_whole_text(self, text: str) -> ConversationId:
        """Take in what `whole_text` gave. Raises UsageError when it is not that, StoreError when the id is there."""
        whole = from_json(text)
        await self._change(lambda archive: archive.take_whole(whole))
        return whole.id

    async def put_blob(self, data: bytes) -> BlobHash:
        """The same bytes are kept once. They stay only when an event names them."""
        return await self._change(lambda archive: archive.put_blob(data))

    async def blob(self, hash: BlobHash) -> bytes:
        return await self._run(lambda archive: archive.blob(hash))

    async def backed_up(self) -> None:
        """Returns when the copy of the day is made, if one was due."""
        if self._copying is not None:
            await asyncio.wait([self._copying])

    async def close(self) -> None:
        """Safe to call twice; work that was asked for before is done first."""
        await self._end_copying()
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

    async def _back_up(self) -> None:
        """In small steps, so that no other work waits long; the finished copy is checked outside of the worker."""
        try:
            copying = await self._run(self._begun)
            if copying is not None:
                await self._copy(copying)
        except StoreError as exc:
            _LOG.info("no backup was made: %s", exc.what)

    async def _copy(self, copying: Copying) -> None:
        try:
            while not self._wants_no_copy and not await self._run(lambda _: copying.step()):
                pass
            if not self._wants_no_copy:
                await asyncio.to_thread(self._guarded, lambda: self._settle(copying))
        finally:
            await self._run(lambda _: copying.abandon())

    async def _end_copying(self) -> None:
        self._wants_no_copy = True
        await self.backed_up()

    async def _forget(self, backup: Path, conversation: ConversationId) -> None:
        await self._run(lambda _: forget(backup, conversation))

    async def _change(self, work: Callable[[Archive], _T]) -> _T:
        if self._refusal is not None:
            raise self._refusal
        return await self._run(work)

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
        except apsw.SQLError as exc:
            if self._refusal is not None and self._refusal.fault == "newer":
                raise faults.laid_out_anew() from exc
            raise

    def _settle(self, copying: Copying) -> None:
        """Not in the worker: nobody else knows of the copy yet."""
        if copying.settle(lambda: self._wants_no_copy) and self._backups is not None:
            self._backups.keep_newest()

    def _system_error(self) -> int:
        return self._archive.system_error() if self._archive else 0

    def _opened(self) -> Archive:
        if self._archive is None:
            raise faults.closed(self._path)
        return self._archive

    def _set(self, archive: Archive) -> None:
        self._archive = archive
        self._take_in(archive)

    def _begun(self, archive: Archive) -> Copying | None:
        return archive.copy_to(self._backups) if self._backups is not None else None

    def _take_in(self, archive: Archive) -> None:
        if self._visits is not None:
            archive.take_in(self._visits)

    def _open_to_read(self) -> Archive:
        db = open_for_reading(self._path)
        self._refusal = faults.opened_to_read(self._path)
        if is_newer(db):
            self._refusal = faults.written_by_newer(int(db.pragma("user_version")), len(MIGRATIONS))
        return Archive(db)

    def _open_alone(self, now: Callable[[], float], clean: Callable[[str], str]) -> Archive:
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
        archive = Archive(open_for_writing(self._path, self._backups), now, clean)
        try:
            archive.tidy()
        except BaseException as exc:
            archive.close()
            if isinstance(exc, (*faults.DAMAGE, apsw.SQLError)):  # the quick look at the start missed it
                suspect(self._path)
                open_for_writing(self._path, self._backups).close()
            raise
        return archive

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


def _has_ended(path: Path) -> bool:
    """Whether the process that wrote the record is gone."""
    try:
        with FileLock(f"{path}.lock", timeout=0):
            return True
    except (Timeout, OSError):
        return False
