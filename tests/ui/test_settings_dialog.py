import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from app.domain.commands import ChangeSettings, CheckConnection, Command, ListModels, SetKey
from app.domain.passing import ConnectionTested, ErrorShown, ModelsListed, ModelView, SettingsShown
from app.ui.settings_dialog import SettingsDialog
from app.ui.theme import Theme
from tests.ui.seeing import button, text, unnamed

SHOWN = SettingsShown(
    (
        ("provider", "openai"),
        ("model", "small-model"),
        ("base_url", ""),
        ("theme", "light"),
        ("browser_path", ""),
        ("max_steps", "40"),
        ("model_sees", "auto"),
        ("vision_provider", "same"),
        ("vision_model", ""),
        ("vision_base_url", ""),
    ),
    ModelView("openai", "small-model", "", True, "in the key store of your system", True),
)


@pytest.fixture
def commands() -> list[Command]:
    return []


@pytest.fixture
def dialog(qtbot: QtBot, theme: Theme, commands: list[Command]) -> SettingsDialog:
    dialog = SettingsDialog(SHOWN)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    dialog.command_wanted.connect(commands.append)
    dialog.show()
    return dialog


def press(qtbot: QtBot, dialog: SettingsDialog, words: str) -> None:
    qtbot.mouseClick(button(dialog, words), Qt.MouseButton.LeftButton)


def test_saving_without_a_change_changes_nothing(qtbot: QtBot, dialog: SettingsDialog, commands: list[Command]) -> None:
    press(qtbot, dialog, "Save")
    assert commands == []
    assert not dialog.isVisible()


def test_saving_tells_only_what_changed(qtbot: QtBot, dialog: SettingsDialog, commands: list[Command]) -> None:
    dialog.model.setCurrentText("big-model")
    dialog.max_steps.setText("60")
    press(qtbot, dialog, "Save")
    assert commands == [ChangeSettings((("model", "big-model"), ("max_steps", "60")))]


def test_it_closes_when_everything_was_saved(qtbot: QtBot, dialog: SettingsDialog, commands: list[Command]) -> None:
    dialog.model.setCurrentText("big-model")
    qtbot.keyClicks(dialog.key, "a-key-of-no-known-kind")
    press(qtbot, dialog, "Save")
    assert len(commands) == 2
    dialog.receive(SHOWN)
    assert dialog.isVisible()
    dialog.receive(SHOWN)
    assert not dialog.isVisible()


def test_what_could_not_be_saved_stays_to_be_corrected(
    qtbot: QtBot, dialog: SettingsDialog, commands: list[Command]
) -> None:
    dialog.base_url.setText("nonsense")
    press(qtbot, dialog, "Save")
    dialog.receive(ErrorShown("“nonsense” is no address.", "The settings were not changed.", "Correct it."))
    dialog.receive(SHOWN)
    assert dialog.isVisible()
    assert dialog.base_url.text() == "nonsense"
    assert "“nonsense” is no address." in text(dialog)


def test_an_address_and_a_model_do_not_follow_to_another_provider(
    qtbot: QtBot, dialog: SettingsDialog, commands: list[Command]
) -> None:
    dialog.base_url.setText("http://127.0.0.1:11434/v1")
    dialog.provider.setCurrentIndex(dialog.provider.findData("anthropic"))
    dialog.provider.activated.emit(dialog.provider.currentIndex())
    assert (dialog.base_url.text(), dialog.model.currentText()) == ("", "")
    dialog.provider.setCurrentIndex(dialog.provider.findData("openai"))
    dialog.provider.activated.emit(dialog.provider.currentIndex())
    assert dialog.model.currentText() == "small-model"


def test_cancel_tells_nothing(qtbot: QtBot, dialog: SettingsDialog, commands: list[Command], theme: Theme) -> None:
    dialog.model.setCurrentText("big-model")
    dialog.theme.setCurrentIndex(dialog.theme.findData("dark"))
    dialog.theme.activated.emit(dialog.theme.currentIndex())
    assert theme.is_dark
    press(qtbot, dialog, "Cancel")
    assert commands == []
    assert not theme.is_dark


@pytest.mark.parametrize(
    ("key", "provider"),
    [("sk-ant-0123456789ab", "anthropic"), ("sk-or-v1-0123456789", "openrouter"), ("sk-proj-0123456789", "openai")],
)
def test_a_key_finds_its_provider(
    qtbot: QtBot, dialog: SettingsDialog, commands: list[Command], key: str, provider: str
) -> None:
    qtbot.keyClicks(dialog.key, key)
    press(qtbot, dialog, "Save")
    assert commands[-1] == SetKey(provider, key)
    assert dialog.provider.currentData() == provider


def test_a_key_is_masked_until_it_is_asked_for_and_never_shown_again(qtbot: QtBot, dialog: SettingsDialog) -> None:
    dialog.key.setText("sk-0123456789abc")
    assert dialog.key.echoMode() == QLineEdit.EchoMode.Password
    press(qtbot, dialog, "Show or hide the key")
    assert dialog.key.echoMode() == QLineEdit.EchoMode.Normal
    dialog.receive(SHOWN)
    assert dialog.key.text() == ""


def test_it_says_where_keys_are_kept(dialog: SettingsDialog) -> None:
    assert "Keys are kept in the key store of your system." in text(dialog)
    memory = ModelView("openai", "", "", False, "in memory until Pilotfish ends, because there is no key store", False)
    dialog.receive(SettingsShown(SHOWN.values, memory))
    assert "in memory until Pilotfish ends" in text(dialog)


def test_the_connection_test_saves_first_and_names_each_stage(
    qtbot: QtBot, dialog: SettingsDialog, commands: list[Command]
) -> None:
    dialog.model.setCurrentText("big-model")
    press(qtbot, dialog, "Test the connection")
    assert commands == [ChangeSettings((("model", "big-model"),)), CheckConnection()]
    assert "Testing …" in text(dialog)
    dialog.receive(ConnectionTested((("Reach", True, "the server answers"), ("Key", False, "the key was refused"))))
    assert dialog.stages.lines == ("Reach: the server answers", "Key: the key was refused")
    assert "Key: the key was refused" in text(dialog)


def test_models_are_fetched_and_any_name_can_be_typed(
    qtbot: QtBot, dialog: SettingsDialog, commands: list[Command]
) -> None:
    press(qtbot, dialog, "Get the list of models")
    assert commands == [ListModels()]
    dialog.receive(ModelsListed("openai", ("a-model", "b-model")))
    assert [dialog.model.itemText(place) for place in range(dialog.model.count())] == ["a-model", "b-model"]
    assert dialog.model.currentText() == "small-model"
    dialog.model.setEditText("my-own")
    press(qtbot, dialog, "Save")
    assert commands[-1] == ChangeSettings((("model", "my-own"),))


def test_a_list_that_did_not_come_says_why(dialog: SettingsDialog) -> None:
    dialog.receive(ModelsListed("openai", (), "The server did not answer."))
    assert "The server did not answer." in text(dialog)
    assert dialog.model.currentText() == "small-model"


def test_an_error_is_said_in_the_dialog(dialog: SettingsDialog) -> None:
    dialog.receive(ErrorShown("“x” is no address.", "The settings were not changed.", "Correct it and try again."))
    assert "“x” is no address. The settings were not changed. Correct it and try again." in text(dialog)


def test_every_control_is_named(dialog: SettingsDialog) -> None:
    assert unnamed(dialog) == []
    assert all(box.accessibleName() for box in (dialog.provider, dialog.model, dialog.theme, dialog.max_steps))


def test_a_model_for_pictures_is_shown_and_saved(qtbot: QtBot, dialog: SettingsDialog, commands: list[Command]) -> None:
    vision = (("vision_provider", "local"), ("vision_model", "qwen3-vl:30b"), ("model_sees", "no"))
    dialog.receive(SettingsShown((*SHOWN.values, *vision), SHOWN.model))
    assert dialog.vision_model.text() == "qwen3-vl:30b"
    assert dialog.vision_provider.currentData() == "local"
    assert dialog.model_sees.currentData() == "no"
    dialog.vision_model.setText("llava:13b")
    dialog.vision_base_url.setText("http://127.0.0.1:11434/v1")
    press(qtbot, dialog, "Save")
    saved = (("vision_model", "llava:13b"), ("vision_base_url", "http://127.0.0.1:11434/v1"))
    assert commands == [ChangeSettings(saved)]


@pytest.mark.parametrize(("provider", "kept_for"), [("anthropic", "anthropic"), ("same", "openai")])
def test_a_key_for_the_model_for_pictures_is_kept_for_its_provider(
    qtbot: QtBot, dialog: SettingsDialog, commands: list[Command], provider: str, kept_for: str
) -> None:
    dialog.vision_provider.setCurrentIndex(dialog.vision_provider.findData(provider))
    qtbot.keyClicks(dialog.vision_key, "a-key-of-no-known-kind")
    press(qtbot, dialog, "Save")
    assert SetKey(kept_for, "a-key-of-no-known-kind") in commands
    dialog.receive(SHOWN)
    assert dialog.vision_key.text() == ""


def test_on_a_small_screen_the_buttons_stay_in_reach(qtbot: QtBot, dialog: SettingsDialog) -> None:
    dialog.resize(dialog.width(), 400)
    qtbot.waitUntil(lambda: dialog.height() == 400)
    save = button(dialog, "Save")
    assert dialog.rect().contains(save.mapTo(dialog, save.rect().bottomRight()))
