"""API keys: in the system's key store when it really works, else in memory until the program ends."""

import logging
import os
from collections.abc import Callable, Mapping

from app.domain.errors import SettingsError
from app.settings.key_store import SERVICE, Backend, attempt, find_backend, has_proved

_LOG = logging.getLogger("app.settings")
_PROBE_SECONDS = 5.0
_CALL_SECONDS = 20.0  # a person may be asked to unlock the key store
_USUAL_VARIABLES = {
    "openai": "OPENAI_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "openrouter": "OPENROUTER_API_KEY",
}


class Keys:
    """Looks in this order: set since the start, `PILOTFISH_KEY_<PROVIDER>`, the key store, the provider's own variable.

    The key store is opened when it is needed first, tried out with a dummy entry, and asked once for each provider.
    Nothing is ever put in a file.
    """

    def __init__(
        self,
        environment: Mapping[str, str] = os.environ,
        find: Callable[[], Backend | None] = find_backend,
        probe_seconds: float = _PROBE_SECONDS,
    ) -> None:
        self._environment = environment
        self._find = find
        self._probe_seconds = probe_seconds
        self._memory: dict[str, str] = {}
        self._read: dict[str, str] = {}  # what the key store answered, empty texts too
        self._seen: set[str] = set()
        self._backend: Backend | None = None
        self._trouble: str | None = None  # None until the key store was tried

    def __repr__(self) -> str:
        return "Keys()"

    def get(self, provider: str) -> str:
        """The key, or an empty text. Raises SettingsError when a key store that worked fails."""
        key = self._memory.get(provider) or self._variable(f"PILOTFISH_KEY_{provider.upper()}")
        if not key:
            key = self._stored(provider) or self._variable(_USUAL_VARIABLES.get(provider, ""))
        if key:
            self._seen.add(key)
        return key

    def set(self, provider: str, key: str) -> None:
        """Keep the key; an empty one forgets it. Raises SettingsError when a key store that worked fails."""
        key = key.strip()
        if not key:
            self._forget(provider)
            return
        self._memory[provider] = key
        self._seen.add(key)
        self._read.pop(provider, None)
        if backend := self._open():
            self._ask("keep the key", lambda: backend.set_password(SERVICE, provider, key))

    def place(self) -> str:
        """Where keys are kept, in plain words."""
        if self._open():
            return "in the key store of your system"
        return f"in memory until Pilotfish ends, because {self._trouble}"

    def known(self) -> tuple[str, ...]:
        """Every key held or handed out since the start, so that it can be taken out of texts."""
        return tuple(self._seen)

    def _forget(self, provider: str) -> None:
        self._memory.pop(provider, None)
        backend = self._open()
        if backend and self._stored(provider):
            self._ask("forget the key", lambda: backend.delete_password(SERVICE, provider))
        self._read.pop(provider, None)

    def _stored(self, provider: str) -> str:
        backend = self._open()
        if backend is None:
            return ""
        if provider not in self._read:
            answer = self._ask("read the key", lambda: backend.get_password(SERVICE, provider))
            self._read[provider] = answer or ""
        return self._read[provider]

    def _variable(self, name: str) -> str:
        return self._environment.get(name, "").strip()

    def _open(self) -> Backend | None:
        if self._trouble is None:
            tried = attempt(self._probe_seconds, self._find_and_prove)
            self._backend, self._trouble = tried.value, _trouble(tried.error)
            if tried.error:
                _LOG.info("The key store failed its trial: %s", type(tried.error).__name__)
        return self._backend

    def _find_and_prove(self) -> Backend | None:
        backend = self._find()
        return backend if backend and has_proved(backend) else None

    def _ask(self, what: str, work: Callable[[], str | None]) -> str | None:
        asked = attempt(_CALL_SECONDS, work)
        if asked.error:
            raise SettingsError(
                f"The key store of the system could not {what}.",
                lost="A key entered just now works until Pilotfish ends.",
                next_step="Unlock the key store and try again.",
            ) from asked.error
        return asked.value


def _trouble(error: BaseException | None) -> str:
    if error is None:
        return "this system has no key store that keeps keys safe"
    if isinstance(error, TimeoutError):
        return "the key store of the system did not answer"
    return "the key store of the system could not be used"
