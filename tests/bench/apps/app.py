"""A real application as a benchmark uses it: pinned, filled with the same data, on a free port of loopback."""

import hashlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

READY_WITHIN_S = 90.0
ENDS_WITHIN_S = 15.0
SITES = Path(__file__).with_name("sites")


class AppFailed(Exception):
    """An application did not come up; its text says what it said last."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an application is installed, and the folder of this run's own data."""

    installed: Path
    data: Path
    port: int

    @property
    def root(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@dataclass(frozen=True, slots=True)
class App:
    """`fill` writes the seeded data, once; every run starts from a copy of it. Walks start at the path `starts_at`."""

    name: str
    packages: tuple[str, ...]
    install: Callable[[Path], Path]
    command: Callable[[Place], list[str]]
    fill: Callable[[Place], None] = lambda place: None
    settings: Callable[[Place], Mapping[str, str]] = field(default=lambda place: {})
    starts_at: str = "/"


@contextmanager
def running(app: App, cache: Path) -> Iterator[str]:
    """The address of the application while it runs. Raises NotInstalled or AppFailed."""
    installed = app.install(cache)
    seed = _seed(app, cache, installed)
    with tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as folder:
        place = Place(installed, Path(folder) / "data", _free_port())
        shutil.copytree(seed, place.data)
        log = Path(folder) / "said.log"
        with log.open("wb") as said:
            process = _started(app, place, said.fileno())
        try:
            _wait_until_ready(app, place, process, log)
            yield place.root
        finally:
            _end(process)


def _seed(app: App, cache: Path, installed: Path) -> Path:
    """The filled data folder, made once for what is installed and for our files that fill it."""
    ours = b"".join(file.read_bytes() for file in sorted(Path(__file__).parent.rglob("*.py")))
    folder = cache / "seeds" / f"{installed.name}-{hashlib.sha256(ours).hexdigest()[:10]}"
    if not folder.exists():
        fresh = folder.with_name(folder.name + ".new")
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        app.fill(Place(installed, fresh, 0))
        fresh.rename(folder)
    return folder


def _started(app: App, place: Place, said: int) -> subprocess.Popen[bytes]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "DJANGO"))}
    return subprocess.Popen(
        app.command(place),
        stdin=subprocess.DEVNULL,
        stdout=said,
        stderr=said,
        cwd=place.data,
        env={**kept, **app.settings(place)},
        start_new_session=True,
    )


def _wait_until_ready(app: App, place: Place, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + READY_WITHIN_S
    while time.monotonic() < end:
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(place.root + app.starts_at, timeout=5):
                return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
    last = "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-12:])
    raise AppFailed(f"{app.name} did not come up on {place.root}. The end of what it said:\n{last}")


def _end(process: subprocess.Popen[bytes]) -> None:
    """Asks it to end, then ends what is left of the group that it alone leads."""
    process.terminate()
    try:
        process.wait(ENDS_WITHIN_S)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    if os.name != "nt":
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
