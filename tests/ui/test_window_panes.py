from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.domain.commands import OpenAddress, ShutDown
from app.domain.events import QuoteKept, SubmissionKept, UserSaid
from app.domain.passing import (
    ConversationOpened,
    EngineStopped,
    ErrorShown,
    LocalModelsFound,
    ModelView,
    PanelChanged,
    SettingsShown,
)
from app.ui.composer import is_inside
from app.ui.link_dialog import LinkDialog
from app.ui.theme import Theme
from app.ui.window import MainWindow
from tests.ui.conversations import CONVERSATION, broken_off, quote, said, stored, submission, whole_errand
from tests.ui.panel_stage import tab
from tests.ui.recording_engine import RecordingEngine
from tests.ui.seeing import button, can_be_pressed, text, texts, unnamed
from tests.ui.window_stage import open_talk, opened, show_state


@pytest.fixture
def opened_links() -> list[str]:
    return []


@pytest.fixture
def window(qtbot: QtBot, engine: RecordingEngine, theme: Theme, opened_links: list[str]) -> Iterator[MainWindow]:
    yield from opened(qtbot, engine, opened_links.append)


def test_f6_goes_around_the_panes(qtbot: QtBot, window: MainWindow, engine: RecordingEngine) -> None:
    window.resize(1400, 900)
    engine.say(ConversationOpened(CONVERSATION, "A talk", stored((*whole_errand(), SubmissionKept(submission())))))
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
            "task": window.chat.task,
            "submitted": window.chat.sent,
        }
        return next(
            name for name, it in panes.items() if isinstance(now, QWidget) and (now is it or it.isAncestorOf(now))
        )

    passed = []
    for _ in range(7):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_F6)
        passed.append(pane())
    assert passed == ["chat", "panel", "list", "bar", "task", "submitted", "composer"]
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
    assert pane() == "submitted"


def test_tab_goes_from_the_bar_over_what_was_submitted_into_the_chat_and_back(
    qtbot: QtBot, window: MainWindow, engine: RecordingEngine
) -> None:
    events = stored(broken_off(submission(1), submission(2, "unknown")))
    engine.say(ConversationOpened(CONVERSATION, "A talk", events))
    qtbot.waitUntil(lambda: can_be_pressed(window.chat.sent, "Stop here"))
    window.top_bar.list_button.setFocus()
    passed = []
    while not is_inside(QApplication.focusWidget(), window.chat.view):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        passed.append(QApplication.focusWidget().accessibleName())
    heads = [
        "Hide what was submitted",
        "Submission s2",
        "Check first (s2)",
        "It did not",
        "Stop here (s2)",
        "Submission s1",
    ]
    assert [name.startswith(head) for name, head in zip(passed, heads, strict=False)] == [True] * len(heads)
    qtbot.keyClick(window.chat.sent.opener, Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
    assert is_inside(QApplication.focusWidget(), window.top_bar)


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


def test_the_keyboard_shows_where_it_is_in_an_answer(qtbot: QtBot, window: MainWindow, engine: RecordingEngine) -> None:
    engine.say(ConversationOpened(CONVERSATION, "A talk", stored([UserSaid("Hello"), said("Good day.")])))
    qtbot.waitUntil(lambda: "Good day." in text(window.chat.view))
    qtbot.keyClick(window.chat.composer.field, Qt.Key.Key_F6)
    answer = window.chat.view.column.cards[-1]
    assert answer.property("ring") == "true"
    qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_F6, Qt.KeyboardModifier.ShiftModifier)
    assert answer.property("ring") == "false"


def test_no_tool_tip_of_the_window_is_markup(qtbot: QtBot, window: MainWindow, engine: RecordingEngine) -> None:
    evil = "<img src='file:///x.png'> &lt;b&gt;"
    kept = replace(quote(), url=f"https://shop.example/{evil}", title=evil)
    answer = said(f"[{evil}](https://shop.example/<b>)", ("t1", "browser_click", evil))
    engine.say(ConversationOpened(CONVERSATION, evil, stored([UserSaid(evil), answer, QuoteKept(kept)])))
    engine.say(LocalModelsFound(((evil, "http://127.0.0.1:1/<b>", (evil,)),)))
    engine.say(PanelChanged((tab(1, f"https://shop.example/{evil}", evil),)))
    show_state(qtbot, window, engine, "working", "agent", evil)
    shown = window.findChildren(QWidget)
    tips = [one.toolTip() for one in shown] + [window.panel.tabs.bar.tabToolTip(0)]
    assert len([tip for tip in tips if "<" in tip]) >= 4
    assert [tip for tip in tips if GuiQt.mightBeRichText(tip)] == []
