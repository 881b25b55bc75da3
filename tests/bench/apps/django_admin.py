"""The admin of Django, over a small shop's stock."""

import subprocess
from pathlib import Path

from tests.bench.apps.app import SITES, App, AppFailed, Place
from tests.bench.installing import installed_by_pip, python_in

PACKAGES = ("Django==5.2.19",)


def _settings(place: Place) -> dict[str, str]:
    return {"PYTHONPATH": str(SITES), "DJANGO_SETTINGS_MODULE": "stock.settings", "PYTHONDONTWRITEBYTECODE": "1"}


def _install(cache: Path) -> Path:
    return installed_by_pip(cache, "django-admin", PACKAGES)


def _command(place: Place) -> list[str]:
    serve = ["-m", "django", "runserver", "--noreload", f"127.0.0.1:{place.port}"]
    return [str(python_in(place.installed)), *serve]


def _fill(place: Place) -> None:
    done = subprocess.run(
        [str(python_in(place.installed)), "-m", "stock.seed"],
        cwd=place.data,
        env=_settings(place),
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise AppFailed(f"The stock could not be filled: {done.stderr[-800:]}")


APP = App("django_admin", PACKAGES, _install, _command, _fill, _settings, starts_at="/admin/")
