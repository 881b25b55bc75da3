"""Files of a conversation: those the person gave and those that pages sent, each with a handle that tools take."""

from dataclasses import dataclass
from typing import Literal

from app.domain.ids import FileId


@dataclass(frozen=True, slots=True)
class FileType:
    """What a file is, told from its content; `danger` says why it must not be opened, where that is so."""

    words: str
    danger: str = ""


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file on record. `path` is for this machine alone: no model is told of it.

    Size and time are those of the moment it was kept, so that a file that changed since is noticed.
    """

    id: FileId
    name: str
    path: str
    size_bytes: int
    modified_ns: int
    by: Literal["person", "page"]
    type: FileType
    url: str = ""  # where a page sent it from
