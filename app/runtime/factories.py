"""What the engine is given: ways to make every part, called in the engine thread so that heavy imports stay there."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from app.agent.ports import Browser, Model, Panel, Record, Settings
from app.domain.ids import ConversationId


class LiveBrowser(Browser, Panel, Protocol):
    """A browser that can be watched and driven by hand."""

    def keep_files_in(self, folder: str) -> None:
        """Where files that pages send are saved from now on; it is made when the first one comes."""

    @property
    def is_alive(self) -> bool:
        """False once the browser or its driver was lost; then only a new one helps."""


class PracticeSite(Protocol):
    """The bundled site of the demo, served on loopback."""

    @property
    def base_url(self) -> str:
        """Without a slash at the end."""

    def stop(self) -> None: ...


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """Which model answers; `time_scale` shortens every waiting limit in tests and benchmarks."""

    provider: str
    model: str
    base_url: str
    key: str
    time_scale: float = 1.0


@dataclass(frozen=True, slots=True)
class Factories:
    """Made by bootstrap, which alone knows every class."""

    open_record: Callable[[], Awaitable[Record]]  # after a StoreError “damaged” or “newer” once more: what can be had
    open_settings: Callable[[], Settings]
    make_browser: Callable[[Settings], LiveBrowser]
    make_model: Callable[[ModelChoice], Model]
    make_demo_model: Callable[[str], Model]  # for the address of the practice site
    start_practice_site: Callable[[int], PracticeSite]  # the port to serve on, 0 for any
    find_local_models: Callable[[], Awaitable[tuple[tuple[str, str, tuple[str, ...]], ...]]]
    check_connection: Callable[[ModelChoice], Awaitable[tuple[tuple[str, bool, str], ...]]]
    list_models: Callable[[ModelChoice], Awaitable[tuple[str, ...]]]
    missing_of: Callable[[ModelChoice], str]  # what is lacking before the model could answer; empty when nothing is
    sees: Callable[[ModelChoice], bool] = lambda choice: True  # whether the model takes pictures
    folder_of: Callable[[ConversationId], str] = lambda conversation: ""  # for its files; empty: the usual one
