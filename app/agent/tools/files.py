"""Tools for the files of a conversation: put them into a page, read their text."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from pydantic import Field

from app.agent.answers import Answer, refusal
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
    act = ChooseFiles(tuple(file.path for file in files))
    if not files:
        return await hands.acting.on_page(call, "browser_file_upload", act, "closed", "the file chooser")
    if not await _may_leave(hands, call, files):
        said = "the person does not want a file of another site to go here"
        return Answer(refusal(said, "Do not try it again; ask what they want instead."), is_error=True)
    names = ", ".join(f"{file.id} “{page_words(file.name)}”" for file in files)
    return await hands.acting.on_page(call, "browser_file_upload", act, f"put {names} into", "the page")


async def _may_leave(hands: Hands, call: ToolCallId, files: Sequence[KeptFile]) -> bool:
    """What the person gave they gave for this; what one site sent goes to another only when they allow it."""
    url = (await hands.acting.observing.glance()).look.url
    foreign = [file for file in files if file.by == "page" and site_of(file.url) != site_of(url)]
    if not foreign:
        return True
    about = tuple(("File", f"{file.name}, from {site_of(file.url) or 'an unknown site'}") for file in foreign)
    effect = Effect("send", "", site_of(url), "POST", url, about)
    names = ", ".join(f"“{file.name}”" for file in foreign)
    return await hands.acting.asking.allows(effect, call, wish=f"give {names} to {site_of(url)}")


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
