"""The bar above chat and panel: what is open, what goes on, and the two ways to interrupt it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout

from app.domain.commands import Pause, Resume, Stop
from app.domain.passing import RunState
from app.ui.elements import IconButton, OneLine, Pill, TextButton
from app.ui.state_words import STATES


class TopBar(QFrame):
    """Emits commands. A press on Stop shows at once, before the engine has answered."""

    command_wanted = Signal(object)
    list_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("bar", "top")
        self._state: RunState = "idle"
        self.list_button = IconButton("tab", "Conversations", hint="Ctrl+B")
        self.list_button.clicked.connect(self.list_wanted)
        self.title = OneLine("Pilotfish", bold=True, scale=1.08)
        self.demo = Pill("Demo", "warning")
        self.demo.hide()
        self.state = OneLine("", tone="muted")
        self.pause = TextButton("Pause", "plain", "pause", self._pause_or_go_on)
        self.stop = TextButton("Stop", "plain", "stop", self.press_stop)
        self.stop.setToolTip("Stop (Esc)")
        line = QHBoxLayout(self)
        line.setContentsMargins(12, 8, 16, 8)
        line.setSpacing(10)
        for widget in (self.list_button, self.title, self.demo):
            line.addWidget(widget)
        line.addStretch(1)
        line.setStretchFactor(self.title, 3)
        for shown in (self.state, self.pause, self.stop):
            line.addWidget(shown)
        self.show_state("idle")

    @property
    def shown(self) -> RunState:
        return self._state

    @property
    def can_stop(self) -> bool:
        return self._state in ("working", "paused", "waiting")

    def show_conversation(self, title: str, is_demo: bool) -> None:
        self.title.say(title or "New conversation")
        self.demo.setVisible(is_demo)

    def show_state(self, state: RunState) -> None:
        self._state = state
        self.state.say(STATES[state])
        self.stop.setEnabled(self.can_stop)
        self.stop.say("Stopping" if state == "stopping" else "Stop", "danger" if self.can_stop else "plain", "stop")
        self.pause.setEnabled(state in ("working", "paused"))
        is_paused = state == "paused"
        self.pause.say("Go on" if is_paused else "Pause", "plain", "play" if is_paused else "pause")

    def press_stop(self) -> None:
        if self.can_stop:
            self.command_wanted.emit(Stop())
            self.show_state("stopping")

    def _pause_or_go_on(self) -> None:
        self.command_wanted.emit(Resume() if self._state == "paused" else Pause())
