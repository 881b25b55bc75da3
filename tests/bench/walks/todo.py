"""Keeping a to-do list, in either framework: add, rename, tick, filter, clear."""

from collections.abc import Iterator

from tests.bench.walks.walk import Aim, Click, Fill, Open, Press, Step

NEW = Aim("textbox", "What is to be done")
RENAMED = Aim("textbox", "New words")
THINGS = (
    "Buy rope",
    "Paint the mast",
    "Call the pilot",
    "Mend a net",
    "Read the tide table",
    "Order diesel",
    "Wash the deck",
    "Sell the crates",
)
OLD = (3, 7, 11, 15, 19, 9, 13, 17)
TICKED = ((2, 4), (6, 8), (10, 12), (14, 16), (18, 20), (1, 5), (2, 6), (4, 8))


def script() -> Iterator[Step]:
    """At least a hundred steps; a walk is its beginning."""
    yield Step(Open("/"), "Errand 20")
    for number, thing in enumerate(THINGS):
        yield from _add(thing)
        yield from _rename(f"Errand {OLD[number]}", f"Errand {number} of the second list")
        yield from _tick(number)
        yield from _filter(thing)
    yield Step(Click(Aim("button", "Mark all")), "0 items left")
    yield Step(Click(Aim("button", "Clear completed")))
    for thing in THINGS:
        yield from _add(f"{thing} again")
    yield Step(Open("/"), "Errand 20")


def _add(thing: str) -> Iterator[Step]:
    yield Step(Fill(NEW, thing))
    yield Step(Press("Enter"), thing)


def _rename(thing: str, name: str) -> Iterator[Step]:
    yield Step(Click(Aim("button", "Change", within=thing)), "New words")
    yield Step(Fill(RENAMED, name))
    yield Step(Press("Enter"), name)


def _tick(number: int) -> Iterator[Step]:
    for errand in TICKED[number]:
        yield Step(Click(Aim("checkbox", f"Done: Errand {errand}")))


def _filter(thing: str) -> Iterator[Step]:
    yield Step(Click(Aim("link", "Active")), thing)
    yield Step(Click(Aim("checkbox", f"Done: {thing}")))
    yield Step(Click(Aim("link", "Completed")), thing)
    yield Step(Click(Aim("link", "All")), thing)
