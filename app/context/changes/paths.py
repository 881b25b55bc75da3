"""Names a line of a shown page by the lines it stands under, and finds it again by that name."""

import json
import re
from collections import defaultdict

from app.context.changes.flat import NONE, Flat
from app.context.page.render import head_of, own_ref, quoted

_NAME_LIMIT = 60
_STEP = re.compile(
    r'(?P<role>[A-Za-z][\w-]*)(?: (?P<name>"(?:[^"\\]|\\.)*"))?(?:#(?P<count>\d+))?(?: \[ref=(?P<ref>e\d+)\])?'
)


class Paths:
    """Paths of one page, such as `main > form "Checkout" [ref=e7] > list#2`; the page itself is `page`."""

    def __init__(self, flat: Flat) -> None:
        self._flat = flat
        self._alike: dict[int, dict[tuple[str, str], list[int]]] = {}
        self._steps: dict[int, str] = {}

    def to(self, at: int) -> str:
        steps: list[str] = []
        while at > 0:
            steps.append(self._step(at))
            at = self._flat.parent[at]
        return " > ".join(reversed(steps)) or "page"

    def find(self, text: str) -> tuple[int, str]:
        """The line a path names, and what follows the path in the text. Raises ValueError when there is none."""
        if text == "page" or text.startswith(("page ", "page:")):
            return 0, text[4:]
        at = 0
        while True:
            found = _STEP.match(text)
            if found is None:
                raise ValueError(f"no path: {text}")
            at = self._follow(at, found)
            text = text[found.end() :]
            if not text.startswith(" > "):
                return at, text
            text = text[3:]

    def holder(self, ref: str) -> int:
        """The line this ref stands on. Raises ValueError when there is none."""
        if ref not in self._flat.holders:
            raise ValueError(f"{ref} is not on the page")
        return self._flat.holders[ref]

    def place_under(self, parent: int, ref: str) -> int | None:
        """Which child of this line has this ref for its own; None when none has."""
        at = self._flat.holders.get(ref, NONE)
        if at == NONE or self._flat.parent[at] != parent or own_ref(self._flat.lines[at]) != ref:
            return None
        return self._flat.places[at]

    def _step(self, at: int) -> str:
        if at not in self._steps:
            line = self._flat.lines[at]
            role, name = _key(line)
            alike = self._children(self._flat.parent[at])[role, name]
            ref = own_ref(line)
            count = f"#{alike.index(at) + 1}" if len(alike) > 1 and not ref else ""
            self._steps[at] = f"{role}{f' {quoted(name)}' if name else ''}{count}{f' [ref={ref}]' if ref else ''}"
        return self._steps[at]

    def _children(self, parent: int) -> dict[tuple[str, str], list[int]]:
        if parent not in self._alike:
            alike: dict[tuple[str, str], list[int]] = defaultdict(list)
            for kid in self._flat.kids[parent]:
                alike[_key(self._flat.lines[kid])].append(kid)
            self._alike[parent] = alike
        return self._alike[parent]

    def _follow(self, at: int, step: re.Match[str]) -> int:
        if step["ref"]:
            return self.holder(step["ref"])
        name = str(json.loads(step["name"], strict=False)) if step["name"] else ""
        alike = self._children(at).get((step["role"], name), [])
        place = int(step["count"] or 1) - 1
        if place >= len(alike):
            raise ValueError(f"no {step[0]} on the page")
        return alike[place]


def _key(line: str) -> tuple[str, str]:
    role, name = head_of(line)
    return role, name if len(name) <= _NAME_LIMIT else f"{name[: _NAME_LIMIT - 1]}…"
