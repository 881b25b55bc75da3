"""Takes in what other processes recorded beside this one: a folder for each, with a record of its own."""

import contextlib
import logging
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import apsw
from filelock import FileLock, Timeout

from app.domain.errors import StoreError
from app.store.opening import open_for_writing

RECORD = "record.db"
_FRESH_S = 30.0  # a folder without a record may be that of a process that has only just begun
_LOG = logging.getLogger("app.store")

# Rows are copied as they are: the seals of a conversation stay whole.
_COPY = """
INSERT INTO main.conversations SELECT * FROM visit.conversations WHERE id NOT IN (SELECT id FROM main.conversations);
INSERT INTO main.blobs SELECT * FROM visit.blobs WHERE hash NOT IN (SELECT hash FROM main.blobs);
INSERT INTO main.events SELECT * FROM visit.events
    WHERE (conversation, seq) NOT IN (SELECT conversation, seq FROM main.events);
INSERT INTO main.blob_uses SELECT * FROM visit.blob_uses
    WHERE (conversation, seq, hash) NOT IN (SELECT conversation, seq, hash FROM main.blob_uses);
INSERT INTO main.texts (conversation, seq, folded) SELECT conversation, seq, folded FROM visit.texts
    WHERE (conversation, seq) NOT IN (SELECT conversation, seq FROM main.texts);
"""


def take_in(db: apsw.Connection, visits: Path) -> None:
    """Copy every record whose process has ended, then remove its folder. One that cannot be read stays where it is."""
    for folder in sorted(visits.iterdir()) if visits.is_dir() else ():
        with contextlib.suppress(Timeout), _alone(folder) as file:
            try:
                if file is not None:
                    _copy(db, file)
            except (StoreError, apsw.Error):
                _LOG.exception("the record of a visit could not be taken in and stays in %s", folder)
                continue
            shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _alone(folder: Path) -> Iterator[Path | None]:
    """The record of a folder whose process has ended, None when it made none.

    Raises Timeout while the process lives, and for a folder that holds a record that was found damaged.
    """
    file = folder / RECORD
    is_fresh = not file.exists() and time.time() - folder.stat().st_mtime < _FRESH_S
    if is_fresh or any(folder.glob("record-damaged-*")):
        raise Timeout(str(folder))
    with FileLock(folder / f"{RECORD}.lock", timeout=0):
        yield file if file.exists() else None


def _copy(db: apsw.Connection, file: Path) -> None:
    open_for_writing(file).close()
    db.execute("ATTACH ? AS visit", (str(file),))
    try:
        with db:
            db.execute(_COPY)
    finally:
        db.execute("DETACH visit")
