import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from app.domain.commands import (
    Command,
    DeleteConversation,
    ListConversations,
    OpenConversation,
    RenameConversation,
)
from app.domain.events import ConversationSummary
from app.domain.ids import ConversationId
from app.domain.passing import ConversationsListed
from app.ui.sidebar import Sidebar
from app.ui.theme import Theme
from tests.ui.seeing import button, text

TALKS = (
    ConversationSummary(ConversationId("a"), "Lanterns", 0.0, 1_772_452_800.0, 4),
    ConversationSummary(ConversationId("b"), "灯台 مرحبا 👩\u200d👧", 0.0, 1_772_452_700.0, 9, demo=True),
    ConversationSummary(ConversationId("c"), "", 0.0, 1_772_000_000.0, 1, snippet="… the <b>library</b> …"),
)


@pytest.fixture
def commands() -> list[Command]:
    return []


@pytest.fixture
def sidebar(qtbot: QtBot, theme: Theme, commands: list[Command]) -> Sidebar:
    sidebar = Sidebar()
    qtbot.addWidget(sidebar)
    sidebar.command_wanted.connect(commands.append)
    sidebar.resize(240, 600)
    sidebar.show()
    sidebar.show_list(ConversationsListed(TALKS))
    return sidebar


def dialog_of(sidebar: Sidebar, kind: type[QWidget]) -> QWidget:
    found = sidebar.findChild(kind)
    assert isinstance(found, QWidget)
    return found


def test_conversations_are_listed_with_their_kind(sidebar: Sidebar) -> None:
    assert sidebar.summaries() == TALKS
    spoken = [sidebar.list.item(row).data(Qt.ItemDataRole.AccessibleTextRole) for row in range(3)]
    assert spoken[1].startswith("Demo. ")
    assert spoken[2].startswith("New conversation")
    assert not sidebar.grab().isNull()


def test_a_click_or_enter_opens_a_conversation_and_the_open_one_is_not_opened_again(
    qtbot: QtBot, sidebar: Sidebar, commands: list[Command]
) -> None:
    sidebar.mark_open(ConversationId("a"))
    for row in (0, 1):
        place = sidebar.list.visualItemRect(sidebar.list.item(row)).center()
        qtbot.mouseClick(sidebar.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert commands == [OpenConversation(ConversationId("b"))]
    sidebar.list.setCurrentRow(2)
    qtbot.keyClick(sidebar.list, Qt.Key.Key_Return)
    assert commands[-1] == OpenConversation(ConversationId("c"))


def test_search_asks_once_the_person_pauses(qtbot: QtBot, sidebar: Sidebar, commands: list[Command]) -> None:
    qtbot.keyClicks(sidebar.search, "library")
    qtbot.waitUntil(lambda: commands == [ListConversations("library")])


def test_an_answer_to_an_older_search_is_not_shown(qtbot: QtBot, sidebar: Sidebar) -> None:
    sidebar.search.setText("library")
    sidebar.show_list(ConversationsListed((), "lib"))
    assert sidebar.summaries() == TALKS
    sidebar.show_list(ConversationsListed((), "library"))
    assert sidebar.summaries() == ()
    assert "Nothing found." in text(sidebar)


def test_rename_asks_for_a_title_and_lists_again(qtbot: QtBot, sidebar: Sidebar, commands: list[Command]) -> None:
    sidebar.list.setCurrentRow(0)
    qtbot.keyClick(sidebar.list, Qt.Key.Key_F2)
    dialog = dialog_of(sidebar, QInputDialog)
    assert isinstance(dialog, QInputDialog)
    assert dialog.textValue() == "Lanterns"
    dialog.setTextValue("  Lamps ")
    dialog.accept()
    assert commands == [RenameConversation(ConversationId("a"), "Lamps"), ListConversations("")]


def test_an_empty_title_changes_nothing(qtbot: QtBot, sidebar: Sidebar, commands: list[Command]) -> None:
    sidebar.rename(TALKS[0])
    dialog = dialog_of(sidebar, QInputDialog)
    assert isinstance(dialog, QInputDialog)
    dialog.setTextValue("   ")
    dialog.accept()
    assert commands == []


def test_delete_asks_first(qtbot: QtBot, sidebar: Sidebar, commands: list[Command]) -> None:
    sidebar.list.setCurrentRow(0)
    qtbot.keyClick(sidebar.list, Qt.Key.Key_Delete)
    box = dialog_of(sidebar, QMessageBox)
    assert commands == []
    assert "Lanterns" in text(box)
    qtbot.mouseClick(button(box, "Delete"), Qt.MouseButton.LeftButton)
    assert commands == [DeleteConversation(ConversationId("a")), ListConversations("")]


def test_delete_can_be_left(qtbot: QtBot, sidebar: Sidebar, commands: list[Command]) -> None:
    sidebar.delete(TALKS[0])
    qtbot.mouseClick(button(dialog_of(sidebar, QMessageBox), "Keep"), Qt.MouseButton.LeftButton)
    assert commands == []


def test_an_empty_list_says_so(sidebar: Sidebar) -> None:
    sidebar.show_list(ConversationsListed(()))
    assert "No conversations yet." in text(sidebar)
