"""The bar above chat and panel: who drives, what goes on, and the three ways to intervene."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout

from app.domain.commands import HandBack, Pause, Resume, Stop, TakeOver
from app.domain.passing import Driver, RunState
from app.ui.elements import IconButton, OneLine, Pill, TextButton
from app.ui.panel_driver import WORDS

_TONES: dict[Driver, str] = {"agent": "agent", "person": "person", "nobody": "muted"}
STATES: dict[RunState, str] = {
    "idle": "Ready",
    "working": "Working",
    "paused": "Paused",
    "waiting": "Waiting for you",
    "stopping": "Stopping",
}


class TopBar(QFrame):
    """Emits commands. A press on Stop shows at once, before the engine has answered."""

    command_wanted = Signal(object)
    list_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("bar", "top")
        self._state: RunState = "idle"
        self._driver: Driver = "nobody"
        self.list_button = IconButton("tab", "Conversations", hint="Ctrl+B")
        self.list_button.clicked.connect(self.list_wanted)
        self.title = OneLine("Pilotfish", bold=True, scale=1.08)
        self.demo = Pill("Demo", "warning")
        self.demo.hide()
        self.driver = Pill()
        self.state = OneLine("", tone="muted")
        self.pause = TextButton("Pause", "plain", "pause", self._pause_or_go_on)
        self.stop = TextButton("Stop", "plain", "stop", self.press_stop)
        self.stop.setToolTip("Stop (Esc)")
        self.hands = TextButton("Take over", "plain", "hand", self.press_hands)
        self.hands.setToolTip("Take over or hand back (Ctrl+.)")
        line = QHBoxLayout(self)
        line.setContentsMargins(12, 8, 16, 8)
        line.setSpacing(10)
        for widget in (self.list_button, self.title, self.demo):
            line.addWidget(widget)
        line.addStretch(1)
        line.setStretchFactor(self.title, 3)
        for shown in (self.state, self.driver, self.pause, self.stop, self.hands):
            line.addWidget(shown)
        self.show_state("idle", "nobody", "")

    @property
    def shown(self) -> tuple[RunState, Driver]:
        return self._state, self._driver

    @property
    def driver_now(self) -> Driver:
        return self._driver

    @property
    def can_stop(self) -> bool:
        return self._state in ("working", "paused", "waiting")

    def show_conversation(self, title: str, is_demo: bool) -> None:
        self.title.say(title or "New conversation")
        self.demo.setVisible(is_demo)

    def show_state(self, state: RunState, driver: Driver, detail: str) -> None:
        self._state, self._driver = state, driver
        self.state.say(f"{STATES[state]}: {detail}" if detail and state == "working" else STATES[state])
        self.driver.say(WORDS[driver], _TONES[driver])
        self.stop.setEnabled(self.can_stop)
        self.stop.say("Stopping" if state == "stopping" else "Stop", "danger" if self.can_stop else "plain", "stop")
        self.pause.setEnabled(state in ("working", "paused"))
        is_paused = state == "paused"
        self.pause.say("Resume" if is_paused else "Pause", "plain", "play" if is_paused else "pause")
        drives = driver == "person"
        self.hands.say(
            "Hand back" if drives else "Take over", "person" if drives else "plain", "hand-back" if drives else "hand"
        )

    def press_stop(self) -> None:
        if self.can_stop:
            self.command_wanted.emit(Stop())
            self.show_state("stopping", self._driver, "")

    def press_hands(self) -> None:
        self.command_wanted.emit(HandBack() if self._driver == "person" else TakeOver())

    def _pause_or_go_on(self) -> None:
        self.command_wanted.emit(Resume() if self._state == "paused" else Pause())
