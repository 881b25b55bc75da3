"""What a model can do, as the bench plays it: find a thing in the newest page by its words, act on it, go elsewhere."""

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Target:
    """What sends: a control by role and name, in a row that says `within` where there are several.

    With `enters` it is a field, and Enter in it sends what stands there.
    """

    role: str
    name: str
    within: str = ""
    enters: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """What a call came to, as the actor says it; `questions` were put to the person meanwhile."""

    text: str = ""
    is_error: bool = False
    questions: int = 0


class NotThere(Exception):
    """The newest page has no such thing."""


class Hand(Protocol):
    """Every method looks first where it needs a ref. Raises NotThere."""

    name: str

    async def open(self, url: str) -> Said: ...

    async def press(self, target: Target, *, double: bool = False, old: bool = False) -> Said:
        """With `old` by the ref of the look before this one, as a model does that does not look."""
        ...

    async def type(self, name: str, text: str, *, submit: bool = False) -> Said: ...

    async def key(self, key: str) -> Said: ...

    async def reload(self) -> Said: ...

    async def back(self) -> Said: ...

    async def forward(self) -> Said: ...

    async def new_tab(self, url: str) -> Said: ...

    async def wait(self, seconds: float) -> Said: ...

    async def upload(self, target: Target, text: str) -> Said:
        """Choose a file with that text where pressing the target opens a chooser."""
        ...

    async def press_at(self, target: Target) -> Said:
        """With the mouse, where it is drawn."""
        ...

    async def press_in_batch(self, target: Target, times: int) -> Said: ...

    async def press_by_drag(self, target: Target) -> Said: ...

    async def restart(self) -> Said:
        """The browser is lost and comes back."""
        ...
