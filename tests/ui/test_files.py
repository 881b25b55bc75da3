"""Files in the window: given with a message, shown as cards, opened by nobody but the person."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QFileDialog, QLineEdit, QMessageBox
from pytestqt.qtbot import QtBot

from app.domain.commands import DeleteConversation, SendMessage
from app.domain.events import ConversationSummary, FileKept
from app.domain.files import FileType, KeptFile
from app.domain.ids import ConversationId, FileId
from app.domain.passing import ErrorShown
from app.ui.elements import TextButton
from app.ui.window import MainWindow
from tests.ui.card_desk import Desk
from tests.ui.recording_engine import RecordingEngine
from tests.ui.seeing import button, text
from tests.ui.window_stage import opened


@pytest.fixture
def engine() -> RecordingEngine:
    return RecordingEngine()


@pytest.fixture
def window(qtbot: QtBot, engine: RecordingEngine) -> Iterator[MainWindow]:
    yield from opened(qtbot, engine)


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    made = tmp_path / "letter é.txt"
    made.write_text("x" * 1_200)
    return made


def kept(path: Path, *, by: str = "page", type: FileType | None = None, url: str = "") -> FileKept:
    file = KeptFile(FileId("f1"), path.name, str(path), 1_200, 0, by, type or FileType("plain text"), url)  # type: ignore[arg-type]
    return FileKept(file)


def drop(window: MainWindow, *urls: QUrl) -> bool:
    """Drag something over the composer and let it go; whether it was taken."""
    data = QMimeData()
    data.setUrls(list(urls))
    composer = window.chat.composer
    buttons, keys = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entering = QDragEnterEvent(QPointF(9, 9).toPoint(), Qt.DropAction.CopyAction, data, buttons, keys)
    entering.ignore()
    composer.dragEnterEvent(entering)
    if entering.isAccepted():
        composer.dropEvent(QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, data, buttons, keys))
    return entering.isAccepted()


def test_dropped_files_become_chips_and_go_with_the_message(
    window: MainWindow, engine: RecordingEngine, letter: Path
) -> None:
    composer = window.chat.composer
    assert drop(window, QUrl.fromLocalFile(str(letter)))
    assert composer.files.isVisible()
    assert "letter é.txt" in text(composer)
    assert "1.2 KB" in text(composer)
    composer.field.setPlainText("Send this to the bank")
    composer.send()
    assert SendMessage("Send this to the bank", files=(str(letter),)) in engine.commands
    assert not composer.files.isVisible()


def test_a_chip_can_be_taken_back_and_a_file_comes_only_once(window: MainWindow, letter: Path) -> None:
    composer = window.chat.composer
    drop(window, QUrl.fromLocalFile(str(letter)), QUrl.fromLocalFile(str(letter)))
    assert composer.files.paths == (str(letter),)
    button(composer, "Do not give letter é.txt").click()
    assert composer.files.paths == ()
    assert not composer.files.isVisible()


def test_the_keys_go_from_the_clip_over_the_chips_to_the_words_and_send(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    composer = window.chat.composer
    for name in ("one.txt", "two.txt"):
        (tmp_path / name).write_text("x")
        drop(window, QUrl.fromLocalFile(str(tmp_path / name)))
    qtbot.waitUntil(lambda: all(one.isVisible() for one in composer.files.buttons))
    button(composer, "Give files").setFocus()
    names = []
    for _ in range(4):
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        names.append(window.focusWidget().accessibleName())
    assert names == ["Do not give one.txt", "Do not give two.txt", "Message", "Send"]


def test_what_is_no_file_of_this_machine_is_not_taken(window: MainWindow, tmp_path: Path) -> None:
    assert not drop(window, QUrl("https://shop.example/list.txt"))
    assert drop(window, QUrl.fromLocalFile(str(tmp_path)))
    composer = window.chat.composer
    assert composer.files.paths == ()
    assert "is a folder; give the files in it." in text(composer)


def test_the_paper_clip_opens_the_dialog_for_files(window: MainWindow, engine: RecordingEngine, letter: Path) -> None:
    composer = window.chat.composer
    button(composer, "Give files").click()
    (dialog,) = composer.findChildren(QFileDialog)
    dialog.findChild(QLineEdit, "fileNameEdit").setText(str(letter))
    dialog.accept()
    assert composer.files.paths == (str(letter),)
    composer.send()
    assert [one.files for one in engine.commands if isinstance(one, SendMessage)] == [(str(letter),)]


def test_a_message_that_was_not_taken_gives_its_files_back(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine, letter: Path
) -> None:
    composer = window.chat.composer
    drop(window, QUrl.fromLocalFile(str(letter)))
    composer.field.setPlainText("Read this")
    composer.send()
    engine.say(ErrorShown("No model is chosen.", "Nothing was lost.", "Open the settings."))
    qtbot.waitUntil(lambda: composer.field.toPlainText() == "Read this")
    assert composer.files.paths == (str(letter),)


def test_a_saved_file_is_shown_with_the_ways_to_it(qtbot: QtBot, letter: Path) -> None:
    desk = Desk(qtbot)
    card = desk.card(kept(letter, url="https://shop.example/letter"))
    assert "Saved letter é.txt" in text(card)
    assert "plain text · 1.2 KB · from shop.example" in text(card)
    assert desk.opened == []
    desk.press(card, "Show in folder")
    desk.press(card, "Open")
    assert desk.opened == [str(letter.parent), str(letter)]


def test_a_program_is_named_as_one_and_cannot_be_opened(qtbot: QtBot, letter: Path) -> None:
    desk = Desk(qtbot)
    card = desk.card(kept(letter, type=FileType("Windows program", "it is a program")))
    assert "Careful: it is a program. It is not opened from here." in text(card)
    assert [one.text() for one in card.findChildren(TextButton)] == ["Show in folder"]


def test_a_file_that_is_gone_is_said_to_be_gone(qtbot: QtBot, letter: Path) -> None:
    desk = Desk(qtbot)
    card = desk.card(kept(letter))
    letter.unlink()
    desk.press(card, "Open")
    assert desk.opened == []
    assert "The file is no longer where it was saved." in text(card)


def test_a_file_that_the_person_gave_is_only_named(qtbot: QtBot, letter: Path) -> None:
    card = Desk(qtbot).card(kept(letter, by="person"))
    assert "Gave letter é.txt" in text(card)
    assert card.findChildren(TextButton) == []


@pytest.mark.parametrize("with_files", [False, True])
def test_deleting_a_conversation_says_what_becomes_of_its_files(
    window: MainWindow, engine: RecordingEngine, with_files: bool
) -> None:
    summary = ConversationSummary(ConversationId("c9"), "Bank", 0.0, 0.0, 3)
    window.sidebar.delete(summary)
    (box,) = window.sidebar.findChildren(QMessageBox)
    assert "Files that you gave stay where they are" in box.informativeText()
    box.findChild(QCheckBox).setChecked(with_files)
    next(one for one in box.buttons() if one.text() == "Delete").click()
    assert DeleteConversation(ConversationId("c9"), with_files) in engine.commands
