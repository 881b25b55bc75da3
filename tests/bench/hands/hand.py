"""What every actor can do; each call acts, waits as that actor waits, and returns the page it then shows."""

from dataclasses import dataclass
from typing import Protocol

from tests.bench.hands.page import Thing


@dataclass(frozen=True, slots=True)
class Seen:
    """The page after an act, what the actor said of it, and whether it called the act failed or done."""

    page: Thing
    said: str = ""
    is_error: bool = False
    says_done: bool = False


class Hand(Protocol):
    name: str

    async def open(self, url: str) -> Seen: ...

    async def look(self, *, boxes: bool = False) -> Seen:
        """The whole page again; with boxes where things are drawn."""
        ...

    async def click(self, ref: str, *, double: bool = False, modifiers: tuple[str, ...] = ()) -> Seen: ...

    async def type(self, ref: str, text: str, *, slowly: bool = False) -> Seen: ...

    async def select(self, ref: str, values: tuple[str, ...]) -> Seen: ...

    async def press(self, key: str) -> Seen: ...

    async def hover(self, ref: str) -> Seen: ...

    async def drag(self, start: str, end: str) -> Seen: ...

    async def slide(self, ref: str, value: str) -> Seen: ...

    async def point(self, x: float, y: float) -> Seen: ...

    async def wait(self, seconds: float) -> Seen: ...
