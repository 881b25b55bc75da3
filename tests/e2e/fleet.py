"""The running Django site as a test sees it: its address, its database, and what reached its server."""

import json
import sqlite3
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

ROOT = Path(__file__).parents[2]
USER = "harbourmaster"
PASSWORD = "heron-quay-4821-lantern"  # no letter of it changes when it is folded or put into an address
HARBOURS = (("Port Ellery", "Ireland"), ("Kinsale", "Ireland"), ("Roscoff", "France"))


@dataclass(frozen=True)
class Ship:
    name: str
    home_port: str
    length_m: int
    is_sailing: bool
    remarks: str


class FleetSite:
    """Django in a process of its own; it ends when its standard input does."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir()
        command = [sys.executable, "-m", "tests.e2e.django_site.serve", str(folder)]
        self._process = subprocess.Popen(
            command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"user": USER, "password": PASSWORD, "harbours": HARBOURS}) + "\n")
        self._process.stdin.flush()
        self.url = f"http://127.0.0.1:{self._process.stdout.readline().strip()}"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _, complaints = self._process.communicate("", timeout=20)
        assert self._process.returncode == 0, complaints

    def ships(self) -> list[Ship]:
        rows = self._rows(
            "SELECT s.name, h.name, s.length_m, s.is_sailing, s.remarks FROM fleet_ship s"
            " JOIN fleet_harbour h ON h.id = s.home_port_id ORDER BY s.id"
        )
        return [Ship(name, port, length, bool(sails), remarks) for name, port, length, sails, remarks in rows]

    def harbours(self) -> list[tuple[str, str]]:
        return self._rows("SELECT name, country FROM fleet_harbour ORDER BY id")

    def requests(self, method: str = "") -> list[str]:
        """Every request so far as "METHOD path status"."""
        lines = (self._folder / "requests.log").read_text(encoding="utf-8").splitlines()
        return [line for line in lines if line.startswith(method)]

    def _rows(self, statement: str) -> list[Any]:
        database = sqlite3.connect(f"file:{self._folder / 'fleet.sqlite3'}?mode=ro", uri=True)
        try:
            return database.execute(statement).fetchall()
        finally:
            database.close()
