"""Every test runs in an empty home and on loopback only, and fails on a warning in the log that it did not announce."""

import ipaddress
import logging
import os
import re
import shutil
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from tests.named_tests import NamedTests, named_tests

HOME = pytest.StashKey[Path]()
FOLDERS_OF_THE_USER = ("HOME", "USERPROFILE", "APPDATA", "LOCALAPPDATA")
FORGOTTEN = re.compile(
    r"XDG_(CONFIG|DATA|CACHE|STATE)_HOME|DBUS_SESSION_BUS_ADDRESS|.*_API_KEY|.*_AUTH_TOKEN|.*_BASE_URL"
    r"|(HTTPS?|ALL)_PROXY|PILOTFISH_(?!BROWSER$|NO_SANDBOX$).*",
    re.IGNORECASE,
)
RESERVED_NAMES = (".invalid", ".test", ".example")


def pytest_configure(config: pytest.Config) -> None:
    home = Path(tempfile.mkdtemp(prefix="pilotfish-tests-"))
    config.stash[HOME] = home
    _leave_the_home_of_the_user(home)
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    logging.getLogger().addHandler(LOG)
    sys.addaudithook(NETWORK.audit)
    hypothesis.settings.load_profile("pilotfish")
    config.pluginmanager.register(NamedTests(named_tests()))


def pytest_unconfigure(config: pytest.Config) -> None:
    logging.getLogger().removeHandler(LOG)
    shutil.rmtree(config.stash[HOME], ignore_errors=True)


@pytest.fixture(autouse=True)
def _only_announced_log_lines(request: pytest.FixtureRequest) -> Iterator[None]:
    LOG.lines.clear()
    yield
    announced = [Announced(*mark.args, **mark.kwargs) for mark in request.node.iter_markers("expected_log")]
    complaints = [f"unexpected: {shown(line)}" for line in LOG.lines if not any(a.covers(line) for a in announced)]
    complaints += [f"missing: {a.pattern}" for a in announced if not any(a.covers(line) for line in LOG.lines)]
    if complaints:
        pytest.fail("log lines\n" + "\n".join(complaints), pytrace=False)


@pytest.fixture(autouse=True)
def _only_this_machine() -> Iterator[None]:
    NETWORK.refused.clear()
    yield
    if NETWORK.refused:
        pytest.fail(f"reached for the network: {', '.join(NETWORK.refused)}", pytrace=False)


class Announced:
    """A log line that a test says it provokes: `@pytest.mark.expected_log("is damaged", logger="app.store")`."""

    def __init__(self, pattern: str, logger: str | None = None) -> None:
        self.pattern = pattern
        self._logger = logger

    def covers(self, line: logging.LogRecord) -> bool:
        from_there = self._logger is None or line.name == self._logger or line.name.startswith(f"{self._logger}.")
        return from_there and re.search(self.pattern, line.getMessage()) is not None


class LogLines(logging.Handler):
    """Keeps what any thread logged at WARNING or above."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.lines: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(record)


def shown(line: logging.LogRecord) -> str:
    text = f"{line.levelname} {line.name}: {line.getMessage()}"
    return f"{text}\n{logging.Formatter().formatException(line.exc_info)}" if line.exc_info else text


class Network:
    """Refuses what would leave the machine, and remembers it, so that a swallowed error still fails the test."""

    def __init__(self) -> None:
        self.refused: list[str] = []

    def audit(self, event: str, args: tuple[object, ...]) -> None:
        host = _host_of(event, args)
        if host is None or host == "localhost" or host.endswith(".localhost") or _is_loopback(host):
            return
        if host.endswith(RESERVED_NAMES):
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        self.refused.append(host)
        raise PermissionError(f"tests stay on this machine; {host} is elsewhere")


def _host_of(event: str, args: tuple[object, ...]) -> str | None:
    if event in ("socket.connect", "socket.sendto"):
        address = args[1]
        found = address[0] if isinstance(address, tuple) else None
    elif event in ("socket.getaddrinfo", "socket.gethostbyname"):
        found = args[0]
    else:
        return None
    if isinstance(found, bytes):
        return found.decode("ascii", "replace")
    return found or None if isinstance(found, str) else None


def _is_loopback(host: str) -> bool:
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def _leave_the_home_of_the_user(home: Path) -> None:
    os.environ.setdefault("PLAYWRIGHT_BROWSERS_PATH", str(_browsers_of_the_driver()))
    for name in [name for name in os.environ if FORGOTTEN.fullmatch(name)]:
        del os.environ[name]
    for name in FOLDERS_OF_THE_USER:
        os.environ[name] = str(home)
    os.environ["PILOTFISH_HOME"] = str(home / "pilotfish")
    os.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"


def _browsers_of_the_driver() -> Path:
    """The folder that Playwright derives from the home: the browsers there stay usable in the empty one."""
    if sys.platform == "darwin":
        return Path.home() / "Library/Caches/ms-playwright"
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "ms-playwright"
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "ms-playwright"


LOG = LogLines()
NETWORK = Network()

# Speed is measured elsewhere; a busy machine must not fail a property, and CI tries the same examples each time.
hypothesis.settings.register_profile(
    "pilotfish",
    deadline=None,
    derandomize="CI" in os.environ,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
