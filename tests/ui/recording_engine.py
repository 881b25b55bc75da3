"""An engine that only writes down what it is asked, and lets a test speak for it."""

from collections.abc import Callable

from app.domain.commands import Command, ResizePanel
from app.domain.pages import Frame
from app.domain.passing import Event


class RecordingEngine:
    """Keeps the commands in their order; `sizes` come by themselves and are kept apart."""

    def __init__(self) -> None:
        self.commands: list[Command] = []
        self.sizes: list[ResizePanel] = []
        self.say: Callable[[Event], None] = lambda event: None
        self.show_frame: Callable[[Frame], None] = lambda frame: None

    def start(self, on_event: Callable[[Event], None], on_frame: Callable[[Frame], None]) -> None:
        self.say, self.show_frame = on_event, on_frame

    def submit(self, command: Command) -> None:
        if isinstance(command, ResizePanel):
            self.sizes.append(command)
        else:
            self.commands.append(command)

    def asked(self, kind: type) -> list[Command]:
        return [command for command in self.commands if isinstance(command, kind)]
