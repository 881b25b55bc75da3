"""A disk that forgets at a power cut: of what was written and not brought to it, any part may be lost."""

# ruff: noqa: N802 (the names are those of SQLite)

import random
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import apsw

_SECTOR = 512


@dataclass
class Kept:
    """One file as the disk holds it for certain, and the sectors that are still on their way."""

    sure: bytes = b""
    pending: list[tuple[int, bytes]] = field(default_factory=list)

    def after_a_cut(self, chance: random.Random) -> bytes:
        """A random part of the pending sectors has arrived, in no order."""
        disk = bytearray(self.sure)
        for offset, data in self.pending:
            if chance.random() < 0.5:
                disk.extend(bytes(max(0, offset + len(data) - len(disk))))
                disk[offset : offset + len(data)] = data
        return bytes(disk)


class ForgetfulDisk(apsw.VFS):
    """While it is entered, what this process writes into the folder goes through it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._real = apsw.vfs_names()[0]
        self._files: dict[str, Kept] = {}
        super().__init__("forgetful", self._real, makedefault=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.unregister()

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        is_watched = path is not None and Path(path).parent == self._folder
        kept = self._files.setdefault(path, Kept()) if is_watched else Kept()
        return _File(self._real, name, flags, kept)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        super().xDelete(filename, syncdir)
        self._files.pop(filename, None)

    def cut(self, after: Path, chance: random.Random) -> None:
        """Make a folder that holds what would be on the disk after a power cut at this moment."""
        shutil.rmtree(after, ignore_errors=True)
        after.mkdir()
        for path, kept in list(self._files.items()):
            (after / Path(path).name).write_bytes(kept.after_a_cut(chance))


class _File(apsw.VFSFile):
    def __init__(self, real: str, name: str | apsw.URIFilename | None, flags: list[int], kept: Kept) -> None:
        super().__init__(real, name, flags)
        self._kept = kept

    def xWrite(self, data: bytes, offset: int) -> None:
        super().xWrite(data, offset)
        for start in range(0, len(data), _SECTOR):
            self._kept.pending.append((offset + start, bytes(data[start : start + _SECTOR])))

    def xTruncate(self, newsize: int) -> None:
        super().xTruncate(newsize)
        self._kept.pending = [(at, data[: newsize - at]) for at, data in self._kept.pending if at < newsize]

    def xSync(self, flags: int) -> None:
        super().xSync(flags)
        self._kept.sure = super().xRead(super().xFileSize(), 0) if super().xFileSize() else b""
        self._kept.pending.clear()
