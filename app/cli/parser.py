"""The command line: what can be asked for, and the help that says so."""

import argparse
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

    @property
    def is_demo(self) -> bool:
        return self.task == "demo" and not self.resume


@dataclass(frozen=True, slots=True)
class ShowContext:
    conversation: str
    step: int | None


CommandLine = OpenWindow | PlayDemo | RunTask | ShowContext


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
    return OpenWindow()


def _run(options: argparse.Namespace) -> RunTask:
    given = {
        "provider": options.provider,
        "model": options.model,
        "base_url": options.base_url,
        "max_steps": options.max_steps,
    }
    overrides = tuple((name, str(value)) for name, value in given.items() if value is not None)
    return RunTask(
        task=options.task or "",
        url=options.url or "",
        overrides=overrides,
        consent=options.answer_consent,
        resume=options.resume or "",
        as_json=options.json,
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
    context = commands.add_parser("context", help="show exactly what the model was sent")
    context.add_argument("conversation", help="id of the conversation, as `run` printed it")
    context.add_argument("--step", type=int, metavar="N", help="at which step, counted from 1; the last one otherwise")
    return parser


def _add_run(run: argparse.ArgumentParser) -> None:
    run.epilog = (
        "Ends with 0 done, 1 failed or partly done, 2 wrong usage, 3 the person is needed, 4 a limit was reached."
    )
    run.add_argument("task", nargs="?", help="what to do, in words; “demo” plays the demo errand")
    run.add_argument("--url", help="open this page first")
    run.add_argument("--provider", help="openai, openrouter, anthropic, local or scripted")
    run.add_argument("--model", help="name of the model")
    run.add_argument("--base-url", help="address of the model server")
    run.add_argument("--max-steps", type=int, metavar="N", help="stop after so many steps")
    run.add_argument(
        "--answer-consent",
        choices=("ask", "yes", "no"),
        default="ask",
        help="what to answer when something would be ordered, sent, paid or deleted; “ask” ends with 3",
    )
    run.add_argument("--resume", metavar="ID", help="go on with a conversation")
    run.add_argument("--json", action="store_true", help="print one event a line")
