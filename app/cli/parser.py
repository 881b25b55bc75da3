"""The command line: what can be asked for, and the help that says so."""

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from app import __version__

EXIT_DONE, EXIT_FAILED, EXIT_USAGE, EXIT_NEEDS_PERSON, EXIT_LIMIT = range(5)


@dataclass(frozen=True, slots=True)
class OpenWindow:
    pass


@dataclass(frozen=True, slots=True)
class PlayDemo:
    """With a picture the demo plays up to the first question, saves the window's picture there and ends."""

    picture: Path | None
    transcript: bool


@dataclass(frozen=True, slots=True)
class RunTask:
    task: str
    url: str
    overrides: tuple[tuple[str, str], ...]  # option name, value
    consent: Literal["ask", "yes", "no"]
    resume: str
    as_json: bool
    files: tuple[str, ...] = ()

    @property
    def is_demo(self) -> bool:
        return self.task == "demo" and not self.resume


@dataclass(frozen=True, slots=True)
class ShowContext:
    conversation: str
    step: int | None


ExportFormat = Literal["markdown", "html", "json"]


@dataclass(frozen=True, slots=True)
class ExportConversation:
    """Without a file it goes to the standard output."""

    conversation: str
    format: ExportFormat
    out: Path | None


@dataclass(frozen=True, slots=True)
class ImportConversation:
    file: Path


@dataclass(frozen=True, slots=True)
class ServeMcp:
    """The browser for another program. Without a profile there is a throw-away one."""

    consent: Literal["ask", "yes", "no"]
    files: Path | None
    profile: str


CommandLine = OpenWindow | PlayDemo | RunTask | ShowContext | ExportConversation | ImportConversation | ServeMcp


def parse(arguments: Sequence[str]) -> CommandLine:
    """What was asked for. Ends the program with status 2 and a plain line when it was not right."""
    options = _parser().parse_args(arguments)
    match options.command:
        case "demo":
            return PlayDemo(options.picture, options.transcript)
        case "run":
            return _run(options)
        case "context":
            return ShowContext(options.conversation, options.step)
        case "export":
            return ExportConversation(options.conversation, _format(options.format, options.out), options.out)
        case "import":
            return ImportConversation(options.file)
        case "mcp":
            return ServeMcp(options.answer_consent, options.files, options.profile or "")
    return OpenWindow()


def _run(options: argparse.Namespace) -> RunTask:
    given = {
        "provider": options.provider,
        "model": options.model,
        "base_url": options.base_url,
        "max_steps": options.max_steps,
        "vision_provider": options.vision_provider,
        "vision_model": options.vision_model,
        "vision_base_url": options.vision_base_url,
    }
    overrides = tuple((name, str(value)) for name, value in given.items() if value is not None)
    return RunTask(
        task=options.task or "",
        url=options.url or "",
        overrides=overrides,
        consent=options.answer_consent,
        resume=options.resume or "",
        as_json=options.json,
        files=tuple(options.file),
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="pilotfish",
        description="A desktop companion that browses with you. Without a command it opens the window.",
    )
    parser.add_argument("--version", action="version", version=f"Pilotfish {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    demo = commands.add_parser("demo", help="watch a scripted model do an errand on the practice site; needs no key")
    demo.add_argument("--picture", type=Path, metavar="FILE", help="save a picture of the window at the first question")
    demo.add_argument("--transcript", action="store_true", help="print what happened")
    _add_run(commands.add_parser("run", help="do a task without a window"))
    _add_mcp(commands.add_parser("mcp", help="serve the guarded browser to another program on stdio (MCP)"))
    context = commands.add_parser("context", help="show exactly what the model was sent")
    context.add_argument("conversation", help="id of the conversation, as `run` printed it")
    context.add_argument("--step", type=int, metavar="N", help="at which step, counted from 1; the last one otherwise")
    _add_export(commands.add_parser("export", help="put a conversation into a file, to read it or to keep all of it"))
    back = commands.add_parser("import", help="take a conversation back from a file that `export` made as JSON")
    back.add_argument("file", type=Path, metavar="FILE")
    return parser


def _add_export(export: argparse.ArgumentParser) -> None:
    export.add_argument("conversation", metavar="ID", help="id of the conversation, as `run` printed it")
    export.add_argument(
        "--format",
        choices=("markdown", "html", "json"),
        help="Markdown and HTML are for reading; JSON holds everything and can be taken back with `import`. "
        "Without it the ending of the file decides, else it is Markdown",
    )
    export.add_argument("--out", type=Path, metavar="FILE", help="write it there; otherwise it is printed")


def _format(named: ExportFormat | None, out: Path | None) -> ExportFormat:
    endings: dict[str, ExportFormat] = {".html": "html", ".htm": "html", ".json": "json"}
    return named or endings.get(out.suffix.lower() if out else "", "markdown")


def _add_mcp(mcp: argparse.ArgumentParser) -> None:
    mcp.description = (
        "Serve the guarded browser on standard input and output, as the Model Context Protocol has it. "
        "Each connection is one conversation, which can be read in the window afterwards."
    )
    mcp.add_argument(
        "--answer-consent",
        choices=("ask", "yes", "no"),
        default="ask",
        help="when something would be ordered, sent, paid or deleted: “ask” puts it to the person through the client, "
        "and where that cannot ask, the call ends with “needs the person”; “yes” allows it once, but never a repeat; "
        "“no” refuses it. Default: ask",
    )
    mcp.add_argument(
        "--files",
        type=Path,
        metavar="DIR",
        help="only files inside this folder (and inside the roots that the client offers) may be uploaded, "
        "and downloads are saved in it; without it downloads go into the usual folder",
    )
    mcp.add_argument(
        "--profile",
        type=_profile_name,
        metavar="NAME",
        help="keep cookies and sign-ins under this name for the next time; “window” is the profile of the window, "
        "which must be closed then. Without it everything is thrown away at the end",
    )


def _profile_name(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}", text):
        raise argparse.ArgumentTypeError("a name has letters, digits, - and _, at most 40 of them")
    return text


def _add_run(run: argparse.ArgumentParser) -> None:
    run.epilog = (
        "Ends with 0 done, 1 failed, stopped or partly done, 2 wrong usage, 3 the person is needed, "
        "4 a limit was reached."
    )
    run.add_argument("task", nargs="?", help="what to do, in words; “demo” plays the demo errand")
    run.add_argument("--url", help="open this page first")
    run.add_argument("--provider", help="openai, openrouter, anthropic, local or scripted")
    run.add_argument("--model", help="name of the model")
    run.add_argument("--base-url", help="address of the model server")
    run.add_argument("--vision-provider", help="who runs the model that looks at pictures; else the same --provider")
    run.add_argument("--vision-model", help="name of a model that looks at pictures for a --model that cannot")
    run.add_argument("--vision-base-url", help="address of its server")
    run.add_argument("--max-steps", type=int, metavar="N", help="stop after so many steps")
    run.add_argument(
        "--answer-consent",
        choices=("ask", "yes", "no"),
        default="ask",
        help="what to answer when something would be ordered, sent, paid or deleted: “ask” (the default) ends with 3, "
        "“yes” allows it once, but never a repeat, “no” refuses it",
    )
    run.add_argument("--resume", metavar="ID", help="go on with a conversation")
    run.add_argument("--json", action="store_true", help="print one event a line")
    run.add_argument(
        "--file",
        action="append",
        default=[],
        metavar="PATH",
        help="give the agent this file, to read or to put into a page; may be repeated",
    )
