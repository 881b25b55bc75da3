import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.domain.commands import (
    DeleteConversation,
    FindLocalModels,
    HandBack,
    ListConversations,
    NewConversation,
    OpenAddress,
    Pause,
    Resume,
    SendMessage,
    ShowSettings,
    ShutDown,
    Stop,
    TakeOver,
)
from app.domain.events import ConversationSummary, TurnEnded, UserSaid
from app.domain.ids import ConversationId
from app.domain.passing import (
    ConversationOpened,
    ConversationsListed,
    Driver,
    EngineStopped,
    ErrorShown,
    ModelView,
    RunState,
    RunStateChanged,
    SettingsShown,
)
from app.ui.link_dialog import LinkDialog
from app.ui.theme import Theme
from app.ui.window import MainWindow
from tests.ui.conftest import RecordingEngine
from tests.ui.conversations import CONVERSATION, said, started, stored, whole_errand
from tests.ui.seeing import button, text, texts, unnamed


def show_state(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine, state: RunState, driver: Driver, detail: str = ""
) -> None:
    engine.say(RunStateChanged(CONVERSATION, state, driver, detail))
    qtbot.waitUntil(lambda: window.top_bar.shown == (state, driver))


def open_talk(qtbot: QtBot, window: MainWindow, engine: RecordingEngine) -> None:
    engine.say(ConversationOpened(CONVERSATION, "A talk", stored([started(), UserSaid("Hello")])))
    qtbot.waitUntil(lambda: window.chat.conversation == CONVERSATION)


def test_the_window_asks_for_what_it_shows_at_first(window: MainWindow, engine: RecordingEngine) -> None:
    assert engine.commands == [ListConversations(), ShowSettings(), FindLocalModels()]


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
    assert "Working: reading the page" in texts(window.top_bar)
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
def test_the_bar_says_who_drives_and_one_press_or_key_changes_it(
    qtbot: QtBot,
    window: MainWindow,
    engine: RecordingEngine,
    driver: Driver,
    command: TakeOver | HandBack,
    badge: str,
    words: str,
) -> None:
    open_talk(qtbot, window, engine)
    show_state(qtbot, window, engine, "waiting", driver)
    assert badge in texts(window.top_bar)
    qtbot.mouseClick(button(window.top_bar, words), Qt.MouseButton.LeftButton)
    qtbot.keyClick(window.chat.composer.field, Qt.Key.Key_Period, Qt.KeyboardModifier.ControlModifier)
    assert engine.commands[-2:] == [command, command]


def test_pause_becomes_resume(qtbot: QtBot, window: MainWindow, engine: RecordingEngine) -> None:
    open_talk(qtbot, window, engine)
    show_state(qtbot, window, engine, "working", "agent")
    qtbot.mouseClick(button(window.top_bar, "Pause"), Qt.MouseButton.LeftButton)
    show_state(qtbot, window, engine, "paused", "agent")
    qtbot.mouseClick(button(window.top_bar, "Resume"), Qt.MouseButton.LeftButton)
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


def test_f6_goes_around_the_panes(qtbot: QtBot, window: MainWindow, engine: RecordingEngine) -> None:
    window.resize(1400, 900)
    window.panel.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    engine.say(ConversationOpened(CONVERSATION, "A talk", stored(whole_errand())))
    qtbot.waitUntil(lambda: len(window.chat.view.column.cards) > 5)
    window.chat.composer.field.setFocus()

    def pane() -> str:
        now = QApplication.focusWidget()
        panes = {
            "composer": window.chat.composer,
            "chat": window.chat.view,
            "panel": window.panel,
            "list": window.sidebar,
            "bar": window.top_bar,
        }
        return next(
            name for name, it in panes.items() if isinstance(now, QWidget) and (now is it or it.isAncestorOf(now))
        )

    passed = []
    for _ in range(5):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_F6)
        passed.append(pane())
    assert passed == ["chat", "panel", "list", "bar", "composer"]
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
    assert pane() == "bar"


def test_find_and_search_open_by_key(qtbot: QtBot, window: MainWindow, engine: RecordingEngine) -> None:
    open_talk(qtbot, window, engine)
    qtbot.keyClick(window.chat.composer.field, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.chat.find_bar.isVisible()
    assert window.chat.find_bar.field.hasFocus()
    qtbot.keyClick(window.chat.find_bar.field, Qt.Key.Key_Escape)
    assert not window.chat.find_bar.isVisible()
    qtbot.keyClick(window.chat.composer.field, Qt.Key.Key_K, Qt.KeyboardModifier.ControlModifier)
    assert window.sidebar.search.hasFocus()


def test_the_window_closes_when_the_engine_is_down_and_not_before(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine
) -> None:
    window.close()
    window.close()
    assert engine.asked(ShutDown) == [ShutDown()]
    assert window.isVisible()
    assert "closing" in window.windowTitle()
    with qtbot.waitSignal(window.closed):
        engine.say(EngineStopped())
    assert not window.isVisible()


def test_a_window_whose_engine_does_not_end_closes_when_its_time_is_over(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine
) -> None:
    window.patience_ms = 50
    with qtbot.waitSignal(window.closed):
        window.close()
    assert not window.isVisible()


def test_an_engine_that_stops_by_itself_is_told(qtbot: QtBot, window: MainWindow, engine: RecordingEngine) -> None:
    engine.say(EngineStopped())
    qtbot.waitUntil(lambda: len(window.chat.notices.errors) == 1)
    assert window.isVisible()
    assert "Everything recorded is kept." in text(window.chat.notices)
    with qtbot.waitSignal(window.closed):
        window.close()


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


def test_a_theme_is_switched_while_the_window_runs(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine, theme: Theme
) -> None:
    open_talk(qtbot, window, engine)
    light = window.grab().toImage().pixelColor(window.width() - 20, window.height() - 20)
    engine.say(SettingsShown((("theme", "dark"),), ModelView("openai", "m", "", True, "here", True)))
    qtbot.waitUntil(lambda: theme.is_dark)
    dark = window.grab().toImage().pixelColor(window.width() - 20, window.height() - 20)
    assert light.lightness() > 200
    assert dark.lightness() < 60


def test_a_narrow_window_puts_the_list_away_and_a_wide_one_brings_it_back(window: MainWindow) -> None:
    window.resize(1400, 900)
    assert window.sidebar.isVisible()
    window.resize(1000, 700)
    assert not window.sidebar.isVisible()
    window.resize(1400, 900)
    assert window.sidebar.isVisible()


def test_a_list_put_away_by_hand_stays_away(qtbot: QtBot, window: MainWindow) -> None:
    window.resize(1400, 900)
    qtbot.keyClick(window.chat.composer.field, Qt.Key.Key_B, Qt.KeyboardModifier.ControlModifier)
    assert not window.sidebar.isVisible()
    window.resize(1300, 900)
    assert not window.sidebar.isVisible()


def test_a_link_is_opened_only_after_it_was_shown_whole(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine, opened_links: list[str]
) -> None:
    url = "https://user@аpple.example/a?b=c"
    window.show_link(url)
    dialog = window.findChild(LinkDialog)
    assert opened_links == []
    assert "xn--pple-43d.example" in texts(dialog)
    assert "https, encrypted" in texts(dialog)
    assert url in texts(dialog)
    qtbot.mouseClick(button(dialog, "Open in my browser"), Qt.MouseButton.LeftButton)
    assert opened_links == [url]


def test_a_link_can_be_opened_in_the_panel(qtbot: QtBot, window: MainWindow, engine: RecordingEngine) -> None:
    window.show_link("http://127.0.0.1:1/x")
    dialog = window.findChild(LinkDialog)
    assert "http, not encrypted" in texts(dialog)
    qtbot.mouseClick(button(dialog, "Open in the panel"), Qt.MouseButton.LeftButton)
    assert engine.commands[-1] == OpenAddress("http://127.0.0.1:1/x")


@pytest.mark.parametrize("url", ["javascript:alert(1)", "file:///etc/passwd", "\\\\server\\share", "data:text/html,x"])
def test_other_links_offer_no_way_to_open_them(window: MainWindow, url: str) -> None:
    window.show_link(url)
    dialog = window.findChild(LinkDialog)
    assert [words for words in texts(dialog) if words.startswith("[")] == ["[Close]"]


def test_every_control_has_a_name(qtbot: QtBot, window: MainWindow, engine: RecordingEngine) -> None:
    engine.say(ConversationOpened(CONVERSATION, "A talk", stored(whole_errand())))
    engine.say(ErrorShown("Something.", "Nothing was lost.", "Open the settings."))
    qtbot.waitUntil(lambda: len(window.chat.view.column.cards) > 5 and window.chat.notices.isVisible())
    assert unnamed(window) == []


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


def test_nothing_overlaps_at_a_small_size(qtbot: QtBot, window: MainWindow, engine: RecordingEngine) -> None:
    window.resize(1000, 700)
    open_talk(qtbot, window, engine)
    show_state(qtbot, window, engine, "working", "agent", "a very long account of what is being done " * 4)
    bar = window.top_bar
    shown = [child for child in bar.findChildren(QWidget) if child.isVisible() and child.parentWidget() is bar]
    for one in shown:
        assert bar.rect().contains(one.geometry())
        for other in shown:
            assert one is other or not one.geometry().intersects(other.geometry())


def test_a_conversation_opened_again_shows_its_own_state(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine
) -> None:
    open_talk(qtbot, window, engine)
    show_state(qtbot, window, engine, "working", "agent", "reading")
    engine.say(ConversationOpened(ConversationId("c2"), "Other", ()))
    qtbot.waitUntil(lambda: window.top_bar.shown == ("idle", "agent"))
    engine.say(RunStateChanged(CONVERSATION, "waiting", "person"))
    qtbot.waitUntil(lambda: window.top_bar.shown == ("idle", "person"))
    engine.say(ConversationOpened(CONVERSATION, "A talk", stored([started(), UserSaid("Hello")])))
    qtbot.waitUntil(lambda: window.top_bar.shown == ("waiting", "person"))
    assert window.chat.view.working.text == "Waiting for you"


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


def test_the_keyboard_shows_where_it_is_in_an_answer(qtbot: QtBot, window: MainWindow, engine: RecordingEngine) -> None:
    engine.say(ConversationOpened(CONVERSATION, "A talk", stored([UserSaid("Hello"), said("Good day.")])))
    qtbot.waitUntil(lambda: "Good day." in text(window.chat.view))
    qtbot.keyClick(window.chat.composer.field, Qt.Key.Key_F6)
    answer = window.chat.view.column.cards[-1]
    assert answer.property("ring") == "true"
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
    assert answer.property("ring") == "false"
