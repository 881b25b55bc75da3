"""What the practice shop sells, what it accepts, and the orders placed in it."""

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

Form = Mapping[str, str]
Basket = dict[str, int]

QUANTITIES = {str(quantity): quantity for quantity in range(10)}


@dataclass(frozen=True, slots=True)
class Order:
    """What one press of "Place order" has sent: lanterns with quantities, where they go, what they cost."""

    number: str
    lines: tuple[tuple[str, int], ...]
    name: str
    street: str
    town: str
    country: str
    delivery: str
    gift_wrap: bool
    note: str
    total_pence: int


@dataclass(frozen=True, slots=True)
class Visit:
    """What a visitor has chosen: it travels in cookies, so that a restart of the server loses none of it."""

    basket: Basket
    draft: Form


class Shop:
    """Rules of the shop; the pages and the server only show and carry."""

    def __init__(self, root: Path) -> None:
        data = json.loads((root / "shop.json").read_text("utf-8"))
        self.lanterns: dict[str, dict[str, Any]] = data["lanterns"]
        self.delivery: dict[str, dict[str, Any]] = data["delivery"]
        self.fields: dict[str, dict[str, Any]] = data["fields"]
        self.countries: list[str] = data["countries"]
        self.gift_wrap_pence: int = data["gift_wrap_pence"]
        self.orders: list[Order] = []
        self._lock = threading.Lock()  # two presses at the same moment get two numbers

    def visit(self, cookies: Form) -> Visit:
        draft = dict(parse_qsl(cookies.get("draft", ""), keep_blank_values=True))
        return Visit(self._read_basket(cookies.get("basket", "")), draft)

    def changed_basket(self, basket: Basket, form: Form) -> Basket | None:
        """The basket after "Add to basket" or "Update basket"; None when the form makes no sense."""
        added = form.get("lantern")
        if added:
            return self._with(basket, {added: form.get("quantity", "")}, more=True)
        return self._with(basket, {slug: form.get(f"quantity-{slug}", str(basket[slug])) for slug in basket})

    def goods_pence(self, basket: Basket) -> int:
        return sum(self.lanterns[slug]["pence"] * quantity for slug, quantity in basket.items())

    def draft(self, basket: Basket, form: Form) -> Form:
        """The details as typed, with the basket they belong to."""
        return {key: form.get(key, "").strip() for key in self.fields} | {"basket": urlencode(basket)}

    def problems(self, draft: Form) -> dict[str, str]:
        """What must be mended before the order can be reviewed, by field."""
        allowed = {"country": self.countries, "delivery": self.delivery, "gift_wrap": ["yes"]}
        found = {}
        for key, field in self.fields.items():
            value = draft.get(key, "")
            if (not value and field["required"]) or (value and value not in allowed.get(key, [value])):
                found[key] = field["problem"]
            elif len(value) > field["longest"]:
                found[key] = f"{field['label']} takes at most {field['longest']} characters."
        return found

    def order(self, draft: Form, number: str = "") -> Order | None:
        """The order that a draft stands for; None when something in it is missing."""
        basket = self._read_basket(draft.get("basket", ""))
        if not basket or self.problems(draft):
            return None
        wrap = draft.get("gift_wrap") == "yes"
        texts = {key: draft.get(key, "") for key in self.fields if key != "gift_wrap"}
        extras = self.delivery[texts["delivery"]]["pence"] + self.gift_wrap_pence * wrap
        total = self.goods_pence(basket) + extras
        return Order(number=number, lines=tuple(basket.items()), gift_wrap=wrap, total_pence=total, **texts)

    def place(self, draft: Form) -> Order | None:
        """Every call is one more order, as in a shop that does not notice a second press."""
        with self._lock:
            order = self.order(draft, f"HL-{1001 + len(self.orders)}")
            if order:
                self.orders.append(order)
        return order

    def _read_basket(self, text: str) -> Basket:
        pairs = [(slug, QUANTITIES.get(number, 0)) for slug, number in parse_qsl(text)]
        return {slug: quantity for slug, quantity in pairs if slug in self.lanterns and quantity}

    def _with(self, basket: Basket, wanted: Form, more: bool = False) -> Basket | None:
        if not all(slug in self.lanterns and number in QUANTITIES for slug, number in wanted.items()):
            return None
        sums = {slug: QUANTITIES[number] + more * basket.get(slug, 0) for slug, number in wanted.items()}
        return {slug: min(9, quantity) for slug, quantity in (basket | sums).items() if quantity}
