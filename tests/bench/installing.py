"""Installs pinned packages once, each set into a cached folder of its own; what is there is not installed again."""

import hashlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

PAUSES_S = (3, 15)
LIMIT_S = 900
SHOWN_LINES = 12


class NotInstalled(Exception):
    """Something cannot be had; its text says what and why."""


def installed_by_pip(cache: Path, name: str, packages: Sequence[str], *, target_only: bool = False) -> Path:
    """A virtual environment with the packages, or with `target_only` a plain folder to import from."""
    folder = folder_of(cache, name, packages)
    if not _is_finished(folder):
        _anew(folder)
        if target_only:
            _run([*_pip(Path(sys.executable)), "--target", str(folder), *packages], name)
        else:
            _run([sys.executable, "-m", "venv", str(folder)], name)
            _run([*_pip(python_in(folder)), *packages], name)
        _finish(folder)
    return folder


def installed_by_npm(cache: Path, name: str, packages: Sequence[str], npm: Sequence[str]) -> Path:
    """A folder with `node_modules`; no script of a package is run."""
    folder = folder_of(cache, name, packages)
    if not _is_finished(folder):
        _anew(folder)
        folder.mkdir(parents=True)
        (folder / "package.json").write_text('{"private": true}\n', encoding="utf-8")
        quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--save-exact"]
        skips = {"PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD": "1", "PUPPETEER_SKIP_DOWNLOAD": "1"}
        _run([*npm, "install", *quiet, *packages], name, cwd=folder, extra=skips)
        _finish(folder)
    return folder


def python_in(folder: Path) -> Path:
    """The Python of a virtual environment."""
    return folder / "Scripts" / "python.exe" if os.name == "nt" else folder / "bin" / "python"


def folder_of(cache: Path, name: str, packages: Sequence[str]) -> Path:
    """The name tells the set of packages apart, so that a new pin is a new folder."""
    digest = hashlib.sha256("\n".join(packages).encode()).hexdigest()[:10]
    return cache / f"{name}-{digest}"


def _pip(python: Path) -> list[str]:
    return [str(python), "-m", "pip", "--no-input", "--disable-pip-version-check", "install", "--retries", "5"]


def _is_finished(folder: Path) -> bool:
    return (folder / "finished").exists()


def _anew(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)


def _finish(folder: Path) -> None:
    (folder / "finished").touch()


def _run(command: Sequence[str], name: str, *, cwd: Path | None = None, extra: Mapping[str, str] | None = None) -> None:
    said = _said(command, cwd, extra)
    for pause_s in PAUSES_S:
        if said is None:
            return
        time.sleep(pause_s)
        said = _said(command, cwd, extra)
    if said is not None:
        raise NotInstalled(f"{name} could not be installed. The end of what the installer said:\n{said}")


def _said(command: Sequence[str], cwd: Path | None, extra: Mapping[str, str] | None) -> str | None:
    """None when it worked, else its last lines."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=LIMIT_S,
            check=False,
            cwd=cwd,
            env={**kept, **(extra or {})},
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return None if done.returncode == 0 else "\n".join(done.stdout.splitlines()[-SHOWN_LINES:])
