"""Which versions were measured."""

import os
import re
import subprocess
import tomllib
from pathlib import Path

from tests.browser.steps import executable

ROOT = Path(__file__).resolve().parents[2]


def of_checkout() -> tuple[tuple[str, str], ...]:
    """Ours, with the commit where there is one, and what the pages ran in."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return (("Pilotfish", f"{project['version']}{_commit()}"), ("Chromium", _chromium()))


def _commit() -> str:
    said = _said(["git", "-C", str(ROOT), "rev-parse", "--short=10", "HEAD"])
    return f" at {said}" if said else ""


def _chromium() -> str:
    if os.name == "nt":  # there the browser opens a window instead of telling its version
        return "of this system"
    found = re.search(r"\d+(\.\d+)+", _said([str(executable()), "--version"]))
    return found.group(0) if found else "unknown"


def _said(command: list[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""
