"""What SQLite and the disk complain of, said as StoreError in plain words."""

import errno
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
