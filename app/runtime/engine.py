"""The engine thread: one asyncio loop for agent, browser and models; commands in, frozen events out."""

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from app.domain.commands import Command, ShutDown
from app.domain.errors import AppError
from app.domain.pages import Frame
from app.domain.passing import EngineStopped, ErrorShown, Event
from app.runtime.factories import Factories
from app.runtime.session import Session

T = TypeVar("T")

_log = logging.getLogger(__name__)


class Engine:
    """Started once, shut down once. `submit` may be called from any thread; the callbacks run in the engine thread."""

    def __init__(self, factories: Factories, *, attended: bool = True, consent: str = "ask") -> None:
        self._factories = factories
        self._attended = attended
        self._consent = consent
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._commands: asyncio.Queue[Command] | None = None
        self._ready = threading.Event()
        self._on_event: Callable[[Event], None] = lambda event: None
        self._on_frame: Callable[[Frame], None] | None = None

    def start(self, on_event: Callable[[Event], None], on_frame: Callable[[Frame], None] | None) -> None:
        """Start the thread; returns when it takes commands. Without `on_frame` the page is not filmed."""
        self._on_event, self._on_frame = on_event, on_frame
        self._thread = threading.Thread(target=self._run, name="engine", daemon=True)
        self._thread.start()
        self._ready.wait()

    def submit(self, command: Command) -> None:
        """Hand a command over; returns at once. After the end it does nothing."""
        loop, commands = self._loop, self._commands
        if loop is None or commands is None:
            return
        try:
            loop.call_soon_threadsafe(commands.put_nowait, command)
        except RuntimeError:
            _log.debug("a command came after the end of the engine")

    def join(self, timeout_s: float) -> bool:
        """Wait for the thread's end; whether it ended."""
        if self._thread is None:
            return True
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        try:
            asyncio.run(self._main())
        finally:
            self._ready.set()
            self._loop = None
            self._on_event(EngineStopped())

    async def _main(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._commands = asyncio.Queue()
        self._ready.set()
        session: Session | None = None
        try:
            session = await self._told(self._opened())
            if session is not None:
                await self._serve(session, self._commands)
        finally:
            if session is not None:
                await session.close()

    async def _opened(self) -> Session:
        return await Session.opened(
            self._factories, self._on_event, self._on_frame, attended=self._attended, consent=self._consent
        )

    async def _serve(self, session: Session, commands: asyncio.Queue[Command]) -> None:
        while not isinstance(command := await commands.get(), ShutDown):
            await self._told(session.handle(command))

    async def _told(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Do it; what goes wrong is told, and the engine goes on."""
        try:
            return await work
        except AppError as error:
            self._on_event(ErrorShown(error.what, error.lost, error.next_step))
        except Exception:
            _log.exception("a command ended by a fault of the program")
            self._on_event(ErrorShown(_FAULT, "What was recorded so far is kept.", "Try again."))
        return None


_FAULT = "The program made a mistake."
