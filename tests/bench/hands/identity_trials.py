"""The identity matrix: what changes on a page between the look and the act, drawn from a seed."""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import quote

Act = Literal["click", "type", "select"]
LONGEST_MS = 60

_VERBS = ("Open", "Show", "Pick", "Turn", "Mark", "Fold", "Read", "Sort")
_THINGS = ("anchor", "barrel", "compass", "dinghy", "ensign", "fender", "galley", "halyard", "jib", "keel", "lantern")
_PORTS = ("Bergen", "Cadiz", "Dover", "Esbjerg", "Faro", "Genoa", "Hull", "Izmir", "Jarrow", "Kiel", "Lagos", "Malmo")
_OPTIONS = ("Amber", "Beige", "Coral", "Denim", "Ebony")
_ROLES = {"fields": "textbox", "checks": "checkbox", "links": "link", "choices": "combobox"}
_WITH_ROWS = frozenset({"rows", "links", "groups", "choices"})


@dataclass(frozen=True, slots=True)
class Trial:
    """One change between a look and an act.

    `wanted` is what the page says when the right thing was done; `is_still_right` whether that can still be done after
    the change. The change comes `after_ms` from the beginning of the act, or is over before it when that is None.
    An actor that was refused finds the thing again by role, name and what it stands `within`; without `tries_again` it
    was told that this is another thing now and leaves it.
    """

    number: int
    kind: str
    page: Mapping[str, object]
    role: str
    name: str
    wanted: str
    is_still_right: bool
    within: str = ""
    act: Act = "click"
    value: str = ""
    after_ms: int | None = None
    inner: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    other_host: bool = False
    other_tab: bool = False
    tries_again: bool = True


def trials(count: int, seed: int) -> Iterator[Trial]:
    """Kind after kind, so that each beginning of the row holds all of them."""
    draws = random.Random(seed)
    for number in range(count):
        yield KINDS[number % len(KINDS)](number, draws)


Kind = Callable[[int, random.Random], Trial]


def _timing(draws: random.Random) -> int | None:
    """Half of the changes are over before the act, the others come while the target is checked and pressed."""
    return draws.randrange(LONGEST_MS) if draws.random() < 0.5 else None


def _items(scene: str, draws: random.Random) -> list[tuple[str, str]]:
    size = draws.randrange(3, 7)
    if scene in _WITH_ROWS:
        verb = draws.choice(_VERBS)
        return [(f"{port} {draws.randrange(10, 99)}", verb) for port in draws.sample(_PORTS, size)]
    names = [f"{draws.choice(_VERBS)} {thing}" for thing in draws.sample(_THINGS, size)]
    return [("", f"{name} ${draws.randrange(1, 9) * 10}") for name in names]


def _scene(scene: str, change: str, draw: str, *, still: bool, inside: str = "", loop: bool = False) -> Kind:
    def made(number: int, draws: random.Random) -> Trial:
        items = _items(scene, draws)
        at = draws.randrange(len(items))
        row, name = items[at]
        other = (f"{row.rsplit(' ', 1)[0]} {draws.randrange(100, 999)}", f"{name}0" if "$" in name else f"{name} all")
        following = [(f"{port} {draws.randrange(100, 999)}", name) for port in draws.sample(_PORTS, len(items))]
        page: dict[str, object] = {"scene": scene, "items": items, "at": at, "change": change, "draw": draw}
        page |= {"other": other, "next": following, "in": inside, "loop": draws.choice((200, 300, 500)) if loop else 0}
        value, act, says = _act(scene, row, draws)
        page |= {"options": _OPTIONS, "value": value}
        return Trial(
            number,
            f"{scene}: {change} {draw}{' in ' + inside if inside else ''}{', again and again' if loop else ''}".strip(),
            page,
            _ROLES.get(scene, "button"),
            name,
            f"{row}/{name}{says}",
            still,
            within=row,
            act=act,
            value=value,
            after_ms=_timing(draws),
            tries_again=change != "redirect",
        )

    return made


def _act(scene: str, row: str, draws: random.Random) -> tuple[str, Act, str]:
    """The value, the act, and what the page says of it behind the name."""
    if scene == "fields":
        value = draws.choice(_THINGS)
        return value, "type", f"={value}"
    if scene == "choices":
        value = draws.choice(_OPTIONS[1:])
        return value, "select", f"={value}"
    return "", "click", f" to /go/{quote(row)}" if scene == "links" else ""


def _frame(change: str, *, host: bool = False, deep: bool = False, still: bool = False) -> Kind:
    def made(number: int, draws: random.Random) -> Trial:
        first, second = draws.sample(_PORTS, 2)
        second = first if still else second
        name = f"{draws.choice(_VERBS)} letter"
        inside = {"scene": "list", "items": [("", name)], "at": 0, "inner": True, "draw": "anew", "change": "nothing"}
        a, b, middle = f"/a/{number}", f"/b/{number}", f"/middle/{number}"
        inner = {a: {**inside, "place": first}, b: {**inside, "place": second}}
        page: dict[str, object] = {"frames": [a, b], "change": change}
        if deep:
            inner[middle] = {"frames": [a, b], "change": change, "inner": True, "place": "Folder"}
            page = {"frames": [middle, ""], "change": "pass"}
        kind = f"frame{' in a frame' if deep else ''}{' of another site' if host else ''}: {change}"
        return Trial(
            number,
            f"{kind}{' to the same' if still else ''}",
            page,
            "button",
            name,
            f"{first}/{name}",
            still,
            within=first,
            after_ms=_timing(draws),
            inner=inner,
            other_host=host,
        )

    return made


def _route(prefix: str) -> Kind:
    def made(number: int, draws: random.Random) -> Trial:
        first, second = draws.sample(_PORTS, 2)
        name = f"{draws.choice(_VERBS)} berth"
        page: dict[str, object] = {"scene": "list", "items": [("", name)], "at": 0, "change": "route", "draw": "keep"}
        start = f"{prefix}/{number}/{first}" if prefix == "#" else f"/port/{number}/{first}"
        page |= {"route": start.replace(first, second), "start": start}
        place = f"/trial/{number}{start}" if prefix == "#" else start
        kind = f"route in place: {'fragment' if prefix else 'path'}"
        after = _timing(draws)
        return Trial(
            number, kind, page, "button", name, f"{place}/{name}", is_still_right=False, within=first, after_ms=after
        )

    return made


def _form(change: str) -> Kind:
    def made(number: int, draws: random.Random) -> Trial:
        name = f"{draws.choice(_VERBS)} list"
        page: dict[str, object] = {"form": name, "change": change}
        after = _timing(draws)
        return Trial(
            number,
            f"form: {change}",
            page,
            "button",
            name,
            "sent get a",
            is_still_right=False,
            after_ms=after,
            tries_again=False,
        )

    return made


def _tab(number: int, draws: random.Random) -> Trial:
    here, there = draws.sample(_THINGS, 2)
    page: dict[str, object] = {"scene": "list", "items": [("", f"Show {here}")], "at": 0, "change": "nothing"}
    other = {**page, "items": [("", f"Show {there}")], "draw": "keep", "inner": True}
    return Trial(
        number,
        "another tab",
        {**page, "draw": "keep"},
        "button",
        f"Show {here}",
        f"/Show {here}",
        is_still_right=False,
        inner={f"/tab/{number}": other},
        other_tab=True,
        tries_again=False,
    )


def _table() -> Iterator[Kind]:
    for scene in ("list", "labels", "fields", "checks"):
        yield _scene(scene, "rename", "keep", still=False)
        yield _scene(scene, "swap", "keep", still=True)
        yield _scene(scene, "rotate", "anew", still=True)
    for scene in ("rows", "links", "groups", "choices"):
        yield _scene(scene, "refill", "keep", still=False)
        yield _scene(scene, "reverse", "move", still=True)
        yield _scene(scene, "swap", "keep", still=True)
        yield _scene(scene, "nothing", "anew", still=True)
        yield _scene(scene, "recycle", "keep", still=False)
    for change, still in (("insert", True), ("remove", False), ("nothing", True)):
        for draw in ("keep", "anew", "move"):
            yield _scene("rows", change, draw, still=still)
    for change, still in (("rename", False), ("nothing", True), ("rotate", True)):
        yield _scene("list", change, "shadow", still=still, inside="shadow")
        yield _scene("list", change, "root", still=still, inside="section")
    for change in ("disable", "hide", "cover", "modal"):
        yield _scene("list", change, "", still=False)
        yield _scene("fields", change, "", still=False)
    yield _scene("list", "alert", "", still=True)
    yield _scene("fields", "focus", "", still=True)
    yield _scene("choices", "shift", "", still=True)
    yield _scene("choices", "values", "", still=True)
    yield _scene("choices", "drop", "", still=False)
    yield _scene("links", "redirect", "", still=False)
    yield _scene("groups", "regroup", "", still=False)
    yield _scene("rows", "nothing", "anew", still=True, loop=True)
    yield _scene("list", "rotate", "anew", still=True, loop=True)
    yield from (_frame("go"), _frame("go", host=True), _frame("go", deep=True), _frame("renew"))
    yield from (_frame("go", still=True), _frame("renew", deep=True))
    yield from (_route(""), _route("#"), _form("action"), _form("formaction"), _form("method"), _tab)


KINDS = tuple(_table())
