"""The program: what each verb of the command line does. Heavy imports happen inside, in the thread that needs them."""

import asyncio
import importlib
import io
import os
import sys
import uuid
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from app import resources
from app.bootstrap.parts import Parts
from app.browser.paper_worker import READ_PAPER
from app.browser.paper_worker import main as read_paper
from app.cli.parser import (
    EXIT_FAILED,
    EXIT_USAGE,
    ExportConversation,
    ImportConversation,
    OpenWindow,
    PlayDemo,
    RunTask,
    ServeMcp,
    ShowContext,
    parse,
)
from app.domain.errors import AppError, SettingsError, UsageError
from app.domain.ids import ConversationId
from app.runtime.engine import Engine
from app.settings.logs import configure_logging
from app.settings.options import option

if TYPE_CHECKING:
    pass

DEMO_PAUSE_S = 0.02  # between words of the scripted model, so that a window can be seen to stream


def main(arguments: Sequence[str] | None = None) -> int:
    """The program. What a person must know of an error is one plain line; there is no traceback for it."""
    _let_no_letter_stop_the_output()
    given = sys.argv[1:] if arguments is None else arguments
    if given[:1] == [READ_PAPER]:
        return read_paper(given[1:])
    asked = parse(given)
    try:
        match asked:
            case RunTask():
                return _run_task(asked)
            case ShowContext():
                return _show_context(asked)
            case ExportConversation() | ImportConversation():
                return _carry(asked)
            case ServeMcp():
                return _serve_mcp(asked)
            case OpenWindow() | PlayDemo():
                return _open_window(asked)
    except AppError as error:
        sys.stderr.write(f"{error.message}\n")
        return EXIT_USAGE if isinstance(error, UsageError) else EXIT_FAILED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads on; Python flushes once more
        return EXIT_FAILED


def _let_no_letter_stop_the_output() -> None:
    """A terminal or a file of another encoding shows a question mark in place of what it cannot hold."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _run_task(asked: RunTask) -> int:
    from app.cli.run import run

    parts = Parts({**os.environ, **_variables(asked.overrides)})
    log = configure_logging(parts.paths, parts.clean)
    for notice in parts.settings().notices():
        sys.stderr.write(f"{notice}\n")
    try:
        return run(Engine(parts.factories(), attended=False, consent=asked.consent), asked, sys.stdout, sys.stderr)
    finally:
        log.close()


def _variables(overrides: Sequence[tuple[str, str]]) -> dict[str, str]:
    """Options of the command line as the variables that win over the settings. Raises UsageError."""
    found = {}
    for name, value in overrides:
        try:
            found[option(name).variable] = option(name).read(value)
        except SettingsError as error:
            raise UsageError(error.what, next_step="See `pilotfish run --help`.") from error
    return found


def _show_context(asked: ShowContext) -> int:
    from app.cli.context import context_lines
    from app.cli.lines import printable

    async def lines() -> list[str]:
        record = await Parts(os.environ).read_record()
        try:
            return await context_lines(record, ConversationId(asked.conversation), asked.step)
        finally:
            await record.close()

    sys.stdout.writelines(f"{printable(line)}\n" for line in asyncio.run(lines()))
    return 0


def _carry(asked: ExportConversation | ImportConversation) -> int:
    from app.cli.export import export, take_back

    parts = Parts(os.environ)
    if isinstance(asked, ImportConversation):
        asyncio.run(take_back(asked, parts.write_record))
    else:
        parts.learn_keys()
        asyncio.run(export(asked, parts.read_record, parts.clean))
    return 0


def _serve_mcp(asked: ServeMcp) -> int:
    if asked.files is not None and not asked.files.is_dir():
        raise UsageError(f"{asked.files} is no folder.", next_step="Name one that is there after --files.")
    parts = Parts(os.environ)
    log = configure_logging(parts.paths, parts.clean)
    try:
        asyncio.run(_serve(parts, asked))
        return 0
    finally:
        log.close()


async def _serve(parts: Parts, asked: ServeMcp) -> None:
    """The driver loads while the rest is imported."""
    async with parts.driver_ahead():
        await asyncio.to_thread(_import_mcp)
        from app.mcp.pipes import claim
        from app.mcp.server import BrowserServer, serve
        from app.runtime.serving import Serving

        files = asked.files.resolve() if asked.files is not None else None
        downloads = files or parts.settings().downloads_dir()

        async def open_serving(client: str) -> Serving:
            name = ConversationId(uuid.uuid4().hex[:12])
            folder, earlier = parts.paths.visits_dir / name, await parts.unsettled()
            profile = parts.profile_named(asked.profile) if asked.profile else folder / "profile"
            return Serving(
                record=await parts.open_visit(folder),
                make_browser=lambda: parts.browser(parts.settings(), profile=profile, downloads=downloads),
                client=client,
                consent=asked.consent,
                page_characters=int(parts.settings().value("page_characters")),
                conversation=name,
                earlier=earlier,
            )

        guide = resources.text("prompts", "mcp.md").replace("{downloads}", str(downloads)).strip()
        await serve(BrowserServer(open_serving, files, asks=asked.consent != "no"), claim(), guide)
    await parts.take_in_visits()


def _import_mcp() -> None:
    try:
        importlib.import_module("app.mcp.server")
    except ModuleNotFoundError as exc:
        if (exc.name or "").partition(".")[0] not in ("mcp", "mcp_types"):
            raise
        raise UsageError(
            "The server for other programs needs the package mcp, which is not installed.",
            next_step=f"Install it with: {sys.executable} -m pip install mcp",
        ) from exc


def _refuse_without_screen(environment: Mapping[str, str]) -> None:
    """Qt would end the program with a message of its own."""
    has_screen = any(environment.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))
    if sys.platform.startswith("linux") and not has_screen:
        raise UsageError(
            "There is no screen to open a window on.",
            next_step='Without one, use `pilotfish run "TASK"` or `pilotfish run demo`.',
        )


def _open_window(asked: OpenWindow | PlayDemo) -> int:
    from app.cli.lines import event_lines
    from app.ui.opening import Showing, open_window

    _refuse_without_screen(os.environ)
    parts = Parts(os.environ, demo_pause_s=DEMO_PAUSE_S)
    log = configure_logging(parts.paths, parts.clean)
    showing = Showing()
    if isinstance(asked, PlayDemo):
        showing = Showing(True, asked.picture, sys.stdout if asked.transcript else None, event_lines)
    try:
        return open_window(Engine(parts.factories()), parts.paths.data_dir, showing)
    finally:
        log.close()
