"""Tools for the files of a conversation: put them into a page, read their text."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from pydantic import Field

from app.agent.answers import Answer, not_done
from app.agent.asking import AFTER_A_NO
from app.agent.reading_files import read_file
from app.agent.tools.tool import Arguments, Hands, Tool
from app.context.page.shield import page_words
from app.domain.acts import ChooseFiles
from app.domain.files import KeptFile
from app.domain.ids import ToolCallId
from app.guard.consent import Effect


class UploadArguments(Arguments):
    paths: list[str] = Field(default_factory=list, description="handles, such as f1; none closes the chooser")


class ReadArguments(Arguments):
    file: str = Field(description="handle, such as f1")
    page: int = Field(1, ge=1)
    find: str | None = Field(None, description="only the places that hold this text")


async def _upload(hands: Hands, call: ToolCallId, args: UploadArguments) -> Answer:
    """Whether a file is still what it was when it was given is seen right before it is put in."""
    files = await hands.remembering.files.ready(args.paths)
    if isinstance(files, str):
        return Answer(files, is_error=True)
    asker = await hands.acting.browser.asks_for_files()
    act = ChooseFiles(tuple(file.path for file in files), asker)
    if not files:
        return await hands.acting.on_page(call, "browser_file_upload", act, "closed", "the file chooser")
    if not await _may_leave(hands, call, files, asker):
        said = f"the person does not want that file to go to {page_words(site_of(asker))}"
        return not_done(said, AFTER_A_NO)
    names = ", ".join(f"{file.id} “{page_words(file.name)}”" for file in files)
    return await hands.acting.on_page(call, "browser_file_upload", act, f"put {names} into", "the page")


async def _may_leave(hands: Hands, call: ToolCallId, files: Sequence[KeptFile], asker: str) -> bool:
    """What the person gave they gave for the page; the rest goes to another site only when they allow it."""
    to = site_of(asker)
    page = site_of((await hands.acting.observing.glance()).look.url)
    foreign = [file for file in files if (site_of(file.url) if file.by == "page" else page) != to]
    if not foreign or not asker:
        return True
    about = tuple(("File", f"{file.name}, {_origin(file)}") for file in foreign)
    effect = Effect("upload", "", to, "POST", asker, about)
    names = ", ".join(f"“{file.name}”" for file in foreign)
    return await hands.acting.submitting.may_hand_over(effect, call, f"give {names} to {to}")


def _origin(file: KeptFile) -> str:
    return "given by you" if file.by == "person" else f"from {site_of(file.url) or 'an unknown site'}"


async def _read(hands: Hands, call: ToolCallId, args: ReadArguments) -> Answer:
    return await read_file(hands.acting.observing, hands.remembering, args.file, args.page, args.find or "")


def site_of(url: str) -> str:
    """Scheme and host with port; empty for an address without a host."""
    parts = urlsplit(url.removeprefix("blob:"))
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else ""


FILES: tuple[Tool[UploadArguments] | Tool[ReadArguments], ...] = (
    Tool(
        "browser_file_upload",
        "Answer the open file chooser with files the person gave or that were downloaded.",
        UploadArguments,
        _upload,
    ),
    Tool("read_file", "Read a PDF or a text file. It can be quoted.", ReadArguments, _read),
)
