from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication
from pytestqt.qtbot import QtBot

from app.domain.commands import (
    DeleteConversation,
    FindLocalModels,
    HandBack,
    ListConversations,
    NewConversation,
    OpenUnfinished,
    Pause,
    Resume,
    SendMessage,
    ShowSettings,
    Stop,
    TakeOver,
)
from app.domain.events import ConversationSummary, TurnEnded, UserSaid
from app.domain.ids import ConversationId
from app.domain.passing import (
    ConversationOpened,
    ConversationsListed,
    Driver,
    ErrorShown,
    PanelChanged,
    RunStateChanged,
)
from app.ui.theme import Theme
from app.ui.window import MainWindow
from tests.ui.conversations import CONVERSATION, said, started, stored, whole_errand
from tests.ui.panel_stage import tab
from tests.ui.recording_engine import RecordingEngine
from tests.ui.seeing import button, text, texts
from tests.ui.window_stage import open_talk, opened, show_state


@pytest.fixture
def window(qtbot: QtBot, engine: RecordingEngine, theme: Theme) -> Iterator[MainWindow]:
    yield from opened(qtbot, engine)


def test_the_window_asks_for_what_it_shows_at_first(window: MainWindow, engine: RecordingEngine) -> None:
    assert engine.commands == [ListConversations(), ShowSettings(), OpenUnfinished(), FindLocalModels()]


def test_enter_sends_and_shift_enter_begins_a_line(qtbot: QtBot, window: MainWindow, engine: RecordingEngine) -> None:
    field = window.chat.composer.field
    qtbot.keyClicks(field, "first")
    qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClicks(field, "second")
    assert engine.asked(SendMessage) == []
    qtbot.keyClick(field, Qt.Key.Key_Return)
    assert engine.asked(SendMessage) == [SendMessage("first\nsecond")]
    assert field.toPlainText() == ""


def test_nothing_is_sent_when_nothing_is_written(qtbot: QtBot, window: MainWindow, engine: RecordingEngine) -> None:
    qtbot.keyClicks(window.chat.composer.field, "   ")
    qtbot.keyClick(window.chat.composer.field, Qt.Key.Key_Return)
    assert engine.asked(SendMessage) == []


def test_escape_stops_a_working_agent_and_shows_it_at_once(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine
) -> None:
    open_talk(qtbot, window, engine)
    show_state(qtbot, window, engine, "working", "agent", "reading the page")
    assert "Working" in texts(window.top_bar)
    assert window.panel.driver_bar.detail.text() == window.chat.view.working.text == "Reading the page"
    qtbot.keyClick(window.chat.composer.field, Qt.Key.Key_Escape)
    assert engine.asked(Stop) == [Stop()]
    assert "Stopping" in texts(window.top_bar)
    qtbot.keyClick(window.chat.composer.field, Qt.Key.Key_Escape)
    assert engine.asked(Stop) == [Stop()]


def test_escape_does_nothing_while_nothing_runs(qtbot: QtBot, window: MainWindow, engine: RecordingEngine) -> None:
    qtbot.keyClick(window.chat.composer.field, Qt.Key.Key_Escape)
    assert engine.asked(Stop) == []


@pytest.mark.parametrize(
    ("driver", "command", "badge", "words"),
    [
        ("agent", TakeOver(), "Agent is driving", "Take over"),
        ("nobody", TakeOver(), "Nobody is driving", "Take over"),
        ("person", HandBack(), "You are driving", "Hand back"),
    ],
)
def test_the_panel_alone_says_who_drives_and_one_press_or_key_changes_it(
    qtbot: QtBot,
    window: MainWindow,
    engine: RecordingEngine,
    driver: Driver,
    command: TakeOver | HandBack,
    badge: str,
    words: str,
) -> None:
    open_talk(qtbot, window, engine)
    engine.say(PanelChanged((tab(),)))
    show_state(qtbot, window, engine, "waiting", driver)
    assert window.panel.driver_bar.badge.words == badge
    assert "driving" not in text(window.top_bar)
    assert [one for one in window.findChildren(QAbstractButton) if one.text() == words] == [
        window.panel.driver_bar.button
    ]
    qtbot.mouseClick(window.panel.driver_bar.button, Qt.MouseButton.LeftButton)
    qtbot.keyClick(window.chat.composer.field, Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
    assert engine.commands[-2:] == [command, command]


def test_the_key_for_handing_back_sends_the_note_that_was_typed(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine
) -> None:
    open_talk(qtbot, window, engine)
    engine.say(PanelChanged((tab(),)))
    show_state(qtbot, window, engine, "waiting", "person")
    qtbot.keyClicks(window.panel.driver_bar.note, "I signed in")
    qtbot.keyClick(window.panel.driver_bar.note, Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
    assert engine.commands[-1] == HandBack("I signed in")


@pytest.mark.parametrize("driver", ["agent", "person"])
def test_the_button_that_changes_the_driver_is_as_wide_as_its_words(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine, driver: Driver
) -> None:
    window.resize(2400, 900)
    open_talk(qtbot, window, engine)
    show_state(qtbot, window, engine, "waiting", driver)
    button = window.panel.driver_bar.button
    qtbot.waitUntil(lambda: button.width() == button.sizeHint().width())


def test_pause_becomes_go_on(qtbot: QtBot, window: MainWindow, engine: RecordingEngine) -> None:
    open_talk(qtbot, window, engine)
    show_state(qtbot, window, engine, "working", "agent")
    qtbot.mouseClick(button(window.top_bar, "Pause"), Qt.MouseButton.LeftButton)
    show_state(qtbot, window, engine, "paused", "agent")
    qtbot.mouseClick(button(window.top_bar, "Go on"), Qt.MouseButton.LeftButton)
    assert engine.commands[-2:] == [Pause(), Resume()]


def test_a_message_sent_while_the_agent_works_waits_in_sight_until_it_is_read(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine
) -> None:
    open_talk(qtbot, window, engine)
    show_state(qtbot, window, engine, "working", "agent")
    qtbot.keyClicks(window.chat.composer.field, "Only in blue")
    qtbot.keyClick(window.chat.composer.field, Qt.Key.Key_Return)
    assert "Waiting to be read: Only in blue" in texts(window.chat.composer)
    engine.say(stored([UserSaid("Only in blue")], first=9)[0])
    qtbot.waitUntil(lambda: window.chat.composer.queued == ())
    assert "Waiting to be read: Only in blue" not in texts(window.chat.composer)
    assert "Only in blue" in text(window.chat.view)


def test_a_message_that_could_not_be_taken_comes_back_into_the_field(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine
) -> None:
    qtbot.keyClicks(window.chat.composer.field, "Find a lantern")
    qtbot.keyClick(window.chat.composer.field, Qt.Key.Key_Return)
    engine.say(ErrorShown("There is no model.", "Nothing was lost.", "Open the settings."))
    qtbot.waitUntil(lambda: window.chat.composer.field.toPlainText() == "Find a lantern")


def test_two_messages_in_one_breath_are_both_in_sight(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine
) -> None:
    open_talk(qtbot, window, engine)
    for words in ("First", "Second"):
        qtbot.keyClicks(window.chat.composer.field, words)
        qtbot.keyClick(window.chat.composer.field, Qt.Key.Key_Return)
    engine.say(stored([UserSaid("First")], first=9)[0])
    show_state(qtbot, window, engine, "working", "nobody")
    assert window.chat.composer.queued == ("Second",)


def test_a_message_that_waits_to_be_read_does_not_come_back_with_an_error(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine
) -> None:
    open_talk(qtbot, window, engine)
    show_state(qtbot, window, engine, "working", "agent")
    qtbot.keyClicks(window.chat.composer.field, "Only in blue")
    qtbot.keyClick(window.chat.composer.field, Qt.Key.Key_Return)
    show_state(qtbot, window, engine, "idle", "nobody")
    engine.say(ErrorShown("The page did not load.", "Nothing was lost.", "Try again."))
    qtbot.waitUntil(lambda: window.chat.notices.errors != ())
    assert window.chat.composer.field.toPlainText() == ""
    assert window.chat.composer.queued == ("Only in blue",)


def test_an_error_says_what_happened_what_was_lost_and_what_to_do_until_it_is_closed(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine
) -> None:
    error = ErrorShown("The key was refused.", "Nothing was lost.", "Check the key in the settings.")
    engine.say(error)
    engine.say(error)
    qtbot.waitUntil(lambda: window.chat.notices.errors == (error,))
    assert texts(window.chat.notices)[:2] == [
        "The key was refused.",
        "Nothing was lost. Check the key in the settings.",
    ]
    qtbot.mouseClick(button(window.chat.notices, "Close this notice"), Qt.MouseButton.LeftButton)
    assert window.chat.notices.errors == ()
    assert not window.chat.notices.isVisible()


def test_an_error_about_settings_leads_there(qtbot: QtBot, window: MainWindow, engine: RecordingEngine) -> None:
    engine.say(ErrorShown("The key was refused.", "", "Check the key in the settings."))
    qtbot.waitUntil(window.chat.notices.isVisible)
    qtbot.mouseClick(button(window.chat.notices, "Settings"), Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: any(shown.windowTitle() == "Settings" for shown in QApplication.topLevelWidgets()))


def test_a_new_conversation_begins_by_key(qtbot: QtBot, window: MainWindow, engine: RecordingEngine) -> None:
    qtbot.keyClick(window.chat.composer.field, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    assert engine.asked(NewConversation) == [NewConversation()]


def test_a_demo_is_labelled_in_the_bar_the_chat_and_the_list(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine
) -> None:
    window.resize(1400, 900)
    engine.say(ConversationOpened(CONVERSATION, "An errand", stored(whole_errand(demo=True))))
    engine.say(ConversationsListed((ConversationSummary(CONVERSATION, "An errand", 0.0, 0.0, 9, demo=True),)))
    qtbot.waitUntil(lambda: window.sidebar.summaries() != ())
    assert "Demo" in texts(window.top_bar)
    assert any("demo" in words.lower() and "scripted" in words.lower() for words in texts(window.chat))
    assert "Demo" in window.sidebar.list.item(0).data(Qt.ItemDataRole.AccessibleTextRole)
    engine.say(ConversationOpened(ConversationId("c2"), "Real", stored(whole_errand(demo=False))))
    qtbot.waitUntil(lambda: window.chat.conversation == "c2")
    assert "Demo" not in texts(window.top_bar)
    assert not any("scripted model" in words for words in texts(window.chat))


def test_the_title_follows_the_list(qtbot: QtBot, window: MainWindow, engine: RecordingEngine) -> None:
    open_talk(qtbot, window, engine)
    engine.say(ConversationsListed((ConversationSummary(CONVERSATION, "Lanterns", 0.0, 0.0, 2),)))
    qtbot.waitUntil(lambda: "Lanterns" in texts(window.top_bar))


def test_a_conversation_that_begins_without_being_opened_is_shown(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine
) -> None:
    for event in stored([started(), UserSaid("Hello"), said("Good day.")]):
        engine.say(event)
    engine.say(ConversationsListed((ConversationSummary(CONVERSATION, "Hello", 0.0, 0.0, 2),)))
    qtbot.waitUntil(lambda: "Good day." in text(window.chat.view) and window.sidebar.summaries() != ())
    assert window.sidebar.list.currentRow() == 0


def test_a_conversation_opened_again_shows_its_own_state(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine
) -> None:
    open_talk(qtbot, window, engine)
    show_state(qtbot, window, engine, "working", "agent", "reading")
    engine.say(ConversationOpened(ConversationId("c2"), "Other", ()))
    qtbot.waitUntil(lambda: (window.top_bar.shown, window.panel.driver) == ("idle", "agent"))
    engine.say(RunStateChanged(CONVERSATION, "waiting", "person"))
    qtbot.waitUntil(lambda: (window.top_bar.shown, window.panel.driver) == ("idle", "person"))
    engine.say(ConversationOpened(CONVERSATION, "A talk", stored([started(), UserSaid("Hello")])))
    qtbot.waitUntil(lambda: (window.top_bar.shown, window.panel.driver) == ("waiting", "person"))
    assert "Waiting for you" in texts(window.top_bar)


def test_a_deleted_conversation_leaves_the_chat(qtbot: QtBot, window: MainWindow, engine: RecordingEngine) -> None:
    open_talk(qtbot, window, engine)
    window.submit(DeleteConversation(ConversationId("other")))
    assert "Hello" in text(window.chat.view)
    window.submit(DeleteConversation(CONVERSATION))
    assert "Hello" not in text(window.chat)
    assert window.chat.welcome.isVisible()
    engine.say(stored([TurnEnded("stopped", "Stopped by you.")], first=9)[0])
    engine.say(ConversationsListed((ConversationSummary(ConversationId("c3"), "Left", 0.0, 0.0, 2),)))
    qtbot.waitUntil(lambda: window.sidebar.summaries() != ())
    assert "Stopped by you." not in text(window.chat)
    assert engine.asked(DeleteConversation)[-1] == DeleteConversation(CONVERSATION)
