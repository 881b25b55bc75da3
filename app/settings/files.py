"""Writing a file so that it is the old one or the new one, never something between."""

import contextlib
import os
import tempfile
from datetime import datetime
from pathlib import Path

from app.context.files.names import damaged


def make_private_folder(folder: Path) -> None:
    """The folder, readable for its owner only when it is new. Raises OSError."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def write_atomically(path: Path, data: bytes) -> None:
    """Write under a temporary name, bring it to the disk, rename. Raises OSError."""
    make_private_folder(path.parent)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}-", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise
    _sync_folder(path.parent)


def keep_aside(path: Path) -> Path:
    """Give a damaged file a name that is free; returns the name. Raises OSError."""
    return path.rename(damaged(path, datetime.now().astimezone(), Path.exists))


def _sync_folder(folder: Path) -> None:
    """Bring the rename to the disk; Windows has no such call and needs none."""
    if os.name == "nt":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
