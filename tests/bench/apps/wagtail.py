"""Wagtail, over a small journal."""

import os
import subprocess
from pathlib import Path

from tests.bench.apps.app import SITES, App, AppFailed, Place
from tests.bench.installing import installed_by_pip, python_in

PACKAGES = ("wagtail==8.0.1", "Django==5.2.19")


def _settings(place: Place) -> dict[str, str]:
    path = os.pathsep.join((str(SITES), str(place.data)))
    return {"PYTHONPATH": path, "DJANGO_SETTINGS_MODULE": "journal.settings", "PYTHONDONTWRITEBYTECODE": "1"}


def _install(cache: Path) -> Path:
    return installed_by_pip(cache, "wagtail", PACKAGES)


def _command(place: Place) -> list[str]:
    serve = ["-m", "django", "runserver", "--noreload", f"127.0.0.1:{place.port}"]
    return [str(python_in(place.installed)), *serve]


def _fill(place: Place) -> None:
    migrations = place.data / "journal_migrations"
    migrations.mkdir()
    (migrations / "__init__.py").touch()
    done = subprocess.run(
        [str(python_in(place.installed)), "-m", "journal.seed"],
        cwd=place.data,
        env=_settings(place),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise AppFailed(f"The journal could not be filled: {done.stderr[-800:]}")


APP = App("wagtail", PACKAGES, _install, _command, _fill, _settings, starts_at="/admin/")
