"""What stands below the newest row when nothing runs and the work was not brought to its end."""

from collections.abc import Callable

from PySide6.QtWidgets import QHBoxLayout

from app.ui.card import Card
from app.ui.elements import IconMark, TextButton, Words

UNFINISHED = "The agent has not finished here. Everything up to this point is kept."


class UnfinishedLine(Card):
    """Hidden unless it is needed."""

    def __init__(self, go_on: Callable[[], None]) -> None:
        super().__init__("warning", UNFINISHED, can_focus=False)
        self.button = TextButton("Go on", "plain", "play", go_on)
        self.head(IconMark("pause", "warning"), Words(UNFINISHED))
        line = QHBoxLayout()
        line.addWidget(self.button)
        line.addStretch(1)
        self.body.addLayout(line)
        self.hide()
