"""Tabs, address and who drives, around the page."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTabBar
from pytestqt.qtbot import QtBot

from app.domain.commands import (
    AddTab,
    ChooseTab,
    GoInHistory,
    HandBack,
    OpenAddress,
    RemoveTab,
    TakeOver,
)
from app.domain.ids import TabId
from app.domain.passing import Driver, PanelChanged
from app.ui.panel_address import address, fitted, trust_of
from tests.ui.panel_stage import SHOP, Stage, asks, drives, opened, tab

K = Qt.Key
TWO = (tab(1, title="Lanterns"), tab(2, "http://docs.example/", "Docs & notes", active=False, popup=True))


@pytest.fixture
def stage(qtbot: QtBot) -> Iterator[Stage]:
    yield from opened(qtbot)


def type_address(stage: Stage, words: str) -> None:
    field = stage.panel.address.field
    field.setFocus(Qt.FocusReason.ShortcutFocusReason)
    field.selectAll()
    QTest.keyClicks(field, words)
    QTest.keyClick(field, K.Key_Return)


class TestTabs:
    def test_the_strip_mirrors_the_tabs_of_the_browser(self, stage: Stage) -> None:
        stage.open_page(tabs=TWO)
        bar = stage.panel.tabs.bar
        assert [bar.tabText(at) for at in range(bar.count())] == ["Lanterns", "Docs && notes"]
        assert bar.currentIndex() == 0
        stage.tell(
            PanelChanged((tab(2, "http://docs.example/", "Docs"), tab(3, "https://third.example/", "", active=False)))
        )
        assert [bar.tabText(at) for at in range(bar.count())] == ["Docs", "third.example"]
        stage.tell(PanelChanged(()))
        assert bar.count() == 0

    def test_a_popup_is_marked(self, stage: Stage) -> None:
        stage.open_page(tabs=TWO)
        bar = stage.panel.tabs.bar
        assert bar.tabIcon(0).isNull()
        assert not bar.tabIcon(1).isNull()
        assert bar.accessibleTabName(1) == "Opened by the page: Docs & notes"

    def test_markup_in_a_title_is_shown_as_it_is(self, stage: Stage) -> None:
        stage.open_page(tabs=(tab(1, title="<img src='file:///x'>"),))
        assert not GuiQt.mightBeRichText(stage.panel.tabs.bar.tabToolTip(0))
        assert stage.panel.tabs.bar.tabText(0).startswith("<img")

    def test_long_titles_give_way_to_many_tabs(self, stage: Stage) -> None:
        stage.open_page(
            tabs=tuple(tab(n, title="A very long title of a page " * 4, active=n == 1) for n in range(1, 13))
        )
        assert stage.panel.tabs.add_button.geometry().right() <= stage.panel.width()

    def test_the_person_chooses_closes_and_adds_tabs(self, stage: Stage) -> None:
        stage.open_page(tabs=TWO)
        bar = stage.panel.tabs.bar
        QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(1).center() - QPoint(20, 0))
        bar.tabButton(0, QTabBar.ButtonPosition.RightSide).click()
        QTest.mouseClick(bar, Qt.MouseButton.MiddleButton, pos=bar.tabRect(1).center())
        stage.panel.tabs.add_button.click()
        assert stage.sent == [ChooseTab(TabId(2)), RemoveTab(TabId(1)), RemoveTab(TabId(2)), AddTab()]

    def test_mirroring_is_no_choice_of_the_person(self, stage: Stage) -> None:
        stage.open_page(tabs=TWO)
        stage.tell(PanelChanged((tab(1, active=False), tab(2), tab(3, active=False))), PanelChanged((tab(3),)))
        assert stage.sent == []

    def test_every_button_has_a_name(self, stage: Stage) -> None:
        stage.open_page(tabs=TWO)
        bar = stage.panel.tabs.bar
        assert bar.tabButton(1, QTabBar.ButtonPosition.RightSide).accessibleName() == "Close tab Docs & notes"
        assert stage.panel.tabs.add_button.accessibleName() == "New tab"


class TestAddress:
    def test_history_buttons_follow_the_page(self, stage: Stage) -> None:
        row = stage.panel.address
        assert not row.back.isEnabled()
        assert not row.reload.isEnabled()
        stage.open_page()
        stage.tell(PanelChanged((tab(),), can_go_back=True))
        assert (row.back.isEnabled(), row.forward.isEnabled(), row.reload.isEnabled()) == (True, False, True)
        row.back.click()
        row.reload.click()
        assert stage.sent == [GoInHistory(-1), GoInHistory(0)]

    @pytest.mark.parametrize(
        ("typed", "expected"),
        [
            ("https://shop.example/a?b=c#d", "https://shop.example/a?b=c#d"),
            ("shop.example", "https://shop.example"),
            ("shop.example/lanterns", "https://shop.example/lanterns"),
            ("shop.example:8443/x", "https://shop.example:8443/x"),
            ("localhost:8000/admin", "http://localhost:8000/admin"),
            ("127.0.0.1:9000", "http://127.0.0.1:9000"),
            ("[::1]:9000", "http://[::1]:9000"),
            ("192.168.1.4", "http://192.168.1.4"),
            ("about:blank", "about:blank"),
            ("javascript:alert(1)", None),
            ("data:text/html,x", None),
            ("file:///etc/passwd", None),
            ("cheap lanterns", None),
            ("lanterns", None),
            ("user@shop.example", None),
            ("https://", None),
        ],
    )
    def test_what_is_typed_becomes_an_address_or_nothing(self, typed: str, expected: str | None) -> None:
        assert address(typed) == expected

    def test_a_typed_address_is_opened(self, stage: Stage) -> None:
        stage.open_page()
        type_address(stage, "other.example/x")
        assert stage.sent == [OpenAddress("https://other.example/x")]
        assert stage.canvas.hasFocus()

    def test_what_is_no_address_is_refused_with_a_way_on(self, stage: Stage) -> None:
        stage.open_page()
        type_address(stage, "javascript:alert(1)")
        assert stage.sent == []
        assert "example.org" in stage.panel.driver_bar.detail.text()

    def test_editing_takes_over_from_the_agent(self, stage: Stage) -> None:
        stage.open_page(driver="agent")
        field = stage.panel.address.field
        field.setFocus()
        assert stage.sent == []
        QTest.keyClicks(field, "ab")
        assert stage.sent == [TakeOver()]

    def test_an_address_can_be_opened_before_there_is_a_browser(self, stage: Stage) -> None:
        stage.forget()
        type_address(stage, "shop.example")
        assert stage.sent == [OpenAddress("https://shop.example")]

    def test_news_from_the_page_leave_what_is_being_typed_alone(self, stage: Stage) -> None:
        stage.open_page()
        field = stage.panel.address.field
        field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        QTest.keyClicks(field, "oth")
        stage.tell(PanelChanged((tab(1, "https://moved.example/"),)))
        assert field.text() == "oth"
        QTest.keyClick(field, K.Key_Escape)
        assert field.text() == "https://moved.example/"

    def test_the_whole_address_shows_only_while_it_has_the_focus(self, stage: Stage) -> None:
        stage.open_page()
        field = stage.panel.address.field
        assert field.text() == "shop.example/lanterns?sort=price"
        field.setFocus(Qt.FocusReason.ShortcutFocusReason)
        assert field.text() == SHOP
        assert field.selectedText() == SHOP
        stage.canvas.setFocus()
        assert field.text() == "shop.example/lanterns?sort=price"

    def test_a_long_host_keeps_its_end(self, stage: Stage) -> None:
        url = "https://accounts.bank.example." + "a" * 50 + "." + "b" * 50 + ".evil.example/login"
        stage.panel.resize(500, 600)
        stage.open_page(tabs=(tab(1, url),))
        assert stage.panel.address.field.text().endswith(".evil.example")
        assert stage.panel.address.field.text().startswith("…")

    @pytest.mark.parametrize(
        ("url", "shown"),
        [
            ("https://shop.example/", "shop.example"),
            ("https://bank.example@evil.example/", "evil.example"),
            ("https://pаypal.example/", "xn--pypal-4ve.example"),
            ("https://xn--pypal-4ve.example/", "xn--pypal-4ve.example"),
            ("https://shop.example:8443/", "shop.example:8443"),
        ],
        ids=["plain", "user part", "mixed scripts", "punycode", "port"],
    )
    def test_the_host_shown_is_the_one_that_counts(self, stage: Stage, url: str, shown: str) -> None:
        assert fitted(url, stage.panel.address.field.fontMetrics(), 600) == shown

    @pytest.mark.parametrize(
        ("url", "icon", "words"),
        [
            ("https://shop.example/", "lock", "encrypted"),
            ("http://shop.example/", "unlock", "not encrypted"),
            ("http://127.0.0.1:8000/", "globe", "this computer"),
            ("http://localhost/", "globe", "this computer"),
            ("http://localhost.evil.example/", "unlock", "not encrypted"),
            ("data:text/html,https://shop.example", "globe", "Not a page"),
            ("about:blank", "globe", "Not a page"),
        ],
    )
    def test_the_mark_tells_how_far_the_address_can_be_trusted(self, url: str, icon: str, words: str) -> None:
        assert trust_of(url).icon == icon
        assert words in trust_of(url).words

    def test_the_mark_can_be_heard(self, stage: Stage) -> None:
        stage.open_page(tabs=(tab(1, "http://shop.example/"),))
        assert "not encrypted" in stage.panel.address.field.accessibleDescription()


class TestDriver:
    @pytest.mark.parametrize(
        ("driver", "words"),
        [("agent", "Agent is driving"), ("person", "You are driving"), ("nobody", "Nobody is driving")],
    )
    def test_the_badge_says_who_drives(self, stage: Stage, driver: Driver, words: str) -> None:
        stage.open_page(driver=driver)
        badge = stage.panel.driver_bar.badge
        assert (badge.words, badge.accessibleName(), stage.panel.driver) == (words, words, driver)

    def test_the_colour_tells_the_drivers_apart(self, stage: Stage) -> None:
        colours = []
        for driver in ("agent", "person", "nobody"):
            stage.tell(drives(driver))
            colours.append(stage.panel.driver_bar.grab().toImage().pixelColor(2, 2).name())
        assert len(set(colours)) == 3

    def test_the_button_takes_over(self, stage: Stage) -> None:
        stage.open_page(driver="agent")
        button = stage.panel.driver_bar.button
        assert button.text() == "Take over"
        button.click()
        assert stage.sent == [TakeOver()]

    def test_the_button_hands_back_with_the_note(self, stage: Stage) -> None:
        stage.open_page()
        bar = stage.panel.driver_bar
        assert bar.button.text() == "Hand back"
        QTest.keyClicks(bar.note, " I signed in ")
        bar.button.click()
        assert stage.sent == [HandBack("I signed in")]

    def test_enter_in_the_note_hands_back(self, stage: Stage) -> None:
        stage.open_page()
        QTest.keyClicks(stage.panel.driver_bar.note, "done")
        QTest.keyClick(stage.panel.driver_bar.note, K.Key_Return)
        assert stage.sent == [HandBack("done")]

    def test_the_note_is_asked_for_only_at_the_hand_back_and_starts_empty(self, stage: Stage) -> None:
        stage.open_page(driver="agent")
        bar = stage.panel.driver_bar
        assert not bar.note.isVisible()
        stage.tell(drives("person"))
        bar.note.setText("old")
        stage.tell(drives("agent"), drives("person"))
        assert bar.note.isVisible()
        assert bar.note.text() == ""

    def test_the_question_in_the_note_can_be_read_whole(self, stage: Stage) -> None:
        stage.open_page(driver="person")
        stage.panel.resize(560, 600)
        note = stage.panel.driver_bar.note
        room = note.fontMetrics().horizontalAdvance(note.placeholderText())
        stage.qtbot.waitUntil(lambda: note.width() > room)

    def test_without_a_page_there_is_nothing_to_take_over(self, stage: Stage) -> None:
        assert not stage.panel.driver_bar.button.isEnabled()
        stage.panel.toggle_driver()
        assert stage.sent == []

    def test_what_the_agent_does_stands_beside_the_badge(self, stage: Stage) -> None:
        stage.open_page(driver="agent")
        stage.tell(drives("agent", "clicking <b>Save</b>"))
        assert stage.panel.driver_bar.detail.text() == "Clicking <b>Save</b>"

    def test_the_page_keeps_its_size_when_the_driver_changes_and_tabs_come(self, stage: Stage) -> None:
        sizes = {(stage.canvas.width(), stage.canvas.height())}
        stage.open_page(driver="agent", tabs=TWO)
        sizes.add((stage.canvas.width(), stage.canvas.height()))
        for change in (drives("person"), drives("nobody"), asks("prompt")):
            stage.tell(change)
            sizes.add((stage.canvas.width(), stage.canvas.height()))
        assert len(sizes) == 1
