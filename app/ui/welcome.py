"""What an empty chat shows: what can be done here, and the doors to a model when none is ready."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from app.domain.passing import LocalModelsFound, ModelsListed, ModelView
from app.ui.doors import Doors
from app.ui.elements import IconMark, TextButton, Words, column

TASKS = (
    "Compare the three cheapest trains from Basel to Milan next Friday",
    "Find the opening hours of the city library and quote them",
    "Fill in the contact form on the page I am on, and let me check it before it is sent",
)

READY = "The agent works in the browser beside this chat. You can take over at any moment."
NOT_READY = "Pilotfish needs a model that does the thinking. Here are three ways to begin; you can change it later."


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
        self.doors = Doors()
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
        self.doors.show_model(model)
        self._tasks.setVisible(is_ready)
        self._head.say("What shall we do?" if is_ready else "First, choose a model")
        missing = model.missing if model is not None and model.model and not is_ready else ""
        self._sub.say(READY if is_ready else missing or NOT_READY)

    def receive(self, event: LocalModelsFound | ModelsListed) -> None:
        self.doors.receive(event)


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
