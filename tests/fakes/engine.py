"""The whole engine in its own thread, with a browser, a model and a record in memory."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self, TypeVar

from app.domain.acts import PersonInput
from app.domain.commands import Command, ShutDown
from app.domain.errors import SettingsError
from app.domain.events import RecordedEvent, StoredEvent
from app.domain.pages import Frame
from app.domain.passing import Event, PassingEvent
from app.runtime.engine import Engine
from app.runtime.factories import Factories, ModelChoice
from tests.fakes.browser import FakeBrowser, FakePage
from tests.fakes.model import FakeModel, Turn
from tests.fakes.record import MemoryRecord

T = TypeVar("T")
LIMIT_S = 10.0


class FakeLiveBrowser(FakeBrowser):
    """Implements `LiveBrowser`; `inputs` is what a person did."""

    def __init__(self, pages: list[FakePage]) -> None:
        super().__init__(pages)
        self.inputs: list[PersonInput] = []
        self.released = 0
        self.folder = ""
        self.on_frame: Callable[[Frame], None] | None = None

    @property
    def is_alive(self) -> bool:
        return self.running

    async def show(self, on_frame: Callable[[Frame], None], on_event: Callable[[PassingEvent], None]) -> None:
        self.on_frame = on_frame

    async def hide(self) -> None:
        self.on_frame = None

    async def send(self, item: PersonInput) -> None:
        self.inputs.append(item)

    async def copy_selection(self, *, cut: bool) -> str:
        return "marked"

    async def resize(self, width: int, height: int) -> None:
        return

    async def release_input(self) -> None:
        self.released += 1

    def keep_files_in(self, folder: str) -> None:
        self.folder = folder


@dataclass
class FakeSettings:
    """Implements `Settings`."""

    options: dict[str, str] = field(
        default_factory=lambda: {
            "provider": "local",
            "model": "fake",
            "base_url": "",
            "max_steps": "40",
            "time_scale": "0.001",
            "policy": "chain",
            "effort": "low",
            "max_output_tokens": "8000",
            "context_tokens": "0",
            "page_characters": "14000",
            "start_page": "",
            "model_sees": "auto",
            "vision_provider": "same",
            "vision_model": "",
            "vision_base_url": "",
        }
    )
    keys: dict[str, str] = field(default_factory=dict)
    told: tuple[str, ...] = ()

    def value(self, name: str) -> str:
        return self.options[name]

    def values(self) -> tuple[tuple[str, str], ...]:
        return tuple(self.options.items())

    def change(self, values: tuple[tuple[str, str], ...]) -> None:
        unknown = [name for name, _ in values if name not in self.options]
        if unknown:
            raise SettingsError(f"There is no option {unknown[0]}.", next_step="Choose another.")
        self.options |= dict(values)

    def key(self, provider: str) -> str:
        return self.keys.get(provider, "")

    def set_key(self, provider: str, key: str) -> None:
        self.keys[provider] = key

    def key_place(self) -> str:
        return "memory"

    def notices(self) -> tuple[str, ...]:
        return self.told


class Bench:
    """Submits commands and waits for what comes of them; `with` ends the engine."""

    def __init__(
        self,
        pages: list[FakePage],
        *turns: Turn,
        record: MemoryRecord | None = None,
        told: tuple[str, ...] = (),
        files: Path | None = None,
    ) -> None:
        """Each conversation has its folder below `files`."""
        self._files = files
        self.browser = FakeLiveBrowser(pages)
        self.model = FakeModel(*turns)
        self.record = record or MemoryRecord()
        self.settings = FakeSettings(told=told)
        self.events: list[Event] = []
        self._news = threading.Condition()
        self.factories = self._factories()
        self._engine = Engine(self.factories)

    def __enter__(self) -> Self:
        self._engine.start(self._hear, lambda frame: None)
        return self

    def __exit__(self, *args: object) -> None:
        self._engine.submit(ShutDown())
        assert self._engine.join(LIMIT_S), "the engine did not end"

    def do(self, command: Command) -> None:
        self._engine.submit(command)

    def wait(self, wanted: Callable[[list[Event]], T]) -> T:
        """The first true value of a condition on all that was heard."""
        with self._news:
            assert self._news.wait_for(lambda: bool(wanted(self.events)), LIMIT_S), self.events[-5:]
            return wanted(self.events)

    def wait_for(self, kind: type[T], number: int = 1) -> T:
        """The event of that kind, the first one or a later one, whether stored or passing."""
        return self.wait(
            lambda events: [one for one in map(inner, events) if isinstance(one, kind)][number - 1 : number]
        )[0]

    def _hear(self, event: Event) -> None:
        with self._news:
            self.events.append(event)
            self._news.notify_all()

    def _factories(self) -> Factories:
        async def record() -> MemoryRecord:
            return self.record

        async def nothing() -> tuple[()]:
            return ()

        async def no_stages(choice: ModelChoice) -> tuple[()]:
            return ()

        return Factories(
            open_record=record,
            open_settings=lambda: self.settings,
            make_browser=lambda settings: self.browser,
            make_model=lambda choice: self.model,
            make_demo_model=lambda url: self.model,
            start_practice_site=_no_site,
            find_local_models=nothing,
            check_connection=no_stages,
            list_models=no_stages,
            missing_of=lambda choice: "" if choice.model else "No model is chosen.",
            folder_of=lambda conversation: str(self._files / conversation) if self._files else "",
        )


def inner(event: Event) -> Event | RecordedEvent:
    return event.event if isinstance(event, StoredEvent) else event


def _no_site(port: int) -> object:
    raise AssertionError("no demo here")
