"""A script for the scripted model: what it says and calls at each step, with placeholders for what pages show.

As JSON a script is `{"steps": [step, …]}`. A step is a move, or a list of moves of which the first fitting one is made:

    {"seen": "regex in the newest message", "say": text, "calls": [{"name": "browser_click", "arguments": {…}}]}

Anywhere in `say` and `arguments` may stand

    {"$ref": {"role": "button", "name": "Add", "row": "Mug", "nth": 0}}   the ref of that thing, newest page first
    {"$find": "Total: (\\\\S+)"}                                            what a page showed, newest first
    {"$used": {"step": 3, "call": 0, "argument": "target"}}               what the call of an earlier step was given
    {"$join": ["Total ", {"$find": "…"}]}                                 texts one after another

A name between slashes is a regex: `"/^Add/"`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.domain.errors import UsageError


@dataclass(frozen=True, slots=True)
class ScriptedCall:
    name: str
    arguments: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Move:
    """What is said, then what is called; made when `seen` stands in the newest message, or always when it is empty."""

    say: object = ""
    calls: tuple[ScriptedCall, ...] = ()
    seen: str = ""


@dataclass(frozen=True, slots=True)
class Script:
    """Steps in order, each with the moves it may make."""

    steps: tuple[tuple[Move, ...], ...] = ()
    ending: str = "That was the whole script. To go on, choose a model in the settings."


def script_of(data: object) -> Script:
    """A script from JSON data. Raises UsageError with the place that is wrong."""
    steps = _mapping(data, "the script").get("steps")
    if not isinstance(steps, Sequence) or isinstance(steps, str):
        raise UsageError("The script has no list of steps.")
    ending = _mapping(data, "the script").get("ending")
    parsed = tuple(_step(step, f"step {number}") for number, step in enumerate(steps, 1))
    return Script(parsed, ending) if isinstance(ending, str) else Script(parsed)


def _step(data: object, place: str) -> tuple[Move, ...]:
    moves = data if isinstance(data, list) else [data]
    return tuple(_move(_mapping(move, place), place) for move in moves)


def _move(data: Mapping[str, object], place: str) -> Move:
    unknown = set(data) - {"say", "calls", "seen"}
    if unknown:
        raise UsageError(f"In {place} of the script “{min(unknown)}” means nothing.")
    calls = data.get("calls", [])
    if not isinstance(calls, list):
        raise UsageError(f"In {place} of the script the calls are no list.")
    return Move(
        data.get("say", ""), tuple(_call(_mapping(call, place), place) for call in calls), str(data.get("seen", ""))
    )


def _call(data: Mapping[str, object], place: str) -> ScriptedCall:
    name = data.get("name")
    if not isinstance(name, str):
        raise UsageError(f"In {place} of the script a call has no name.")
    return ScriptedCall(name, _mapping(data.get("arguments", {}), place))


def _mapping(data: object, place: str) -> Mapping[str, object]:
    if not isinstance(data, Mapping):
        raise UsageError(f"In {place} of the script something is no object.")
    return data
