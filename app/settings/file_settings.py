"""The settings of one person: a JSON file, the environment over it, and the keys beside it."""

import contextlib
import json
import logging
import os
from collections.abc import Mapping
from pathlib import Path

from app.domain.errors import SettingsError
from app.settings.files import keep_aside, write_atomically
from app.settings.keys import Keys
from app.settings.options import OPTIONS, Option, option
from app.settings.paths import Paths

_LOG = logging.getLogger("app.settings")


class FileSettings:
    """Implements `Settings`. A value comes from the environment, else from the file, else it is the default.

    What is wrong in the file or the environment never stops the program: the default is used, and `notices` says so.
    Unknown entries of the file are kept, as a newer version may know them.
    """

    def __init__(self, paths: Paths, *, environment: Mapping[str, str] = os.environ, keys: Keys | None = None) -> None:
        self._paths = paths
        self._keys = keys or Keys(environment)
        self._environment = environment
        self._notices: list[str] = []
        self._file = self._read_or_start_afresh()
        self._values = {item.name: self._value_in_file(item) for item in OPTIONS}
        self._overrides = dict(self._read_environment())

    def notices(self) -> tuple[str, ...]:
        return tuple(self._notices)

    def value(self, name: str) -> str:
        return self._overrides.get(option(name).name, self._values[name])

    def values(self) -> tuple[tuple[str, str], ...]:
        return tuple((item.name, self.value(item.name)) for item in OPTIONS)

    def change(self, values: tuple[tuple[str, str], ...]) -> None:
        """All or none; an unknown name or a bad value raises. What another process changed meanwhile is kept."""
        accepted = [(option(name), option(name).read(raw)) for name, raw in values]
        entries = self._entries_now() | {item.name: item.stored(text) for item, text in accepted}
        try:
            write_atomically(
                self._paths.settings_file, json.dumps(entries, indent=2, ensure_ascii=False).encode() + b"\n"
            )
        except OSError as exc:
            raise SettingsError(
                f"The settings could not be written to {self._paths.settings_file} ({exc.strerror or exc}).",
                lost="The settings are as they were before.",
                next_step="Check the disk and the permissions of that folder, then try again.",
            ) from exc
        self._file = entries
        self._values |= {item.name: text for item, text in accepted}
        for item, text in accepted:
            if self._overrides.get(item.name, text) != text:
                self._tell(f"{item.name} is kept, but {item.variable} is set to another value and wins over it.")

    def key(self, provider: str) -> str:
        return self._keys.get(provider)

    def set_key(self, provider: str, key: str) -> None:
        self._keys.set(provider, key)

    def key_place(self) -> str:
        return self._keys.place()

    def secrets(self) -> tuple[str, ...]:
        """Every key that was held or handed out, so that it can be taken out of texts."""
        return self._keys.known()

    def downloads_dir(self) -> Path:
        """Where files from pages go: the person's choice, else the usual folder."""
        chosen = self.value("downloads_dir")
        return Path(chosen).expanduser() if chosen else self._paths.downloads_dir

    def _read_or_start_afresh(self) -> dict[str, object]:
        path = self._paths.settings_file
        try:
            return _read(path)
        except ValueError:
            self._tell(f"The settings file was damaged; the defaults are used. {_kept(path)}")
        except OSError as exc:
            self._tell(f"The settings file {path} could not be read ({exc.strerror}); the defaults are used.")
        return {}

    def _entries_now(self) -> dict[str, object]:
        """The file as another process may have changed it, else as it was read last."""
        try:
            return _read(self._paths.settings_file)
        except (ValueError, OSError):
            return self._file

    def _value_in_file(self, item: Option) -> str:
        if item.name not in self._file:
            return item.default
        try:
            return item.read(self._file[item.name])
        except SettingsError as exc:
            self._tell(f"In the settings file: {exc.what} {item.default or 'Nothing'} is used instead.")
            return item.default

    def _read_environment(self) -> list[tuple[str, str]]:
        found = []
        for item in OPTIONS:
            if raw := self._environment.get(item.variable, "").strip():
                try:
                    found.append((item.name, item.read(raw)))
                except SettingsError as exc:
                    self._tell(f"In the environment variable {item.variable}: {exc.what} It is left out.")
        return found

    def _tell(self, notice: str) -> None:
        self._notices.append(notice)
        _LOG.info(notice)


def _read(path: Path) -> dict[str, object]:
    """Raises ValueError when it is no JSON object, OSError when it cannot be read."""
    try:
        found = json.loads(path.read_bytes())
    except FileNotFoundError:
        return {}
    if not isinstance(found, dict):
        raise ValueError("not an object")
    return found


def _kept(path: Path) -> str:
    with contextlib.suppress(OSError):
        return f"The damaged one is kept as {keep_aside(path)}."
    return f"It is still at {path} and is written over at the next change."
