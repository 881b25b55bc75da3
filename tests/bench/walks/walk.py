"""What a walk is made of: one action a step, its target named as a person would name it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Aim:
    """A target by exact role and accessible name; `nth` counts from 0 in document order.

    `within` is a text that the nearest row, list item or group of the target holds, where names repeat.
    """

    role: str
    name: str
    nth: int = 0
    within: str = ""


@dataclass(frozen=True, slots=True)
class Open:
    """A path on the application, from its root."""

    path: str


@dataclass(frozen=True, slots=True)
class Click:
    aim: Aim


@dataclass(frozen=True, slots=True)
class Fill:
    """Replaces what the field holds."""

    aim: Aim
    value: str


@dataclass(frozen=True, slots=True)
class Select:
    """An option of a native select, by its label."""

    aim: Aim
    label: str


@dataclass(frozen=True, slots=True)
class Press:
    """A key, to whatever has the focus."""

    key: str


@dataclass(frozen=True, slots=True)
class Back:
    pass


@dataclass(frozen=True, slots=True)
class Wait:
    """Until a text stands on the page."""

    text: str


Action = Open | Click | Fill | Select | Press | Back | Wait


@dataclass(frozen=True, slots=True)
class Step:
    """One action, and a text that stands on the page once it has worked; a walk that misses it is broken."""

    action: Action
    then: str = ""


@dataclass(frozen=True, slots=True)
class Walk:
    """A task on one application; `app` is the name of a module of `tests.bench.apps`."""

    name: str
    app: str
    steps: tuple[Step, ...]
