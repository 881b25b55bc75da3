"""What an empty chat shows: what can be done here, and the doors to a model when none is ready."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from app.domain.commands import ChangeSettings, Command, FindLocalModels, NewConversation, SetKey
from app.domain.events import LocalModelsFound, ModelView
from app.ui.elements import IconMark, TextButton, Words, column
from app.ui.flow import Flow
from app.ui.key_prefixes import provider_of

TASKS = (
    "Compare the three cheapest trains from Basel to Milan next Friday",
    "Find the opening hours of the city library and quote them",
    "Fill in the contact form on the page I am on, and let me check it before it is sent",
)


class Welcome(QScrollArea):
    """Emits commands; a missing model is normal at a first start and has three doors."""

    command_wanted = Signal(object)
    settings_wanted = Signal()
    task_wanted = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.doors = _Doors()
        self.doors.command_wanted.connect(self.command_wanted)
        self.doors.settings_wanted.connect(self.settings_wanted)
        self._tasks = _Tasks()
        self._tasks.chosen.connect(self.task_wanted)
        self._head = Words("What shall we do?", bold=True, scale=1.9)
        self._sub = Words("", tone="muted", scale=1.08)
        page = QWidget()
        outer = QHBoxLayout(page)
        middle = QWidget()
        middle.setMaximumWidth(600)
        inner = QVBoxLayout(middle)
        inner.setContentsMargins(24, 24, 24, 24)
        inner.setSpacing(10)
        inner.addStretch(2)
        inner.addWidget(IconMark("pilotfish", "text", size=56))
        inner.addSpacing(6)
        for widget in (self._head, self._sub, self.doors, self._tasks):
            inner.addWidget(widget)
        inner.addStretch(3)
        outer.addWidget(middle)
        self.setWidget(page)
        page.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)
        self.show_model(None)

    def show_model(self, model: ModelView | None) -> None:
        """Doors while no model is ready, else ideas to begin with."""
        is_ready = model is not None and model.ready
        self.doors.setVisible(not is_ready)
        self._tasks.setVisible(is_ready)
        self._head.say("What shall we do?" if is_ready else "Let us find you a model")
        self._sub.say(
            "The agent works in the browser beside this chat. You can take over at any moment."
            if is_ready
            else "Pilotfish needs a model that does the thinking. Choose one of three ways; you can change it later."
        )

    def show_local(self, found: LocalModelsFound) -> None:
        self.doors.show_local(found)


class _Doors(QWidget):
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
            "play", "Play the demo", "A scripted model runs an errand in a practice shop. No key, no network."
        )
        self.key.command_wanted.connect(self.command_wanted)
        self.demo.add(
            TextButton("Play the demo", "plain", "play", lambda: self.command_wanted.emit(NewConversation(demo=True)))
        )
        for door in (self.local, self.key, self.demo):
            self._layout.addWidget(door)
        line = QHBoxLayout()
        line.addWidget(TextButton("More in settings", "quiet", "settings", self.settings_wanted.emit))
        line.addStretch(1)
        self._layout.addLayout(line)
        self.show_local(None)

    def show_local(self, found: LocalModelsFound | None) -> None:
        """`None` while the search runs."""
        self.local.clear()
        if found is None:
            return
        offers = [(name, url, model) for name, url, models in found.servers for model in models]
        if not offers:
            self.local.say("None was found. Start Ollama, LM Studio, llama.cpp or vLLM, then look again.")
            self.local.add(TextButton("Look again", "plain", "refresh", self._look_again))
            return
        servers = ", ".join(dict.fromkeys(name for name, _, _ in offers))
        self.local.say(f"{servers} answers. One press uses the model; no key is needed.")
        for name, url, model in offers[:4]:
            button = TextButton(f"Use {model}", "primary" if model == offers[0][2] else "plain")
            button.setToolTip(f"{name} at {url}")
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
    """A pasted key tells its provider by how it begins."""

    command_wanted = Signal(object)

    def __init__(self) -> None:
        super().__init__(
            "key", "Paste a key", "Of OpenAI, Anthropic or OpenRouter. It is kept in the key store of your system."
        )
        self.field = QLineEdit()
        self.field.setEchoMode(QLineEdit.EchoMode.Password)
        self.field.setPlaceholderText("sk-…")
        self.field.setAccessibleName("API key")
        self.use = TextButton("Use key", "primary", "key", self._use)
        self.field.returnPressed.connect(self._use)
        self.field.textChanged.connect(self._judge)
        line = QHBoxLayout()
        line.addWidget(self.field, 1)
        line.addWidget(self.use)
        self.inner.insertLayout(2, line)
        self._judge("")

    def _judge(self, text: str) -> None:
        found = provider_of(text)
        self.use.setEnabled(found is not None)
        if text and found is None:
            self.say(
                "This does not look like a key of OpenAI, Anthropic or OpenRouter. Other providers: in the settings."
            )
        elif found is not None:
            self.say(f"A key of {found.title}.")

    def _use(self) -> None:
        found = provider_of(self.field.text())
        if found is None:
            return
        key = self.field.text().strip()
        self.field.clear()
        commands: tuple[Command, ...] = (
            ChangeSettings((("provider", found.name), ("base_url", ""), ("model", found.model))),
            SetKey(found.name, key),
        )
        for command in commands:
            self.command_wanted.emit(command)


class _Tasks(QWidget):
    """Ideas to begin with; a press puts one into the field."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        layout = column(spacing=8)
        layout.setContentsMargins(0, 14, 0, 0)
        for task in TASKS:
            button = TextButton(task, "door")
            button.clicked.connect(lambda _=False, task=task: self.chosen.emit(task))
            layout.addWidget(button)
        self.setLayout(layout)
