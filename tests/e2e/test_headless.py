"""`pilotfish run` and `pilotfish context` as a person or a script calls them."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from app.context.evidence.card import newest_card
from app.domain.events import AssistantSaid, Folded, StoredEvent, ToolAnswered, TurnEnded
from tests.e2e import stored
from tests.e2e.command import Caller, Done, pilotfish
from tests.e2e.counting_page import CountingPage
from tests.fakes.wire_replies import Answer
from tests.fakes.wire_server import WireServer

DEMO = ("run", "demo", "--provider", "scripted")


@dataclass(frozen=True)
class Errand:
    """A finished run of the demo with its record."""

    done: Done
    home: Path
    events: list[StoredEvent]


@pytest.fixture(scope="module")
def errand(tmp_path_factory: pytest.TempPathFactory) -> Errand:
    home = tmp_path_factory.mktemp("errand") / "Zoë 履歴"  # an account may be called so
    done = pilotfish(*DEMO, "--answer-consent", "yes", PILOTFISH_HOME=home)
    return Errand(done, home, stored.events(home))


def orders(events: list[StoredEvent]) -> list[str]:
    """Every request with which something was ordered, as the receipts saw it leave."""
    receipts = [one.event.receipt for one in events if isinstance(one.event, ToolAnswered) and one.event.receipt]
    return [
        f"{write.method} {write.status}" for receipt in receipts for write in receipt.writes if "/order" in write.url
    ]


def outline(events: list[StoredEvent]) -> list[tuple[str, str]]:
    """What happened, without what differs from run to run."""
    return [(one.event.kind, getattr(one.event, "name", "")) for one in events]


def test_the_demo_errand_is_done_when_the_command_line_consents(errand: Errand) -> None:
    assert errand.done.code == 0, errand.done.err
    assert errand.done.err == ""
    assert orders(errand.events) == ["POST 303"]
    end = errand.events[-1].event
    assert isinstance(end, TurnEnded)
    assert (end.end, end.open_items, end.claims) == ("done", (), ())
    card = newest_card(errand.events)
    assert card is not None
    assert (len(card.done), card.open) == (4, ())
    assert "HL-1001" in end.text
    assert set(stored.results_per_call(errand.events).values()) == {1}
    assert errand.done.conversation == errand.events[0].conversation


def test_without_consent_the_demo_waits_and_goes_on_later(errand: Errand, call: Caller, home: Path) -> None:
    parked = pilotfish(*DEMO)
    assert parked.code == 3, parked.err
    assert any(line.startswith("Waiting for you: This pays or orders something.") for line in parked.said)
    then = stored.events(home)
    assert orders(then) == []
    asked = next(place for place, (kind, _) in enumerate(outline(errand.events)) if kind == "person_asked")
    assert outline(then)[: asked + 1] == outline(errand.events)[: asked + 1]
    assert outline(then)[asked + 1 :] == [("turn_ended", "")]

    done = call("run", "--resume", parked.conversation, "--answer-consent", "yes", "--json")
    assert done.code == 0, done.err
    events = stored.events(home)
    assert events[: len(then)] == then
    assert orders(events) == ["POST 303"]
    assert isinstance(events[-1].event, TurnEnded)
    assert "HL-1001" in events[-1].event.text
    assert set(stored.results_per_call(events).values()) == {1}
    check_lines(done, events)


def check_lines(done: Done, events: list[StoredEvent]) -> None:
    """One event a line; the recorded ones are those of the record, in order."""
    lines = [json.loads(line) for line in done.out.splitlines()]
    assert all(isinstance(line, dict) and line["type"] for line in lines)
    recorded = [(line["seq"], line["type"]) for line in lines if "seq" in line]
    assert recorded == [(one.seq, one.event.kind) for one in events][-len(recorded) :]
    assert recorded[-1][1] == "turn_ended"
    assert done.err == ""


def test_context_shows_a_folded_page_as_a_stub_with_its_id(errand: Errand, call: Caller) -> None:
    fold = next(one for one in errand.events if isinstance(one.event, Folded))
    step = next(one.event.step for one in errand.events if isinstance(one.event, AssistantSaid) and one.seq > fold.seq)
    (name, stub), *_ = fold.event.stubs
    page = next(page for page in stored.observations(errand.events) if page.id == name)
    context = ("context", errand.done.conversation, "--step")
    before, after = (call(*context, str(one), PILOTFISH_HOME=errand.home) for one in (step - 1, step))
    assert (before.code, after.code) == (0, 0)
    assert page.shown in before.out
    assert stub not in before.out
    assert stub in after.out
    assert f'recall(observation="{name}")' in stub
    assert page.fence not in after.out
    assert "tool results with pages: about" in after.out


def test_a_task_begins_on_the_page_that_is_named_with_it_also_when_that_is_slow(call: Caller, home: Path) -> None:
    with CountingPage(delay_s=1.0) as page, WireServer([Answer("I see it.")]) as server:
        wire = ("--provider", "local", "--base-url", server.base_url, "--model", "test-model")
        done = call("run", "Look", *wire, "--url", page.url.removeprefix("http://"))
    assert (done.code, done.err) == (0, "")
    (asked,) = server.asked
    assert 'heading "Counting page"' in asked.text


def test_a_limit_of_steps_ends_with_4_and_says_so(call: Caller, home: Path) -> None:
    done = call(*DEMO, "--max-steps", "3")
    assert done.code == 4
    assert any(line.startswith("The limit of 3 steps is reached.") for line in done.said)
    events = stored.events(home)
    assert sum(isinstance(one.event, AssistantSaid) for one in events) == 3
    assert set(stored.results_per_call(events).values()) == {1}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["fly"], "invalid choice: 'fly'"),
        (["run"], "Give a task, or --resume"),
        (["run", "x", "--answer-consent", "maybe"], "invalid choice: 'maybe'"),
        (["run", "x", "--provider", "nobody"], "“nobody” cannot be used for the option provider"),
        (["run", "x", "--max-steps", "0"], "“0” cannot be used for the option max_steps"),
        (["run", "x", "--max-steps", "some"], "invalid int value: 'some'"),
        (["run", "x", "--base-url", "here"], "“here” cannot be used for the option base_url"),
        (["run", "x", "--url", "ftp://files.test/"], "“ftp://files.test/” is not a web address."),
        (["context"], "required: conversation"),
        (["context", "x", "--step", "last"], "invalid int value: 'last'"),
    ],
)
def test_wrong_usage_ends_with_2_and_says_why(arguments: list[str], words: str, call: Caller, home: Path) -> None:
    done = call(*arguments)
    assert done.code == 2
    assert words in done.err
    assert "Traceback" not in done.err
    assert not (home / "record.db").exists()


def test_a_step_that_never_was_is_wrong_usage(errand: Errand, call: Caller) -> None:
    done = call("context", errand.done.conversation, "--step", "999", PILOTFISH_HOME=errand.home)
    assert done.code == 2
    assert done.err.startswith("The conversation has no such step. Nothing was lost.")
