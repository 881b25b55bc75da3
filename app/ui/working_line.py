"""The line below the newest row that says what the agent is doing right now."""

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout

from app.domain.passing import RunState
from app.ui.elements import IconMark, Words
from app.ui.state_words import doing

DOTS_MS = 500


class WorkingLine(QFrame):
    """Hidden while nothing runs; what waits for the person has a card of its own."""

    shown_or_hidden = Signal()

    def __init__(self) -> None:
        super().__init__()
        line = QHBoxLayout(self)
        line.setContentsMargins(12, 4, 12, 8)
        line.setSpacing(10)
        self._mark = IconMark("pilot", "agent", "agent_soft", 16)
        self._words = Words("", tone="muted")
        line.addWidget(self._mark)
        line.addWidget(self._words, 1)
        self._text, self._dots = "", 0
        self._timer = QTimer(self, interval=DOTS_MS)
        self._timer.timeout.connect(self._beat)
        self.hide()

    @property
    def text(self) -> str:
        return self._text if not self.isHidden() else ""

    def show_state(self, state: RunState, detail: str) -> None:
        self._text = doing(state, detail)
        self._dots = 0
        self._show_text()
        moves = state in ("working", "stopping")
        if moves != self._timer.isActive():
            (self._timer.start if moves else self._timer.stop)()
        is_hidden = state in ("idle", "waiting")
        if self.isHidden() != is_hidden:
            self.setHidden(is_hidden)
            self.shown_or_hidden.emit()

    def _beat(self) -> None:
        self._dots = (self._dots + 1) % 4
        self._show_text()

    def _show_text(self) -> None:
        self._words.setText(f"{self._text}{' ' + '·' * self._dots if self._dots else ''}")
        self.setAccessibleName(self._text)
