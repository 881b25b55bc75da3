"""Makes `.venv` from the lock, once, and again only when the lock, the project or the place has changed."""

import hashlib
import json
import os
import shutil
import sys
import time
from pathlib import Path

from devtools.commands import ROOT, answer_of, carry_out

VENV = ROOT / ".venv"
SCRIPTS = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = SCRIPTS / ("python.exe" if os.name == "nt" else "python")
LOCK = ROOT / "packaging" / "requirements.lock"
STAMP = VENV / "set-up-finished.json"
UNFINISHED = VENV / "set-up-unfinished"
VERSION_OF_PYTHON = "import sys; print('.'.join(map(str, sys.version_info[:2])))"
FITTING = ("3.11", "3.12", "3.13")


def prepare() -> None:
    """Leaves a `.venv` that holds exactly what the lock names, and this checkout."""
    if is_ready():
        return
    started = time.monotonic()
    if not _can_be_kept():
        _start_anew()
    UNFINISHED.touch()
    print("Setting up .venv from packaging/requirements.lock (one to two minutes the first time) …", flush=True)
    _install()
    STAMP.write_text(json.dumps(_wanted(), indent=2) + "\n", encoding="utf-8")
    UNFINISHED.unlink()
    print(f"Environment ready after {time.monotonic() - started:.0f} s.", flush=True)


def is_ready() -> bool:
    return not UNFINISHED.exists() and _stamp() == _wanted() and _runs()


def _can_be_kept() -> bool:
    """A finished environment takes a new lock in; a half-made, moved or unfitting one does not."""
    moved = _stamp().get("checkout", str(ROOT)) != str(ROOT)
    return not UNFINISHED.exists() and not moved and _runs()


def _runs() -> bool:
    return PYTHON.exists() and answer_of([str(PYTHON), "-c", VERSION_OF_PYTHON + "; import pip"]) in FITTING


def _start_anew() -> None:
    if VENV.exists():
        print(f"{VENV.name} is not usable as it is and is made anew.", flush=True)
        shutil.rmtree(VENV)
    VENV.mkdir()
    UNFINISHED.touch()
    carry_out([_interpreter(), "-m", "venv", str(VENV)], "Making the Python environment")


def _install() -> None:
    pip = [str(PYTHON), "-m", "pip", "--no-input", "--disable-pip-version-check", "install"]
    locked = ["--require-hashes", "--retries", "5", "--requirement", str(LOCK)]
    carry_out([*pip, *locked], "Installing the locked packages", tries=3)
    project = ["--no-deps", "--no-build-isolation", "--no-index", "--editable", str(ROOT)]
    carry_out([*pip, *project], "Installing the checkout itself")


def _interpreter() -> str:
    """The Python outside of any environment, because the one inside may be about to go."""
    return getattr(sys, "_base_executable", None) or sys.executable


def _wanted() -> dict[str, str]:
    return {"lock": _digest(LOCK), "project": _digest(ROOT / "pyproject.toml"), "checkout": str(ROOT)}


def _stamp() -> dict[str, str]:
    try:
        found = json.loads(STAMP.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
