"""The line above the chat of a demo that says what is real in it and what is not."""

from PySide6.QtWidgets import QFrame, QHBoxLayout

from app.ui.elements import IconMark, Words

DEMO = "Demo: a scripted model in a practice shop. Nothing is really bought."


class DemoBanner(QFrame):
    """Hidden in conversations that are no demo."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("band", "warning")
        line = QHBoxLayout(self)
        line.setContentsMargins(20, 7, 20, 7)
        line.setSpacing(10)
        line.addWidget(IconMark("play", "warning"))
        line.addWidget(Words(DEMO, tone="warning", scale=0.95), 1)
        self.hide()
