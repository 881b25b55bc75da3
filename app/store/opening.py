"""Opening the file of the record: how it is written, checked and kept aside when damaged."""

import contextlib
import logging
import time
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import apsw

from app.context.files.names import damaged
from app.domain.errors import StoreError
from app.store.faults import DAMAGE, nothing_yet, set_aside
from app.store.schema import is_damaged_header, migrate, refuse_newer

_LOG = logging.getLogger("app.store")
BUSY_MS = 5_000
_CHECK_SECONDS = 1.0
_SOUND_SQLITE = (3, 51, 3)  # older ones can damage a file in WAL mode when it is reset
_COMPANIONS = ("", "-wal", "-shm", "-journal")


def open_for_writing(path: Path) -> apsw.Connection:
    """Open or create the record, check it and bring it to the newest schema. The caller holds the lock."""
    _refuse_unsound_library(apsw.sqlite_lib_version())
    try:
        with _closed_on_error(_connect(path, apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)) as db:
            if is_damaged_header(db):
                raise apsw.CorruptError("the marks in the header are wrong")
            refuse_newer(db)
            _check(db, path)
            _write_safely(db)
            migrate(db)
            return db
    except DAMAGE as exc:
        raise set_aside(path, keep_aside(path)) from exc


def open_for_reading(path: Path) -> apsw.Connection:
    """Open the record beside a running window; nothing is written, checked or migrated."""
    if not path.exists():
        raise nothing_yet(path)
    with _closed_on_error(_connect(path, apsw.SQLITE_OPEN_READONLY)) as db:
        refuse_newer(db)
        return db


def keep_aside(path: Path) -> Path:
    """Give the file and its companions a name that is free, so that a fresh one can be made; returns the new name."""
    kept = damaged(path, datetime.now().astimezone(), Path.exists)
    for ending in _COMPANIONS:
        with contextlib.suppress(FileNotFoundError):
            Path(f"{path}{ending}").rename(f"{kept}{ending}")
    _suspicion(path).unlink(missing_ok=True)
    _LOG.info("The record was damaged and is kept as %s", kept.name)
    return kept


def suspect(path: Path) -> None:
    """Damage was met while running: the next start checks the whole file, however long it takes."""
    with contextlib.suppress(OSError):
        _suspicion(path).touch()


def _suspicion(path: Path) -> Path:
    return path.with_name(f"{path.name}.suspect")


@contextlib.contextmanager
def _closed_on_error(db: apsw.Connection) -> Iterator[apsw.Connection]:
    """A file that is still open cannot be renamed everywhere."""
    try:
        yield db
    except BaseException:
        db.close()
        raise


def _connect(path: Path, flags: int) -> apsw.Connection:
    db = apsw.Connection(str(path), flags=flags)
    db.set_busy_timeout(BUSY_MS)
    db.pragma("foreign_keys", True)
    db.pragma("mmap_size", 0)
    db.pragma("temp_store", "MEMORY")
    db.pragma("cell_size_check", True)
    return db


def _write_safely(db: apsw.Connection) -> None:
    """FULL, because NORMAL loses acknowledged commits at a power cut; fullfsync, because macOS needs it for that."""
    db.pragma("auto_vacuum", "INCREMENTAL")
    db.pragma("journal_mode", "WAL")
    db.pragma("synchronous", "FULL")
    db.pragma("fullfsync", True)
    db.pragma("checkpoint_fullfsync", True)
    db.pragma("secure_delete", True)
    db.pragma("recursive_triggers", True)
    db.transaction_mode = "IMMEDIATE"


def _check(db: apsw.Connection, path: Path) -> None:
    """Raise CorruptError when the file is not sound. A large file is looked at for a second, a suspect one whole."""
    whole = _suspicion(path).exists()
    deadline = time.monotonic() + _CHECK_SECONDS
    if not whole:
        db.set_progress_handler(lambda: time.monotonic() > deadline, 10_000)
    try:
        found = db.pragma("integrity_check" if whole else "quick_check", 1)
    except apsw.InterruptError:
        _LOG.info("The record is large; its check was ended after %s s", _CHECK_SECONDS)
        return
    finally:
        db.set_progress_handler(None)
    if found != "ok":
        raise apsw.CorruptError(str(found))
    _suspicion(path).unlink(missing_ok=True)


def _refuse_unsound_library(version: str) -> None:
    if tuple(int(part) for part in version.split(".")) < _SOUND_SQLITE:
        raise StoreError(
            f"The SQLite library that was found ({version}) has a fault that can damage the record.",
            fault="unreadable",
            next_step="Install Pilotfish with its own libraries, then start it again.",
        )
