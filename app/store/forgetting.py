"""Deletes a conversation from a backup, in the way in which it is deleted from the record."""

import contextlib
import logging
from pathlib import Path

import apsw

from app.domain.ids import ConversationId
from app.store.archive import Archive
from app.store.backups import discard
from app.store.connecting import connect, leave_no_trace

_LOG = logging.getLogger("app.store")


def forget(backup: Path, conversation: ConversationId) -> None:
    """A backup of which it cannot be taken is deleted whole: nothing of a deleted conversation may stay."""
    try:
        with contextlib.closing(connect(backup)) as db:
            leave_no_trace(db)
            if db.execute("SELECT 1 FROM conversations WHERE id = ?", (conversation,)).get:
                Archive(db).delete(conversation)
    except (apsw.Error, UnicodeDecodeError):
        _LOG.info("a conversation could not be taken out of the backup %s; it was deleted", backup.name)
        discard(backup)
