"""The pages of the practice shop: templates filled with escaped text."""

from collections.abc import Iterable
from html import escape
from pathlib import Path
from string import Template

from app.demo_site.shop import Basket, Form, Order, Shop, Visit


class Markup(str):
    """Text that is put into a page as it is; every other text is escaped."""

    __slots__ = ()


class Pages:
    def __init__(self, root: Path, shop: Shop) -> None:
        self._shop = shop
        self._templates = {file.stem: Template(file.read_text("utf-8")) for file in (root / "pages").glob("*.html")}

    def index(self, visit: Visit) -> str:
        rows = self._rows("index_row", [self._lantern(slug) for slug in self._shop.lanterns])
        return self._page("Lanterns", self._fill("index", rows=rows), visit.basket, "index")

    def lantern(self, slug: str, visit: Visit) -> str:
        lantern = self._lantern(slug)
        return self._page(str(lantern["name"]), self._fill("lantern", **lantern), visit.basket)

    def stock(self, visit: Visit) -> str:
        rows = self._rows("stock_row", [self._lantern(slug) for slug in self._shop.lanterns])
        return self._page("Stock in all harbours", self._fill("stock", rows=rows), visit.basket, "stock")

    def basket(self, visit: Visit) -> str:
        if not visit.basket:
            return self.message("Your basket is empty", "Choose a lantern and press Add to basket.", visit)
        rows = self._rows("basket_row", [self._line(slug, number) for slug, number in visit.basket.items()])
        goods = _pounds(self._shop.goods_pence(visit.basket))
        return self._page("Your basket", self._fill("basket", rows=rows, goods=goods), visit.basket, "basket")

    def checkout(self, visit: Visit, draft: Form, problems: dict[str, str]) -> str:
        shop, filled = self._shop, {key: draft.get(key, "") for key in self._shop.fields}
        errors = {f"{key}_error": self._error(key, problems) for key in shop.fields}
        states = {f"{key}_state": _state(key, problems) for key in shop.fields}
        texts = [
            {
                "key": key,
                "value": filled[key],
                "error": errors[f"{key}_error"],
                "state": states[f"{key}_state"],
                **field,
            }
            for key, field in shop.fields.items()
            if "fill" in field
        ]
        rows = self._rows("problem", [{"key": key, "text": text} for key, text in problems.items()])
        main = self._fill(
            "checkout",
            problems=self._fill("problems", rows=rows) if problems else "",
            fields=self._rows("field", texts),
            countries=_options(shop.countries, filled["country"]),
            methods=self._methods(filled["delivery"]),
            wrapped=_flag("checked", filled["gift_wrap"] == "yes"),
            wrap=_pounds(shop.gift_wrap_pence),
            wrap_pence=shop.gift_wrap_pence,
            note=filled["note"],
            lines=self._rows("checkout_line", [self._line(slug, number) for slug, number in visit.basket.items()]),
            goods=_pounds(shop.goods_pence(visit.basket)),
            goods_pence=shop.goods_pence(visit.basket),
            **errors,
            **states,
        )
        return self._page("Delivery details", main, visit.basket, "basket")

    def review(self, order: Order, visit: Visit) -> str:
        main = self._fill("review", summary=self._summary(order), total=_pounds(order.total_pence))
        return self._page("Review your order", main, visit.basket, "basket")

    def confirmation(self, order: Order, visit: Visit) -> str:
        main = self._fill("confirmation", number=order.number, name=order.name, summary=self._summary(order))
        return self._page(f"Order {order.number}", main, visit.basket)

    def message(self, title: str, text: str, visit: Visit) -> str:
        return self._page(title, self._fill("message", title=title, text=text), visit.basket)

    def _page(self, title: str, main: str, basket: Basket, here: str = "") -> str:
        marks = {f"on_{name}": _flag('aria-current="page"', name == here) for name in ("index", "stock", "basket")}
        return self._fill("layout", title=title, main=main, count=sum(basket.values()), **marks)

    def _summary(self, order: Order) -> str:
        method = self._shop.delivery[order.delivery]
        lines = [self._line(slug, number) for slug, number in order.lines]
        lines.append({"name": method["label"], "quantity": 1, "sum": _pounds(method["pence"])})
        if order.gift_wrap:
            lines.append({"name": "Gift wrap", "quantity": 1, "sum": _pounds(self._shop.gift_wrap_pence)})
        return self._fill(
            "summary",
            rows=self._rows("summary_row", lines),
            total=_pounds(order.total_pence),
            name=order.name,
            street=order.street,
            town=order.town,
            country=order.country,
            method=method["label"],
            wrapping="yes" if order.gift_wrap else "no",
            remark=order.note or "none",
        )

    def _lantern(self, slug: str) -> dict[str, object]:
        lantern = self._shop.lanterns[slug]
        cells = Markup("".join(f"<td>{escape(count)}</td>" for count in lantern["stock"]))
        return {**lantern, "slug": slug, "price": _pounds(lantern["pence"]), "cells": cells}

    def _line(self, slug: str, quantity: int) -> dict[str, object]:
        lantern = self._lantern(slug)
        return {**lantern, "quantity": quantity, "sum": _pounds(self._shop.goods_pence({slug: quantity}))}

    def _methods(self, chosen: str) -> Markup:
        methods = self._shop.delivery.items()
        rows = [
            {"key": key, "chosen": _flag("checked", key == chosen), "price": _pounds(method["pence"]), **method}
            for key, method in methods
        ]
        return self._rows("method", rows)

    def _error(self, key: str, problems: dict[str, str]) -> str:
        return self._fill("error", key=key, text=problems[key]) if key in problems else ""

    def _rows(self, template: str, rows: Iterable[dict[str, object]]) -> Markup:
        return Markup("".join(self._fill(template, **row) for row in rows))

    def _fill(self, template: str, **values: object) -> Markup:
        safe = {key: value if isinstance(value, Markup) else escape(str(value)) for key, value in values.items()}
        return Markup(self._templates[template].substitute(safe))


def _pounds(pence: int) -> str:
    return f"£{pence / 100:.2f}" if pence else "free"


def _flag(attribute: str, is_set: bool) -> Markup:
    return Markup(f" {attribute}" if is_set else "")


def _state(key: str, problems: dict[str, str]) -> Markup:
    return _flag(f'aria-invalid="true" aria-describedby="{key}-error"', key in problems)


def _options(names: list[str], chosen: str) -> Markup:
    return Markup("".join(f"<option{_flag('selected', name == chosen)}>{escape(name)}</option>\n" for name in names))
