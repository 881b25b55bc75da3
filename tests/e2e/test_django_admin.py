"""The main job on real input: the real Django admin, driven through the real window, on both wires."""

import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton

from app.domain.events import HandedBack, PersonAnswered, StoredEvent, TakenOver, ToolAnswered
from app.guard.masking import MASK
from tests.e2e import stored
from tests.e2e.clerk import TAKE_OVER, Clerk
from tests.e2e.desk import Desk
from tests.e2e.fleet import HARBOURS, PASSWORD, USER, FleetSite, Ship
from tests.fakes.wire_server import Wire, WireServer

TASK = "Add the ship Curlew to the fleet: home port Kinsale, 12 metres, under sail, remark: needs a new mast."
CURLEW = Ship("Curlew", "Kinsale", 12, True, "needs a new mast")
KEY = "sk-test-1f0e9d8c7b6a5948372615"
ADD_FORM = "/admin/fleet/ship/add/"


@pytest.fixture
def site(tmp_path: Path) -> Iterator[FleetSite]:
    with FleetSite(tmp_path / "django") as running:
        yield running


@pytest.fixture
def clerk(site: FleetSite) -> Clerk:
    return Clerk(f"{site.url}/admin/", CURLEW)


@pytest.fixture
def server(clerk: Clerk) -> Iterator[WireServer]:
    with WireServer(clerk, key=KEY) as running:
        yield running


@pytest.fixture
def use_wire(server: WireServer, monkeypatch: pytest.MonkeyPatch) -> Callable[[Wire], None]:
    """Sets the model as a person sets it in the settings, by the environment."""

    def use(wire: Wire) -> None:
        provider, url = ("local", server.base_url) if wire == "openai-chat" else ("anthropic", server.anthropic_url)
        monkeypatch.setenv("PILOTFISH_PROVIDER", provider)
        monkeypatch.setenv("PILOTFISH_BASE_URL", url)
        monkeypatch.setenv("PILOTFISH_MODEL", "test-model")
        monkeypatch.setenv(f"PILOTFISH_KEY_{provider.upper()}", KEY)

    return use


def type_user_and_password(desk: Desk, clerk: Clerk) -> None:
    """With the mouse and the keyboard of the panel, and with nothing else."""
    desk.press_on_card("Take over")
    desk.until(lambda: desk.panel.driver == "person", "the person to drive")
    assert clerk.user_field is not None
    desk.click_page(clerk.user_field)
    desk.type_into_page(USER)
    desk.press_key_on_page(Qt.Key.Key_Tab)
    desk.type_into_page(PASSWORD)


def sign_in(desk: Desk, site: FleetSite) -> None:
    desk.press_key_on_page(Qt.Key.Key_Return)
    desk.until(lambda: "POST /admin/login/ 302" in site.requests(), "the sign-in at the server")
    desk.until(lambda: desk.panel.address.field.text().endswith("/admin/"), "the page behind the sign-in")


@pytest.mark.timeout(120)
@pytest.mark.parametrize(("wire", "who_submits"), [("openai-chat", "the person"), ("anthropic", "the agent")])
def test_a_ship_is_added_in_the_django_admin_after_the_person_signed_in(
    wire: Wire,
    who_submits: str,
    site: FleetSite,
    clerk: Clerk,
    server: WireServer,
    use_wire: Callable[[Wire], None],
    open_desk: Callable[[], Desk],
    home: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    use_wire(wire)
    desk = open_desk()
    desk.write(TASK)
    desk.until(lambda: desk.question() and desk.state == "Waiting for you", "the question for the sign-in")
    assert desk.question().asked.text == TAKE_OVER
    type_user_and_password(desk, clerk)
    if who_submits == "the person":
        sign_in(desk, site)
    events_then = stored.events(home)
    assert stored.traces(home, PASSWORD) == []
    desk.press(desk.panel.driver_bar.button)
    if who_submits == "the agent":
        desk.until(lambda: desk.question() and desk.question().is_open, "the question whether it may sign in")
        assert desk.question().asked.text.startswith("This signs in with what was typed into the page.")
        desk.until(lambda: is_enabled(desk.card_button("Allow once")), "the answer can be given")
        desk.press_on_card("Allow once")
    desk.until(desk.end, "the end of the turn")

    assert clerk.troubles == []
    assert (desk.end().end, desk.end().open_items) == ("done", ())
    answer, _, submitted = desk.answer().partition("\n\n")
    assert answer == "The ship Curlew is on record; the admin says so [q1]."
    assert "change “Save” to" in submitted, "what the answer left out"
    check_database(site)
    events = stored.events(home)
    assert events[: len(events_then)] == events_then, "what was recorded has changed"
    check_record(desk, home, site, ["takeover"] if who_submits == "the person" else ["takeover", "yes"])
    check_receipts(events, who_submits)
    if who_submits == "the agent":
        check_mask(home, events)
    check_secrets(home, server, caplog)
    check_rebuilt_window(desk, open_desk)


def check_database(site: FleetSite) -> None:
    assert site.ships() == [CURLEW]
    assert tuple(site.harbours()) == HARBOURS
    assert site.requests(f"POST {ADD_FORM}") == [f"POST {ADD_FORM} 302"]
    assert [line.split()[1] for line in site.requests("POST")] == ["/admin/login/", ADD_FORM]


def is_enabled(button: QAbstractButton | None) -> bool:
    return button is not None and button.isEnabled()


def check_record(desk: Desk, home: Path, site: FleetSite, answers: list[str]) -> None:
    """The store has what the window was shown, whole pages, one result a call."""
    events = stored.events(home)
    assert desk.stored == events
    assert [one.seq for one in events] == list(range(1, len(events) + 1))
    assert set(stored.results_per_call(events).values()) == {1}
    assert [one.event.kind for one in events if isinstance(one.event, TakenOver | HandedBack)] == [
        "taken_over",
        "handed_back",
    ]
    assert [one.event.choice for one in events if isinstance(one.event, PersonAnswered)] == answers
    seen = stored.pages(home, events)
    words = {
        "/admin/login/?next=/admin/": ('textbox "Username:"', "Log in"),
        "/admin/": ('heading "Site administration"', "Recent actions"),
        "/admin/fleet/ship/": ('heading "Select ship to change"', "0 ships"),
        ADD_FORM: ('option "Roscoff"', "Save and add another"),
    }
    for path, (in_tree, in_reading) in words.items():
        found = [(tree, reading) for page, tree, reading in seen if page.url == f"{site.url}{path}"]
        assert found, f"{path} was never observed"
        assert all(in_tree in tree for tree, _ in found)
        assert in_reading in found[0][1]
    assert "was added successfully" in seen[-1][2]
    assert all(page.url.startswith(site.url) and page.shown for page, _, _ in seen)


def check_receipts(events: list[StoredEvent], who_submits: str) -> None:
    """Each request that writes is in the receipt of the act that made it; the person's own sign-in is in none."""
    receipts = [one.event.receipt for one in events if isinstance(one.event, ToolAnswered) and one.event.receipt]
    expected = ['button "Save"'] if who_submits == "the person" else ['button "Log in"', 'button "Save"']
    assert [receipt.target for receipt in receipts if receipt.writes] == expected
    assert all(receipt.status == "confirmed" for receipt in receipts)


def check_mask(home: Path, events: list[StoredEvent]) -> None:
    """The page that came back from the person holds their name in clear and of the password that there is one."""
    handed_back = next(one.event for one in events if isinstance(one.event, HandedBack))
    trees = {page.id: tree for page, tree, _ in stored.pages(home, events)}
    lines = trees[handed_back.observation.id].splitlines()
    assert any('textbox "Username:"' in line and line.endswith(f": {USER}") for line in lines)
    assert any('textbox "Password:"' in line and line.endswith(MASK) for line in lines)


def check_secrets(home: Path, server: WireServer, caplog: pytest.LogCaptureFixture) -> None:
    """The password and the key are in no file, no request and no log line.

    The folder `profile` is left out: it belongs to the browser, which keeps there what any browser keeps of a visit.
    """
    sent = [json.dumps(asked.body) for asked in server.asked]
    assert stored.traces(home, "was added successfully"), "the search finds nothing at all"
    assert any("was added successfully" in body for body in sent)
    assert caplog.records
    for secret in (PASSWORD, KEY):
        assert stored.traces(home, secret) == []
        assert not any(secret in body for body in sent)
        assert not any(secret in record.getMessage() for record in caplog.records)
    assert not any(PASSWORD in value for asked in server.asked for value in asked.headers.values())


def check_rebuilt_window(desk: Desk, open_desk: Callable[[], Desk]) -> None:
    """A window that knows the store alone shows the same rows."""
    rows, cards = desk.rows, [card.accessibleName() for card in desk.window.chat.view.column.cards]
    desk.close()
    second = open_desk()
    second.open_conversation("Add the ship Curlew")
    second.until(lambda: len(second.rows) >= len(rows), "the rows of the conversation")
    second.until(lambda: len(second.window.chat.view.column.cards) >= len(cards), "the cards of the conversation")
    assert second.rows == rows
    assert [card.accessibleName() for card in second.window.chat.view.column.cards] == cards
