"""Makes the parts of one run of the program; heavy imports happen inside, in the thread that needs them."""

import asyncio
import contextlib
import importlib
import json
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from app import resources
from app.agent.ports import Model, Record, Settings
from app.domain.errors import SettingsError, StoreError, UsageError
from app.domain.submissions import Submission
from app.guard.redact import redact
from app.providers.lessons import LessonBook
from app.runtime.factories import Factories, LiveBrowser, ModelChoice, PracticeSite
from app.settings.file_settings import FileSettings
from app.settings.paths import Paths, find_paths

if TYPE_CHECKING:
    from app.browser.driver import AheadOfTime
    from app.store.record import SqliteRecord


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

    async def unsettled(self) -> tuple[Submission, ...]:
        """What may have been sent by the window, or by a program whose connection ended in the middle."""
        from app.store.record import SqliteRecord
        from app.store.visits import RECORD

        found: list[Submission] = []
        for file in (self.paths.record_file, *sorted(self.paths.visits_dir.glob(f"*/{RECORD}"))):
            with contextlib.suppress(StoreError):  # one that cannot be read tells nothing
                record = await SqliteRecord.open_readonly(file, is_visit=file != self.paths.record_file)
                try:
                    found += [one for _, one in await record.unsettled()]
                finally:
                    await record.close()
        return tuple(found)

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
            single_shot=settings.value("single_shot") == "on",
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
