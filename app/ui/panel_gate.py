"""Lets the person's input through to the page, only while the person drives."""

from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Signal

from app.domain.acts import PersonInput
from app.domain.commands import Command, SendInput, TakeOver
from app.domain.passing import Driver

PATIENCE_MS = 1_500
_MOST_HELD = 200


class InputGate(QObject):
    """Open while the person drives, shut otherwise.

    A click into the page while it is shut takes over, and is sent on once the engine says that the person drives:
    whoever clicks into a field expects the caret there, and goes on typing. It is forgotten when the answer takes
    longer than a moment or another page came meanwhile, because then it would hit something the person did not see.
    `shut` says that what was pressed must no longer be counted as pressed.
    """

    shut = Signal()

    def __init__(self, submit: Callable[[Command], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._submit = submit
        self._held: list[PersonInput] = []
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._patience.timeout.connect(self.forget)
        self._is_blocked = False
        self.driver: Driver = "nobody"

    @property
    def is_open(self) -> bool:
        return self.driver == "person" and not self._is_blocked

    @property
    def is_waiting(self) -> bool:
        return self._patience.isActive()

    def take_over(self) -> None:
        """Ask for the wheel, unless the person has it or has asked a moment ago."""
        if self.driver == "person" or self.is_waiting:
            return
        self._patience.start()
        self._submit(TakeOver())

    def send(self, given: PersonInput) -> None:
        if self.is_open:
            self._submit(SendInput(given))
        elif self.is_waiting and len(self._held) < _MOST_HELD:
            self._held.append(given)

    def command(self, command: Command) -> None:
        """A command that belongs to the input, such as copying; dropped while shut."""
        if self.is_open:
            self._submit(command)

    def set_driver(self, driver: Driver) -> None:
        before, self.driver = self.driver, driver
        if before != "person" and self.is_open:
            self._let_through()
        elif "person" in (before, driver) and before != driver:
            self.forget()

    def block(self, is_blocked: bool) -> None:
        """A dialog freezes the page: nothing may queue behind it."""
        if is_blocked and not self._is_blocked:
            self.forget()
        self._is_blocked = is_blocked

    def forget(self) -> None:
        """Drop what waits for the take-over."""
        self._patience.stop()
        self._held.clear()
        self.shut.emit()

    def _let_through(self) -> None:
        self._patience.stop()
        held, self._held = self._held, []
        for given in held:
            self._submit(SendInput(given))
