"""Two small walks on pages of our own: a shop table as earlier measurements used it, and an order form."""

import contextlib
import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

from tests.bench.walks.walk import Aim, Click, Fill, Open, Press, Select, Step, Walk

PAGES = "pages"
_ADD = "Add to cart"


def _add(row: str, then: str) -> Step:
    return Step(Click(Aim("button", _ADD, within=row)), then)


SHOP = Walk(
    "shop table",
    PAGES,
    (
        Step(Open("/shop.html"), "60 articles"),
        Step(Fill(Aim("searchbox", "Search"), "mug"), "mug"),
        Step(Click(Aim("button", "Search")), "20 articles"),
        _add("Tall Mug 106", "1 item"),
        _add("Small Mug 109", "2 items"),
        Step(Select(Aim("combobox", "Sort by"), "Price"), "20 articles"),
        Step(Click(Aim("checkbox", "In stock only")), "17 articles"),
        Step(Fill(Aim("textbox", "Postal code"), "10124"), "17 articles"),
        Step(Click(Aim("button", "Check delivery")), "Delivered to 10124"),
        Step(Fill(Aim("searchbox", "Search"), "rope"), "17 articles"),
        Step(Press("Enter"), "Heavy Rope 108"),
        _add("Heavy Rope 108", "3 items"),
    ),
)
FORM = Walk(
    "order form",
    PAGES,
    (
        Step(Open("/form.html"), "The list is empty"),
        Step(Fill(Aim("textbox", "Your name"), "Ines"), "The list is empty"),
        Step(Click(Aim("radio", "By cart")), "The list is empty"),
        Step(Fill(Aim("textbox", "Article"), "Rope"), "The list is empty"),
        Step(Select(Aim("combobox", "Unit"), "dozen"), "The list is empty"),
        Step(Click(Aim("button", "Add to the list")), "Lines on the list: 1"),
        Step(Fill(Aim("textbox", "Article"), "Lantern"), "Lines on the list: 1"),
        Step(Press("Enter"), "Lines on the list: 2"),
        Step(Click(Aim("button", "Remove", within="Rope")), "Lines on the list: 1"),
        Step(Click(Aim("link", "Back to the shop")), "60 articles"),
    ),
)
OWN = (SHOP, FORM)


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Says nothing."""


@contextlib.contextmanager
def pages() -> Iterator[str]:
    """The address of these pages while they are served, on loopback."""
    folder = str(Path(__file__).with_name(PAGES))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=folder))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
