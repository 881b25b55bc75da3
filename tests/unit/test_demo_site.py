"""The practice shop serves its pages, counts every order, refuses nonsense and ends without a trace."""

import http.client
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from html.parser import HTMLParser
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPCookieProcessor, ProxyHandler, build_opener

import pytest

from app.demo_site import DemoSite, start

ROOT = Path(__file__).parents[2] / "resources" / "demo"
LANTERNS = ("puffin", "tern", "plover", "curlew", "avocet", "gannet", "cormorant", "heron")
PAGES = ("/", "/index.html", "/stock.html", "/basket.html", *(f"/lanterns/{slug}.html" for slug in LANTERNS))
DETAILS = {
    "name": "Ada Quill",
    "street": "Lamp Lane 7",
    "town": "Saltmouth",
    "country": "Ireland",
    "delivery": "express",
    "gift_wrap": "yes",
    "note": "Ring <b>twice</b> & wait",
}


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    path: str
    text: str
    headers: dict[str, str]


class Visitor:
    """A browser without a window: it keeps cookies and follows redirects."""

    def __init__(self, site: DemoSite) -> None:
        self.site = site
        self._opener = build_opener(ProxyHandler({}), HTTPCookieProcessor(CookieJar()))

    def get(self, path: str) -> Answer:
        return self._ask(path, None)

    def post(self, path: str, **form: str) -> Answer:
        return self._ask(path, urlencode(form).encode())

    def reach_review(self) -> Answer:
        self.post("/basket.html", lantern="curlew", quantity="1")
        return self.post("/checkout.html", **DETAILS)

    def _ask(self, path: str, body: bytes | None) -> Answer:
        try:
            reply = self._opener.open(self.site.base_url + path, body, timeout=10)
        except HTTPError as refusal:
            reply = refusal
        with reply:
            text = reply.read().decode()
            return Answer(reply.status, reply.url.removeprefix(self.site.base_url), text, dict(reply.headers))


@pytest.fixture
def site() -> Iterator[DemoSite]:
    running = start(ROOT)
    yield running
    running.stop()


@pytest.fixture
def visitor(site: DemoSite) -> Visitor:
    return Visitor(site)


def raw_answer(site: DemoSite, request: str) -> str:
    with socket.create_connection(("127.0.0.1", int(site.base_url.rsplit(":", 1)[1])), timeout=10) as connection:
        connection.sendall(request.encode())
        return b"".join(iter(lambda: connection.recv(65536), b"")).decode()


def wait_until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not is_so():
        assert time.monotonic() < deadline, "the awaited state did not come"
        time.sleep(0.01)


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_served_with_one_heading_and_marked_as_practice(visitor: Visitor, path: str) -> None:
    answer = visitor.get(path)
    assert answer.status == 200
    assert answer.text.count("<h1>") == 1
    assert "<strong>Practice site</strong>" in answer.text
    assert "$" not in answer.text


def test_the_list_shows_every_lantern_with_price_and_burn_time(visitor: Visitor) -> None:
    page = visitor.get("/index.html").text
    assert [slug for slug in LANTERNS if f'href="/lanterns/{slug}.html"' not in page] == []
    assert re.search(r"Curlew Deck Lantern.*48 hours.*£46\.00", page)


def test_a_lantern_page_holds_the_sentences_worth_quoting(visitor: Visitor) -> None:
    page = visitor.get("/lanterns/curlew.html").text
    assert "410 g" in page
    assert "Every Curlew leaves Port Ellery within one working day and is signed for at your door." in page
    assert "If a Curlew fails within five years, we repair or replace it and pay the postage both ways." in page


def test_the_stock_button_does_nothing_and_the_link_beside_it_leads_to_the_stock(visitor: Visitor) -> None:
    page = visitor.get("/lanterns/curlew.html").text
    assert '<button type="button">Check stock in my harbour</button>' in page
    assert "Check stock" not in visitor.get("/static/checkout.js").text
    assert "14 in stock" in visitor.get("/stock.html").text


@pytest.mark.parametrize("path", ["/index.html", "/static/site.css", "/no-such-page", "/orders/HL-1001.html"])
def test_every_answer_forbids_outside_addresses_and_caching(visitor: Visitor, path: str) -> None:
    headers = visitor.get(path).headers
    assert headers["Content-Security-Policy"].startswith("default-src 'none'; style-src 'self'; script-src 'self'")
    assert headers["Cache-Control"] == "no-store"
    assert headers["X-Content-Type-Options"] == "nosniff"


def test_no_file_of_the_site_names_an_outside_address() -> None:
    texts = {file.name: file.read_text("utf-8") for file in ROOT.rglob("*") if file.is_file()}
    quiet = {name: text.replace('xmlns="http://www.w3.org/2000/svg"', "") for name, text in texts.items()}
    assert [name for name, text in quiet.items() if "//" in text.replace("/* ", "")] == []


def test_an_unknown_address_is_a_plain_page_with_a_way_back(visitor: Visitor) -> None:
    answer = visitor.get("/lanterns/albatross.html")
    assert answer.status == 404
    assert "There is no such page" in answer.text
    assert "Back to all lanterns" in answer.text


@pytest.mark.parametrize(
    "path",
    [
        "/static/../shop.json",
        "/static/%2e%2e/shop.json",
        "/static/..%2fshop.json",
        "/static//etc/passwd",
        "/../../../etc/passwd",
        "/lanterns/../shop.json",
        "/pages/layout.html",
        "/shop.json",
        "//etc/passwd",
    ],
)
def test_a_path_that_climbs_out_is_refused(site: DemoSite, path: str) -> None:
    answer = raw_answer(site, f"GET {path} HTTP/1.0\r\n\r\n")
    assert answer.startswith("HTTP/1.0 404 ")
    assert "gift_wrap_pence" not in answer
    assert "root:" not in answer


def test_the_basket_adds_up_and_can_be_changed(visitor: Visitor) -> None:
    visitor.post("/basket.html", lantern="curlew", quantity="1")
    visitor.post("/basket.html", lantern="curlew", quantity="2")
    full = visitor.post("/basket.html", lantern="tern", quantity="1")
    assert full.path == "/basket.html"
    assert "Basket (4)" in full.text
    assert "£162.00" in full.text
    changed = visitor.post("/basket.html", **{"quantity-curlew": "0", "quantity-tern": "2"})
    assert "Basket (2)" in changed.text
    assert "Curlew" not in changed.text


@pytest.mark.parametrize(
    "form",
    [
        {"lantern": "albatross", "quantity": "1"},
        {"lantern": "tern", "quantity": "-1"},
        {"lantern": "tern", "quantity": "ten"},
        {"lantern": "tern"},
        {"quantity-curlew": "1.5"},
    ],
)
def test_a_senseless_quantity_leaves_the_basket_as_it_was(visitor: Visitor, form: dict[str, str]) -> None:
    visitor.post("/basket.html", lantern="curlew", quantity="1")
    refused = visitor.post("/basket.html", **form)
    assert refused.status == 422
    assert "The basket was not changed" in refused.text
    assert "Basket (1)" in visitor.get("/basket.html").text


@pytest.mark.parametrize(
    ("key", "value", "problem"),
    [
        ("name", " ", "Enter the name of the person who gets the parcel."),
        ("street", "", "Enter the street and number."),
        ("town", "", "Enter the town."),
        ("country", "Atlantis", "Choose a country."),
        ("delivery", "", "Choose a delivery method."),
        ("note", "x" * 201, "Note for the packer takes at most 200 characters."),
    ],
)
def test_a_faulty_detail_is_named_and_nothing_typed_is_lost(
    visitor: Visitor, key: str, value: str, problem: str
) -> None:
    visitor.post("/basket.html", lantern="curlew", quantity="1")
    answer = visitor.post("/checkout.html", **DETAILS | {key: value})
    assert answer.status == 422
    assert 'role="alert"' in answer.text
    assert f'id="{key}-error">{problem}<' in answer.text
    assert f'aria-describedby="{key}-error"' in answer.text
    assert [
        kept for kept in ("Lamp Lane 7", "Ada Quill") if kept not in answer.text and key not in ("street", "name")
    ] == []
    assert visitor.get("/review.html").status == 409


def test_the_review_shows_exactly_what_will_be_ordered_and_orders_nothing(visitor: Visitor) -> None:
    review = visitor.reach_review()
    assert review.path == "/review.html"
    shown = ["Curlew Deck Lantern", "Express, next working day", "Gift wrap", "£56.00", "Ada Quill", "Lamp Lane 7"]
    assert [text for text in shown if text not in review.text] == []
    assert "Ring &lt;b&gt;twice&lt;/b&gt; &amp; wait" in review.text
    assert visitor.site.orders() == ()


def test_placing_the_order_leads_to_its_number_and_is_counted_once(visitor: Visitor) -> None:
    visitor.reach_review()
    placed = visitor.post("/order")
    assert placed.path == "/orders/HL-1001.html"
    assert "Order HL-1001 is placed" in placed.text
    assert visitor.get(placed.path).status == 200
    (order,) = visitor.site.orders()
    assert (order.number, order.lines, order.name, order.town) == (
        "HL-1001",
        (("curlew", 1),),
        "Ada Quill",
        "Saltmouth",
    )
    assert (order.delivery, order.gift_wrap, order.total_pence) == ("express", True, 5600)
    assert order.note == DETAILS["note"]


def test_placing_the_order_twice_makes_two_orders(visitor: Visitor) -> None:
    visitor.reach_review()
    visitor.post("/order")
    visitor.post("/order")
    assert [order.number for order in visitor.site.orders()] == ["HL-1001", "HL-1002"]


def test_orders_placed_at_the_same_moment_get_different_numbers(visitor: Visitor) -> None:
    visitor.reach_review()
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: visitor.post("/order"), range(24)))
    assert len({order.number for order in visitor.site.orders()}) == 24


def test_an_order_without_reviewed_details_is_refused_and_not_counted(visitor: Visitor) -> None:
    refused = visitor.post("/order")
    visitor.post("/basket.html", lantern="curlew", quantity="1")
    assert (refused.status, visitor.post("/order").status) == (409, 409)
    assert "Nothing was ordered" in refused.text
    assert visitor.site.orders() == ()


@pytest.mark.parametrize("draft", ["basket=curlew%3D1", "basket=x&name=A", "%ff%fe=1", "basket=curlew%3D99&name=A"])
def test_a_forged_draft_is_refused(site: DemoSite, draft: str) -> None:
    cookie = f"draft_{urlsplit(site.base_url).port}={draft}"
    answer = raw_answer(site, f"POST /order HTTP/1.0\r\nCookie: {cookie}\r\nContent-Length: 0\r\n\r\n")
    assert answer.startswith("HTTP/1.0 409 ")
    assert site.orders() == ()


def test_looking_at_the_order_address_orders_nothing(visitor: Visitor) -> None:
    visitor.reach_review()
    assert visitor.get("/order").status == 404
    assert visitor.site.orders() == ()


@pytest.mark.parametrize("length", ["999999", "-1", "many", ""])
def test_a_form_of_a_wrong_length_is_not_read(site: DemoSite, length: str) -> None:
    answer = raw_answer(site, f"POST /basket.html HTTP/1.0\r\nContent-Length: {length}\r\n\r\n")
    assert answer.startswith("HTTP/1.0 413 ")


def test_a_form_sent_to_a_page_without_one_changes_nothing(visitor: Visitor) -> None:
    assert visitor.post("/stock.html", lantern="curlew", quantity="1").status == 405


def test_basket_and_review_outlive_a_restart_on_the_same_port(visitor: Visitor) -> None:
    visitor.reach_review()
    visitor.site.stop()
    again = start(ROOT, port=int(visitor.site.base_url.rsplit(":", 1)[1]))
    try:
        assert again.base_url == visitor.site.base_url
        assert "£56.00" in visitor.get("/review.html").text
        assert visitor.post("/order").path == "/orders/HL-1001.html"
        assert len(again.orders()) == 1
    finally:
        again.stop()


def test_stopping_ends_every_thread_at_once_even_with_an_idle_connection() -> None:
    before = set(threading.enumerate())
    site = start(ROOT)
    port = int(site.base_url.rsplit(":", 1)[1])
    with socket.create_connection(("127.0.0.1", port)):
        wait_until(lambda: len(set(threading.enumerate()) - before) == 2)
        began = time.monotonic()
        site.stop()
        site.stop()
    assert time.monotonic() - began < 5
    assert set(threading.enumerate()) - before == set()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=5)


def test_the_server_listens_on_loopback_only_and_says_nothing(
    visitor: Visitor, capfd: pytest.CaptureFixture[str]
) -> None:
    assert visitor.site.base_url.startswith("http://127.0.0.1:")
    visitor.get("/index.html")
    visitor.get("/nothing")
    connection = http.client.HTTPConnection(visitor.site.base_url.removeprefix("http://"), timeout=10)
    connection.request("DELETE", "/order")
    assert connection.getresponse().status == 501
    connection.close()
    assert capfd.readouterr() == ("", "")


class ControlNames(HTMLParser):
    """Collects the fields of a page that have neither a label nor a name of their own."""

    def __init__(self) -> None:
        super().__init__()
        self.labelled: set[str | None] = set()
        self.fields: list[dict[str, str | None]] = []
        self._open_labels = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "label":
            self._open_labels += 1
            self.labelled.add(found.get("for"))
        if tag in ("input", "select", "textarea") and found.get("type") != "hidden" and not self._open_labels:
            self.fields.append(found)

    def handle_endtag(self, tag: str) -> None:
        self._open_labels -= tag == "label"

    def nameless(self) -> list[dict[str, str | None]]:
        return [field for field in self.fields if field.get("id") not in self.labelled and "aria-label" not in field]


def test_every_field_has_an_accessible_name(visitor: Visitor) -> None:
    visitor.post("/basket.html", lantern="curlew", quantity="1")
    parser = ControlNames()
    for path in ("/lanterns/curlew.html", "/basket.html", "/checkout.html"):
        parser.feed(visitor.get(path).text)
    parser.feed(visitor.post("/checkout.html").text)
    assert len(parser.fields) > 8
    assert parser.nameless() == []
