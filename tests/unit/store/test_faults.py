import errno
from datetime import UTC, datetime, timedelta
from pathlib import Path

import apsw
import pytest

from app.domain.errors import StoreError
from app.store import faults
from app.store.faults import plain_faults

THEN = datetime(2026, 3, 1, 12, tzinfo=UTC)
PATH = Path("home") / "record.db"


@pytest.mark.parametrize(
    ("error", "system_error", "fault"),
    [
        (apsw.FullError("full"), 0, "full"),
        (apsw.IOError("disk"), errno.ENOSPC, "full"),
        (apsw.IOError("disk"), errno.EDQUOT, "full"),
        (apsw.IOError("disk"), errno.EIO, "unreadable"),
        (OSError(errno.ENOSPC, "No space left on device"), 0, "full"),
        (OSError(errno.EIO, "Input/output error"), 0, "unreadable"),
        (PermissionError(errno.EACCES, "Permission denied"), 0, "unreadable"),
        (apsw.CantOpenError("open"), 0, "unreadable"),
        (apsw.ReadOnlyError("readonly"), 0, "unreadable"),
        (apsw.BusyError("busy"), 0, "in_use"),
        (apsw.CorruptError("malformed"), 0, "damaged"),
        (apsw.NotADBError("not a database"), 0, "damaged"),
    ],
)
def test_errors_of_library_and_disk_are_told_in_plain_words(error: Exception, system_error: int, fault: str) -> None:
    with pytest.raises(StoreError) as caught, plain_faults(PATH, lambda: system_error):
        raise error
    assert caught.value.fault == fault
    assert caught.value.__cause__ is error
    assert str(PATH.parent) in caught.value.message
    assert "Error" not in caught.value.message


def test_a_bug_keeps_its_traceback() -> None:
    with pytest.raises(apsw.SQLError), plain_faults(PATH):
        raise apsw.SQLError("no such table")


@pytest.mark.parametrize(
    "error",
    [
        faults.full(PATH),
        faults.no_room(PATH, 120_000_000, 200_000_000),
        faults.in_use(PATH),
        faults.damaged_while_open(PATH),
        faults.damaged_conversation(),
        faults.damaged_blob(),
        faults.set_aside(PATH, PATH.with_name("kept.db")),
        faults.restored(PATH, PATH.with_name("kept.db"), THEN, THEN + timedelta(hours=3)),
        faults.restored(PATH, PATH.with_name("kept.db"), THEN, THEN - timedelta(hours=3)),
        faults.no_room_for_backup(PATH.parent, 120_000_000),
        faults.written_by_newer(3, 1),
        faults.laid_out_anew(),
        faults.opened_to_read(PATH),
        faults.not_found("The conversation"),
        faults.exists_already("c-1"),
        faults.nothing_yet(PATH),
        faults.no_locks(PATH),
        faults.closed(PATH),
    ],
    ids=lambda error: error.what[:30],
)
def test_each_message_says_what_happened_what_was_lost_and_what_to_do(error: StoreError) -> None:
    for part in (error.what, error.lost, error.next_step):
        assert part.endswith(".")
    assert len(error.message) < 500


def test_the_free_space_is_told_in_megabytes() -> None:
    assert "Only 120 MB are free" in faults.no_room(PATH, 120_000_000, 200_000_000).what


def test_a_time_is_called_missing_only_when_something_was_written_in_it() -> None:
    lost, nothing = (faults.restored(PATH, PATH, THEN, THEN + timedelta(hours=hours)).lost for hours in (3, -3))
    since, until = (f"{(THEN + timedelta(hours=hours)).astimezone():%Y-%m-%d %H:%M}" for hours in (0, 3))
    assert lost == f"What was recorded from {since} to {until} is missing."
    assert nothing == "As far as the file tells, nothing had been recorded since then."
