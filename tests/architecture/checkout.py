"""The checkout as the architecture tests see it: its tracked files, and its Python."""

import shutil
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NOT_TRACKED = {".git", ".venv", "build", "dist", "__pycache__"}


@cache
def tracked_files() -> tuple[Path, ...]:
    """Every file that belongs to the project, relative to its root; without git (an unpacked archive): every file."""
    if shutil.which("git") and (ROOT / ".git").exists():
        command = ["git", "-c", f"safe.directory={ROOT}", "ls-files", "-z"]
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
        return tuple(Path(name) for name in listed if name and (ROOT / name).exists())
    found = (file.relative_to(ROOT) for file in ROOT.rglob("*") if file.is_file())
    return tuple(file for file in found if not NOT_TRACKED.intersection(file.parts) and "_cache" not in str(file))


def python_files(*folders: str) -> list[Path]:
    return [file for file in tracked_files() if file.suffix == ".py" and file.parts[0] in folders]


def text_of(file: Path) -> str:
    return (ROOT / file).read_text(encoding="utf-8")
