"""The doors to a model at a first start: one on this machine, a key, or the demo that needs neither."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QWidget

from app.domain.commands import ChangeSettings, FindLocalModels, ListModels, NewConversation, SetKey
from app.domain.passing import LocalModelsFound, ModelsListed, ModelView
from app.domain.providers import TITLES
from app.ui.elements import Choice, IconMark, TextButton, Words, column
from app.ui.flow import Flow
from app.ui.key_prefixes import provider_of
from app.ui.safe_text import plain_tip

KEY_OWNERS = "From OpenAI, Anthropic or OpenRouter."


class Doors(QWidget):
    """A local model, a key, the demo."""

    command_wanted = Signal(object)
    settings_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._layout = column(spacing=10)
        self._layout.setContentsMargins(0, 14, 0, 0)
        self.setLayout(self._layout)
        self.local = _Door(
            "pilot", "Use a model on this machine", "Looking for Ollama, LM Studio, llama.cpp and vLLM …"
        )
        self.key = _KeyDoor()
        self.demo = _Door(
            "play",
            "Play the demo",
            "A scripted model runs an errand in a practice shop. It needs no key and no network.",
        )
        self.key.command_wanted.connect(self.command_wanted)
        self.demo.add(
            TextButton("Play the demo", "plain", "play", lambda: self.command_wanted.emit(NewConversation(demo=True)))
        )
        for door in (self.local, self.key, self.demo):
            self._layout.addWidget(door)
        line = QHBoxLayout()
        line.addWidget(TextButton("All settings", "quiet", "settings", self.settings_wanted.emit))
        line.addStretch(1)
        self._layout.addLayout(line)

    def receive(self, event: LocalModelsFound | ModelsListed) -> None:
        if isinstance(event, ModelsListed):
            self.key.show_models(event)
        else:
            self._show_local(event)

    def show_model(self, model: ModelView | None) -> None:
        """A key that is known and no model: one step is left."""
        if model is not None and model.key_known and not model.model:
            self.key.ask_for_model(model.provider)
        elif model is not None:
            self.key.tell_place(model.key_place)

    def _show_local(self, found: LocalModelsFound) -> None:
        self.local.clear()
        offers = [(name, url, model) for name, url, models in found.servers for model in models]
        if not offers:
            self.local.say("Nothing answers yet. Start Ollama, LM Studio, llama.cpp or vLLM, then look again.")
            self.local.add(TextButton("Look again", "plain", "refresh", self._look_again))
            return
        servers = ", ".join(dict.fromkeys(name for name, _, _ in offers))
        self.local.say(f"Found {servers}. One press chooses a model; no key is needed.")
        for name, url, model in offers[:4]:
            button = TextButton(f"Use {model}", "primary" if model == offers[0][2] else "plain")
            button.setToolTip(plain_tip(f"{name} at {url}"))
            button.clicked.connect(lambda _=False, url=url, model=model: self._use(url, model))
            self.local.add(button)

    def _look_again(self) -> None:
        self.local.say("Looking …")
        self.command_wanted.emit(FindLocalModels())

    def _use(self, url: str, model: str) -> None:
        self.command_wanted.emit(ChangeSettings((("provider", "local"), ("base_url", url), ("model", model))))


class _Door(QFrame):
    """One way in."""

    def __init__(self, icon: str, title: str, text: str) -> None:
        super().__init__()
        self.setProperty("card", "plain")
        self.setAccessibleName(title)
        outer = QHBoxLayout(self)
        outer.setContentsMargins(16, 14, 16, 14)
        outer.setSpacing(14)
        outer.addWidget(IconMark(icon, "accent", "accent_soft", 18), 0, Qt.AlignmentFlag.AlignTop)
        self._words = Words(text, tone="muted")
        self.inner = column(spacing=6)
        self.inner.addWidget(Words(title, bold=True, scale=1.05))
        self.inner.addWidget(self._words)
        self._buttons = Flow()
        self.inner.addLayout(self._buttons)
        outer.addLayout(self.inner, 1)

    def say(self, text: str) -> None:
        self._words.say(text)

    def add(self, button: QWidget) -> None:
        self._buttons.addWidget(button)

    def clear(self) -> None:
        while (item := self._buttons.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()


class _KeyDoor(_Door):
    """A pasted key tells its provider by how it begins; then the model is chosen from what that provider offers."""

    command_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__("key", "Paste a key", KEY_OWNERS)
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setPlaceholderText("sk-…")
        self.field.setAccessibleName("API key")
        self.field.returnPressed.connect(self._use_key)
        self.field.textChanged.connect(self._judge)
        self.use = TextButton("Use key", "primary", "key", self._use_key)
        self.use.setEnabled(False)
        self.model = Choice("Model")
        self.model.setEditable(True)
        self.choose = TextButton("Use model", "primary", "check", self._use_model)
        self._provider = ""
        self._key_line, self._model_line = _line(self.field, self.use), _line(self.model, self.choose)
        self._model_line.hide()
        for place, line in enumerate((self._key_line, self._model_line), 2):
            self.inner.insertWidget(place, line)

    def tell_place(self, place: str) -> None:
        """Where a key would go, while none is being given."""
        if not self._provider and not self.field.text():
            self.say(f"{KEY_OWNERS} It is kept {place}." if place else KEY_OWNERS)

    def ask_for_model(self, provider: str) -> None:
        if provider != self._provider:
            self._provider = provider
            self.say(f"Your {TITLES.get(provider, provider)} key is kept. Which model should answer?")
            self.command_wanted.emit(ListModels())
        self._model_line.show()

    def show_models(self, listed: ModelsListed) -> None:
        typed = self.model.currentText()
        self.model.clear()
        self.model.addItems(listed.models)
        if typed:
            self.model.setCurrentText(typed)
        if self._provider == listed.provider and listed.trouble:
            self.say(listed.trouble)

    def _judge(self, text: str) -> None:
        found = provider_of(text)
        self.use.setEnabled(found is not None)
        if text and found is None:
            self.say(
                "This does not look like a key from OpenAI, Anthropic or OpenRouter. For others, open the settings."
            )
        elif found is not None:
            self.say(f"This is a key from {found.title}.")

    def _use_key(self) -> None:
        found = provider_of(self.field.text())
        if found is None:
            return
        key = self.field.text().strip()
        self.field.clear()
        self._provider = ""
        self.command_wanted.emit(ChangeSettings((("provider", found.name), ("base_url", ""), ("model", ""))))
        self.command_wanted.emit(SetKey(found.name, key))

    def _use_model(self) -> None:
        if name := self.model.currentText().strip():
            self.command_wanted.emit(ChangeSettings((("model", name),)))


def _line(field: QWidget, button: QWidget) -> QWidget:
    holder = QWidget()
    line = QHBoxLayout(holder)
    line.setContentsMargins(0, 0, 0, 0)
    line.addWidget(field, 1)
    line.addWidget(button)
    return holder
