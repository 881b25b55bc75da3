"""Serves pages of ours and the packages they use on loopback: `static_site.py PORT PAGES MODULES`."""

import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Pages(SimpleHTTPRequestHandler):
    """Paths under /modules/ are packages, everything else is ours."""

    def __init__(self, *args: object, modules: Path, **named: object) -> None:
        self._modules = modules
        super().__init__(*args, **named)

    def translate_path(self, path: str) -> str:
        if path.startswith("/modules/"):
            inside = (self._modules / path.removeprefix("/modules/").partition("?")[0]).resolve()
            return str(inside if inside.is_relative_to(self._modules.resolve()) else self._modules / "none")
        return super().translate_path(path)

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""


def serve(port: int, pages: Path, modules: Path) -> None:
    handler = partial(Pages, modules=modules, directory=str(pages))
    ThreadingHTTPServer(("127.0.0.1", port), handler).serve_forever()


if __name__ == "__main__":
    serve(int(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]))
