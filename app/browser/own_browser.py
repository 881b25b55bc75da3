"""Finds the Chromium that Playwright downloaded itself, without starting its driver."""

import sys
from collections.abc import Mapping
from pathlib import Path

_FOLDERS = {"linux": ".cache/ms-playwright", "darwin": "Library/Caches/ms-playwright"}
_PROGRAMS = {
    "linux": "chrome-linux*/chrome",
    "darwin": "chrome-mac*/*.app/Contents/MacOS/*",
    "win32": "chrome-win*/chrome.exe",
}


def drivers_own(env: Mapping[str, str], platform: str = sys.platform) -> str:
    """The newest downloaded Chromium; empty when there is none."""
    found = sorted(_folder(env, platform).glob(f"chromium-*/{_PROGRAMS.get(platform, _PROGRAMS['linux'])}"))
    return str(max(found, key=_revision)) if found else ""


def _folder(env: Mapping[str, str], platform: str) -> Path:
    if chosen := env.get("PLAYWRIGHT_BROWSERS_PATH", ""):
        return Path(chosen)
    if platform == "win32":
        return Path(env.get("LOCALAPPDATA", "")) / "ms-playwright"
    return Path(env.get("HOME", "")) / _FOLDERS.get(platform, _FOLDERS["linux"])


def _revision(program: Path) -> int:
    folder = next(part for part in program.parts if part.startswith("chromium-"))
    number = folder.removeprefix("chromium-")
    return int(number) if number.isdecimal() else 0
