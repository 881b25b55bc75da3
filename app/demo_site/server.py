"""The loopback server of the practice shop: routes, cookies, headers, threads that end."""

import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import TCPServer
from typing import Any
from urllib.parse import parse_qsl, urlencode

from app.demo_site.pages import Pages
from app.demo_site.shop import Form, Order, Shop, Visit

_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
}
_HTML = "text/html; charset=utf-8"
_KINDS = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}
_LARGEST_BODY_BYTES = 20_000
_IDLE_CONNECTION_SECONDS = 10


class DemoSite:
    """A running practice shop; `base_url` ends without a slash."""

    def __init__(self, shop: Shop, server: "_Server") -> None:
        self._shop = shop
        self._server = server
        self._thread = threading.Thread(target=server.serve_forever, args=(0.05,), name="demo-site", daemon=True)
        self._thread.start()
        self.base_url = f"http://127.0.0.1:{server.server_address[1]}"

    def orders(self) -> tuple[Order, ...]:
        return tuple(self._shop.orders)

    def stop(self) -> None:
        """End the server and every thread it has started; a second call does nothing."""
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
            self._server.server_close()


def start(root: Path, port: int = 0) -> DemoSite:
    """Serve the shop that lies in `root`. On the port of an earlier run its open pages and baskets still work."""
    shop = Shop(root)
    return DemoSite(shop, _Server(("127.0.0.1", port), _Site(root, shop)))


@dataclass(frozen=True, slots=True)
class _Reply:
    status: int
    body: str | bytes = ""
    kind: str = _HTML
    headers: tuple[tuple[str, str], ...] = ()
    cookies: tuple[tuple[str, str], ...] = ()


class _Site:
    """Which page answers which request."""

    def __init__(self, root: Path, shop: Shop) -> None:
        self._shop = shop
        self._pages = Pages(root, shop)
        files = [file for file in (root / "static").iterdir() if file.suffix in _KINDS]
        self._static = {f"/static/{file.name}": _Reply(200, file.read_bytes(), _KINDS[file.suffix]) for file in files}
        self._forms: dict[str, Callable[[Form, Visit], _Reply]] = {
            "/basket.html": self._change_basket,
            "/checkout.html": self._check_details,
            "/order": self._place_order,
        }

    def get(self, path: str, cookies: Form) -> _Reply:
        if path in self._static:
            return self._static[path]
        visit = self._shop.visit(cookies)
        return self._steps(path, visit) or self._order_page(path, visit) or self._shelf(path, visit)

    def post(self, path: str, form: Form, cookies: Form) -> _Reply:
        visit = self._shop.visit(cookies)
        if path not in self._forms:
            return self.refusal(405, "This page takes no form", "Nothing was changed and nothing was ordered.", visit)
        return self._forms[path](form, visit)

    def refusal(self, status: int, title: str, text: str, visit: Visit) -> _Reply:
        return _Reply(status, self._pages.message(title, text, visit))

    def _shelf(self, path: str, visit: Visit) -> _Reply:
        slug = path.removeprefix("/lanterns/").removesuffix(".html")
        if path in ("/", "/index.html"):
            return _Reply(200, self._pages.index(visit))
        if path == "/stock.html":
            return _Reply(200, self._pages.stock(visit))
        if slug in self._shop.lanterns and path == f"/lanterns/{slug}.html":
            return _Reply(200, self._pages.lantern(slug, visit))
        return self.refusal(404, "There is no such page", "The address is not one of this shop.", visit)

    def _steps(self, path: str, visit: Visit) -> _Reply | None:
        draft, order = visit.draft, self._shop.order(visit.draft)
        if path == "/basket.html" or (path == "/checkout.html" and not visit.basket):
            return _Reply(200, self._pages.basket(visit))
        if path == "/checkout.html":
            return _Reply(200, self._pages.checkout(visit, draft, {}))
        if path == "/review.html":
            return _Reply(200, self._pages.review(order, visit)) if order else self._nothing_reviewed(visit)
        return None

    def _order_page(self, path: str, visit: Visit) -> _Reply | None:
        found = [order for order in self._shop.orders if path == f"/orders/{order.number}.html"]
        return _Reply(200, self._pages.confirmation(found[0], visit)) if found else None

    def _change_basket(self, form: Form, visit: Visit) -> _Reply:
        basket = self._shop.changed_basket(visit.basket, form)
        if basket is None:
            text = "A quantity is a whole number from 0 to 9. Your basket is as it was."
            return self.refusal(422, "The basket was not changed", text, visit)
        return _see_other("/basket.html", basket=urlencode(basket))

    def _check_details(self, form: Form, visit: Visit) -> _Reply:
        draft = self._shop.draft(visit.basket, form)
        problems = self._shop.problems(draft)
        if problems or not visit.basket:
            page = self._pages.checkout(visit, draft, problems) if visit.basket else self._pages.basket(visit)
            return _Reply(422, page)
        return _see_other("/review.html", draft=urlencode(draft))

    def _place_order(self, _form: Form, visit: Visit) -> _Reply:
        order = self._shop.place(visit.draft)
        return _see_other(f"/orders/{order.number}.html", basket="") if order else self._nothing_reviewed(visit)

    def _nothing_reviewed(self, visit: Visit) -> _Reply:
        text = "Nothing was ordered. Fill the basket and the delivery details first."
        return self.refusal(409, "There is no order to review", text, visit)


def _see_other(location: str, **cookies: str) -> _Reply:
    return _Reply(303, headers=(("Location", location),), cookies=tuple(cookies.items()))


class _Handler(BaseHTTPRequestHandler):
    """One connection, one request."""

    server: "_Server"
    timeout = _IDLE_CONNECTION_SECONDS

    def do_GET(self) -> None:
        self._answer(self.server.site.get(self._path(), self._cookies()))

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > _LARGEST_BODY_BYTES:
            text = "Nothing was changed. The form is larger than this shop reads."
            self._answer(self.server.site.refusal(413, "The form was not read", text, Visit({}, {})))
            return
        body = self.rfile.read(int(length)).decode("utf-8", "replace")
        form = dict(parse_qsl(body, keep_blank_values=True))
        self._answer(self.server.site.post(self._path(), form, self._cookies()))

    def end_headers(self) -> None:
        for name, value in _HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: a practice site is no part of the program's log."""

    def _path(self) -> str:
        return self.path.partition("?")[0]

    def _cookies(self) -> dict[str, str]:
        jar: SimpleCookie = SimpleCookie()
        with suppress(CookieError):
            jar.load(self.headers.get("Cookie", ""))
        mark = self._cookie_mark()
        return {name.removesuffix(mark): morsel.value for name, morsel in jar.items() if name.endswith(mark)}

    def _cookie_mark(self) -> str:
        """Cookies are shared by all ports of a host; each start of the site has a basket of its own."""
        return f"_{self.server.server_port}"

    def _answer(self, reply: _Reply) -> None:
        body = reply.body.encode() if isinstance(reply.body, str) else reply.body
        self.send_response(reply.status)
        for name, value in (*reply.headers, ("Content-Type", reply.kind), ("Content-Length", str(len(body)))):
            self.send_header(name, value)
        for name, value in reply.cookies:
            kept = "Path=/; Max-Age=86400; HttpOnly; SameSite=Strict"
            self.send_header("Set-Cookie", f"{name}{self._cookie_mark()}={value}; {kept}")
        self.end_headers()
        self.wfile.write(body)


class _Server(ThreadingHTTPServer):
    """Remembers its connections, so that closing ends idle ones at once and leaves no thread."""

    request_queue_size = 32

    def __init__(self, address: tuple[str, int], site: _Site) -> None:
        self.site = site
        self._connections: list[tuple[socket.socket, threading.Thread]] = []
        super().__init__(address, _Handler)

    def server_bind(self) -> None:
        """Bind without the base class's look-up of a host name, which can take seconds on a machine off the network."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = "127.0.0.1", self.server_address[1]

    def process_request(self, request: Any, client_address: Any) -> None:
        work = threading.Thread(target=self.process_request_thread, args=(request, client_address), daemon=True)
        self._connections = [pair for pair in self._connections if pair[1].is_alive()]
        self._connections.append((request, work))
        work.start()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that hangs up is no error; anything else is a bug and keeps its traceback."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)

    def server_close(self) -> None:
        super().server_close()
        for connection, work in self._connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            work.join()
