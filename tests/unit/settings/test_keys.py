import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import ModuleType

import pytest

from app.domain.errors import SettingsError
from app.settings.file_settings import FileSettings
from app.settings.key_store import Backend, is_trusted
from app.settings.keys import Keys
from app.settings.paths import find_paths

KEY = "sk-test-0123456789abcdefghij"


class Store:
    """A key store that works."""

    priority = 5

    def __init__(self) -> None:
        self.entries: dict[tuple[str, str], str] = {}
        self.names: list[str] = []

    def get_password(self, service: str, username: str) -> str | None:
        return self.entries.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.names.append(username)
        self.entries[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.entries[service, username]


class Broken(Store):
    """Looks healthy, as a locked key store whose prompt was dismissed does."""

    def set_password(self, service: str, username: str, password: str) -> None:
        raise ZeroDivisionError("Failed to create the collection: Prompt dismissed")


class Forgetful(Store):
    def get_password(self, service: str, username: str) -> str | None:
        return None


class Silent(Store):
    """Waits for a prompt that nobody sees."""

    def __init__(self) -> None:
        super().__init__()
        self.released = threading.Event()

    def set_password(self, service: str, username: str, password: str) -> None:
        self.released.wait(30)


class Locked(Store):
    """Works when it is tried out, then is locked."""

    is_locked = False

    def get_password(self, service: str, username: str) -> str | None:
        if self.is_locked:
            raise RuntimeError("locked")
        return super().get_password(service, username)


def keys(store: Backend | None, **environment: str) -> Keys:
    return Keys(environment, lambda: store, probe_seconds=5)


def test_a_working_key_store_keeps_the_key_over_a_restart() -> None:
    store = Store()
    keys(store).set("openai", f" {KEY}\n")
    again = keys(store)
    assert again.get("openai") == KEY
    assert again.get("anthropic") == ""
    assert again.place() == "in the key store of your system"
    assert list(store.entries) == [("Pilotfish", "openai")], "the dummy entry is taken away again"
    assert any(name.startswith("probe-") for name in store.names)


@pytest.mark.parametrize(
    ("store", "why"),
    [
        (None, "no key store that keeps keys safe"),
        (Forgetful(), "no key store that keeps keys safe"),
        (Broken(), "could not be used"),
    ],
    ids=["none", "forgetful", "broken"],
)
def test_without_a_working_key_store_the_key_lives_until_the_end(store: Backend | None, why: str) -> None:
    held = keys(store)
    held.set("openai", KEY)
    assert held.get("openai") == KEY
    assert held.place() == f"in memory until Pilotfish ends, because {held.place().partition('because ')[2]}"
    assert why in held.place()
    assert keys(store).get("openai") == ""


def test_a_key_store_that_does_not_answer_is_given_up() -> None:
    store = Silent()
    held = Keys({}, lambda: store, probe_seconds=0.2)
    began = time.monotonic()
    held.set("openai", KEY)
    assert held.get("openai") == KEY
    assert time.monotonic() - began < 5
    assert "did not answer" in held.place()
    store.released.set()


def test_a_key_store_is_tried_out_once_and_only_when_needed() -> None:
    asked: list[int] = []

    def find() -> Backend | None:
        asked.append(1)
        return None

    held = Keys({"PILOTFISH_KEY_OPENAI": KEY}, find)
    held.get("openai")
    assert asked == []
    held.get("anthropic")
    held.place()
    assert asked == [1]


def test_a_key_store_that_fails_later_is_reported_and_the_key_is_usable() -> None:
    store = Locked()
    held = keys(store)
    held.place()
    store.is_locked = True
    with pytest.raises(SettingsError, match="could not read the key") as caught:
        held.get("openai")
    assert "Unlock" in caught.value.message
    held.set("openai", KEY)
    assert held.get("openai") == KEY


def test_the_key_store_is_asked_once_for_each_provider() -> None:
    store = Locked()
    keys(store).set("openai", KEY)
    held = keys(store)
    assert (held.get("openai"), held.get("anthropic")) == (KEY, "")
    store.is_locked = True
    assert (held.get("openai"), held.get("anthropic")) == (KEY, "")


@pytest.mark.parametrize(
    ("environment", "provider", "found"),
    [
        ({"OPENAI_API_KEY": "a"}, "openai", "a"),
        ({"ANTHROPIC_API_KEY": "b"}, "anthropic", "b"),
        ({"OPENROUTER_API_KEY": "c"}, "openrouter", "c"),
        ({"PILOTFISH_KEY_LOCAL": " d "}, "local", "d"),
        ({"PILOTFISH_KEY_OPENAI": "e", "OPENAI_API_KEY": "a"}, "openai", "e"),
        ({"OPENAI_API_KEY": "a"}, "local", ""),
        ({"OPENAI_API_KEY": "  "}, "openai", ""),
    ],
)
def test_a_key_can_come_from_the_environment(environment: dict[str, str], provider: str, found: str) -> None:
    assert keys(None, **environment).get(provider) == found


def test_the_order_is_set_now_then_ours_then_the_key_store_then_the_usual_variable() -> None:
    store = Store()
    keys(store).set("openai", "from store")
    assert keys(store, OPENAI_API_KEY="usual").get("openai") == "from store"
    held = keys(store, PILOTFISH_KEY_OPENAI="ours")
    assert held.get("openai") == "ours"
    held.set("openai", "set now")
    assert held.get("openai") == "set now"


@pytest.mark.parametrize("store", [Store(), None], ids=["key store", "memory"])
def test_an_empty_key_forgets_it(store: Backend | None) -> None:
    held = keys(store)
    held.set("openai", KEY)
    held.set("openai", "")
    assert held.get("openai") == ""
    assert keys(store).get("openai") == ""
    held.set("anthropic", "")


def test_every_key_that_was_seen_is_known_so_that_it_can_be_hidden() -> None:
    held = keys(Store(), ANTHROPIC_API_KEY="sk-ant-x")
    held.set("openai", KEY)
    held.get("anthropic")
    held.set("openai", "")
    assert set(held.known()) == {KEY, "sk-ant-x"}


def test_a_key_is_in_no_file_and_no_representation(tmp_path: Path) -> None:
    settings = FileSettings(find_paths({"PILOTFISH_HOME": str(tmp_path)}), environment={}, keys=keys(None))
    settings.set_key("openai", KEY)
    settings.change((("provider", "openai"), ("model", "m")))
    assert settings.key("openai") == KEY
    assert KEY not in repr(settings) + repr(settings.values()) + repr(keys(None)) + settings.key_place()
    assert settings.secrets() == (KEY,)
    assert not any(KEY.encode() in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())


def backend_in(module: str, priority: float) -> object:
    return type("Keyring", (), {"__module__": ModuleType(module).__name__, "priority": priority})()


@pytest.mark.parametrize(
    ("module", "priority", "trusted"),
    [
        ("keyring.backends.SecretService", 5, True),
        ("keyring.backends.macOS", 5, True),
        ("keyring.backends.Windows", 5, True),
        ("keyring.backends.kwallet", 4.9, True),
        ("keyring.backends.null", -1, False),
        ("keyring.backends.null", 9, False),
        ("keyring.backends.fail", 0, False),
        ("keyrings.alt.file", 0.5, False),
        ("keyrings.alt.file", 9, False),
        ("some.other", 0.9, False),
    ],
)
def test_only_key_stores_that_keep_secrets_are_trusted(module: str, priority: float, trusted: bool) -> None:
    assert is_trusted(backend_in(module, priority)) is trusted


@pytest.mark.parametrize("backend", ["keyring.backends.null.Keyring", "keyring.backends.fail.Keyring", ""])
def test_the_real_library_without_a_key_store_leaves_the_key_in_memory(backend: str, tmp_path: Path) -> None:
    environment = os.environ | {
        "PYTHON_KEYRING_BACKEND": backend,
        "HOME": str(tmp_path),
        "DBUS_SESSION_BUS_ADDRESS": "",
    }
    if not backend:
        environment.pop("PYTHON_KEYRING_BACKEND")
    script = (
        "from app.settings.keys import Keys\n"
        "keys = Keys({})\n"
        "keys.set('openai', 'sk-1')\n"
        "print(keys.get('openai'), keys.place())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=environment,
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        check=True,
        timeout=50,
    )
    assert done.stdout.startswith("sk-1 in memory until Pilotfish ends") or sys.platform in ("win32", "darwin")
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
