"""Asks the program's own resolver for a browser, before there is an environment to run the program in."""

import json
import os
import sys
from pathlib import Path

from app.browser.resolver import resolve
from app.domain.errors import BrowserError
from devtools.environment import ENVIRONMENT


def complaint() -> str:
    """Why there is no browser to use, in a sentence; empty when there is one."""
    try:
        resolve("", os.environ, Path.exists, drivers_own=_of_the_driver())
    except BrowserError as error:
        return error.what
    return ""


def is_a_debian_package(os_release: str) -> bool:
    """Debian has Chromium as a package; Ubuntu and what is made from it have only a pointer to another shop."""
    fields = dict(line.split("=", 1) for line in os_release.splitlines() if "=" in line)
    family = f"{fields.get('ID', '')} {fields.get('ID_LIKE', '')}".replace('"', "").split()
    return "debian" in family and "ubuntu" not in family


def _of_the_driver() -> str:
    """What the driver has downloaded: the revision it wants, or any while the driver is not installed yet."""
    folder = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or _folder_of_downloads())
    return next((str(found) for found in folder.glob(f"chromium-{_wanted_revision()}")), "")


def _wanted_revision() -> str:
    for lists in ENVIRONMENT.folder.glob("**/site-packages/playwright/driver/package/browsers.json"):
        browsers = json.loads(lists.read_text(encoding="utf-8"))["browsers"]
        return next(str(browser["revision"]) for browser in browsers if browser["name"] == "chromium")
    return "*"


def _folder_of_downloads() -> Path:
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/ms-playwright"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "ms-playwright"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "ms-playwright"
