"""The projection is pure and monotone, folds are whole, and nothing that was sent moves between two folds."""

import copy
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from app.context.request.folding import STUB_CAP, plan_fold
from app.context.request.projection import project
from app.context.request.view import live_ids, observations, out_of_view
from app.domain.events import (
    AssistantSaid,
    ConversationStarted,
    Folded,
    HandedBack,
    RecordedEvent,
    StoredEvent,
    ToolAnswered,
    UserSaid,
)
from app.domain.ids import BlobHash, ConversationId, DocumentId, ObservationId, TabId, ToolCallId
from app.domain.messages import (
    AssistantMessage,
    Economy,
    Message,
    TextBlock,
    ToolCall,
    ToolResultBlock,
    ToolSpec,
    Usage,
    UserMessage,
    WireItems,
)
from app.domain.observation import Observation, ShownAs


def observation(number: int, tab: int, document: int, shown_as: ShownAs, size: int = 200) -> Observation:
    text = f"o{number} page text " + "x" * size
    return Observation(
        id=ObservationId(f"o{number}"),
        tab=TabId(tab),
        document=DocumentId(f"d{document}"),
        url=f"http://site.test/{document}",
        title=f"Page {document}",
        shown_as=shown_as,
        shown=text,
        tree=BlobHash("0" * 64),
        reading=BlobHash("0" * 64),
        fence="abc123",
        nodes_shown=3,
        nodes_total=3,
        next_ref=number,
    )


def said(number: int) -> AssistantSaid:
    call = ToolCall(ToolCallId(f"c{number}"), "browser_click", "{}")
    return AssistantSaid(number, "", (call,), "tool_calls", Usage(), "fake", "m", WireItems("fake", "m", f"[{number}]"))


def answered(number: int, seen: Observation | None, text: str = "clicked") -> ToolAnswered:
    return ToolAnswered(ToolCallId(f"c{number}"), "browser_click", text, is_error=False, observation=seen)


def stored(events: list[RecordedEvent]) -> list[StoredEvent]:
    return [StoredEvent(ConversationId("c"), seq, 0.0, event) for seq, event in enumerate(events, 1)]


START = ConversationStarted("system", (ToolSpec("t", "d", "{}"),), "chain")

steps = st.lists(
    st.tuples(st.integers(1, 2), st.integers(1, 4), st.sampled_from(["whole", "changes", "same", "partial"])),
    min_size=1,
    max_size=25,
)


def played(moves: list[tuple[int, int, ShownAs]]) -> list[list[StoredEvent]]:
    """The transcript at each request, folds included as the loop makes them."""
    events: list[RecordedEvent] = [START, UserSaid("do it")]
    requests = []
    in_view: dict[tuple[int, int], list[str]] = {}
    for number, (tab, document, shown_as) in enumerate(moves, 1):
        requests.append(list(stored(events)))
        folded = out_of_view(stored(events)).pages
        shown = [name for name in in_view.get((tab, document), []) if name not in folded]
        in_view[tab, document] = [*shown, f"o{number}"]
        seen = observation(number, tab, document + 10 * tab, shown_as if shown else "whole")
        events += [said(number), answered(number, seen)]
        fold = plan_fold(stored(events), "chain")
        if fold is not None:
            events.append(fold)
    requests.append(list(stored(events)))
    return requests


def blocks(messages: tuple[Message, ...]) -> list[object]:
    """The request as a flat list of content blocks."""
    flat: list[object] = []
    for message in messages:
        if isinstance(message, AssistantMessage):
            flat.append(("assistant", message.text, message.calls, message.wire))
            continue
        for block in message.content:
            inner = block.content if isinstance(block, ToolResultBlock) else ()
            flat.append((type(block).__name__, getattr(block, "call", ""), getattr(block, "text", "")))
            flat += [("part", part) for part in inner]
    return flat


@given(steps)
@settings(max_examples=60, deadline=None)
def test_the_same_transcript_gives_the_same_request_and_is_not_changed(moves: list[tuple[int, int, ShownAs]]) -> None:
    transcript = played(moves)[-1]
    before = copy.deepcopy(transcript)
    assert project(transcript, model="m") == project(transcript, model="m")
    assert transcript == before


@given(steps)
@settings(max_examples=60, deadline=None)
def test_between_two_folds_every_request_is_a_prefix_of_the_next(moves: list[tuple[int, int, ShownAs]]) -> None:
    requests = played(moves)
    for earlier, later in pairwise(requests):
        if sum(isinstance(one.event, Folded) for one in earlier) == sum(isinstance(one.event, Folded) for one in later):
            old, new = blocks(project(earlier, model="m").messages), blocks(project(later, model="m").messages)
            assert new[: len(old)] == old


@given(steps)
@settings(max_examples=60, deadline=None)
def test_after_a_fold_only_live_pages_are_in_view(moves: list[tuple[int, int, ShownAs]]) -> None:
    for transcript in played(moves):
        if isinstance(transcript[-1].event, Folded):
            seen = list(observations(transcript))
            sent = str(project(transcript, model="m").messages)
            live = live_ids(seen)
            unread = max(one.seq for one in transcript if isinstance(one.event, AssistantSaid))
            for item in seen:
                is_in_view = item.observation.id in live or item.seq > unread
                assert (item.observation.shown in sent) == is_in_view


@given(steps)
@settings(max_examples=40, deadline=None)
def test_every_call_keeps_its_one_result_through_folds(moves: list[tuple[int, int, ShownAs]]) -> None:
    request = project(played(moves)[-1], model="m")
    made = [call.id for one in request.messages if isinstance(one, AssistantMessage) for call in one.calls]
    users = [one for one in request.messages if isinstance(one, UserMessage)]
    got = [block.call for one in users for block in one.content if isinstance(block, ToolResultBlock)]
    assert made == got


def test_a_fold_comes_when_a_document_ends_and_not_before() -> None:
    events: list[RecordedEvent] = [START, UserSaid("x"), said(1), answered(1, observation(1, 1, 1, "whole"))]
    events += [said(2), answered(2, observation(2, 1, 1, "changes"))]
    assert plan_fold(stored(events), "chain") is None
    events += [said(3), answered(3, observation(3, 1, 2, "whole"))]
    fold = plan_fold(stored(events), "chain")
    assert fold is not None
    assert [name for name, _ in fold.stubs] == ["o1", "o2"]


def test_what_the_model_has_not_read_yet_is_not_folded() -> None:
    events: list[RecordedEvent] = [START, UserSaid("x"), said(1), answered(1, observation(1, 1, 1, "whole"))]
    events += [said(2), answered(2, observation(2, 1, 1, "partial")), answered(3, observation(3, 1, 2, "whole"))]
    fold = plan_fold(stored(events), "chain")
    assert fold is not None
    assert [name for name, _ in fold.stubs] == ["o1"]
    fold = plan_fold(stored([*events, fold, said(4)]), "chain")
    assert fold is not None
    assert [name for name, _ in fold.stubs] == ["o2"]


def test_going_to_another_tab_does_not_fold() -> None:
    events: list[RecordedEvent] = [START, UserSaid("x"), said(1), answered(1, observation(1, 1, 1, "whole"))]
    events += [said(2), answered(2, observation(2, 2, 2, "whole"))]
    assert plan_fold(stored(events), "chain") is None


def test_dead_pages_over_the_cap_force_a_fold_inside_a_document() -> None:
    events: list[RecordedEvent] = [START, UserSaid("x")]
    for number in range(1, 8):
        events += [said(number), answered(number, observation(number, 1, 1, "whole", size=14_000))]
    fold = plan_fold(stored(events), "chain")
    assert fold is not None
    assert "o7" not in dict(fold.stubs)


def test_a_stub_is_one_line_with_the_id_and_the_way_back() -> None:
    long = observation(1, 1, 1, "whole")
    events: list[RecordedEvent] = [START, UserSaid("x"), said(1), answered(1, long)]
    events += [said(2), answered(2, observation(2, 1, 2, "whole"))]
    fold = plan_fold(stored(events), "chain")
    assert fold is not None
    ((_, text),) = fold.stubs
    assert "\n" not in text
    assert len(text) <= STUB_CAP
    assert text.startswith("[o1, ")
    assert 'recall(observation="o1")' in text


def test_the_policy_off_never_folds_and_newest_folds_all_but_the_last() -> None:
    events: list[RecordedEvent] = [START, UserSaid("x")]
    for number in range(1, 4):
        events += [said(number), answered(number, observation(number, 1, number, "whole"))]
    assert plan_fold(stored(events), "off") is None
    newest = plan_fold(stored(events), "newest")
    assert newest is not None
    assert [name for name, _ in newest.stubs] == ["o1", "o2"]
    two = plan_fold(stored(events), "two-pages")
    assert two is not None
    assert [name for name, _ in two.stubs] == ["o1"]


def test_a_fold_is_read_from_the_transcript_and_drops_wire_items_before_it() -> None:
    events: list[RecordedEvent] = [START, UserSaid("x"), said(1), answered(1, observation(1, 1, 1, "whole"))]
    events += [said(2), answered(2, observation(2, 1, 2, "whole"))]
    fold = plan_fold(stored(events), "chain")
    assert fold is not None
    events += [fold, said(3), answered(3, observation(3, 1, 2, "changes"))]
    request = project(stored(events), model="m")
    wires = [one.wire for one in request.messages if isinstance(one, AssistantMessage)]
    assert [wire is None for wire in wires] == [False, True, False], "what stands before the edit is as it was sent"
    assert dict(fold.stubs)[ObservationId("o1")] in str(request.messages)
    assert out_of_view(stored(events)).pages == dict(fold.stubs)


def test_the_hand_back_and_a_queued_message_stand_after_the_results() -> None:
    events: list[RecordedEvent] = [START, UserSaid("x"), said(1), answered(1, None)]
    events += [HandedBack("handed back", "", observation(1, 1, 1, "whole")), UserSaid("go on")]
    last = project(stored(events), model="m").messages[-1]
    assert isinstance(last, UserMessage)
    texts = [block.text for block in last.content if isinstance(block, TextBlock)]
    assert isinstance(last.content[0], ToolResultBlock)
    assert texts[0] == "handed back"
    assert texts[-1] == "go on"


BOUND = Economy(binds_reasoning=True)


def two_documents(steps_before: int, page: int) -> list[StoredEvent]:
    """So many steps on one document, then another one; `page` is the characters of the first page."""
    events: list[RecordedEvent] = [START, UserSaid("x"), said(1), answered(1, observation(1, 1, 1, "whole", page))]
    for number in range(2, steps_before + 2):
        events += [said(number), answered(number, observation(number, 1, 1, "changes"), "typed " * 20)]
    last = steps_before + 2
    return stored([*events, said(last), answered(last, observation(last, 1, 2, "whole"))])


def test_where_an_edit_costs_the_reasoning_a_fold_waits_until_it_pays() -> None:
    small, large = two_documents(4, 300), two_documents(4, 20_000)
    assert plan_fold(small, "chain") is not None
    assert plan_fold(small, "chain", Economy()) is not None
    assert plan_fold(small, "chain", BOUND) is None
    fold = plan_fold(large, "chain", BOUND)
    assert fold is not None
    saved = (fold.characters_before - fold.characters_after) * 0.1 * fold.expected_steps
    assert saved > fold.resent * 0.9


def test_a_fold_says_what_it_was_decided_on() -> None:
    events = two_documents(9, 8_000)
    fold = plan_fold(events, "chain")
    assert fold is not None
    assert (fold.why, fold.expected_steps) == ("document", 11)
    after = project([*events, StoredEvent(ConversationId("c"), len(events) + 1, 0.0, fold)], model="m")
    first = next(place for place, one in enumerate(blocks(after.messages)) if "[o1, " in str(one))
    rest = sum(len(block.text) for block in map(_part, blocks(after.messages)[first - 2 :]) if block)
    assert abs(rest - fold.resent) < 600, "texts of the fold's own count, wire and ids left out"


def _part(block: object) -> TextBlock | None:
    part = block[1] if isinstance(block, tuple) and block[0] == "part" else None
    return part if isinstance(part, TextBlock) else None
