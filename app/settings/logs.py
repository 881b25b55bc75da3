"""The log files, free of keys, and the file for crashes of the interpreter."""

import faulthandler
import logging
from collections.abc import Callable
from logging.handlers import RotatingFileHandler
from typing import IO

from app.settings.files import make_private_folder
from app.settings.paths import Paths

_FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
_MAX_BYTES = 1_000_000
_KEPT_FILES = 5


class LogFiles:
    """The open log; `close` takes it away again."""

    def __init__(self, handler: logging.Handler | None = None, crashes: IO[str] | None = None) -> None:
        self._handler = handler
        self._crashes = crashes

    @property
    def is_writing(self) -> bool:
        return self._handler is not None

    def close(self) -> None:
        if self._handler is not None:
            logging.getLogger().removeHandler(self._handler)
            self._handler.close()
        if self._crashes is not None:
            faulthandler.disable()
            self._crashes.close()
        self._handler = self._crashes = None


def configure_logging(paths: Paths, redact: Callable[[str], str]) -> LogFiles:
    """Log what a bug report needs, each line through `redact`. Without a folder to write to there is no log."""
    try:
        make_private_folder(paths.logs_dir)
        crashes = (paths.logs_dir / "crashes.log").open("a", encoding="utf-8")
    except OSError:
        return LogFiles()
    handler = _QuietFile(
        paths.logs_dir / "pilotfish.log", maxBytes=_MAX_BYTES, backupCount=_KEPT_FILES, encoding="utf-8", delay=True
    )
    handler.setFormatter(_Redacted(redact))
    logging.getLogger().addHandler(handler)
    logging.getLogger("app").setLevel(logging.INFO)
    faulthandler.enable(crashes)
    return LogFiles(handler, crashes)


class _Redacted(logging.Formatter):
    """Cleans the finished line, so that arguments and tracebacks are cleaned too."""

    def __init__(self, redact: Callable[[str], str]) -> None:
        super().__init__(_FORMAT)
        self._redact = redact

    def format(self, record: logging.LogRecord) -> str:
        return self._redact(super().format(record))


class _QuietFile(RotatingFileHandler):
    """A line that cannot be written is dropped: a full disk must not put a traceback before a person."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 (name of the base class)
        pass
