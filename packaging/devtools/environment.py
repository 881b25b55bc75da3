"""Makes `.venv` from the lock, once, and again only when the lock, the project or the place has changed."""

import hashlib
import json
import os
import shutil
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from devtools.commands import NETWORK_PAUSES_S, ROOT, answer_of, carry_out

IS_WINDOWS = os.name == "nt"
FITTING_PYTHONS = ("3.11", "3.12", "3.13")
ASK_VERSION = "import pip, sys; print('%d.%d' % sys.version_info[:2])"


@dataclass(frozen=True, slots=True)
class Environment:
    """The `.venv` of a checkout; a stamp in it says what it was made from, a mark that the making is not over."""

    checkout: Path

    @property
    def folder(self) -> Path:
        return self.checkout / ".venv"

    @property
    def python(self) -> Path:
        return self.program("python")

    @property
    def lock(self) -> Path:
        return self.checkout / "packaging" / "requirements.lock"

    @property
    def stamp(self) -> Path:
        return self.folder / "set-up-finished.json"

    @property
    def unfinished(self) -> Path:
        return self.folder / "set-up-unfinished"

    def program(self, name: str) -> Path:
        return self.folder / "Scripts" / f"{name}.exe" if IS_WINDOWS else self.folder / "bin" / name

    def is_ready(self) -> bool:
        return not self.unfinished.exists() and self._stamped() == self._wanted() and self._runs()

    def can_be_kept(self) -> bool:
        """A finished environment can take a new lock in; a half-made, moved or unfitting one cannot."""
        moved = self._stamped().get("checkout", str(self.checkout)) != str(self.checkout)
        return not self.unfinished.exists() and not moved and self._runs()

    def start_anew(self) -> None:
        if self.folder.exists():
            print(f"{self.folder.name} is not usable as it is and is made anew.", flush=True)
            shutil.rmtree(self.folder)
        self.begin()
        # The Python outside of any environment: the one inside has just gone.
        outside = getattr(sys, "_base_executable", None) or sys.executable
        carry_out([outside, "-m", "venv", str(self.folder)], "Making the Python environment")

    def begin(self) -> None:
        self.folder.mkdir(exist_ok=True)
        self.unfinished.touch()

    def install(self) -> None:
        pip = [str(self.python), "-m", "pip", "--no-input", "--disable-pip-version-check", "install"]
        # Bytecode is written when a module is first used, which is a fraction of what is installed.
        locked = ["--require-hashes", "--no-compile", "--retries", "5", "--requirement", str(self.lock)]
        carry_out([*pip, *locked], "Installing the locked packages", pauses_s=NETWORK_PAUSES_S)
        project = ["--no-deps", "--no-build-isolation", "--no-index", "--editable", str(self.checkout)]
        carry_out([*pip, *project], "Installing the checkout itself")

    def finish(self) -> None:
        self.stamp.write_text(json.dumps(self._wanted(), indent=2) + "\n", encoding="utf-8")
        self.unfinished.unlink()

    def _runs(self) -> bool:
        return self.python.exists() and answer_of([str(self.python), "-c", ASK_VERSION]) in FITTING_PYTHONS

    def _wanted(self) -> dict[str, str]:
        project = self.checkout / "pyproject.toml"
        return {"lock": _digest(self.lock), "project": _digest(project), "checkout": str(self.checkout)}

    def _stamped(self) -> dict[str, str]:
        try:
            found = json.loads(self.stamp.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}


ENVIRONMENT = Environment(ROOT)


def prepare(environment: Environment = ENVIRONMENT) -> None:
    """Leaves a `.venv` that holds what the lock names, and the checkout."""
    if environment.is_ready():
        return
    started = time.monotonic()
    if not environment.can_be_kept():
        environment.start_anew()
    environment.begin()
    print("Setting up .venv from packaging/requirements.lock (one to two minutes the first time) …", flush=True)
    environment.install()
    environment.finish()
    print(f"Environment ready after {time.monotonic() - started:.0f} s.", flush=True)


def _digest(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()
