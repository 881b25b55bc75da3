"""Working in JupyterLab: menus, files opened by path, a notebook run, tables, settings."""

from collections.abc import Iterator

from tests.bench.walks.walk import Aim, Click, Fill, Open, Press, Step, Wait

FILES = (
    "tables/ports.csv",
    "texts/log-2.md",
    "notebooks/tides.ipynb",
    "tables/ships.csv",
    "notebooks/winds.ipynb",
    "texts/log-5.md",
    "tables/calls.csv",
    "notebooks/catches.ipynb",
)


def script() -> Iterator[Step]:
    """At least a hundred steps; a walk is its beginning."""
    yield Step(Open("/lab"))
    yield Step(Wait("Launcher"), "Launcher")
    for number, file in enumerate(FILES):
        yield from _open(file)
        if file.endswith(".ipynb"):
            yield from _run_all()
        yield from _menus(number)
        yield from _sides()
    yield Step(Click(Aim("menuitem", "Help")))


def _open(file: str) -> Iterator[Step]:
    yield Step(Click(Aim("menuitem", "File")), "Open from Path")
    yield Step(Click(Aim("menuitem", "Open from Path…")), "Path")
    yield Step(Fill(Aim("textbox", "Path"), file))
    yield Step(Click(Aim("button", "Open")))
    yield Step(Wait(file.rpartition("/")[2]), file.rpartition("/")[2])


def _run_all() -> Iterator[Step]:
    yield Step(Click(Aim("menuitem", "Run")), "Run All Cells")
    yield Step(Click(Aim("menuitem", "Run All Cells")))
    yield Step(Wait("3.875"), "3.875")


def _menus(number: int) -> Iterator[Step]:
    for menu in ("Edit", "View", "Run")[: 2 + number % 2]:
        yield Step(Click(Aim("menuitem", menu)))
        yield Step(Press("Escape"))


def _sides() -> Iterator[Step]:
    yield Step(Click(Aim("tab", "Running Terminals and Kernels")), "Kernels")
    yield Step(Click(Aim("tab", "Table of Contents")))
    yield Step(Click(Aim("tab", "File Browser (Ctrl+Shift+F)")), "File Browser Section")
