"""What every actor can do; each call acts, waits as that actor waits, and returns the page it then shows."""

from dataclasses import dataclass
from typing import Literal, Protocol

from tests.bench.hands.page import Thing

Place = Literal["before", "on", "after"]


@dataclass(frozen=True, slots=True)
class Seen:
    """The page after an act, what the actor said of it, and whether it called the act failed or done.

    `settled` is when it began and ended to wait for the page, by the performance counter; None when that is not known.
    """

    page: Thing
    said: str = ""
    is_error: bool = False
    says_done: bool = False
    settled: tuple[float, float] | None = None


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

    async def drag(self, start: str, end: str, place: Place = "on") -> Seen:
        """Onto the end, or in a list to before or after it, for an actor that can be told so."""
        ...

    async def slide(self, ref: str, value: str) -> Seen: ...

    async def point(self, x: float, y: float, count: int = 1) -> Seen: ...

    async def scroll(self, ref: str, delta_y: float) -> Seen:
        """Scroll what the target is in."""
        ...

    async def wait(self, seconds: float) -> Seen: ...
