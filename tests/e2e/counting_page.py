"""A page on loopback that counts every input event it gets and tells its server, again and again, how many."""

import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self
from urllib.parse import parse_qs, urlsplit

BEAT_MS = 250  # long enough for the page to count as quiet in between

_PAGE = (
    """<!doctype html>
<title>Counting page</title>
<h1>Counting page</h1>
<p><label>Notes <textarea rows="4" cols="50"></textarea></label></p>
<p><button>Press</button> <output>pressed 0 times</output></p>
<p><label>Colour <select><option>red<option>green<option>blue</select></label></p>
<script>
let seen = 0, last = 0, pressed = 0;
for (const kind of ['keydown', 'keyup', 'beforeinput', 'input', 'change', 'pointerdown', 'pointerup', 'mousedown',
                    'mouseup', 'mousemove', 'click', 'dblclick', 'wheel', 'dragstart', 'drop', 'paste'])
  addEventListener(kind, () => { seen += 1; last = Date.now(); }, { capture: true, passive: true });
document.querySelector('button').onclick = () => {
  document.querySelector('output').textContent = `pressed ${++pressed} times`;
};
setInterval(() => { new Image().src = `/beat?seen=${seen}&last=${last}&now=${Date.now()}`; }, """
    + str(BEAT_MS)
    + """);
</script>
"""
)


@dataclass(frozen=True)
class Beat:
    """What the page said of itself: input events so far, when the last one came, and its clock, in milliseconds."""

    seen: int
    last: int
    now: int


class CountingPage:
    """Serves until the block ends; the page itself only after `delay_s`."""

    def __init__(self, delay_s: float = 0.0) -> None:
        self.delay_s = delay_s
        self.beats: list[Beat] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/"

    @property
    def seen(self) -> int:
        return self.beats[-1].seen if self.beats else 0

    def beat_after(self, moment_ms: float) -> Beat | None:
        """The newest beat, when the page sent it after that moment."""
        return self.beats[-1] if self.beats and self.beats[-1].now > moment_ms else None

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _handler_of(page: CountingPage) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = urlsplit(self.path)
            if asked.path == "/beat":
                numbers = {name: int(values[0]) for name, values in parse_qs(asked.query).items()}
                page.beats.append(Beat(**numbers))
                self._send(204, b"")
            elif asked.path == "/":
                time.sleep(page.delay_s)
                self._send(200, _PAGE.encode())
            else:  # the browser asks for an icon, and may be closed before a slow answer to that
                self._send(404, b"")

        def _send(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.send_header("content-length", str(len(body)))
            with suppress(ConnectionError):  # a browser that was closed takes no answer; a test reads what is printed
                self.end_headers()
                self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """The beats are the log."""

    return Handler
