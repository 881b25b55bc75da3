"""The files of one conversation: what the person gave and what pages sent, each on record under a handle."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from app.agent.answers import refusal
from app.agent.transcript import Transcript
from app.context.files.types import HEAD_BYTES, type_of
from app.context.files.wording import files_line, size_words
from app.context.page.shield import page_words
from app.domain.errors import UsageError
from app.domain.events import FileKept
from app.domain.files import KeptFile
from app.domain.ids import FileId
from app.domain.pages import Download, Happenings

MOST_BYTES = 2_000_000_000  # of a file that is put into a page


class Files:
    """Used from the engine thread only."""

    def __init__(self, transcript: Transcript) -> None:
        self._transcript = transcript

    @property
    def all(self) -> tuple[KeptFile, ...]:
        """In the order of their handles."""
        return tuple(one.event.file for one in self._transcript.events if isinstance(one.event, FileKept))

    def named(self, handle: str) -> KeptFile | None:
        return next((file for file in self.all if file.id == handle.strip().strip("[]").lower()), None)

    async def give(self, paths: Sequence[str]) -> tuple[KeptFile, ...]:
        """Files that the person chose. Raises UsageError when one cannot be read; then none is kept."""
        return await self.take(await seen_files(paths))

    async def take(self, given: Sequence[KeptFile]) -> tuple[KeptFile, ...]:
        """Files that were seen to be there, each with its handle."""
        return tuple([await self._keep(file) for file in given])

    async def keep(self, download: Download) -> Download:
        """A saved download with its handle; it is put on record once, whoever comes first."""
        if not download.path or download.file is not None:
            return download
        try:
            seen = await asyncio.to_thread(_looked_at, download.path)
        except UsageError as gone:
            return replace(download, path="", failure=gone.what)
        file = await self._keep(replace(seen, by="page", url=download.url))
        return replace(download, file=file.id, type=download.type or file.type)

    async def keep_noticed(self, noticed: Happenings) -> Happenings:
        """What the browser noticed, with the handles of what was saved."""
        if not noticed.downloads:
            return noticed
        return replace(noticed, downloads=tuple([await self.keep(one) for one in noticed.downloads]))

    async def ready(self, handles: Sequence[str]) -> tuple[KeptFile, ...] | str:
        """The files behind handles as they were when they were kept, or the refusal that says what is wrong."""
        found: list[KeptFile] = []
        for handle in handles:
            file = self.named(handle)
            if file is None:
                way_on = f"Files: {files_line(self.all)}. ask_user asks the person for one."
                return refusal(f"there is no file {page_words(handle, 60)}; only handles are taken", way_on)
            wrong = await asyncio.to_thread(_what_is_wrong, file)
            if wrong:
                return refusal(f"{file.id} “{page_words(file.name)}” {wrong}", "Ask the person to give it again.")
            found.append(file)
        return tuple(found)

    async def _keep(self, file: KeptFile) -> KeptFile:
        async with self._transcript.naming:
            known = self.all
            same = next((one for one in known if replace(file, id=one.id, by=one.by, url=one.url) == one), None)
            if same is not None:
                return same
            kept = replace(file, id=FileId(f"f{len(known) + 1}"))
            await self._transcript.add(FileKept(kept))
            return kept


async def seen_files(paths: Sequence[str]) -> tuple[KeptFile, ...]:
    """Files as they are now, without handles yet. Raises UsageError when one is not there or cannot be read."""
    return tuple([await asyncio.to_thread(_looked_at, path) for path in paths])


def _looked_at(path: str) -> KeptFile:
    """Raises UsageError."""
    place = Path(path).expanduser().absolute()
    try:
        if not place.is_file():
            what = "is a folder; only files can be given" if place.is_dir() else "is not there"
            raise UsageError(f"The file {place} {what}.", next_step="Choose another file.")
        now = place.stat()
        with place.open("rb") as file:
            head = file.read(HEAD_BYTES)
    except OSError as exc:
        raise UsageError(
            f"The file {place} cannot be read ({exc.strerror or exc}).", next_step="Choose another file."
        ) from exc
    kind = type_of(place.name, head, now.st_size)
    return KeptFile(FileId(""), place.name, str(place), now.st_size, now.st_mtime_ns, "person", kind)


def _what_is_wrong(file: KeptFile) -> str:
    try:
        now = Path(file.path).stat()
    except OSError:
        return "is gone from where it was"
    if now.st_size != file.size_bytes:
        return f"has changed since: it had {size_words(file.size_bytes)} and has {size_words(now.st_size)} now"
    if now.st_mtime_ns != file.modified_ns:
        return "has changed since it was given"
    return f"is larger than {size_words(MOST_BYTES)}" if now.st_size > MOST_BYTES else ""
