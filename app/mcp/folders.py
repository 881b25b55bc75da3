"""Which files may be uploaded: those inside of the folders that were named, wherever a link leads."""

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname


def allowed_paths(wanted: Sequence[str], folders: Sequence[Path]) -> tuple[str, ...] | str:
    """The whole paths, or in words why one of them may not be taken."""
    if wanted and not folders:
        return "no folder was named from which files may be taken. Your user names one with --files DIR at the start"
    found: list[str] = []
    for name in wanted:
        inside = _inside(name, folders)
        if inside is None:
            inside_of = " or ".join(map(str, folders))
            return f"{name[:200]} is no file inside {inside_of}; your user can put it there. Nothing else is taken"
        found.append(str(inside))
    return tuple(found)


def folder_of(uri: str) -> Path | None:
    """The folder of a `file:` address; None for any other, and for the whole disk."""
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc not in ("", "localhost"):
        return None
    folder = Path(url2pathname(unquote(parts.path)))
    return folder if folder.is_dir() and folder != Path(folder.anchor) else None


def _inside(name: str, folders: Sequence[Path]) -> Path | None:
    for folder in folders:
        try:
            path = (folder / name).resolve()
            if path.is_file() and path.is_relative_to(folder.resolve()):
                return path
        except (OSError, RuntimeError, ValueError):  # too long, a link to itself, no name at all
            continue
    return None
