"""Tells whether the system has a browser that Pilotfish can drive, before there is an environment to ask it in."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

NAMES = (
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "microsoft-edge-stable",
    "chromium",
    "chromium-browser",
)
IN_APPLICATIONS = (
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "Chromium.app/Contents/MacOS/Chromium",
)
IN_PROGRAM_FILES = (
    "Google/Chrome/Application/chrome.exe",
    "Microsoft/Edge/Application/msedge.exe",
    "Chromium/Application/chrome.exe",
)


def find() -> Path | None:
    """The browser named in PILOTFISH_BROWSER, one that Playwright downloaded, or one of the system."""
    named = os.environ.get("PILOTFISH_BROWSER")
    candidates = [Path(named)] if named else [*_of_the_driver(), *_of_the_system()]
    return next((candidate for candidate in candidates if candidate.exists()), None)


def is_a_debian_package(os_release: str) -> bool:
    """Debian has Chromium as a package; Ubuntu and what is made from it have only a pointer to another shop."""
    fields = dict(line.split("=", 1) for line in os_release.splitlines() if "=" in line)
    family = f"{fields.get('ID', '')} {fields.get('ID_LIKE', '')}".replace('"', "").split()
    return "debian" in family and "ubuntu" not in family


def _of_the_driver() -> Iterator[Path]:
    folder = os.environ.get("PLAYWRIGHT_BROWSERS_PATH")
    yield from (Path(folder) if folder else _default_folder()).glob("chromium-*")


def _default_folder() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/ms-playwright"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "ms-playwright"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "ms-playwright"


def _of_the_system() -> Iterator[Path]:
    yield from (Path(found) for found in map(shutil.which, NAMES) if found)
    yield from (
        folder / name for folder in (Path("/Applications"), Path.home() / "Applications") for name in IN_APPLICATIONS
    )
    roots = (os.environ.get(name) for name in ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"))
    yield from (Path(root) / name for root in roots if root for name in IN_PROGRAM_FILES)
