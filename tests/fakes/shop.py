"""A small shop of two pages for the loop, and how a scripted model acts on what it was shown."""

import json

from tests.fakes.agent import Desk
from tests.fakes.browser import FakePage
from tests.fakes.model import calls

SHOP = FakePage(
    "http://shop.test/",
    '- heading "Shop" [level=1] [ref=e1]\n- button "Next" [ref=e2]\n- button "Dead" [ref=e3]',
    title="Shop",
    leads={"Next": "http://shop.test/two"},
)
TWO = FakePage(
    "http://shop.test/two",
    '- paragraph [ref=e1]: It burns 48 hours.\n- button "Delete account" [ref=e2]\n- button "Place order" [ref=e5]',
    title="Two",
    posts=frozenset({"Place order"}),
)
OPEN = calls(("browser_navigate", '{"url": "http://shop.test/"}'))


def click(ref: str) -> tuple[str, str]:
    return ("browser_click", json.dumps({"target": ref}))


def results_of(one: Desk) -> dict[str, int]:
    counts: dict[str, int] = {}
    for answer in one.answers:
        counts[answer.call] = counts.get(answer.call, 0) + 1
    return counts


def ref_of(one: Desk, role: str, name: str) -> str:
    """The ref the model was shown last for a thing."""
    for answer in reversed(one.answers):
        shown = answer.observation.shown if answer.observation else ""
        for line in shown.splitlines():
            if f'{role} "{name}"' in line and "[ref=" in line:
                return line.split("[ref=")[1].split("]")[0]
    raise AssertionError(f"{role} {name} was never shown")
