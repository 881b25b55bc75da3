"""Copies of the record in a folder beside it: the newest five, each written whole, readable by the person alone."""

import contextlib
import hashlib
import logging
import os
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import apsw

from app.store.connecting import connect, integrity
from app.store.faults import no_room_for_backup
from app.store.schema import APPLICATION_ID, has_lost_its_layout, is_damaged_header, is_newer

KEPT = 5
_STAMP = "record-%Y-%m-%dT%H%M%SZ.db"
_PAGES_A_STEP = 256  # about a megabyte, so that other work of the record never waits long
_SPARE_BYTES = 100_000_000  # a copy must not take the room that acts need
_LOG = logging.getLogger("app.store")


@dataclass(frozen=True, slots=True)
class Backup:
    """A copy that was written whole; `made` is when."""

    path: Path
    made: datetime


class Backups:
    """Used by the process that has the record for itself. Nothing of it is made before the first copy."""

    def __init__(self, folder: Path, now: Callable[[], float] = time.time) -> None:
        self._folder = folder
        self._now = now

    def newest_first(self) -> tuple[Backup, ...]:
        found = [Backup(path, made) for path in self._folder.glob("record-*.db") if (made := _made(path))]
        return tuple(sorted(found, key=lambda one: one.made, reverse=True))

    def is_due(self, db: apsw.Connection) -> bool:
        """Whether the record has changed since the newest copy, and that one is not of today."""
        if db.execute("SELECT count(*) FROM conversations").get == 0:
            return False
        newest = next(iter(self.newest_first()), None)
        if newest is None:
            return True
        today = datetime.fromtimestamp(self._now()).astimezone().date()
        return newest.made.astimezone().date() != today and _contents(newest.path) != _sum(db)

    def copy_whole(self, db: apsw.Connection) -> None:
        """Copy it now and to the end, as is done before a migration. Raises CorruptError, StoreError and OSError."""
        copying = self.begin(db)
        try:
            while not copying.step():
                pass
            copying.settle()
        finally:
            copying.abandon()
        self.keep_newest()

    def begin(self, db: apsw.Connection) -> "Copying":
        """Raises StoreError when the disk has no room for another copy."""
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for left in self._folder.glob("*.new*"):
            left.unlink()
        size = int(db.pragma("page_count")) * int(db.pragma("page_size"))
        if shutil.disk_usage(self._folder).free < size + _SPARE_BYTES:
            raise no_room_for_backup(self._folder, size)
        name = datetime.fromtimestamp(self._now(), UTC).strftime(_STAMP)
        return Copying(db, self._folder / name)

    def keep_newest(self) -> None:
        for backup in self.newest_first()[KEPT:]:
            discard(backup.path)

    def newest_sound(self) -> Backup | None:
        return next((backup for backup in self.newest_first() if _is_sound(backup.path)), None)


class Copying:
    """One copy on its way. `step` and `abandon` run where the record's connection is used, `settle` anywhere."""

    def __init__(self, source: apsw.Connection, place: Path) -> None:
        self._place = place
        self._fresh = place.with_name(f"{place.name}.new")
        os.close(os.open(self._fresh, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        self._target: apsw.Connection | None = apsw.Connection(str(self._fresh))
        self._target.pragma("journal_mode", "OFF")
        self._target.pragma("synchronous", "OFF")  # `settle` brings it to the disk
        self._backup = self._target.backup("main", source, "main")

    def step(self) -> bool:
        """Copy some more; whether nothing is left to be copied. What changes meanwhile is in the copy."""
        if self._target is None:
            return True
        self._backup.step(_PAGES_A_STEP)
        if self._backup.done:
            self._end()
        return self._target is None

    def settle(self, is_stopped: Callable[[], bool] = lambda: False) -> bool:
        """Check the copy, bring it to the disk and give it its name; whether it has it. Raises CorruptError.

        The copy is page for page that of the record: what is wrong in it is wrong there.
        """
        with contextlib.closing(connect(self._fresh)) as db:
            db.pragma("journal_mode", "DELETE")  # a copy stands alone, without a log of changes beside it
            db.set_progress_handler(is_stopped, 10_000)
            with contextlib.suppress(apsw.InterruptError):
                found = integrity(db)
                db.set_progress_handler(None)
                if found != "ok":
                    raise apsw.CorruptError(found)
        if is_stopped():
            return False
        bring_to_disk(self._fresh)
        self._fresh.replace(self._place)
        bring_to_disk(self._place.parent)
        return True

    def abandon(self) -> None:
        """Leave nothing of a copy that was not settled; safe to call twice and after the end."""
        self._end()
        discard(self._fresh)

    def _end(self) -> None:
        if self._target is not None:
            self._backup.finish()
            self._target.close()
            self._target = None


def discard(path: Path) -> None:
    for ending in ("-journal", "-wal", "-shm", ""):
        Path(f"{path}{ending}").unlink(missing_ok=True)


def bring_to_disk(path: Path) -> None:
    """A file, or a folder with the names in it, as far as the system can do that for folders."""
    if path.is_dir() and os.name == "nt":
        return
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _made(path: Path) -> datetime | None:
    try:
        return datetime.strptime(path.name, _STAMP).replace(tzinfo=UTC)
    except ValueError:
        return None


def _sum(db: apsw.Connection) -> bytes:
    """What tells two states of a record apart: events are only added, and each adds to a row of these."""
    rows = db.execute("SELECT * FROM conversations ORDER BY id").fetchall()
    return hashlib.sha256(repr((db.pragma("user_version"), rows)).encode("utf-8", "backslashreplace")).digest()


def _contents(path: Path) -> bytes:
    try:
        with contextlib.closing(connect(path)) as db:
            return _sum(db)
    except (apsw.Error, UnicodeDecodeError):
        return b""  # one that cannot be read is like no other


def _is_sound(path: Path) -> bool:
    """Whether the copy can take the place of the record."""
    try:
        with contextlib.closing(connect(path)) as db:
            is_ours = db.pragma("application_id") == APPLICATION_ID and not is_damaged_header(db)
            return is_ours and not is_newer(db) and not has_lost_its_layout(db) and integrity(db) == "ok"
    except (apsw.Error, UnicodeDecodeError, OSError):
        _LOG.info("The backup %s cannot be used", path.name)
        return False
