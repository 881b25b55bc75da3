"""Keeping a shop's stock in the admin of Django: search, edit, filter, orders with lines."""

from collections.abc import Iterator

from tests.bench.walks.walk import Aim, Back, Click, Fill, Open, Press, Select, Step

PRODUCTS = (
    ("P-1007", "Birch primer No. 8", "Paint", "81.20"),
    ("P-1012", "Birch hinge No. 13", "Part", "18.05"),
    ("P-1016", "Copper clamp No. 17", "Book", "190.00"),
    ("P-1023", "Linen primer No. 24", "Part", "170.40"),
    ("P-1027", "Brass clamp No. 28", "Book", "120.10"),
)
ORDERS = ((70, "Edda Costa", "Sent out"), (69, "Jun Falk", "Packed"), (68, "Femi Eriksen", "Sent out"))


def script() -> Iterator[Step]:
    """At least a hundred steps; a walk is its beginning."""
    yield Step(Open("/admin/"), "Site administration")
    yield Step(Click(Aim("link", "Products")), "Select product to change")
    for number in range(len(PRODUCTS)):
        yield from _product(*PRODUCTS[number])
        yield from _order(*ORDERS[number % len(ORDERS)])
        yield from _filters(number)


def _product(code: str, name: str, kind: str, price: str) -> Iterator[Step]:
    yield Step(Fill(Aim("textbox", "Search"), code))
    yield Step(Click(Aim("button", "Search")), "1 result")
    yield Step(Click(Aim("link", name)), "Change product")
    yield Step(Fill(Aim("spinbutton", "Price:"), price), price)
    yield Step(Click(Aim("checkbox", "In stock")))
    yield Step(Select(Aim("combobox", "Kind:"), kind))
    yield Step(Click(Aim("link", "Choose a Date")), "Tomorrow")
    yield Step(Click(Aim("link", "Tomorrow")))
    yield Step(Click(Aim("button", "Save")), "was changed successfully")


def _order(number: int, customer: str, state: str) -> Iterator[Step]:
    yield Step(Click(Aim("link", "Orders")), "Select order to change")
    yield Step(Click(Aim("link", str(number))), customer)
    yield Step(Select(Aim("combobox", "State:"), state))
    yield Step(Click(Aim("checkbox", "Wrap as a gift")))
    yield Step(Click(Aim("button", "Add another Line")))
    yield Step(Click(Aim("button", "Save and continue editing")), "was changed successfully")
    yield Step(Back())


def _filters(number: int) -> Iterator[Step]:
    supplier = ("Abara & Dahl 6", "Costa & Falk 20", "Dahl & Eriksen 3")[number % 3]
    yield Step(Open("/admin/stock/product/"), "Select product to change")
    yield Step(Click(Aim("link", "Tool")), "Clear all filters")
    yield Step(Click(Aim("link", supplier)), "Clear all filters")
    yield Step(Click(Aim("link", "✖ Clear all filters")), "of 40 selected")
    yield Step(Click(Aim("checkbox", "Select all objects on this page for an action")), "40 of 40 selected")
    yield Step(Press("Escape"))
