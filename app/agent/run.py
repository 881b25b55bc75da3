"""Everything one turn works with."""

from collections.abc import Callable
from dataclasses import dataclass, field

from app.agent.acting import Acting
from app.agent.asking import Asking
from app.agent.control import Control
from app.agent.eyes import Eyes
from app.agent.model_calls import ModelCalls
from app.agent.observing import Observing
from app.agent.remembering import Remembering
from app.agent.room import Room
from app.agent.tools.tool import Hands
from app.agent.transcript import Transcript


@dataclass(slots=True)
class Run:
    """Made by the runtime, used in the engine thread only."""

    transcript: Transcript
    control: Control
    asking: Asking
    observing: Observing
    acting: Acting
    remembering: Remembering
    models: ModelCalls
    queued: Callable[[], list[str]]
    fresh_page: bool  # the model has not seen what the browser shows now
    eyes: Eyes = field(default_factory=Eyes)
    max_steps: int = 40
    tell: Callable[[str], None] = lambda text: None
    steps: int = 0
    granted: int = 0  # steps beyond the limit that the person has allowed
    room: Room = field(init=False)

    def __post_init__(self) -> None:
        self.room = Room(self.transcript, self.models)

    @property
    def result_characters(self) -> int:
        return self.models.budget.result_characters

    @property
    def hands(self) -> Hands:
        return Hands(self.acting, self.remembering, self.eyes)
