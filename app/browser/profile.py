"""Keeps the folder of the browser's own data usable: made, with room on its disk, and put aside when it is damaged."""

import shutil
import time
from pathlib import Path

from app.browser.options import BrowserOptions
from app.context.files.names import free_beside
from app.domain.errors import BrowserError

LEAST_ROOM = 24 * 1024 * 1024  # bytes; with less the browser loses what it is to remember

_USED = ("Default", "Local State")  # what a profile has once a browser ran on it


def make_ready(options: BrowserOptions) -> None:
    """Raises BrowserError when the folder cannot be used."""
    try:
        for folder in (options.profile, options.downloads):
            folder.mkdir(parents=True, exist_ok=True)
        probe = options.profile / ".can-be-written"
        probe.touch()
        probe.unlink()
        room = shutil.disk_usage(options.profile).free
    except OSError as exc:
        raise BrowserError(
            f"The folder for the browser's data cannot be used: {exc.filename} ({exc.strerror}).",
            fault="did_not_start",
            next_step="Make it a folder that can be written to, or choose another one in the settings.",
        ) from exc
    if room < LEAST_ROOM:
        raise BrowserError(
            f"The disk of the browser's data is full: {room // 1024 // 1024} MB are left in {options.profile}.",
            fault="did_not_start",
            next_step="Free some room there, then start it again.",
        )


def was_used(options: BrowserOptions) -> bool:
    """Whether a browser has kept anything in it."""
    return any((options.profile / name).exists() for name in _USED)


class PutAside:
    """The damaged folder under another name, with a new one in its place; nothing of it is deleted."""

    def __init__(self, options: BrowserOptions) -> None:
        self._options = options
        self.place = _free_name(options.profile)
        options.profile.rename(self.place)
        options.profile.mkdir()

    def put_back(self) -> None:
        """It was not the folder's fault."""
        shutil.rmtree(self._options.profile, ignore_errors=True)
        if not self._options.profile.exists():
            self.place.rename(self._options.profile)


def _free_name(profile: Path) -> Path:
    return free_beside(profile.with_name(f"{profile.name} damaged {time.strftime('%Y-%m-%d %H%M%S')}"), Path.exists)
