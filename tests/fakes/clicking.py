"""A page of buttons of which none does anything, and a model that clicks what it is told to."""

import json
from collections.abc import Callable

from app.domain.events import WarningRaised
from app.domain.messages import ModelTurn, Request
from app.domain.snapshot import walk
from tests.fakes.agent import Desk, desk
from tests.fakes.browser import FakePage
from tests.fakes.model import calls, says

ADDRESS = "http://shop.test/"
BUTTONS = '- button "Dead" [ref=e3]\n- button "Still" [ref=e4]\n- button "More" [ref=e5]\n- textbox "Find" [ref=e6]'
SHOP = FakePage(ADDRESS, f"- paragraph [ref=e2]: calm\n{BUTTONS}", title="Shop")
OPEN = calls(("browser_navigate", json.dumps({"url": ADDRESS})))


def ref_of(one: Desk, name: str) -> str:
    seeing = one.run.observing.last
    assert seeing is not None
    return next(str(node.ref) for node in walk(seeing.shown.tree) if node.name == name)


async def clicking(*names: str, attended: bool = False, page: FakePage = SHOP, consent: str = "ask") -> Desk:
    """The page is open, then these things are clicked, one a turn."""

    def click(name: str) -> Callable[[Request], ModelTurn]:
        return lambda _: calls(("browser_click", json.dumps({"target": ref_of(one, name)})))

    turns = [click(name) for name in names]
    one = await desk([page], OPEN, *turns, says("I give up."), attended=attended, consent=consent)
    return one


def rungs(one: Desk) -> list[str]:
    return [event.warning.rung for event in one.events if isinstance(event, WarningRaised)]
