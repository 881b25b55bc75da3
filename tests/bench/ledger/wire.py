"""A small server on loopback: plain requests and frames of WebSockets, answers that come late or never."""

import base64
import contextlib
import hashlib
import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qsl, urlsplit

HTML = "text/html; charset=utf-8"
FRAME = "WEBSOCKET"
"""The method under which a frame of a WebSocket comes in."""
_WEBSOCKET = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_RESET_AT_CLOSE = struct.pack("ii", 1, 0)


@dataclass(frozen=True, slots=True)
class Asked:
    """One request, or one frame; `fields` are those of its query, or of its body when it has one."""

    method: str
    path: str
    query: dict[str, str]
    fields: dict[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """What is answered after a while; `drops` ends the connection with a reset instead."""

    body: str = ""
    status: int = 200
    kind: str = HTML
    headers: tuple[tuple[str, str], ...] = ()
    delay_s: float = 0.0
    drops: bool = False


Site = Callable[[Asked], Answer]


@dataclass
class Server:
    """Sites by the first part of their path; while `is_cut` no connection comes through."""

    sites: dict[str, Site] = field(default_factory=dict)
    is_cut: bool = False
    _port: int = 0

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self._port}{path}"

    def answer(self, asked: Asked) -> Answer:
        site = self.sites.get(asked.path.split("/")[1])
        return site(asked) if site else Answer("<h1>Nothing here</h1>", status=404)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "_Http"

    def _take(self) -> None:
        if self.headers.get("Upgrade", "").lower() == "websocket":
            self._talk()
            return
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        to = urlsplit(self.path)
        query = dict(parse_qsl(to.query, keep_blank_values=True))
        kind = self.headers.get("Content-Type", "")
        self._send(self.server.known.answer(Asked(self.command, to.path, query, _fields(kind, body) or query, body)))

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _take  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""

    def _send(self, answer: Answer) -> None:
        time.sleep(answer.delay_s)
        if answer.drops or self.server.known.is_cut:
            self._drop()
            return
        content = answer.body.encode()
        with contextlib.suppress(OSError):
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.kind)
            self.send_header("Content-Length", str(len(content)))
            self.send_header("Cache-Control", "no-store")
            for name, value in answer.headers:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

    def _drop(self) -> None:
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_AT_CLOSE)
            self.connection.close()

    def _talk(self) -> None:
        """Each frame is answered by one; a pong and a continued frame are not for such small pages."""
        self.close_connection = True
        key = self.headers["Sec-WebSocket-Key"] + _WEBSOCKET
        proof = base64.b64encode(hashlib.sha1(key.encode(), usedforsecurity=False).digest()).decode()
        head = f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {proof}\r\n\r\n"
        with contextlib.suppress(OSError, struct.error):
            self.wfile.write(f"HTTP/1.1 101 Switching Protocols\r\n{head}".encode())
            while (text := self._frame()) is not None:
                to = urlsplit(self.path)
                answer = self.server.known.answer(Asked(FRAME, to.path, {}, _of_json(text), text))
                time.sleep(answer.delay_s)
                if answer.drops or self.server.known.is_cut:
                    self._drop()
                    return
                self.wfile.write(_framed(answer.body.encode()))

    def _frame(self) -> bytes | None:
        """The text of the next frame; None when it closes."""
        first, second = self.rfile.read(2) or b"\x08\x00"
        length = second & 0x7F
        if length == 126:
            (length,) = struct.unpack(">H", self.rfile.read(2))
        mask = self.rfile.read(4)
        text = bytes(byte ^ mask[at % 4] for at, byte in enumerate(self.rfile.read(length)))
        return text if first & 0x0F == 1 else None


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64
    known: Server

    def verify_request(self, request: object, client_address: object) -> bool:
        return not self.known.is_cut

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that goes away in the middle of an answer is no fault of the server."""


@contextlib.contextmanager
def serving() -> Iterator[Server]:
    http = _Http(("127.0.0.1", 0), _Handler)
    http.known = Server(_port=http.server_port)
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield http.known
    finally:
        http.shutdown()
        http.server_close()
        thread.join()


def _fields(kind: str, body: bytes) -> dict[str, str]:
    if kind.startswith("multipart/form-data"):
        return _of_parts(kind, body)
    if kind.startswith("application/json"):
        return _of_json(body)
    text = body.decode(errors="replace")
    return dict(parse_qsl(text, keep_blank_values=True)) if "=" in text else {}


def _of_json(body: bytes) -> dict[str, str]:
    try:
        plain = json.loads(body)
    except ValueError:
        return {}
    return {str(name): str(value) for name, value in plain.items()} if isinstance(plain, dict) else {}


def _of_parts(kind: str, body: bytes) -> dict[str, str]:
    """Names and texts of the parts; of a file its name and text."""
    found = {}
    for part in body.split(b"--" + kind.partition("boundary=")[2].encode())[1:-1]:
        head, _, text = part.strip(b"\r\n").partition(b"\r\n\r\n")
        name = head.partition(b'name="')[2].partition(b'"')[0]
        found[name.decode()] = text.decode(errors="replace")
    return found


def _framed(text: bytes) -> bytes:
    length = bytes([len(text)]) if len(text) < 126 else b"\x7e" + struct.pack(">H", len(text))
    return b"\x81" + length + text
