"""What a screen reader says by itself: that work began, waits, ended or failed; never the text as it streams."""

from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QWidget


def announce(widget: QWidget, words: str) -> None:
    if words:
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, words))
