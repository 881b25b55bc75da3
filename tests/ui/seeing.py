"""What a person sees of a widget, as text."""

from PySide6.QtWidgets import QAbstractButton, QLabel, QLineEdit, QTextBrowser, QWidget


def texts(widget: QWidget) -> list[str]:
    """Every visible text in the order of making: labels, text, buttons with a mark when they cannot be pressed."""
    found = []
    for child in [widget, *widget.findChildren(QWidget)]:
        if not child.isVisibleTo(widget):
            continue
        if isinstance(child, QLabel) and child.text():
            found.append(child.text().replace("\u200b", ""))
        elif isinstance(child, QTextBrowser):
            found.append(child.toPlainText())
        elif isinstance(child, QAbstractButton) and child.text():
            found.append(f"[{child.text()}]" if child.isEnabled() else f"({child.text()})")
    return found


def text(widget: QWidget) -> str:
    return "\n".join(texts(widget))


def button(widget: QWidget, words: str) -> QAbstractButton:
    """The button that can be pressed and says these words, or is named so."""
    for child in widget.findChildren(QAbstractButton):
        if words in (child.text(), child.accessibleName()) and child.isVisibleTo(widget) and child.isEnabled():
            return child
    raise AssertionError(f"there is no button {words!r} among {texts(widget)}")


def can_be_pressed(widget: QWidget, words: str) -> bool:
    """Whether such a button is there and no longer waits for the person to read."""
    return any(
        words in (child.text(), child.accessibleName()) and child.isVisibleTo(widget) and child.isEnabled()
        for child in widget.findChildren(QAbstractButton)
    )


def unnamed(widget: QWidget) -> list[str]:
    """Controls that a screen reader could not name."""
    controls = [*widget.findChildren(QAbstractButton), *widget.findChildren(QLineEdit)]
    inside = ("qt_scrollarea_viewport", "qt_spinbox_lineedit", "_q_qlineeditclearbutton")
    return [
        f"{type(control).__name__} in {type(control.parent()).__name__}"
        for control in controls
        if not (control.accessibleName() or (isinstance(control, QAbstractButton) and control.text()))
        and control.objectName() not in inside
    ]
