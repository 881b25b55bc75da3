"""Stop means stop, and take over means the same for the agent's hands: the page itself counts what still arrives."""

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.domain.events import TakenOver, TurnEnded
from tests.e2e import stored
from tests.e2e.counting_page import BEAT_MS, CountingPage
from tests.e2e.desk import Desk
from tests.e2e.page_text import ref_of
from tests.fakes.wire_replies import Answer, Asked, Call, Reply
from tests.fakes.wire_server import WireServer

MOMENTS = 4
WATCHED_MS = 3 * BEAT_MS


@pytest.fixture
def page() -> Iterator[CountingPage]:
    with CountingPage() as running:
        yield running


@pytest.fixture
def desk(page: CountingPage, open_desk: Callable[[], Desk], monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    """A window whose model never has enough: it types key by key, presses and chooses, in turn after turn."""

    def script(asked: Asked) -> Reply:
        if asked.turns == 0:
            return Answer(calls=(Call("browser_navigate", {"url": page.url}),))
        notes, press, colour = (
            ref_of(asked.text, role, name)
            for role, name in (("textbox", "Notes"), ("button", "Press"), ("combobox", "Colour"))
        )
        shade = ("red", "green", "blue")[asked.turns % 3]
        return Answer(
            f"Once more, {asked.turns}.",
            (
                Call("browser_type", {"target": notes, "text": f"{asked.turns} words and more " * 6, "slowly": True}),
                Call("browser_click", {"target": press}),
                Call("browser_select_option", {"target": colour, "values": [shade]}),
                Call("browser_click", {"target": press, "doubleClick": True}),
            ),
        )

    with WireServer(script) as server:
        monkeypatch.setenv("PILOTFISH_PROVIDER", "local")
        monkeypatch.setenv("PILOTFISH_BASE_URL", server.base_url)
        monkeypatch.setenv("PILOTFISH_MODEL", "test-model")
        monkeypatch.setenv("PILOTFISH_MAX_STEPS", "1000")
        opened = open_desk()
        yield opened
        opened.close()


def act_until(desk: Desk, page: CountingPage, chance: random.Random) -> None:
    """Let the agent act until a number of events, drawn by lot, has reached the page; then a little longer."""
    wanted = page.seen + chance.randrange(5, 150)
    desk.until(lambda: page.seen >= wanted, f"{wanted} input events at the page")
    desk.qtbot.wait(chance.randrange(BEAT_MS))


def nothing_arrives(desk: Desk, page: CountingPage, since_ms: float) -> None:
    """The page, which goes on beating, got no input after that moment."""
    desk.until(lambda: page.beat_after(since_ms + WATCHED_MS), "beats of the page after the stop")
    late = [beat for beat in page.beats if beat.last > since_ms]
    assert not late, f"input came {late[0].last - since_ms:.0f} ms after the window had shown the stop"


@pytest.mark.timeout(120)
def test_after_stop_no_input_reaches_the_page(desk: Desk, page: CountingPage, home: Path) -> None:
    chance = random.Random(12)
    for moment in range(MOMENTS):
        desk.write("Type and press." if moment == 0 else "Go on.")
        act_until(desk, page, chance)
        desk.press(desk.window.top_bar.stop)
        assert desk.state == "Stopping"
        desk.until(desk.end, "the end of the turn")
        nothing_arrives(desk, page, time.time() * 1000)
        assert desk.end().end == "stopped"
    events = stored.events(home)
    assert set(stored.results_per_call(events).values()) == {1}
    assert sum(isinstance(one.event, TurnEnded) for one in events) == MOMENTS


@pytest.mark.timeout(120)
def test_after_a_take_over_no_input_of_the_agent_reaches_the_page(desk: Desk, page: CountingPage, home: Path) -> None:
    chance = random.Random(21)
    desk.write("Type and press.")
    for _ in range(MOMENTS):
        act_until(desk, page, chance)
        desk.press(desk.panel.driver_bar.button)
        desk.until(lambda: desk.panel.driver == "person", "the person to drive")
        nothing_arrives(desk, page, time.time() * 1000)
        desk.press(desk.panel.driver_bar.button)
        desk.until(lambda: desk.panel.driver == "agent", "the agent to drive")
    desk.press(desk.window.top_bar.stop)
    desk.until(desk.end, "the end of the turn")
    events = stored.events(home)
    assert set(stored.results_per_call(events).values()) == {1}
    assert sum(isinstance(one.event, TakenOver) for one in events) == MOMENTS
