"""What SQLite and the disk complain of, said as StoreError in plain words."""

import errno
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import apsw

from app.domain.errors import StoreError

DAMAGE = (apsw.CorruptError, apsw.NotADBError, UnicodeDecodeError)  # the last: text in the file is no text


_NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_ROOM_FOR_ITSELF = 1_000_000  # bytes that the library needs free even to open the file


@contextmanager
def plain_faults(path: Path, system_error: Callable[[], int] = lambda: 0) -> Iterator[None]:
    """Translate errors of the library and of the operating system; `system_error` tells the number of the last one."""
    try:
        yield
    except apsw.FullError as exc:
        raise full(path) from exc
    except DAMAGE as exc:
        raise damaged_while_open(path) from exc
    except apsw.BusyError as exc:
        raise in_use(path) from exc
    except apsw.ReadOnlyError as exc:
        raise _unreadable(path, "cannot be written; the file or its folder is write-protected") from exc
    except (apsw.CantOpenError, apsw.PermissionsError, apsw.AuthError, apsw.IOError, OSError) as exc:
        number = exc.errno if isinstance(exc, OSError) else system_error()
        raise (full(path) if number in _NO_SPACE or _is_full(path) else _unusable(path, exc)) from exc


def _is_full(path: Path) -> bool:
    try:
        return shutil.disk_usage(path.parent).free < _ROOM_FOR_ITSELF
    except OSError:
        return False


def _unusable(path: Path, exc: Exception) -> StoreError:
    if isinstance(exc, (apsw.IOError, OSError)) and not isinstance(exc, PermissionError):
        return _unreadable(path, f"cannot be used: the disk reported a problem ({getattr(exc, 'strerror', exc)})")
    return _unreadable(path, "cannot be opened")


def full(path: Path) -> StoreError:
    return StoreError(
        f"The disk that holds the record ({path.parent}) is full.",
        fault="full",
        lost="Everything recorded before is safe; what found no room was not written, not even in part.",
        next_step="Free some space on that disk, then go on.",
    )


def no_room(path: Path, free_bytes: int, needed_bytes: int) -> StoreError:
    """Said before an act that could not be recorded to its end."""
    return StoreError(
        f"Only {free_bytes // 1_000_000} MB are free on the disk that holds the record ({path.parent}); "
        f"Pilotfish acts only while {needed_bytes // 1_000_000} MB are free, so it did not act.",
        fault="full",
        next_step="Free some space on that disk, then go on.",
    )


def in_use(path: Path) -> StoreError:
    return StoreError(
        f"Pilotfish is already running with this record ({path}).",
        fault="in_use",
        next_step="Go on in the window that is open, or close it and start again.",
    )


def damaged_while_open(path: Path) -> StoreError:
    return StoreError(
        f"The record ({path}) is damaged.",
        fault="damaged",
        lost="What could not be read may be lost; the file is kept as it is.",
        next_step="Restart Pilotfish: it checks the file, keeps a damaged one under a new name and starts a new one.",
    )


def damaged_conversation() -> StoreError:
    return StoreError(
        "This conversation is damaged in the record: an entry was changed or is missing, so it cannot be shown.",
        fault="damaged",
        lost="Its entries are still in the file; the other conversations are not touched.",
        next_step="Start a new conversation for this task.",
    )


def damaged_blob() -> StoreError:
    return StoreError(
        "A picture or page of this conversation is damaged in the record.",
        fault="damaged",
        lost="It cannot be shown; the rest of the conversation is not touched.",
        next_step="Go on without it.",
    )


def set_aside(path: Path, kept: Path) -> StoreError:
    """Said once, when a damaged file was found at the start."""
    return StoreError(
        f"The record was damaged and could not be opened. It was kept as {kept}.",
        fault="damaged",
        lost="The conversations in it cannot be shown; nothing of the kept file was changed.",
        next_step="Start again: a new, empty record is made. Keep the file if you want to have it examined.",
    )


def restored(path: Path, kept: Path, made: datetime, last: datetime) -> StoreError:
    """Said once, when a backup took the place of a damaged file; it was made then, that one last written at `last`."""
    since, until = (f"{one.astimezone():%Y-%m-%d %H:%M}" for one in (made, last))
    missing = f"What was recorded from {since} to {until} is missing"
    return StoreError(
        f"The record ({path.name}) was damaged. It was kept as {kept}, and the backup of {since} took its place.",
        fault="damaged",
        lost=f"{missing}." if last > made else "As far as the file tells, nothing had been recorded since then.",
        next_step="What was ordered, sent or deleted in a missing time is no longer known: look at the sites "
        "themselves before you have any of it done again.",
    )


def no_room_for_backup(folder: Path, needed_bytes: int) -> StoreError:
    return StoreError(
        f"The disk ({folder}) has no room for a copy of the record, {needed_bytes // 1_000_000 + 1} MB large.",
        fault="full",
        next_step="Free some space on that disk, then start Pilotfish again.",
    )


def written_by_newer(format: int, known: int) -> StoreError:
    return StoreError(
        f"The record was written by a newer version of Pilotfish (format {format}; this version writes {known}).",
        fault="newer",
        lost="Nothing was lost and nothing is changed: it can be read and searched, but nothing new can be recorded.",
        next_step="Install the newest version of Pilotfish to go on.",
    )


def laid_out_anew() -> StoreError:
    return StoreError(
        "The newer version of Pilotfish that wrote the record keeps this in a way that this version cannot read.",
        fault="newer",
        next_step="Install the newest version of Pilotfish to see it.",
    )


def opened_to_read(path: Path) -> StoreError:
    return StoreError(
        f"The record ({path}) is only read here; nothing can be written to it.",
        fault="unreadable",
        next_step="Make the change in the window of Pilotfish.",
    )


def not_found(what: str) -> StoreError:
    return StoreError(
        f"{what} is not in the record.",
        fault="not_found",
        next_step="Choose one of the list, or look at the id that `pilotfish run` printed first.",
    )


def exists_already(id: str) -> StoreError:
    return StoreError(f"The conversation {id} exists already.", fault="in_use", next_step="Open it from the list.")


def nothing_yet(path: Path) -> StoreError:
    return StoreError(
        f"There is no record yet ({path}).",
        fault="not_found",
        next_step="Start a first conversation with Pilotfish.",
    )


def no_locks(path: Path) -> StoreError:
    return StoreError(
        f"The disk that holds the record ({path.parent}) cannot keep two programs from writing at once.",
        fault="unreadable",
        next_step="Set PILOTFISH_HOME to a folder on a disk of this computer and start again.",
    )


def closed(path: Path) -> StoreError:
    return _unreadable(path, "is closed")


def _unreadable(path: Path, why: str) -> StoreError:
    return StoreError(
        f"The record ({path}) {why}.",
        fault="unreadable",
        lost="Everything recorded before is safe; the last entry was not written.",
        next_step="Check the disk and the permissions of that folder, then start Pilotfish again.",
    )
