from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from app.domain.commands import ChangeSettings, FindLocalModels, ListModels, NewConversation, SetKey
from app.domain.passing import LocalModelsFound, ModelsListed, ModelView, SettingsShown
from app.ui.theme import Theme
from app.ui.welcome import TASKS
from app.ui.window import MainWindow
from tests.ui.recording_engine import RecordingEngine
from tests.ui.seeing import button, text
from tests.ui.window_stage import opened

NO_MODEL = ModelView("openai", "", "", False, "in the key store of your system", False, "There is no key for OpenAI.")
KEY_ONLY = ModelView("anthropic", "", "", True, "in the key store of your system", False, "No model is chosen.")
READY = ModelView("openai", "m", "", True, "in the key store of your system", True)


@pytest.fixture
def window(qtbot: QtBot, engine: RecordingEngine, theme: Theme) -> Iterator[MainWindow]:
    yield from opened(qtbot, engine)


@pytest.fixture
def doors(qtbot: QtBot, window: MainWindow, engine: RecordingEngine) -> MainWindow:
    engine.say(SettingsShown((), NO_MODEL))
    qtbot.waitUntil(lambda: window.chat.welcome.isVisible() and "First, choose a model" in text(window.chat.welcome))
    engine.commands.clear()
    return window


def press(qtbot: QtBot, window: MainWindow, words: str) -> None:
    qtbot.mouseClick(button(window.chat.welcome, words), Qt.MouseButton.LeftButton)


def test_a_first_start_is_not_an_error(doors: MainWindow) -> None:
    words = text(doors.chat.welcome)
    for door in ("Use a model on this machine", "Paste a key", "Play the demo"):
        assert door in words
    assert doors.chat.notices.errors == ()


def test_a_local_model_is_used_with_one_press(qtbot: QtBot, doors: MainWindow, engine: RecordingEngine) -> None:
    engine.say(LocalModelsFound((("Ollama", "http://127.0.0.1:11434/v1", ("qwen", "llama")),)))
    qtbot.waitUntil(lambda: "[Use qwen]" in text(doors.chat.welcome))
    press(qtbot, doors, "Use llama")
    url = "http://127.0.0.1:11434/v1"
    assert engine.commands == [ChangeSettings((("provider", "local"), ("base_url", url), ("model", "llama")))]


def test_no_local_model_says_what_to_do_and_looks_again(
    qtbot: QtBot, doors: MainWindow, engine: RecordingEngine
) -> None:
    engine.say(LocalModelsFound(()))
    qtbot.waitUntil(lambda: "[Look again]" in text(doors.chat.welcome))
    assert "Nothing answers yet. Start Ollama" in text(doors.chat.welcome)
    press(qtbot, doors, "Look again")
    assert engine.commands == [FindLocalModels()]


def test_a_pasted_key_finds_its_provider_and_then_its_models(
    qtbot: QtBot, doors: MainWindow, engine: RecordingEngine
) -> None:
    key = doors.chat.welcome.doors.key
    qtbot.keyClicks(key.field, "sk-ant-0123456789abcdef")
    assert "This is a key from Anthropic." in text(doors.chat.welcome)
    qtbot.keyClick(key.field, Qt.Key.Key_Return)
    assert engine.commands == [
        ChangeSettings((("provider", "anthropic"), ("base_url", ""), ("model", ""))),
        SetKey("anthropic", "sk-ant-0123456789abcdef"),
    ]
    assert key.field.text() == ""
    engine.say(SettingsShown((), KEY_ONLY))
    engine.say(SettingsShown((), KEY_ONLY))
    qtbot.waitUntil(lambda: engine.asked(ListModels) == [ListModels()])
    engine.say(ModelsListed("anthropic", ("big", "small")))
    qtbot.waitUntil(lambda: key.model.count() == 2)
    key.model.setCurrentText("small")
    press(qtbot, doors, "Use model")
    assert engine.commands[-1] == ChangeSettings((("model", "small"),))


def test_something_that_is_no_key_cannot_be_used(qtbot: QtBot, doors: MainWindow, engine: RecordingEngine) -> None:
    qtbot.keyClicks(doors.chat.welcome.doors.key.field, "hello world, this is me")
    assert "does not look like a key" in text(doors.chat.welcome)
    assert "(Use key)" in text(doors.chat.welcome)
    qtbot.keyClick(doors.chat.welcome.doors.key.field, Qt.Key.Key_Return)
    assert engine.commands == []


def test_the_demo_needs_nothing(qtbot: QtBot, doors: MainWindow, engine: RecordingEngine) -> None:
    press(qtbot, doors, "Play the demo")
    assert engine.commands == [NewConversation(demo=True)]


def test_with_a_model_the_empty_chat_gives_ideas(qtbot: QtBot, window: MainWindow, engine: RecordingEngine) -> None:
    engine.say(SettingsShown((), READY))
    qtbot.waitUntil(lambda: "What shall we do?" in text(window.chat.welcome))
    assert "Paste a key" not in text(window.chat.welcome)
    press(qtbot, window, TASKS[1])
    assert window.chat.composer.field.toPlainText() == TASKS[1]
