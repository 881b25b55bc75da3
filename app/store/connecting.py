"""A connection to a file of the record, and whether that file is sound."""

import time
from pathlib import Path

import apsw

from app.domain.errors import StoreError

BUSY_MS = 5_000
_SOUND_SQLITE = (3, 51, 3)  # older ones can damage a file in WAL mode when it is reset


def connect(path: Path, flags: int = apsw.SQLITE_OPEN_READWRITE) -> apsw.Connection:
    db = apsw.Connection(str(path), flags=flags)
    db.set_busy_timeout(BUSY_MS)
    db.pragma("foreign_keys", True)
    db.pragma("mmap_size", 0)
    db.pragma("temp_store", "MEMORY")
    db.pragma("cell_size_check", True)
    return db


def leave_no_trace(db: apsw.Connection) -> None:
    """What is deleted over this connection is overwritten."""
    db.pragma("secure_delete", True)
    db.pragma("recursive_triggers", True)
    db.transaction_mode = "IMMEDIATE"


def write_safely(db: apsw.Connection) -> None:
    """FULL, because NORMAL loses acknowledged commits at a power cut; fullfsync, because macOS needs it for that."""
    db.pragma("auto_vacuum", "INCREMENTAL")
    db.pragma("journal_mode", "WAL")
    db.pragma("synchronous", "FULL")
    db.pragma("fullfsync", True)
    db.pragma("checkpoint_fullfsync", True)
    leave_no_trace(db)


def integrity(db: apsw.Connection) -> str:
    """“ok”, or the first thing that is wrong in the whole file. Raises errors of the library."""
    return _asked(db, "integrity_check")


def integrity_within(db: apsw.Connection, seconds: float) -> str | None:
    """The same of what a quicker look finds; None when the time did not suffice."""
    deadline = time.monotonic() + seconds
    db.set_progress_handler(lambda: time.monotonic() > deadline, 10_000)
    try:
        return _asked(db, "quick_check")
    except apsw.InterruptError:
        return None
    finally:
        db.set_progress_handler(None)


def _asked(db: apsw.Connection, check: str) -> str:
    try:
        return str(db.pragma(check, 1))
    except apsw.SQLError as exc:  # the library calls damage of a search index an error of the statement
        return str(exc)


def refuse_unsound_library(version: str) -> None:
    if tuple(int(part) for part in version.split(".")) < _SOUND_SQLITE:
        raise StoreError(
            f"The SQLite library that was found ({version}) has a fault that can damage the record.",
            fault="unreadable",
            next_step="Install Pilotfish with its own libraries, then start it again.",
        )
