"""A small site on loopback for tests: pages put in by the test, files of this folder, and a few odd answers."""

import socket
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

FOLDER = Path(__file__).parent
HTML = "text/html; charset=utf-8"
_MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Reply:
    body: bytes
    kind: str = HTML
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    delay_s: float = 0.0
    held_back: int = 0  # bytes that are announced and never come: the connection ends before them
    drip_s: float = 0.0  # a pause after each of its megabytes


@dataclass
class Site:
    """`127.0.0.1` and `localhost` are two sites to a browser, so a frame of the other runs in another process."""

    port: int
    replies: dict[str, Reply] = field(default_factory=dict)
    posts: list[tuple[str, str]] = field(default_factory=list)
    gate: threading.Event = field(default_factory=threading.Event)  # "/held" answers when it is set

    def url(self, path: str, host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def put(self, path: str, body: str | bytes, **how: Any) -> str:
        """Serve this there from now on; the address."""
        self.replies[path] = Reply(body.encode() if isinstance(body, str) else body, **how)
        return self.url(path)

    def reply(self, target: str) -> Reply:
        path = urlsplit(target).path
        if path == "/held":
            self.gate.wait(20)
            return Reply(b"<p>at last</p>")
        if path == "/slow":
            return Reply(b"late", "text/plain", delay_s=float(parse_qs(urlsplit(target).query)["s"][0]))
        if path == "/sent" and path not in self.replies:
            wanted = parse_qs(urlsplit(target).query)["path"][0]
            return Reply(f"<p>{sum(one == wanted for one, _ in self.posts)} arrived</p>".encode())
        if path in self.replies:
            return self.replies[path]
        file = FOLDER / path.removeprefix("/")
        return Reply(file.read_bytes()) if file.is_file() else Reply(b"<h1>Not here</h1>", status=404)


class _Handler(BaseHTTPRequestHandler):
    disable_nagle_algorithm = True  # headers and body go out as two writes
    protocol_version = "HTTP/1.1"
    server: "_Server"

    def do_GET(self) -> None:
        self._answer(self.server.site.reply(self.path))

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        self.server.site.posts.append((self.path, body))
        self._answer(self.server.site.reply(self.path))

    do_PUT = do_DELETE = do_PATCH = do_POST  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:
        return

    def _answer(self, reply: Reply) -> None:
        time.sleep(reply.delay_s)
        if reply.status < 0:  # the connection is cut, without a word
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
            return
        try:
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.kind)
            self.send_header("Content-Length", str(len(reply.body) + reply.held_back))
            for name, value in reply.headers:
                self.send_header(name, value)
            self.end_headers()
            self._send(reply)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _send(self, reply: Reply) -> None:
        for at in range(0, len(reply.body), _MEGABYTE):
            self.wfile.write(reply.body[at : at + _MEGABYTE])
            time.sleep(reply.drip_s)
        self.close_connection = self.close_connection or reply.held_back > 0


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    site: Site


def serve() -> tuple[Site, _Server]:
    server = _Server(("127.0.0.1", 0), _Handler)
    server.site = Site(server.server_port)
    threading.Thread(target=server.serve_forever, name="test site", daemon=True).start()
    return server.site, server
