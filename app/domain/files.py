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


@dataclass(frozen=True, slots=True)
class Paper:
    """The text of a PDF of so many `pages`: `texts` are those from the page `first` on that could be read.

    `trouble` says why there are none. `unreadable` are pages whose content makes no sense.
    """

    pages: int
    first: int
    texts: tuple[str, ...] = ()
    trouble: str = ""
    unreadable: tuple[int, ...] = ()

    @property
    def last(self) -> int:
        """The number of the last page that was read."""
        return self.first + len(self.texts) - 1

    @property
    def has_text(self) -> bool:
        return any(text.strip() for text in self.texts)

    @property
    def shortcoming(self) -> str:
        """What could not be read of it, in plain words; empty when all was."""
        if self.trouble:
            return f"the text of this PDF: {self.trouble}"
        if not self.has_text:
            return "text: this PDF has pictures only, no text; a screenshot shows them"
        parts = []
        if self.last < self.pages:
            parts.append(f"pages {self.last + 1} to {self.pages} (too much to read at once; read_file shows them)")
        if self.unreadable:
            parts.append(f"pages {', '.join(map(str, self.unreadable[:20]))}, which are damaged")
        return " and ".join(parts)
