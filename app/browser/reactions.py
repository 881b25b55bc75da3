"""Knows what an act could set off: when it was done, and whether the page listens to acts of its kind there."""

import asyncio
import json
import time
from dataclasses import dataclass
from typing import Literal

from playwright.async_api import CDPSession, Error

from app.domain.acts import Click, ClickPoint, PageAct, PressKey, SelectOptions, SetChecked, TargetAct, Type
from app.domain.pages import Prepared

_ASK_LIMIT_S = 0.3
# The driver listens too: on the window, in the capturing phase, which pages hardly ever do.
_SEARCHING_ROLES = frozenset({"searchbox", "combobox"})
_MOVES_ONLY = frozenset({"Tab", "PageUp", "PageDown", "Home", "End", "Shift", "Control", "Alt"})
_SELECTS_ONLY = frozenset(f"{held}+{key}" for held in ("Control", "Meta", "ControlOrMeta") for key in "acAC")
_SENDS = frozenset({"Enter", "NumpadEnter", "Space", " ", "\n", "\r"})
_HEARD = {
    "click": "click mousedown mouseup pointerdown pointerup dblclick contextmenu auxclick touchend change submit",
    "type": "input keydown keyup keypress beforeinput change",
    "send": "input keydown keyup keypress beforeinput change submit click",
}
_LISTENS = """(() => {
  const kinds = %s, all = at => kinds.flatMap(kind => getEventListeners(at)[kind] ?? []);
  const listens = at => all(at).length > 0;
  if (listens(document) || all(window).some(one => !one.useCapture)) return true;
  const point = %s;
  for (let at of [document.activeElement, point && document.elementFromPoint(...point)])
    for (; at; at = at.parentNode ?? at.host) if (listens(at)) return true;
  return false;
})()"""

Kind = Literal["click", "type", "send"]


@dataclass(frozen=True, slots=True)
class Acted:
    """An act that was sent, by the monotonic clock; `point` is where in the viewport, when that is known."""

    kind: Kind
    began: float
    ended: float
    document: str
    url: str
    in_frame: bool = False
    searches: bool = False
    point: tuple[float, float] | None = None


def kind_of(act: TargetAct | PageAct) -> Kind | None:
    """None for an act to which pages answer at once or not at all."""
    match act:
        case Click() | ClickPoint() | SetChecked() | SelectOptions():
            return "click"
        case Type():
            return "send" if act.submit else "type"
        case PressKey(key):
            named = key.rpartition("+")[2]
            if named in _MOVES_ONLY or key in _SELECTS_ONLY:
                return None
            return "send" if named in _SENDS else "type"
        case _:
            return None


def acted_in(url: str, act: PageAct, began: float) -> Acted | None:
    """What is to be known of an act on the page as a whole; `url` is where it was done, `began` when."""
    kind = kind_of(act)
    point = (act.x, act.y) if isinstance(act, ClickPoint) else None
    return Acted(kind, began, time.monotonic(), "", url, point=point) if kind else None


def acted_on(url: str, target: Prepared, act: TargetAct, began: float) -> Acted | None:
    """The same of an act on a target."""
    kind, probe = kind_of(act), target.probe
    if kind is None:
        return None
    box = probe.box
    return Acted(
        kind,
        began,
        time.monotonic(),
        str(target.address.document),
        url,
        in_frame=probe.frame_url not in ("", url),
        searches=probe.node is not None and probe.node.role in _SEARCHING_ROLES,
        point=(box.x + box.width / 2, box.y + box.height / 2) if box else None,
    )


async def may_react(opening: "asyncio.Task[CDPSession]", acted: Acted) -> bool:
    """Whether the page listens to such acts where it was done; also when that cannot be told."""
    if acted.in_frame:
        return True
    kinds = json.dumps(_HEARD[acted.kind].split())
    expression = _LISTENS % (kinds, json.dumps(acted.point))
    try:
        session = await asyncio.wait_for(asyncio.shield(opening), _ASK_LIMIT_S)
        asked = {"expression": expression, "includeCommandLineAPI": True, "returnByValue": True, "silent": True}
        answer = await asyncio.wait_for(session.send("Runtime.evaluate", asked), _ASK_LIMIT_S)
    except (Error, TimeoutError):
        return True
    return bool(answer["result"].get("value", True))
