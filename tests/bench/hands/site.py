"""Serves the pages of the package `miniwob` on loopback, each started with a seed and without its own display."""

import contextlib
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from tests.bench.installing import installed_by_pip

PACKAGE = "miniwob==1.1.0"
_CORE = b'<script src="../core/core.js"></script>'
_START = Path(__file__).with_name("start.js")


def installed(cache: Path) -> Path:
    """The folder with the pages. Raises NotInstalled."""
    packages = installed_by_pip(cache, "miniwob", ("--no-deps", PACKAGE), target_only=True)
    return packages / "miniwob" / "html"


class Pages(SimpleHTTPRequestHandler):
    """A page of a task gets our start script right after its core; everything else is as it is."""

    def __init__(self, *args: object, probe_port: int, **named: object) -> None:
        self._probe_port = probe_port
        super().__init__(*args, **named)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        file = Path(self.translate_path(path))
        if not path.endswith(".html") or not file.is_file():
            super().do_GET()
            return
        script = _START.read_bytes().replace(b"PROBE_PORT", str(self._probe_port).encode())
        self._send(file.read_bytes().replace(_CORE, _CORE + b"<script>" + script + b"</script>"))

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""

    def _send(self, page: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)


@contextlib.contextmanager
def serving(folder: Path, probe_port: int) -> Iterator[str]:
    """The address of the pages while they are served."""
    handler = partial(Pages, probe_port=probe_port, directory=str(folder))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
