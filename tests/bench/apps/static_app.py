"""Applications that are pages of ours around packages of the npm registry."""

import sys
from collections.abc import Callable
from pathlib import Path

from tests.bench.apps.app import SITES, App, Place
from tests.bench.installing import installed_by_npm
from tests.bench.node import npm


def static_app(name: str, packages: tuple[str, ...]) -> App:
    """The pages stand in `sites/NAME`."""
    return App(name, packages, _installer(name, packages), _server(name))


def _installer(name: str, packages: tuple[str, ...]) -> Callable[[Path], Path]:
    return lambda cache: installed_by_npm(cache, name, packages, npm(cache))


def _server(name: str) -> Callable[[Place], list[str]]:
    server = str(Path(__file__).with_name("static_site.py"))

    def command(place: Place) -> list[str]:
        return [sys.executable, server, str(place.port), str(SITES / name), str(place.installed / "node_modules")]

    return command
