"""The record as a person meets it: exported and taken back, of a newer version, mended from a backup."""

import asyncio
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from app.domain.commands import DeleteConversation, RenameConversation
from app.domain.events import SubmissionKept, TurnEnded, UserSaid
from app.domain.ids import ConversationId, SubmissionId
from app.domain.submissions import Submission
from app.store.record import SqliteRecord
from app.ui.rows import EndRow
from tests.e2e import stored
from tests.e2e.command import Caller
from tests.e2e.desk import PATIENCE_MS, Desk

ONE = ConversationId("c-1")
AGO = datetime.now(UTC) - timedelta(days=2)


async def _filled(home: Path) -> None:
    """A conversation, and a backup of two days ago that does not have its end yet."""
    record = await SqliteRecord.open(home / "record.db")
    await record.create(ONE, "Two lamps")
    await record.append(ONE, UserSaid("Find two lamps"))
    await record.close()
    record = await SqliteRecord.open(home / "record.db", now=AGO.timestamp, backups=home / "backups")
    await record.backed_up()
    sent = Submission(SubmissionId("s1"), "sent", "pay", "http://shop.test", control="Buy")
    await record.append(ONE, SubmissionKept(sent), TurnEnded("done", "They cost £92."))
    await record.close()


@pytest.fixture
def filled(home: Path) -> Path:
    asyncio.run(_filled(home))
    return home


def made_newer(home: Path) -> bytes:
    database = sqlite3.connect(home / "record.db")
    database.execute("PRAGMA user_version = 77")
    database.close()
    return (home / "record.db").read_bytes()


def test_a_conversation_is_exported_deleted_elsewhere_and_taken_back(
    call: Caller, filled: Path, tmp_path: Path
) -> None:
    page, whole = tmp_path / "lamps.html", tmp_path / "lamps.json"
    assert "They cost £92." in call("export", ONE).out
    for out in (page, whole):
        assert call("export", ONE, "--out", str(out)).said == []
    assert "<script" not in page.read_text(encoding="utf-8")
    other = tmp_path / "other"
    taken = call("import", str(whole), PILOTFISH_HOME=other)
    assert (taken.code, taken.said) == (0, ["Conversation c-1 is in the record."])
    assert stored.events(other, ONE) == stored.events(filled, ONE)
    again = call("import", str(whole), PILOTFISH_HOME=other)
    assert (again.code, again.out) == (1, "")
    assert again.err.startswith("The conversation c-1 exists already. Nothing was lost.")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("export", "nobody"), 1, "The conversation is not in the record."),
        (("export", "c-1", "--format", "pdf"), 2, "invalid choice: 'pdf'"),
        (("export", "c-1", "--out", "no/such/folder/a.md"), 2, "could not be written (No such file or directory)"),
        (("import", "nothing.json"), 2, "could not be read (No such file or directory)"),
    ],
)
def test_what_cannot_be_exported_or_taken_back_is_told(
    call: Caller, filled: Path, arguments: tuple[str, ...], code: int, words: str
) -> None:
    done = call(*arguments)
    assert (done.code, done.out) == (code, "")
    assert words in done.err
    assert "Traceback" not in done.err


def test_the_window_opens_the_record_of_a_newer_version_to_be_read(open_desk: Callable[[], Desk], filled: Path) -> None:
    before = made_newer(filled)
    desk = open_desk()
    desk.until_told("newer version of Pilotfish (format 77", "can be read and searched", "Install the newest version")
    items = desk.window.sidebar.list
    desk.qtbot.waitUntil(lambda: items.count() == 1, timeout=PATIENCE_MS)
    desk.qtbot.mouseClick(items.viewport(), Qt.MouseButton.LeftButton, pos=items.visualItemRect(items.item(0)).center())
    desk.qtbot.waitUntil(lambda: any(isinstance(row, EndRow) and "£92" in row.text for row in desk.rows))
    desk.window.chat.notices.close_error(desk.errors[0])
    desk.bridge.submit(RenameConversation(ONE, "Three lamps"))
    desk.until_told("newer version of Pilotfish", "nothing new can be recorded")
    desk.close()
    assert (filled / "record.db").read_bytes() == before


def test_the_window_tells_which_period_is_missing_when_a_backup_was_restored(
    open_desk: Callable[[], Desk], filled: Path
) -> None:
    (filled / "record.db").write_bytes(b"nothing of it is left " * 900)
    desk = open_desk()
    since = f"{AGO.astimezone():%Y-%m-%d %H:%M}"
    desk.until_told(
        "was damaged. It was kept as", f"the backup of {since} took its place", f"from {since} to", "look at"
    )
    desk.qtbot.waitUntil(lambda: desk.window.sidebar.list.count() == 1, timeout=PATIENCE_MS)
    desk.close()
    assert [one.event for one in stored.events(filled, ONE)] == [UserSaid("Find two lamps")]
    assert len(list(filled.glob("record-damaged-*.db"))) == 1


def test_a_deleted_conversation_leaves_no_trace_in_the_whole_folder(
    open_desk: Callable[[], Desk], filled: Path
) -> None:
    assert {Path(name).parent.name for name in stored.traces(filled, "two lamps")} == {"", "backups"}
    desk = open_desk()
    desk.until(lambda: desk.window.sidebar.list.count() == 1, "the conversation in the list")
    desk.bridge.submit(DeleteConversation(ONE))
    desk.until(lambda: desk.window.sidebar.list.count() == 0, "the empty list")
    assert stored.traces(filled, "two lamps") == []
    desk.close()
    assert stored.traces(filled, "two lamps") == []
