"""`pilotfish export` and `import`: a conversation to read, as Markdown or HTML; files in and out, in plain words."""

import os
import sys
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from app.agent.ports import Record
from app.cli.as_html import as_html
from app.cli.as_markdown import as_markdown
from app.cli.lines import printable
from app.cli.parser import ExportConversation, ExportFormat, ImportConversation
from app.cli.story import Entry, story
from app.domain.errors import StoreError, UsageError
from app.domain.ids import BlobHash, ConversationId


class KeptRecord(Record, Protocol):
    """A record that gives a conversation whole, and takes it back."""

    async def whole_text(self, conversation: ConversationId, clean: Callable[[str], str]) -> str: ...

    async def take_whole_text(self, text: str) -> ConversationId: ...


async def export(
    asked: ExportConversation, open_record: Callable[[], Awaitable[KeptRecord]], clean: Callable[[str], str]
) -> None:
    """Print or write the conversation; `clean` takes out what must not leave. Raises StoreError, UsageError."""
    record = await open_record()
    try:
        wanted = ConversationId(asked.conversation)
        if asked.format == "json":
            text = await record.whole_text(wanted, clean)
        else:
            text = await readable(record, wanted, asked.format, clean)
    finally:
        await record.close()
    _put_out(text, asked.out)


async def take_back(asked: ImportConversation, open_record: Callable[[], Awaitable[KeptRecord]]) -> None:
    """Put it into the record and say so. Raises StoreError, UsageError."""
    text = _text_in(asked.file)
    record = await open_record()
    try:
        taken = await record.take_whole_text(text)
    finally:
        await record.close()
    sys.stdout.write(f"Conversation {taken} is in the record.\n")


async def readable(record: Record, id: ConversationId, form: ExportFormat, clean: Callable[[str], str]) -> str:
    """The conversation for a person to read. Raises StoreError."""
    events = await record.events(id)
    about = next(one for one in await record.conversations() if one.id == id)
    about = replace(about, title=_safe(about.title, clean))
    entries = [_cleaned(entry, clean) for entry in story(events)]
    if form == "markdown":
        return as_markdown(about, entries)
    return as_html(about, entries, await _pictures(record, entries))


async def _pictures(record: Record, entries: list[Entry]) -> dict[BlobHash, bytes]:
    """Those that are there; one that is damaged does not keep the rest from being read."""
    found = {}
    for picture in {entry.picture for entry in entries if entry.picture}:
        try:
            found[picture] = await record.blob(picture)
        except StoreError as error:
            if error.fault not in ("damaged", "not_found"):
                raise
    return found


def _cleaned(entry: Entry, clean: Callable[[str], str]) -> Entry:
    facts = tuple((_safe(name, clean), _safe(value, clean)) for name, value in entry.facts)
    title, text, source, page = (_safe(one, clean) for one in (entry.title, entry.text, entry.source, entry.page))
    return replace(entry, title=title, text=text, facts=facts, source=source, page=page)


def _safe(text: str, clean: Callable[[str], str]) -> str:
    """Without secrets, without what steers a terminal or turns words around, without half characters."""
    return printable(clean(text)).encode(errors="replace").decode()


def _put_out(text: str, out: Path | None) -> None:
    """Print it, or write the file whole, for its owner alone. Raises UsageError."""
    if out is None:
        sys.stdout.write(text)
        return
    try:
        handle, name = tempfile.mkstemp(prefix=f".{out.name}-", dir=out.parent)
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        Path(name).replace(out)
    except OSError as exc:
        raise UsageError(
            f"{out} could not be written ({exc.strerror or exc}).",
            next_step="Name a file in a folder that is there and can be written to.",
        ) from exc


def _text_in(file: Path) -> str:
    """Raises UsageError."""
    try:
        return file.read_text(encoding="utf-8")
    except OSError as exc:
        raise UsageError(
            f"{file} could not be read ({exc.strerror or exc}).", next_step="Name a file that `pilotfish export` made."
        ) from exc
    except UnicodeDecodeError as exc:
        raise UsageError(
            f"{file} is not an export of a conversation as JSON.",
            next_step="Make one with `pilotfish export ID --format json --out FILE`.",
        ) from exc
