"""Finds a browser to use; pure, it looks at nothing but what it is given."""

import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Literal

from app.domain.errors import BrowserError

Source = Literal["setting", "PILOTFISH_BROWSER", "playwright", "system"]

DOWNLOAD_COMMAND = "playwright install chromium"

_LINUX_NAMES = (
    "google-chrome-stable",
    "google-chrome",
    "chromium",
    "chromium-browser",
    "microsoft-edge-stable",
    "microsoft-edge",
    "brave-browser",
)
_LINUX_PLACES = (
    "/opt/google/chrome/chrome",
    "/opt/microsoft/msedge/msedge",
    "/snap/bin/chromium",
    "/usr/lib/chromium/chromium",
)
_MAC_APPS = (
    "Google Chrome.app/Contents/MacOS/Google Chrome",
    "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "Chromium.app/Contents/MacOS/Chromium",
    "Brave Browser.app/Contents/MacOS/Brave Browser",
)
_WINDOWS_APPS = (
    "Google/Chrome/Application/chrome.exe",
    "Microsoft/Edge/Application/msedge.exe",
    "Chromium/Application/chrome.exe",
    "BraveSoftware/Brave-Browser/Application/brave.exe",
)
_WINDOWS_FOLDERS = ("PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA")


@dataclass(frozen=True, slots=True)
class Found:
    """A browser and where it was named."""

    path: Path
    source: Source


def resolve(
    setting: str,
    env: Mapping[str, str],
    exists: Callable[[Path], bool],
    *,
    drivers_own: str = "",
    platform: str = sys.platform,
) -> Found:
    """The browser to use. Raises BrowserError when the one that was named is missing, or when there is none."""
    for named, source in ((setting, "setting"), (env.get("PILOTFISH_BROWSER", ""), "PILOTFISH_BROWSER")):
        if named:
            return _named(named, "setting" if source == "setting" else "PILOTFISH_BROWSER", exists)
    if drivers_own and exists(Path(drivers_own)):
        return Found(Path(drivers_own), "playwright")
    for place in _places(env, platform):
        if exists(Path(place)):
            return Found(Path(place), "system")
    raise BrowserError(
        "No browser was found: neither Chrome, Edge nor Chromium is installed where they usually are.",
        fault="not_found",
        next_step=f"Install one of them, download one with “{DOWNLOAD_COMMAND}”, or name one in the settings.",
    )


def _named(path: str, source: Source, exists: Callable[[Path], bool]) -> Found:
    if exists(Path(path)):
        return Found(Path(path), source)
    where = "the settings" if source == "setting" else "PILOTFISH_BROWSER"
    raise BrowserError(
        f"The browser that {where} name{'' if source == 'setting' else 's'} is not there: {path}",
        fault="not_found",
        next_step=f"Correct or clear it in {where}.",
    )


def _places(env: Mapping[str, str], platform: str) -> Iterator[str]:
    if platform == "win32":
        folders = [PureWindowsPath(env[name]) for name in _WINDOWS_FOLDERS if env.get(name)]
        yield from (str(folder / app) for app in _WINDOWS_APPS for folder in folders)
    elif platform == "darwin":
        folders_mac = [PurePosixPath("/Applications"), PurePosixPath(env.get("HOME", "/")) / "Applications"]
        yield from (str(folder / app) for app in _MAC_APPS for folder in folders_mac)
    else:
        search = [PurePosixPath(part) for part in env.get("PATH", "").split(":") if part.startswith("/")]
        yield from (str(folder / name) for name in _LINUX_NAMES for folder in search)
        yield from _LINUX_PLACES
