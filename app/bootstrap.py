"""Joins the parts: the one place that knows every class. Heavy imports happen inside, in the thread that needs them."""

import asyncio
import contextlib
import importlib
import io
import json
import os
import sys
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from app import resources
from app.agent.ports import Model, Record, Settings
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
from app.domain.errors import AppError, SettingsError, StoreError, UsageError
from app.domain.ids import ConversationId
from app.guard.redact import redact
from app.providers.lessons import LessonBook
from app.runtime.engine import Engine
from app.runtime.factories import Factories, LiveBrowser, ModelChoice, PracticeSite
from app.settings.file_settings import FileSettings
from app.settings.logs import configure_logging
from app.settings.options import option
from app.settings.paths import Paths, find_paths

if TYPE_CHECKING:
    from app.browser.driver import AheadOfTime
    from app.store.record import SqliteRecord

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


class Parts:
    """Makes the parts of one run of the program, from one environment."""

    def __init__(self, environment: Mapping[str, str], *, demo_pause_s: float = 0.0) -> None:
        self._environment = environment
        self._demo_pause_s = demo_pause_s
        self.paths: Paths = find_paths(environment)
        self._settings: FileSettings | None = None
        self._driver: AheadOfTime | None = None
        self._record_is_newer = False
        self._lessons = LessonBook()

    def factories(self) -> Factories:
        return Factories(
            open_record=self.open_record,
            open_settings=self.settings,
            make_browser=self.browser,
            make_model=self.model,
            make_demo_model=self.demo_model,
            start_practice_site=self.practice_site,
            find_local_models=self.local_models,
            check_connection=self.check_connection,
            list_models=self.list_models,
            missing_of=self.missing,
            sees=self.sees,
            folder_of=lambda conversation: str(self.settings().downloads_dir() / conversation),
        )

    def settings(self) -> FileSettings:
        if self._settings is None:
            self._settings = FileSettings(self.paths, environment=self._environment)
        return self._settings

    def clean(self, text: str) -> str:
        """Take out of a text what must never leave: keys that were held, and what looks like one."""
        return redact(text, self._settings.secrets() if self._settings else ())

    def learn_keys(self) -> None:
        """Ask for every key that is kept, so that `clean` knows it."""
        from app.providers.catalog import PROVIDERS

        for provider in PROVIDERS:
            with contextlib.suppress(SettingsError):
                self.settings().key(provider.kind)

    async def open_record(self) -> Record:
        """Raises StoreError; after “damaged” or “newer” a second call opens what can be had, a newer one to read."""
        if self._record_is_newer:
            return await self.read_record()
        try:
            return await self.write_record()
        except StoreError as error:
            self._record_is_newer = error.fault == "newer"
            raise

    async def read_record(self) -> "SqliteRecord":
        from app.store.record import SqliteRecord

        return await SqliteRecord.open_readonly(self.paths.record_file)

    async def write_record(self) -> "SqliteRecord":
        file = self.paths.record_file
        return await self._open(file, self.paths.visits_dir, file.with_name("backups"))

    async def open_visit(self, folder: Path) -> Record:
        """A record of its own beside that of the window, which takes it in afterwards."""
        from app.store.visits import RECORD

        return await self._open(folder / RECORD)

    async def _open(self, file: Path, visits: Path | None = None, backups: Path | None = None) -> "SqliteRecord":
        from app.store.record import SqliteRecord

        free = int(self.settings().value("min_free_mb")) * 1_000_000
        return await SqliteRecord.open(file, min_free_bytes=free, clean=self.clean, visits=visits, backups=backups)

    async def take_in_visits(self) -> None:
        """Unless another process has the record open: then that one does it."""
        try:
            record = await self.open_record()
        except StoreError as error:
            if error.fault == "damaged":  # said once: the next start finds what took its place
                sys.stderr.write(f"{error.message}\n")
            return
        await record.close()

    def browser(self, settings: Settings, *, profile: Path | None = None, downloads: Path | None = None) -> LiveBrowser:
        from app.browser.browser import PlaywrightBrowser
        from app.browser.launcher import may_drop_sandbox
        from app.browser.options import BrowserOptions
        from app.browser.own_browser import drivers_own
        from app.browser.resolver import resolve

        found = resolve(
            settings.value("browser_path"), self._environment, Path.is_file, drivers_own=drivers_own(self._environment)
        )
        options = BrowserOptions(
            executable=found.path,
            profile=profile or self.paths.profile_dir,
            downloads=downloads or self.settings().downloads_dir(),
            without_sandbox=may_drop_sandbox(self._environment),
            time_scale=float(settings.value("time_scale")),
        )
        return PlaywrightBrowser(options, self._ahead())

    @contextlib.asynccontextmanager
    async def driver_ahead(self) -> AsyncIterator[None]:
        """Load the driver beside what runs inside, so that a first call has to wait for the browser alone."""
        await asyncio.to_thread(importlib.import_module, "app.browser.browser")
        self._ahead().load()
        try:
            yield
        finally:
            await self._ahead().close()

    def _ahead(self) -> "AheadOfTime":
        from app.browser.driver import AheadOfTime

        self._driver = self._driver or AheadOfTime()
        return self._driver

    def profile_named(self, name: str) -> Path:
        """That of the window, or one of the profiles of other programs."""
        return self.paths.profile_dir if name == "window" else self.paths.profiles_dir / name

    def model(self, choice: ModelChoice) -> Model:
        from app.providers.catalog import create

        scale = choice.time_scale
        return create(choice.provider, choice.base_url, choice.key, lessons=self._lessons, time_scale=scale)

    def demo_model(self, base_url: str) -> Model:
        from app.providers.catalog import create
        from app.providers.script import script_of

        script = resources.text("demo", "errand.json").replace("{site}", base_url)
        return create("scripted", script=script_of(json.loads(script)), pause_s=self._demo_pause_s)

    def practice_site(self, port: int) -> PracticeSite:
        from app.demo_site import start

        try:
            return start(resources.path("demo"), port)
        except OSError as exc:
            raise UsageError(
                f"The practice site could not be opened on port {port}; another program uses it.",
                next_step="Close that program, or begin the demo anew.",
            ) from exc

    async def local_models(self) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
        from app.providers.probe import probe_local

        return await probe_local()

    async def check_connection(self, choice: ModelChoice) -> tuple[tuple[str, bool, str], ...]:
        from app.providers.connection import check_connection

        model = self.model(choice)
        try:
            return tuple([stage async for stage in check_connection(model, choice.model)])
        finally:
            await model.close()

    async def list_models(self, choice: ModelChoice) -> tuple[str, ...]:
        model = self.model(choice)
        try:
            return await model.models()
        finally:
            await model.close()

    def sees(self, choice: ModelChoice) -> bool:
        from app.providers.catalog import normal_base_url, provider_of
        from app.providers.seeing import sees

        base_url = normal_base_url(provider_of(choice.provider), choice.base_url)
        return sees(choice.provider, base_url, choice.model, self._lessons)

    def missing(self, choice: ModelChoice) -> str:
        from app.providers.catalog import provider_of

        provider = provider_of(choice.provider)
        if provider.kind == "scripted":
            return "The scripted model plays the demo only; choose a model for your own tasks."
        if provider.needs_key and not choice.key:
            return f"There is no key for {provider.title} yet."
        if not choice.model:
            return f"No model of {provider.title} is chosen yet."
        return ""


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
            folder = parts.paths.visits_dir / name
            profile = parts.profile_named(asked.profile) if asked.profile else folder / "profile"
            return Serving(
                record=await parts.open_visit(folder),
                make_browser=lambda: parts.browser(parts.settings(), profile=profile, downloads=downloads),
                client=client,
                consent=asked.consent,
                page_characters=int(parts.settings().value("page_characters")),
                conversation=name,
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
