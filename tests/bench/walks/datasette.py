"""Asking tables of ports and ships in Datasette: filters, facets, sorting, rows, a query of one's own."""

from collections.abc import Iterator

from tests.bench.walks.walk import Aim, Back, Click, Fill, Open, Select, Step

COLUMN = Aim("combobox", "", nth=0)
COMPARISON = Aim("combobox", "", nth=1)
VALUE = Aim("textbox", "", nth=0)
KINDS = ("bulk", "container", "ferry", "tanker", "tug")


def script() -> Iterator[Step]:
    """At least a hundred steps; a walk is its beginning."""
    yield Step(Open("/"), "1,760 rows in 3 tables")
    for number, kind in enumerate(KINDS):
        yield from _ships(kind)
        yield from _calls(number)
        yield from _query(number)


def _ships(kind: str) -> Iterator[Step]:
    yield Step(Open("/ports/ships"), "240 rows")
    yield Step(Select(COLUMN, "kind"))
    yield Step(Fill(VALUE, kind), kind)
    yield Step(Click(Aim("button", "Apply")), "where kind")
    yield Step(Click(Aim("link", "length_m")))
    yield Step(Back())
    yield Step(Click(Aim("link", "home_port", nth=0)), "home_port")
    yield Step(Back())


def _calls(number: int) -> Iterator[Step]:
    yield Step(Open("/ports/calls"), "1,500 rows")
    yield Step(Select(COLUMN, "cargo_t"))
    yield Step(Select(COMPARISON, ">"))
    yield Step(Fill(VALUE, str(80_000 + 1_000 * number)))
    yield Step(Click(Aim("button", "Apply")), "where cargo_t")
    yield Step(Click(Aim("link", "arrived")))


def _query(number: int) -> Iterator[Step]:
    yield Step(Open(f"/ports/ships/{number + 11}"), "Links from other tables")
    yield Step(Back())
    yield Step(Open("/ports"), "Custom SQL query")
    yield Step(Click(Aim("link", "ships")), "240 rows")
    yield Step(Click(Aim("link", "✎ View and edit SQL")), "Run SQL")
    yield Step(Click(Aim("button", "Run SQL")))
