"""An order whose answer is lost with the program: after the restart the window says so, and the order is found once."""

import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Self

import pytest

from tests.e2e import stored
from tests.e2e.command import started
from tests.e2e.desk import Desk
from tests.e2e.processes import CAN_LOOK, until, wait_until_gone
from tests.fakes.wire_replies import Answer, Asked, Call, Reply
from tests.fakes.wire_server import WireServer
from tests.ui.seeing import button, can_be_pressed, text

pytestmark = pytest.mark.skipif(not CAN_LOOK, reason="processes are looked up in /proc")

PLACED = "Order 1041: one Sturdy Lantern, placed"
_FORM = """<!doctype html><title>Lanterns</title><h1>Sturdy Lantern</h1><form method="post" action="/order">
<p><label>Name <input name="name" value="Ada Example"></label>
<p><label>Total <input name="total" value="$45.00"></label>
<p><button>Place order</button></form>"""
_ORDERS = "<!doctype html><title>Your orders</title><h1>Your orders</h1><ul>{}</ul>"


class SilentShop:
    """Takes every order and never answers one; what was ordered stands on a page of its own."""

    def __init__(self) -> None:
        self.visits = self.orders = 0
        self._is_closing = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,))
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def take_order(self) -> None:
        self.orders += 1
        self._is_closing.wait()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *fault: object) -> None:
        self._is_closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _handler_of(shop: SilentShop) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            shop.visits += 1
            placed = f"<li>{PLACED}</li>" * shop.orders
            body = (_ORDERS.format(placed) if self.path == "/orders" else _FORM).encode()
            self.send_response(200)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.send_header("content-length", str(len(body)))
            with suppress(ConnectionError):
                self.end_headers()
                self.wfile.write(body)

        def do_POST(self) -> None:
            shop.take_order()
            self.close_connection = True

        def log_message(self, format: str, *args: object) -> None:
            """The count is the log."""

    return Handler


@pytest.fixture
def shop() -> Iterator[SilentShop]:
    with SilentShop() as running:
        yield running


@pytest.fixture
def model(shop: SilentShop, monkeypatch: pytest.MonkeyPatch) -> Iterator[WireServer]:
    """Orders; asked to check, it looks at the orders, keeps the line that proves it, and answers."""

    def script(asked: Asked) -> Reply:
        if asked.turns == 0:
            return Answer(calls=(Call("browser_navigate", {"url": shop.url}),))
        if asked.turns == 1:
            return Answer(calls=(Call("browser_click", {"target": asked.ref("button", "Place order")}),))
        if "Check first, without sending anything" in asked.newest_text:
            return Answer(calls=(Call("browser_navigate", {"url": f"{shop.url}/orders"}),))
        if PLACED in asked.newest_text and "[q1]" not in asked.newest_text:
            return Answer(calls=(Call("keep_quote", {"text": PLACED, "why": "it was placed", "proves": "s1"}),))
        return Answer("The order was placed once [s1]; the shop lists it [q1].")

    with WireServer(script) as server:
        monkeypatch.setenv("PILOTFISH_PROVIDER", "local")
        monkeypatch.setenv("PILOTFISH_BASE_URL", server.base_url)
        monkeypatch.setenv("PILOTFISH_MODEL", "test-model")
        yield server


@pytest.mark.timeout(120)
def test_an_order_whose_answer_was_lost_is_shown_as_unknown_and_found_once(
    shop: SilentShop, model: WireServer, open_desk: Callable[[], Desk], home: Path
) -> None:
    with started("app", "run", "Order the lantern.", "--answer-consent", "yes") as process:
        until(lambda: shop.visits or process.poll() is not None, "the visit of the shop")
        until(lambda: shop.orders or process.poll() is not None, "the order")
        assert shop.orders == 1, process.communicate()
        process.kill()
        process.wait()
    wait_until_gone(home)
    asked = len(model.asked)

    desk = open_desk()
    strip, left = desk.window.chat.sent, desk.window.chat.view.unfinished
    desk.until(lambda: strip.is_open and left.isVisible(), "the conversation that was broken off")
    assert "NOT KNOWN whether it happened" in text(strip)
    assert "Name: Ada Example · Total: $45.00" in text(strip)
    assert "Nothing runs until you say so." in text(left)
    assert (desk.state, len(model.asked), shop.orders) == ("Ready", asked, 1)

    desk.until(lambda: can_be_pressed(strip, "Check first"), "the way to check")
    desk.press(button(strip, "Check first"))
    desk.until(desk.end, "the end of the turn")
    assert shop.orders == 1
    assert "placed once [s1]" in desk.answer()
    strip.toggle()
    shown = text(strip)
    assert "1 submitted" in shown
    assert "settled" in shown
    assert f"“{PLACED}”" in shown
    assert set(stored.results_per_call(stored.events(home)).values()) == {1}
