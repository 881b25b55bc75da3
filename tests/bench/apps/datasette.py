"""Datasette, over tables of ports, ships and calls."""

import random
import sqlite3
from pathlib import Path

from tests.bench.apps.app import App, Place
from tests.bench.installing import installed_by_pip, python_in

PACKAGES = ("datasette==0.65.5", "setuptools<81")
COUNTRIES = ("Chile", "Denmark", "Ghana", "Ireland", "Japan", "Portugal")
KINDS = ("bulk", "container", "ferry", "tanker", "tug")
WORDS = ("Aurora", "Borea", "Cygnus", "Delfin", "Ellida", "Fulmar", "Gannet", "Heron", "Ibis", "Jaeger")


def _install(cache: Path) -> Path:
    return installed_by_pip(cache, "datasette", PACKAGES)


def _command(place: Place) -> list[str]:
    serve = ["-m", "datasette", "serve", "ports.db", "--host", "127.0.0.1", "--port", str(place.port)]
    return [str(python_in(place.installed)), *serve]


def _fill(place: Place) -> None:
    draw = random.Random(20_261)
    database = sqlite3.connect(place.data / "ports.db")
    with database:
        database.executescript(
            "CREATE TABLE ports (id INTEGER PRIMARY KEY, name TEXT, country TEXT, depth_m REAL);"
            "CREATE TABLE ships (id INTEGER PRIMARY KEY, name TEXT, kind TEXT, length_m INTEGER, built INTEGER,"
            " home_port INTEGER REFERENCES ports(id));"
            "CREATE TABLE calls (id INTEGER PRIMARY KEY, ship INTEGER REFERENCES ships(id),"
            " port INTEGER REFERENCES ports(id), arrived TEXT, cargo_t INTEGER, note TEXT);"
        )
        ports = [(f"Port {word}", draw.choice(COUNTRIES), draw.randrange(60, 190) / 10) for word in WORDS * 2]
        database.executemany("INSERT INTO ports (name, country, depth_m) VALUES (?, ?, ?)", ports)
        database.executemany(
            "INSERT INTO ships (name, kind, length_m, built, home_port) VALUES (?, ?, ?, ?, ?)",
            [_ship(draw, number) for number in range(240)],
        )
        database.executemany(
            "INSERT INTO calls (ship, port, arrived, cargo_t, note) VALUES (?, ?, ?, ?, ?)",
            [_call(draw) for _ in range(1_500)],
        )
    database.close()


def _ship(draw: random.Random, number: int) -> tuple[object, ...]:
    length, built = draw.randrange(20, 340), draw.randrange(1978, 2025)
    return f"{draw.choice(WORDS)} {number + 1}", draw.choice(KINDS), length, built, draw.randrange(1, 21)


def _call(draw: random.Random) -> tuple[object, ...]:
    day = f"2025-{draw.randrange(1, 13):02}-{draw.randrange(1, 29):02}"
    note = draw.choice(("", "", "late by a tide", "pilot aboard", "customs held two crates"))
    return draw.randrange(1, 241), draw.randrange(1, 21), day, draw.randrange(0, 90_000), note


APP = App("datasette", PACKAGES, _install, _command, _fill)
