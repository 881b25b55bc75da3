"""The key store of the system, tried out before it is believed, and never waited for without end."""

import importlib
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Generic, Protocol, TypeVar

SERVICE = "Pilotfish"
_LEAST_PRIORITY = 1
_T = TypeVar("_T")


class Backend(Protocol):
    """What is used of a key store."""

    def get_password(self, service: str, username: str) -> str | None: ...

    def set_password(self, service: str, username: str, password: str) -> None: ...

    def delete_password(self, service: str, username: str) -> None: ...


def find_backend() -> Backend | None:
    """The best key store that keeps secrets secret: none that drops them, refuses them or writes them in the clear."""
    chosen = importlib.import_module("keyring").get_keyring()
    candidates = chosen.backends if hasattr(chosen, "backends") else [chosen]
    return next((backend for backend in candidates if is_trusted(backend)), None)


def is_trusted(backend: object) -> bool:
    module = type(backend).__module__
    is_refused = module.startswith("keyrings.alt") or module.endswith((".null", ".fail"))
    return not is_refused and getattr(backend, "priority", 0) >= _LEAST_PRIORITY


def has_proved(backend: Backend) -> bool:
    """Whether a dummy entry could be set, read and deleted. Raises whatever the key store raises."""
    name, value = f"probe-{secrets.token_hex(4)}", secrets.token_hex(8)
    backend.set_password(SERVICE, name, value)
    kept = backend.get_password(SERVICE, name)
    backend.delete_password(SERVICE, name)
    return kept == value


@dataclass(slots=True)
class Attempt(Generic[_T]):
    """What came of some work: a value or an error."""

    value: _T | None = None
    error: BaseException | None = None

    def __enter__(self) -> "Attempt[_T]":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> bool:
        """Key stores are plug-ins of the system: which errors they raise cannot be listed."""
        self.error = error
        return True


def attempt(seconds: float, work: Callable[[], _T]) -> Attempt[_T]:
    """Do work that may block for ever, as an unlock prompt does; then the error is a TimeoutError."""
    outcome = Attempt[_T]()

    def run() -> None:
        with outcome:
            outcome.value = work()

    thread = threading.Thread(target=run, name="pilotfish-keys", daemon=True)
    thread.start()
    thread.join(seconds)
    return Attempt(error=TimeoutError()) if thread.is_alive() else outcome
