"""Working at a shipping desk of widgets: dates, searchable lists, a grid, an editor, questions to unfold."""

from collections.abc import Iterator

from tests.bench.walks.walk import Aim, Click, Fill, Open, Press, Select, Step

DAYS = ("March 9, 2026", "March 17, 2026", "March 24, 2026", "March 30, 2026", "March 4, 2026")
PORTS = ("Cork", "Faro", "Genoa", "Bergen", "Izmir")
GOODS = ("Wool", "Copper", "Glass", "Paper", "Timber")


def script() -> Iterator[Step]:
    """At least a hundred steps; a walk is its beginning."""
    yield Step(Open("/"), "Shipping desk")
    for number in range(len(DAYS)):
        yield from _booking(number)
        yield from _grid(number)
        yield from _note(number)
        yield from _questions(number)
        yield from _reading()


def _booking(number: int) -> Iterator[Step]:
    yield Step(Click(Aim("textbox", "Departure")), DAYS[number])
    yield Step(Click(Aim("generic", DAYS[number])))
    yield Step(Select(Aim("combobox", "Class"), ("Cabin", "Cargo", "Economy")[number % 3]))
    yield Step(Fill(Aim("spinbutton", "Crates"), str(7 * number + 3)))
    yield Step(Click(Aim("checkbox", "Fragile")))
    yield Step(Click(Aim("button", "Add booking")), "was added")


def _grid(number: int) -> Iterator[Step]:
    yield Step(Fill(Aim("searchbox", ""), GOODS[number]))
    yield Step(Press("Enter"))
    yield Step(Click(Aim("checkbox", "Urgent", nth=number)))
    yield Step(Click(Aim("checkbox", "Urgent", nth=number + 2)))
    yield Step(Fill(Aim("searchbox", ""), ""))
    yield Step(Press("Enter"))
    yield Step(Click(Aim("button", "Show Page 3")))
    yield Step(Click(Aim("button", "First Page")))


def _note(number: int) -> Iterator[Step]:
    yield Step(Click(Aim("tab", "Note")), "Save note")
    yield Step(Click(Aim("button", "Save note")), "Saved")


def _questions(number: int) -> Iterator[Step]:
    yield Step(Click(Aim("tab", "Questions")), "Question 12")


def _reading() -> Iterator[Step]:
    yield Step(Click(Aim("link", "Journal")), "Entry 30")
    yield Step(Click(Aim("link", "Help")), "Entry 30")
    yield Step(Click(Aim("link", "Desk")), "Shipping desk")
