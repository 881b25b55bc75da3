"""Opening the file of the record: how it is written, checked, copied before it changes, and mended when damaged."""

import contextlib
import logging
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import apsw

from app.context.files.names import damaged
from app.domain.errors import StoreError
from app.store.backups import Backup, Backups, bring_to_disk
from app.store.connecting import connect, integrity, integrity_within, refuse_unsound_library, write_safely
from app.store.faults import DAMAGE, nothing_yet, restored, set_aside
from app.store.schema import (
    MIGRATIONS,
    has_lost_its_layout,
    is_behind,
    is_damaged_header,
    is_empty,
    migrate,
    refuse_newer,
)

_LOG = logging.getLogger("app.store")
_CHECK_SECONDS = 1.0
_COMPANIONS = ("", "-wal", "-shm", "-journal")


def open_for_writing(
    path: Path, backups: Backups | None = None, migrations: tuple[str, ...] = MIGRATIONS
) -> apsw.Connection:
    """Open or create the record, check it and bring it to the newest schema. The caller holds the lock.

    Raises StoreError: damaged when it was kept under a new name; then a second try opens what took its place.
    """
    refuse_unsound_library(apsw.sqlite_lib_version())
    _finish_mending(path)
    last, was_there = _last_written(path), path.exists()
    try:
        with _closed_on_error(connect(path, apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)) as db:
            if is_damaged_header(db):
                raise apsw.CorruptError("the marks in the header are wrong")
            if is_empty(db) and was_there and backups is not None and backups.newest_first():
                raise apsw.CorruptError("nothing is left in it")
            refuse_newer(db, migrations)
            _check(db, path, migrations)
            if backups is not None and is_behind(db, migrations):
                backups.copy_whole(db)
            write_safely(db)
            migrate(db, migrations)
            return db
    except DAMAGE as exc:
        raise _mended(path, backups, last) from exc


def open_for_reading(path: Path) -> apsw.Connection:
    """Open the record beside a running window; nothing is written, checked or migrated."""
    if not path.exists():
        raise nothing_yet(path)
    return connect(path, apsw.SQLITE_OPEN_READONLY)


def keep_aside(path: Path) -> Path:
    """Give the file and its companions a name that is free, so that another can be made; returns the new name."""
    kept = damaged(path, datetime.now().astimezone(), Path.exists)
    _rename(path, kept)
    _suspicion(path).unlink(missing_ok=True)
    _LOG.info("The record was damaged and is kept as %s", kept.name)
    return kept


def suspect(path: Path) -> None:
    """Damage was met while running: the next start checks the whole file, however long it takes."""
    with contextlib.suppress(OSError):
        _suspicion(path).touch()


def _suspicion(path: Path) -> Path:
    return path.with_name(f"{path.name}.suspect")


def _mended(path: Path, backups: Backups | None, last: datetime) -> StoreError:
    """Put the newest sound backup in the place of the damaged file, if there is one; returns what to tell of it."""
    backup = _made_ready(path, backups) if backups is not None else None
    kept = keep_aside(path)
    if backup is None:
        return set_aside(path, kept)
    _finish_mending(path)
    return restored(path, kept, backup.made, last)


def _made_ready(path: Path, backups: Backups) -> Backup | None:
    """A copy of the newest sound backup, whole on the disk before anything is renamed."""
    backup = backups.newest_sound()
    if backup is not None:
        fresh = _substitute(path)
        fresh.touch(mode=0o600)
        shutil.copyfile(backup.path, fresh)
        bring_to_disk(fresh)
    return backup


def _finish_mending(path: Path) -> None:
    """Also after a crash in the middle: a substitute is whole when the damaged file is out of the way.

    A log of changes that still lies there is that of the damaged file, and must not be read into another one.
    """
    fresh = _substitute(path)
    if fresh.exists():
        if path.exists():
            fresh.unlink()
        else:
            _rename(path, damaged(path, datetime.now().astimezone(), Path.exists))
            fresh.rename(path)
            bring_to_disk(path.parent)


def _rename(path: Path, kept: Path) -> None:
    """The file first, so that it is never taken for sound without its log of changes."""
    for ending in _COMPANIONS:
        with contextlib.suppress(FileNotFoundError):
            Path(f"{path}{ending}").rename(f"{kept}{ending}")


def _substitute(path: Path) -> Path:
    return path.with_name(f"{path.name}.restored")


def _last_written(path: Path) -> datetime:
    times = [file.stat().st_mtime for ending in ("", "-wal") if (file := Path(f"{path}{ending}")).exists()]
    return datetime.fromtimestamp(max(times, default=0.0), UTC)


@contextlib.contextmanager
def _closed_on_error(db: apsw.Connection) -> Iterator[apsw.Connection]:
    """A file that is still open cannot be renamed everywhere."""
    try:
        yield db
    except BaseException:
        db.close()
        raise


def _check(db: apsw.Connection, path: Path, migrations: tuple[str, ...]) -> None:
    """Raise CorruptError when the file is not sound. A large file is looked at for a second.

    One that is suspect is looked at whole, and so is one that will be migrated.
    """
    whole = is_behind(db, migrations) or _suspicion(path).exists()
    found = integrity(db) if whole else integrity_within(db, _CHECK_SECONDS)
    if has_lost_its_layout(db, migrations):
        raise apsw.CorruptError("the layout is not that of a record")
    if found is None:
        _LOG.info("The record is large; its check was ended after %s s", _CHECK_SECONDS)
        return
    if found != "ok":
        raise apsw.CorruptError(found)
    _suspicion(path).unlink(missing_ok=True)
