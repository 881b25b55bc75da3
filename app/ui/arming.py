"""Keeps buttons from being pressed before the person could have read what they do."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QAbstractButton, QWidget

ARMED_AFTER_MS = 800


class Arming(QObject):
    """Buttons on a card: they answer only a while after the card, or its window, has come before the person."""

    def __init__(self, card: QWidget, buttons: Sequence[QAbstractButton]) -> None:
        super().__init__(card)
        self._buttons = tuple(buttons)
        self._timer = QTimer(self, singleShot=True, interval=ARMED_AFTER_MS)
        self._timer.timeout.connect(lambda: self._enable(True))
        self._is_spent = False
        self._enable(False)
        card.installEventFilter(self)

    def spend(self) -> None:
        """The answer was given: nothing more can be pressed."""
        self._is_spent = True
        self._timer.stop()
        self._enable(False)

    def rest(self) -> None:
        """Nothing can be pressed for a while."""
        self._enable(False)
        self._timer.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if self._is_spent:
            return False
        if event.type() == QEvent.Type.Show:
            self.rest()
        elif event.type() == QEvent.Type.WindowActivate:  # the click that raises the window must not answer
            self._enable(False, but_focused=True)
            self._timer.start()
        return False

    def _enable(self, is_enabled: bool, *, but_focused: bool = False) -> None:
        """The one with the keyboard may stay as it is, so that the keyboard does."""
        for button in self._buttons:
            if not (but_focused and button.hasFocus()):
                button.setEnabled(is_enabled)
