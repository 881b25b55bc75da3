"""A scripted model server on loopback that speaks the OpenAI Chat Completions and the Anthropic Messages wire.

    with WireServer([Answer("Hello"), Answer(calls=(Call("browser_click", {"target": "e1"}),))]) as server:
        server.base_url        # for OpenAI-like clients: http://127.0.0.1:PORT/v1
        server.anthropic_url   # for Anthropic clients:   http://127.0.0.1:PORT
        server.asked           # what was asked so far, oldest first

The script is a list, played in order, or a function `(Asked) -> Reply` that computes each reply from what was asked.
A reply is an `Answer` or a fault; every fault works on both wires, streaming or not.
"""

import json
import select
import socket
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

from tests.fakes import wire_formats
from tests.fakes.wire_replies import (
    Answer,
    Asked,
    BrokenInside,
    Cut,
    Garbage,
    NoTail,
    Refusal,
    Reply,
    Script,
    Silence,
    Wire,
)


class WireServer:
    """Serves until the block ends; safe to ask from any thread."""

    def __init__(
        self,
        script: Script = (),
        *,
        key: str | None = None,
        models: Sequence[str] = ("test-model",),
        unknown_fields: Sequence[str] = (),
    ) -> None:
        """With `key` any other key gets a 401; fields in `unknown_fields` are refused with a 400 that names them.

        A model that is not among `models` gets a 404, unless `models` is empty.
        """
        self.asked: list[Asked] = []
        self.paths: list[str] = []
        self.hung_up = threading.Event()
        self._script = script
        self._key = key
        self._models = tuple(models)
        self._unknown_fields = tuple(unknown_fields)
        self._lock = threading.Lock()
        self._played = 0
        self._mistakes: list[Exception] = []
        self._closing = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _handler_of(self))
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def port(self) -> int:
        return self._server.server_address[1]

    @property
    def anthropic_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def base_url(self) -> str:
        return f"{self.anthropic_url}/v1"

    @property
    def is_closing(self) -> bool:
        return self._closing.is_set()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        if self._mistakes and error is None:
            raise self._mistakes[0]

    def close(self) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def list_models(self, headers: Mapping[str, str]) -> tuple[int, dict[str, Any]]:
        if self._key is not None and _key_in(headers) != self._key:
            return 401, wire_formats.error("openai-chat", "authentication_error", "Incorrect API key provided")
        return 200, wire_formats.model_list(self._models)

    def reply_to(self, asked: Asked) -> Reply:
        with self._lock:
            self.asked.append(asked)
            if (refusal := self._refusal_of(asked)) is not None:
                return refusal
            if callable(self._script):
                return self._computed(self._script, asked)
            self._played += 1
            if self._played > len(self._script):
                return Refusal(500, f"the script has only {len(self._script)} replies", "test_error")
            return self._script[self._played - 1]

    def _computed(self, compute: Callable[[Asked], Reply], asked: Asked) -> Reply:
        """A mistake in the function is told to the client, and once more when the block ends."""
        try:
            return compute(asked)
        except (AssertionError, LookupError, TypeError, ValueError, AttributeError) as mistake:
            self._mistakes.append(mistake)
            return Refusal(400, f"the script failed: {mistake!r}", "test_error")

    def _refusal_of(self, asked: Asked) -> Refusal | None:
        if self._key is not None and _key_in(asked.headers) != self._key:
            return Refusal(401, "Incorrect API key provided", "authentication_error")
        model = asked.body.get("model")
        if self._models and model not in self._models:
            return Refusal(404, f"The model `{model}` does not exist", "not_found_error")
        unknown = next((name for name in self._unknown_fields if name in asked.body), None)
        return None if unknown is None else Refusal(400, f"Unrecognized request argument supplied: {unknown}")


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    request_queue_size = 32

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is part of the tests."""


def _key_in(headers: Mapping[str, str]) -> str:
    return headers.get("x-api-key") or headers.get("authorization", "").removeprefix("Bearer ")


def _handler_of(server: WireServer) -> type[BaseHTTPRequestHandler]:
    class Handler(_Handler):
        wire_server = server

    return Handler


class _Handler(BaseHTTPRequestHandler):
    wire_server: WireServer
    protocol_version = "HTTP/1.1"
    timeout = 30

    def log_message(self, format: str, *args: object) -> None:
        """Tests read `asked` instead."""

    def do_GET(self) -> None:
        self.wire_server.paths.append(self.path)
        if self.path.partition("?")[0] != "/v1/models":
            return self._send(404, b"404 page not found", "text/plain")
        status, body = self.wire_server.list_models(self._headers())
        return self._send(status, json.dumps(body).encode())

    def do_POST(self) -> None:
        self.wire_server.paths.append(self.path)
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        wires: dict[str, Wire] = {"/v1/chat/completions": "openai-chat", "/v1/messages": "anthropic"}
        wire = wires.get(self.path)
        if wire is None:
            return self._send(404, b"404 page not found", "text/plain")
        asked = Asked(wire, self.path, self._headers(), body)
        try:
            return self._play(self.wire_server.reply_to(asked), asked)
        except OSError:
            self.wire_server.hung_up.set()
            self.close_connection = True

    def _play(self, reply: Reply, asked: Asked) -> None:
        match reply:
            case Answer():
                self._answer(reply, asked)
            case Refusal():
                body = json.dumps(wire_formats.error(asked.wire, reply.kind, reply.message)).encode()
                self._send(reply.status, body if reply.body is None else reply.body, headers=reply.headers)
            case Garbage():
                self._send(200, reply.body, reply.content_type, reply.headers)
            case Cut():
                self._cut(reply, asked)
            case Silence():
                self._fall_silent(reply, asked)
            case BrokenInside():
                error = wire_formats.error(asked.wire, reply.kind, reply.message, reply.code)
                events = [*self._events(reply.answer, asked)][: reply.events]
                self._stream([*events, wire_formats.event(asked.wire, "error", error)])
                self._end()
            case NoTail():
                self._stream(self._events(reply.answer, asked)[: wire_formats.marks_whole(asked.wire)])
                self._wait_for_hang_up()

    def _answer(self, answer: Answer, asked: Asked) -> None:
        if not asked.body.get("stream") or not answer.streams:
            whole = wire_formats.whole(asked.wire, answer, _model_of(answer, asked), len(self.wire_server.asked))
            return self._send(200, json.dumps(whole).encode())
        self._stream(self._events(answer, asked), answer.pause_s)
        return self._end()

    def _cut(self, cut: Cut, asked: Asked) -> None:
        events = [*self._events(cut.answer, asked)]
        self._stream(events[: cut.events] if cut.size is None else [b"".join(events)[: cut.size]])
        if cut.cleanly:
            return self._end()
        self.close_connection = True
        return None

    def _fall_silent(self, silence: Silence, asked: Asked) -> None:
        if silence.events is not None:
            self._stream(self._events(silence.answer, asked)[: silence.events])
        ping = (
            b": ping\n\n" if asked.wire == "openai-chat" else wire_formats.event(asked.wire, "ping", {"type": "ping"})
        )
        self._wait_for_hang_up(ping if silence.events is not None else b"", silence.pings_s)

    def _wait_for_hang_up(self, ping: bytes = b"", every_s: float = 0) -> None:
        last = time.monotonic()
        while not self.wire_server.is_closing:
            if _has_hung_up(self.connection):
                self.wire_server.hung_up.set()
                break
            if every_s and time.monotonic() - last >= every_s:
                self._chunk(ping)
                last = time.monotonic()
        self.close_connection = True

    def _events(self, answer: Answer, asked: Asked) -> list[bytes]:
        number = len(self.wire_server.asked)
        return wire_formats.stream(asked.wire, answer, _model_of(answer, asked), number, asked.body)

    def _stream(self, events: Sequence[bytes], pause_s: float = 0) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for event in events:
            self._chunk(event)
            if pause_s:
                time.sleep(pause_s)

    def _chunk(self, data: bytes) -> None:
        if data:
            self.wfile.write(b"%x\r\n%b\r\n" % (len(data), data))
            self.wfile.flush()

    def _end(self) -> None:
        self.wfile.write(b"0\r\n\r\n")
        self.wfile.flush()

    def _send(
        self, status: int, body: bytes, kind: str = "application/json", headers: Mapping[str, str] | None = None
    ) -> None:
        self.send_response(status)
        for name, value in {"content-type": kind, **(headers or {}), "content-length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _headers(self) -> dict[str, str]:
        return {name.lower(): value for name, value in self.headers.items()}


def _model_of(answer: Answer, asked: Asked) -> str:
    return answer.model or asked.body.get("model", "")


def _has_hung_up(connection: socket.socket) -> bool:
    readable, _, _ = select.select([connection], [], [], 0.02)
    return bool(readable) and connection.recv(1, socket.MSG_PEEK) == b""
