"""Dialogs and file choosers of the page, answered by the person."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLineEdit
from pytestqt.qtbot import QtBot

from app.domain.commands import AnswerPageDialog, GiveFiles
from app.domain.passing import FilesWanted, PanelChanged
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


class TestFiles:
    def chooser(self, stage: Stage) -> QFileDialog:
        (dialog,) = stage.panel.findChildren(QFileDialog)
        return dialog

    @pytest.mark.parametrize(
        ("multiple", "mode"),
        [(False, QFileDialog.FileMode.ExistingFile), (True, QFileDialog.FileMode.ExistingFiles)],
    )
    def test_the_person_gives_files(
        self, stage: Stage, tmp_path: Path, multiple: bool, mode: QFileDialog.FileMode
    ) -> None:
        file = tmp_path / "list.txt"
        file.write_text("x")
        stage.open_page()
        stage.tell(FilesWanted(multiple))
        dialog = self.chooser(stage)
        assert dialog.fileMode() == mode
        dialog.findChild(QLineEdit, "fileNameEdit").setText(str(file))
        dialog.accept()
        assert stage.sent == [GiveFiles((str(file),))]

    def test_giving_none_closes_the_chooser_of_the_page(self, stage: Stage) -> None:
        stage.open_page()
        stage.tell(FilesWanted(False))
        self.chooser(stage).reject()
        assert stage.sent == [GiveFiles(())]

    def test_a_second_wish_opens_no_second_dialog(self, stage: Stage) -> None:
        stage.open_page()
        stage.tell(FilesWanted(False), FilesWanted(True))
        self.chooser(stage).reject()
        settle()
        assert stage.sent == [GiveFiles(())]
        assert stage.panel.findChildren(QFileDialog) == []

    def test_the_agent_gets_no_files_of_the_person(self, stage: Stage) -> None:
        stage.open_page(driver="agent")
        stage.tell(FilesWanted(False))
        assert stage.panel.findChildren(QFileDialog) == []
