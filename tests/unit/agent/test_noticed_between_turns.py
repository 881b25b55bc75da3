"""What happens in the browser between two turns is told at the start of the next, and is on record for the person."""

import json

from app.domain.events import BrowserNoticed, UserSaid
from tests.fakes.agent import desk
from tests.fakes.browser import FakePage
from tests.fakes.model import calls, says

SHOP = "http://shop.test/"
OPEN = ("browser_navigate", json.dumps({"url": SHOP}))


async def test_what_happened_without_the_agent_is_told_before_it_acts_again() -> None:
    one = await desk([FakePage(SHOP, '- button "Buy" [ref=e1]')], calls(OPEN), says("One."), says("Two."))
    await one.play()
    one.browser.told = ("the page crashed and was opened anew",)
    one.run.steps = 0
    await one.transcript.add(UserSaid("And now?"))
    await one.play()
    (noticed,) = [event for event in one.events if isinstance(event, BrowserNoticed)]
    assert noticed.text == "Since your last turn, without you: the page crashed and was opened anew."
    assert noticed.text in str(one.model.requests[-1].messages[-1])


async def test_between_two_quiet_turns_nothing_is_told() -> None:
    one = await desk([FakePage(SHOP, '- button "Buy" [ref=e1]')], calls(OPEN), says("One."), says("Two."))
    await one.play()
    one.run.steps = 0
    await one.transcript.add(UserSaid("And now?"))
    await one.play()
    assert not [event for event in one.events if isinstance(event, BrowserNoticed)]
