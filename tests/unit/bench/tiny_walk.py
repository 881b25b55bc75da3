"""A short walk on the page of widgets with its tape; `python -m tests.unit.bench.tiny_walk` records it anew."""

import asyncio
import sys
from pathlib import Path

import platformdirs

from tests.bench.tape import Tape
from tests.bench.taping import recorded
from tests.bench.walks.walk import Aim, Click, Fill, Open, Select, Step, Walk

TAPE = Path(__file__).with_name("tiny.json.gz")
WALK = Walk(
    "tiny",
    "widgets",
    (
        Step(Open("/help.html"), "Entry 30"),
        Step(Click(Aim("link", "Desk")), "Shipping desk"),
        Step(Select(Aim("combobox", "Class"), "Cabin")),
        Step(Fill(Aim("spinbutton", "Crates"), "12"), "12"),
        Step(Click(Aim("button", "Add booking")), "was added"),
        Step(Click(Aim("checkbox", "Urgent", within="Dakar"))),
        Step(Click(Aim("link", "Journal")), "Entry 30"),
        Step(Click(Aim("link", "Help")), "Help"),
    ),
)


def tape() -> Tape:
    return Tape.read(TAPE)


if __name__ == "__main__":
    cache = platformdirs.user_cache_path("pilotfish-bench", appauthor=False)
    asyncio.run(recorded(WALK, cache)).write(TAPE)
    sys.stdout.write(f"{TAPE.stat().st_size} bytes\n")
