"""Dialogs and file choosers of the page, answered by the person."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLineEdit
from pytestqt.qtbot import QtBot

from app.domain.commands import AnswerPageDialog, GiveFiles
from app.domain.pages import Download, FilesWanted
from app.domain.passing import Driver, PanelChanged
from tests.ui.panel_stage import Stage, asks, opened, settle, tab

K = Qt.Key


@pytest.fixture
def stage(qtbot: QtBot) -> Iterator[Stage]:
    yield from opened(qtbot)


class TestDialogs:
    @pytest.mark.parametrize(
        ("kind", "accept", "dismiss"),
        [
            ("alert", "OK", None),
            ("confirm", "OK", "Cancel"),
            ("prompt", "OK", "Cancel"),
            ("beforeunload", "Leave the page", "Stay"),
        ],
    )
    def test_each_dialog_offers_its_answers(self, stage: Stage, kind: str, accept: str, dismiss: str | None) -> None:
        stage.open_page()
        stage.tell(asks(kind))
        bar = stage.panel.dialog_bar
        assert bar.isVisible()
        assert bar.accept_button.text() == accept
        assert bar.dismiss_button.isVisible() == (dismiss is not None)
        assert dismiss is None or bar.dismiss_button.text() == dismiss
        assert bar.field.isVisible() == (kind == "prompt")

    def test_the_text_of_the_page_is_shown_as_it_is(self, stage: Stage) -> None:
        stage.open_page()
        stage.tell(asks("alert", "<b>Win</b> <img src='http://x.example/'>"))
        bar = stage.panel.dialog_bar
        assert bar.message.textFormat() == Qt.TextFormat.PlainText
        assert "<b>Win</b>" in bar.message.text()
        assert bar.title.text() == "shop.example says"

    def test_accepting_and_dismissing(self, stage: Stage) -> None:
        stage.open_page()
        stage.tell(asks("confirm", "One?"))
        stage.panel.dialog_bar.accept_button.click()
        stage.tell(asks("confirm", "Two?"))
        stage.panel.dialog_bar.dismiss_button.click()
        assert stage.sent == [AnswerPageDialog(True), AnswerPageDialog(False)]
        assert not stage.panel.dialog_bar.isVisible()

    def test_a_prompt_gives_its_text(self, stage: Stage) -> None:
        stage.open_page()
        stage.tell(asks("prompt", "How many?", "3"))
        field = stage.panel.dialog_bar.field
        assert field.text() == "3"
        field.setText("12")
        QTest.keyClick(field, K.Key_Return)
        assert stage.sent == [AnswerPageDialog(True, "12")]

    def test_a_dismissed_prompt_gives_none(self, stage: Stage) -> None:
        stage.open_page()
        stage.tell(asks("prompt", "How many?", "3"))
        QTest.keyClick(stage.panel.dialog_bar, K.Key_Escape)
        assert stage.sent == [AnswerPageDialog(False, None)]

    def test_what_is_typed_into_a_prompt_outlives_other_news(self, stage: Stage) -> None:
        stage.open_page()
        stage.tell(asks("prompt", "How many?", "3"))
        stage.panel.dialog_bar.field.setText("12")
        stage.tell(asks("prompt", "How many?", "3"))
        assert stage.panel.dialog_bar.field.text() == "12"

    def test_enter_typed_into_the_page_does_not_answer_a_dialog_that_pops_up(self, stage: Stage) -> None:
        stage.open_page()
        stage.canvas.setFocus()
        stage.tell(asks("confirm", "Delete everything?"))
        QTest.keyClick(stage.panel.windowHandle(), K.Key_Return)
        QTest.keyClick(stage.panel.windowHandle(), K.Key_Space)
        assert stage.sent == []
        assert stage.panel.dialog_bar.hasFocus()
        assert "Delete everything?" in stage.panel.dialog_bar.accessibleName()

    def test_a_dialog_does_not_take_the_focus_from_elsewhere(self, stage: Stage) -> None:
        stage.open_page(driver="agent")
        stage.panel.address.field.setFocus()
        stage.tell(asks("alert"))
        assert stage.panel.address.field.hasFocus()

    def test_a_dialog_that_the_agent_answered_goes_away(self, stage: Stage) -> None:
        stage.open_page(driver="agent")
        stage.tell(asks("alert"), PanelChanged((tab(),)))
        assert not stage.panel.dialog_bar.isVisible()
        assert stage.sent == []

    def test_a_very_long_message_leaves_the_buttons_in_reach(self, stage: Stage) -> None:
        stage.open_page()
        stage.tell(asks("confirm", "word " * 5_000))
        bar = stage.panel.dialog_bar
        assert bar.geometry().bottom() < stage.panel.height()
        assert bar.accept_button.isVisible()


def wants(*, multiple: bool = False, wanted: bool = True) -> PanelChanged:
    return PanelChanged((tab(),), files_wanted=FilesWanted(multiple) if wanted else None)


class TestFiles:
    def chooser(self, stage: Stage) -> QFileDialog:
        stage.panel.file_bar.choose_button.click()
        (dialog,) = stage.panel.findChildren(QFileDialog)
        return dialog

    @pytest.mark.parametrize(
        ("multiple", "mode", "asks"),
        [
            (False, QFileDialog.FileMode.ExistingFile, "shop.example asks for a file"),
            (True, QFileDialog.FileMode.ExistingFiles, "shop.example asks for files"),
        ],
    )
    @pytest.mark.parametrize("driver", ["person", "agent"])
    def test_the_person_gives_files_whoever_drives(
        self, stage: Stage, tmp_path: Path, multiple: bool, mode: QFileDialog.FileMode, asks: str, driver: Driver
    ) -> None:
        file = tmp_path / "list.txt"
        file.write_text("x")
        stage.open_page(driver=driver)
        stage.tell(wants(multiple=multiple))
        assert stage.panel.file_bar.isVisible()
        assert stage.panel.file_bar.title.text() == asks
        dialog = self.chooser(stage)
        assert dialog.fileMode() == mode
        dialog.findChild(QLineEdit, "fileNameEdit").setText(str(file))
        dialog.accept()
        assert stage.sent == [GiveFiles((str(file),))]
        assert not stage.panel.file_bar.isVisible()

    @pytest.mark.parametrize("width", [430, 820])
    def test_its_words_are_never_cut(self, stage: Stage, width: int) -> None:
        stage.panel.resize(width, 600)
        stage.open_page(driver="agent")
        stage.tell(wants(multiple=True))
        bar = stage.panel.file_bar
        for words in (bar.title, bar.message):
            assert words.width() >= words.sizeHint().width()
        assert bar.rect().contains(bar.choose_button.geometry())

    def test_cancel_closes_the_chooser_of_the_page(self, stage: Stage) -> None:
        stage.open_page()
        stage.tell(wants())
        stage.panel.file_bar.cancel_button.click()
        assert stage.sent == [GiveFiles(())]

    def test_a_closed_dialog_leaves_the_question_open(self, stage: Stage) -> None:
        stage.open_page()
        stage.tell(wants())
        self.chooser(stage).reject()
        settle()
        assert stage.sent == []
        assert stage.panel.file_bar.isVisible()
        stage.panel.file_bar.choose_button.click()
        stage.panel.file_bar.choose_button.click()
        assert len(stage.panel.findChildren(QFileDialog)) == 1

    def test_a_wish_that_is_answered_elsewhere_goes_with_its_dialog(self, stage: Stage) -> None:
        """As when the agent put a file in, or the page went on."""
        stage.open_page(driver="agent")
        stage.tell(wants())
        assert "agent can answer" in stage.panel.file_bar.message.text()
        self.chooser(stage)
        stage.tell(wants(wanted=False))
        settle()
        assert not stage.panel.file_bar.isVisible()
        assert stage.panel.findChildren(QFileDialog) == []
        assert stage.sent == []

    def test_files_under_way_show_how_far_they_are(self, stage: Stage) -> None:
        stage.open_page()
        half = Download("big.iso", "https://shop.example/big", size_bytes=34_000_000, expected_bytes=200_000_000)
        stage.tell(PanelChanged((tab(),), arriving=(half, half)))
        bar = stage.panel.arriving_bar
        assert bar.isVisible()
        assert bar.words.text() == "Downloading big.iso: 34 MB of 200 MB, 17 %, and 1 more"
        assert stage.panel.canvas.geometry().contains(bar.geometry())
        stage.tell(PanelChanged((tab(),)))
        assert not bar.isVisible()
