"""A disk that forgets at a power cut: of what was not brought to it, bytes and names alike, any part may be lost.

It lies under the program's own code as SQLite's default file system, so nothing in the program knows of it. A file is
safe after `xSync`, a sector at a time; the name of a file, its creation and its deletion, once its folder is synced,
which SQLite does at the first sync of a journal or log that it opened, and when it deletes with `syncdir`.
"""

# ruff: noqa: N802 (the names are those of SQLite)

import contextlib
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

import apsw

_SECTOR = 512
_SYNC_THE_FOLDER = apsw.SQLITE_OPEN_MAIN_JOURNAL | apsw.SQLITE_OPEN_SUPER_JOURNAL | apsw.SQLITE_OPEN_WAL


@dataclass(slots=True)
class Content:
    """One file: what the disk holds for certain, and what is on its way, in order; `None` in place of data resizes."""

    sure: bytearray = field(default_factory=bytearray)
    pending: list[tuple[int, bytes | None]] = field(default_factory=list)
    size: int = 0

    def write(self, data: bytes, offset: int) -> None:
        self.size = max(self.size, offset + len(data))
        for start in range(0, len(data), _SECTOR):
            self.pending.append((offset + start, bytes(data[start : start + _SECTOR])))

    def resize(self, size: int) -> None:
        self.size = size
        self.pending.append((size, None))

    def sync(self) -> None:
        _arrive(self.sure, self.pending)
        self.pending.clear()

    def after_a_cut(self, chance: random.Random, share: float) -> bytes:
        disk = bytearray(self.sure)
        _arrive(disk, [one for one in self.pending if chance.random() < share])
        return bytes(disk)


def _arrive(disk: bytearray, writes: list[tuple[int, bytes | None]]) -> None:
    for place, data in writes:
        end = place if data is None else place + len(data)
        disk.extend(bytes(max(0, end - len(disk))))
        if data is None:
            del disk[place:]
        else:
            disk[place:end] = data


class ForgetfulDisk(apsw.VFS):
    """While it is entered, all that SQLite writes into the folder in this process goes through it.

    `before_each` is called before each write, sync, resize and deletion; it may call `cut`. With a `quota` there is no
    room for more bytes than that in the folder.
    """

    def __init__(self, folder: Path, before_each: Callable[[], None] = lambda: None, quota: int | None = None) -> None:
        self.quota = quota
        self.before_each = before_each
        self._folder = folder
        self._real = apsw.vfs_names()[0]
        self._names = {str(path): _found(path) for path in folder.iterdir()}
        self._sure_names = dict(self._names)
        self._pending_names: list[tuple[str, Content | None]] = []
        super().__init__("forgetful", self._real, makedefault=True)

    def __enter__(self) -> Self:
        self._told = sys.unraisablehook
        sys.unraisablehook = self._tell
        return self

    def __exit__(self, *_: object) -> None:
        self.unregister()
        sys.unraisablehook = self._told

    def _tell(self, unraisable: "sys.UnraisableHookArgs") -> None:
        """SQLite meets a full disk also where Python cannot be told of it, as when it ends its log of changes."""
        if not isinstance(unraisable.exc_value, apsw.FullError):
            self._told(unraisable)

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        if path is None or Path(path).parent != self._folder:
            return apsw.VFSFile(self._real, name, flags)
        creates = bool(flags[0] & apsw.SQLITE_OPEN_CREATE)
        opened = _File(self, self._real, name, flags, syncs_folder=creates and bool(flags[0] & _SYNC_THE_FOLDER))
        if path not in self._names:
            self._rename(path, Content())
        opened.content = self._names[path]
        return opened

    def xDelete(self, filename: str, syncdir: bool) -> None:
        self.before_each()
        super().xDelete(filename, syncdir)
        if filename in self._names:
            self._rename(filename, None)
        if syncdir:
            self.sync_folder()

    def sync_folder(self) -> None:
        self._sure_names = dict(self._names)
        self._pending_names.clear()

    def refuse_without_room(self, content: Content, end: int) -> None:
        used = sum(one.size for one in self._names.values())
        if self.quota is not None and used + max(0, end - content.size) > self.quota:
            raise apsw.FullError("no room on this disk")

    def cut(self, after: Path, chance: random.Random) -> None:
        """Make a folder that holds what would be on the disk after a power cut at this moment."""
        after.mkdir(parents=True)
        share = chance.choice((0.0, 0.1, 0.5, 0.9, 1.0))
        names = dict(self._sure_names)
        for name, content in self._pending_names:
            if chance.random() < share:
                _name(names, name, content)
        for name, content in names.items():
            (after / Path(name).name).write_bytes(content.after_a_cut(chance, share))

    def _rename(self, name: str, content: Content | None) -> None:
        self._pending_names.append((name, content))
        _name(self._names, name, content)


def _name(names: dict[str, Content], name: str, content: Content | None) -> None:
    if content is None:
        names.pop(name, None)
    else:
        names[name] = content


def _found(path: Path) -> Content:
    data = bytearray(path.read_bytes())
    return Content(data, size=len(data))


class _File(apsw.VFSFile):
    content: Content

    def __init__(
        self,
        disk: ForgetfulDisk,
        real: str,
        name: str | apsw.URIFilename | None,
        flags: list[int],
        *,
        syncs_folder: bool,
    ) -> None:
        super().__init__(real, name, flags)
        self._disk = disk
        self._syncs_folder = syncs_folder

    def xWrite(self, data: bytes, offset: int) -> None:
        self._disk.before_each()
        self._disk.refuse_without_room(self.content, offset + len(data))
        super().xWrite(data, offset)
        self.content.write(data, offset)

    def xTruncate(self, newsize: int) -> None:
        self._disk.before_each()
        super().xTruncate(newsize)
        self.content.resize(newsize)

    def xSync(self, flags: int) -> None:
        self._disk.before_each()
        super().xSync(flags)
        self.content.sync()
        if self._syncs_folder:
            self._syncs_folder = False
            self._disk.sync_folder()


@contextlib.contextmanager
def synchronous_normal() -> Iterator[None]:
    """Connections opened meanwhile keep to NORMAL, the usual advice, whatever the program asks for."""

    def ask(action: int, first: str | None, second: str | None, *_: object) -> int:
        is_asked = action == apsw.SQLITE_PRAGMA and str(first).lower() == "synchronous" and second is not None
        return apsw.SQLITE_IGNORE if is_asked else apsw.SQLITE_OK

    def hook(db: apsw.Connection) -> None:
        db.pragma("synchronous", "NORMAL")
        db.set_authorizer(ask)

    apsw.connection_hooks.append(hook)
    try:
        yield
    finally:
        apsw.connection_hooks.remove(hook)
