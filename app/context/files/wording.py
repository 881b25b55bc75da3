"""How files are told of: their size, their type, the line a model or a person reads of one."""

from collections.abc import Sequence

from app.context.page.shield import page_words
from app.domain.files import KeptFile
from app.domain.pages import Download

_UNITS = ("KB", "MB", "GB", "TB")
_ROUNDS_UP = 999.5
_WITH_TENTHS = 9.95


def size_words(size_bytes: int) -> str:
    """A size as people say it; bytes as long as they are few."""
    if size_bytes < 1_000:
        return f"{size_bytes} bytes" if size_bytes != 1 else "1 byte"
    size = float(size_bytes)
    units = iter(_UNITS)
    unit = next(units)
    while (size := size / 1_000) >= _ROUNDS_UP and (larger := next(units, "")):
        unit = larger
    return f"{size:.1f} {unit}" if size < _WITH_TENTHS else f"{size:.0f} {unit}"


def file_line(file: KeptFile) -> str:
    """One file for the model: handle, name, type, size, danger; never where it is."""
    danger = f"; {file.type.danger}" if file.type.danger else ""
    return f"{file.id} “{page_words(file.name)}” ({file.type.words}, {size_words(file.size_bytes)}{danger})"


def files_line(files: Sequence[KeptFile]) -> str:
    """All files that a handle can name."""
    return ", ".join(f"{file.id} “{page_words(file.name, 80)}”" for file in files) or "none"


def given_text(file: KeptFile) -> str:
    """What the model reads where the person gave a file."""
    return f"The person gave the file {file_line(file)}."


def download_text(download: Download) -> str:
    """What became of a download so far, for the model."""
    name = page_words(download.suggested_name)
    if download.failure:
        got = f" after {size_words(download.size_bytes)}" if download.size_bytes else ""
        return f"download “{name}” failed{got}: {page_words(download.failure)}"
    if not download.path:
        return f"download “{name}” began{_progress(download)}; it is told of when it ends"
    kind = f"{download.type.words}, " if download.type else ""
    danger = f"; {download.type.danger}" if download.type and download.type.danger else ""
    handle = f" is {download.file}" if download.file else ""
    return f"downloaded “{name}” ({kind}{size_words(download.size_bytes)}{danger}){handle}"


def _progress(download: Download) -> str:
    if not download.size_bytes:
        return f" ({size_words(download.expected_bytes)})" if download.expected_bytes else ""
    of_all = f" of {size_words(download.expected_bytes)}" if download.expected_bytes else ""
    return f" ({size_words(download.size_bytes)}{of_all} so far)"
