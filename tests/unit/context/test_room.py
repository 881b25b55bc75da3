"""What leaves the view when room runs short leaves it whole, in one edit, with the way back; all else stays put."""

from itertools import pairwise
from typing import Literal

from hypothesis import given, settings
from hypothesis import strategies as st

from app.context.request.budget import Budget
from app.context.request.clearing import cut_text, plan_clearing, result_names, steps_since_warning, warning_of
from app.context.request.folding import plan_fold
from app.context.request.projection import Projection, project
from app.context.request.record_pages import lines_with, pages_of
from app.context.request.summary import last_event_of_the_old, summary_text
from app.context.request.tokens import Calibration, tokens_of
from app.context.request.view import chain_of, edits_of, live_ids, observations, out_of_view
from app.domain.events import (
    AssistantSaid,
    Folded,
    QuoteKept,
    QuotePinned,
    RecordedEvent,
    RoomWarned,
    StoredEvent,
    Summarised,
    ToolAnswered,
    TurnEnded,
    TurnRejected,
    UserSaid,
)
from app.domain.ids import DocumentId, ObservationId, QuoteId, ResultId, TabId, ToolCallId
from app.domain.messages import AssistantMessage, ToolCall, ToolResultBlock, Usage, UserMessage, WireItems
from app.domain.observation import ShownAs
from app.domain.records import Quote, Receipt
from tests.unit.context.test_projection import START, blocks, observation, stored

SHOWN: list[ShownAs] = ["whole", "changes", "same", "partial", "recalled"]
moves = st.lists(
    st.tuples(
        st.integers(1, 2),  # tab
        st.integers(1, 4),  # document
        st.sampled_from(SHOWN),
        st.sampled_from([10, 2_000, 9_000]),  # characters of the text
        st.integers(0, 6),  # 0: clear, 1: warn, 2: sum up, 3: keep a quote, 4: the person marks one
    ),
    min_size=1,
    max_size=25,
)


def turn(number: int, name: str, arguments: str) -> AssistantSaid:
    made = ToolCall(ToolCallId(f"c{number}"), name, arguments)
    wire = WireItems("fake", "m", f"[{number}]")
    return AssistantSaid(number, "", (made,), "tool_calls", Usage(), "fake", "m", wire)


def quote(number: int, size: int, by: Literal["agent", "person"] = "agent") -> Quote:
    name = QuoteId(f"q{number}")
    return Quote(name, "w" * size, "why", ObservationId("o1"), "http://site.test/", "Page", 0, 0.0, f"{number}", by)


def played(wanted: list[tuple[int, int, ShownAs, int, int]]) -> list[list[StoredEvent]]:
    """The transcript at each request, with folds, warnings, clearings and summaries where the moves want them."""
    events: list[RecordedEvent] = [START, UserSaid("do it")]
    requests = []
    quotes = 0
    for number, (tab, document, shown_as, size, extra) in enumerate(wanted, 1):
        requests.append(list(stored(events)))
        name = "keep_quote" if extra == 3 else "browser_console_messages"
        place = document + 10 * tab
        in_view = chain_of(stored(events), TabId(tab), DocumentId(f"d{place}")).in_view
        how = shown_as if in_view or shown_as == "recalled" else "whole"
        seen = None if extra == 3 else observation(number, tab, place, how, 1_500)
        events.append(turn(number, name, '{"text": "' + "w" * min(size, 1_900) + '"}'))
        if extra == 3:
            quotes += 1
            events.append(QuoteKept(quote(quotes, min(size, 1_900))))
        if extra == 4:
            quotes += 1
            events.append(QuoteKept(quote(quotes, min(size, 1_900), "person")))
        events.append(ToolAnswered(ToolCallId(f"c{number}"), name, "t" * size, is_error=size == 10, observation=seen))
        events += [one for one in [plan_fold(stored(events), "chain")] if one]
        events += made_room(events, extra)
    requests.append(list(stored(events)))
    return requests


def made_room(events: list[RecordedEvent], extra: int) -> list[RecordedEvent]:
    told = stored(events)
    if extra in (0, 1):
        fold = plan_clearing(told, room=8_000, kept=2)
        if fold is None:
            return []
        return [fold] if extra == 0 else [warning_of(fold, told)]
    upto = last_event_of_the_old(told) if extra == 2 else None
    return [Summarised(upto, summary_text(told, upto, "It went on."))] if upto is not None else []


def edits(events: list[StoredEvent]) -> int:
    return sum(isinstance(one.event, Folded | Summarised) for one in events)


@given(moves)
@settings(max_examples=60, deadline=None)
def test_between_two_edits_every_request_is_a_prefix_of_the_next(
    wanted: list[tuple[int, int, ShownAs, int, int]],
) -> None:
    for earlier, later in pairwise(played(wanted)):
        if edits(earlier) == edits(later):
            old, new = blocks(project(earlier, model="m").messages), blocks(project(later, model="m").messages)
            assert new[: len(old)] == old


@given(moves)
@settings(max_examples=60, deadline=None)
def test_a_request_that_is_carried_on_is_the_one_that_is_made_anew(
    wanted: list[tuple[int, int, ShownAs, int, int]],
) -> None:
    projection = Projection()
    for events in played(wanted):
        projection.follow(events)
        assert projection.request("m") == project(events, model="m")


@given(moves)
@settings(max_examples=60, deadline=None)
def test_every_call_in_view_has_its_one_result_and_the_task_is_never_lost(
    wanted: list[tuple[int, int, ShownAs, int, int]],
) -> None:
    for events in played(wanted):
        request = project(events, model="m")
        made = [call.id for one in request.messages if isinstance(one, AssistantMessage) for call in one.calls]
        users = [one for one in request.messages if isinstance(one, UserMessage)]
        got = [block.call for one in users for block in one.content if isinstance(block, ToolResultBlock)]
        assert made == got
        assert "do it" in str(users[0])


@given(moves)
@settings(max_examples=60, deadline=None)
def test_the_page_in_work_is_never_cleared(wanted: list[tuple[int, int, ShownAs, int, int]]) -> None:
    events = played(wanted)[-1]
    out = out_of_view(events)
    seen = list(observations(events))
    chain = [one for one in seen if one.observation.shown_as in ("whole", "changes") and one.seq > out.upto]
    live = live_ids(seen)
    assert not [one for one in chain if one.observation.id in live and one.observation.id in out.pages]


@given(moves)
@settings(max_examples=60, deadline=None)
def test_reasoning_is_replayed_only_where_its_prefix_is_as_it_was(
    wanted: list[tuple[int, int, ShownAs, int, int]],
) -> None:
    """The fake wire of an answer is bound to the blocks before it, as they were sent when it was made."""
    bound: dict[str, list[object]] = {}
    for events in played(wanted):
        flat = blocks(project(events, model="m").messages)
        for place, block in enumerate(flat):
            wire = block[3] if isinstance(block, tuple) and block[0] == "assistant" else None
            if isinstance(wire, WireItems):
                assert bound[wire.json] == flat[:place]
        step = sum(isinstance(one.event, AssistantSaid) for one in events) + 1
        bound[f"[{step}]"] = flat


def test_a_warning_stands_until_a_clearing_and_names_what_will_go() -> None:
    events: list[RecordedEvent] = [START, UserSaid("x")]
    for number in range(1, 12):
        events.append(turn(number, "browser_console_messages", "{}"))
        events.append(ToolAnswered(ToolCallId(f"c{number}"), "browser_console_messages", "x" * 3_000, is_error=False))
    fold = plan_clearing(stored(events), room=100_000)
    assert fold is not None
    warning = warning_of(fold, stored(events))
    assert "result r1, result r2, result r3" in warning.text
    events.append(warning)
    assert steps_since_warning(stored(events)) == 0
    events.append(fold)
    assert steps_since_warning(stored(events)) is None
    assert plan_clearing(stored(events), room=100_000) is None
    stub = dict(fold.results)[ToolCallId("c1")]
    assert 'recall(observation="r1")' in stub
    assert fold.characters_before == 9_000


def test_a_failed_result_and_what_the_person_said_are_never_cleared() -> None:
    events: list[RecordedEvent] = [START, UserSaid("x")]
    for number, (name, failed) in enumerate([("browser_click", True), ("ask_user", False), ("browser_find", False)], 1):
        events.append(turn(number, name, "{}"))
        events.append(ToolAnswered(ToolCallId(f"c{number}"), name, "x" * 3_000, is_error=failed))
    fold = plan_clearing(stored(events), room=100_000, kept=0)
    assert fold is not None
    assert [call for call, _ in fold.results] == ["c3"]


def test_long_texts_that_were_typed_into_forms_leave_the_view_and_can_be_had_back() -> None:
    events: list[RecordedEvent] = [START, UserSaid("x"), turn(1, "browser_fill_form", "x" * 5_000)]
    events.append(ToolAnswered(ToolCallId("c1"), "browser_fill_form", "filled", is_error=False))
    fold = plan_clearing(stored(events), room=100_000, kept=0)
    assert fold is not None
    events.append(fold)
    (message,) = [one for one in project(stored(events), model="m").messages if isinstance(one, AssistantMessage)]
    assert message.calls[0].arguments == '{"folded": "5000 characters; recall(observation=\\"r1\\") shows them"}'
    assert message.wire is None
    assert edits_of(stored(events)).bare == {3}


def test_the_oldest_quotes_leave_a_full_view_whole_but_never_a_pinned_one() -> None:
    events: list[RecordedEvent] = [START, UserSaid("x"), turn(1, "browser_navigate", "{}")]
    events.append(
        ToolAnswered(ToolCallId("c1"), "browser_navigate", "", False, observation=observation(1, 1, 1, "whole"))
    )
    for number in range(2, 14):
        events += [turn(number, "keep_quote", '{"text": "long"}'), QuoteKept(quote(number - 1, 1_900))]
        events.append(ToolAnswered(ToolCallId(f"c{number}"), "keep_quote", f"Kept as [q{number - 1}].", is_error=False))
    events += [QuotePinned(QuoteId("q1"), pinned=True), turn(14, "browser_click", "{}")]
    events.append(
        ToolAnswered(ToolCallId("c14"), "browser_click", "", False, observation=observation(2, 1, 2, "whole"))
    )
    fold = plan_fold(stored(events), "chain")
    assert fold is not None
    assert fold.quotes == ("q2", "q3", "q4", "q5")
    assert dict(fold.calls).keys() == {"c3", "c4", "c5", "c6"}
    assert "[q2], [q3], [q4], [q5] left your view" in fold.notice
    sent = str(project(stored([*events, fold]), model="m").messages)
    assert 'recall(observation=\\\\"q3\\\\")' in sent
    assert fold.notice in sent


def test_a_long_text_is_cut_with_the_way_to_the_rest() -> None:
    text = cut_text("x" * 30_000, 12_000, ResultId("r4"), page=2)
    assert text.startswith("x" * 12_000 + "\n… 18,000 of 30,000 characters")
    assert 'recall(observation="r4", page=2)' in text


def test_results_are_named_in_their_order() -> None:
    events: list[RecordedEvent] = [START]
    for number in (1, 2):
        events.append(turn(number, "a", "{}"))
        events.append(ToolAnswered(ToolCallId(f"c{number}"), "a", "", is_error=False))
    assert result_names(stored(events)) == {"c1": "r1", "c2": "r2"}


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r"), max_size=50), max_size=40))
def test_pages_of_a_record_hold_every_line_in_order_and_none_is_too_long(lines: list[str]) -> None:
    pages = pages_of(lines, 30)
    assert all(len(page) <= 30 for page in pages)
    assert "".join(pages).replace("\n", "") == "".join(lines)


def test_a_found_line_stands_below_the_lines_that_lead_to_it() -> None:
    text = [
        "- main:",
        "  - list:",
        '    - item "Mug":',
        "      - text: 9 €",
        '    - item "Cup":',
        "      - text: 7 €",
        "- footer",
    ]
    assert lines_with(text, "9 €") == ["- main:", "  - list:", '    - item "Mug":', "      - text: 9 €"]
    assert lines_with(text, "€") == text[:-1]
    assert lines_with(text, "FOOTER") == ["- footer"]


def test_the_estimate_counts_scripts_that_take_more_tokens_as_more() -> None:
    assert tokens_of("a" * 320) == 100
    assert tokens_of("漢" * 100) > tokens_of("a" * 100) * 3
    assert tokens_of("😀" * 100) > tokens_of("漢" * 100)


def test_a_count_that_cannot_be_of_the_whole_request_is_not_learned_from() -> None:
    learned = Calibration().learned(1_000, 1_300)
    assert learned.corrected(100) == 130
    assert learned.learned(1_000, 12) == learned
    assert learned.learned(1_000, 9_000) == learned
    assert learned.learned(0, 9_000) == learned


def test_the_parts_of_a_small_window_leave_room_for_each_other() -> None:
    for window in (4_096, 8_192, 12_000, 32_768, 128_000, 1_000_000):
        budget = Budget(window)
        assert budget.tokens <= 120_000
        if window >= 8_192:
            assert budget.tokens + budget.answer_tokens <= window
        assert budget.page_characters(14_000) + budget.result_characters <= budget.characters
        assert budget.shrunk(budget.tokens).tokens <= max(budget.tokens * 0.8, 3_000)


def test_a_room_warning_is_read_where_it_was_given() -> None:
    events: list[RecordedEvent] = [START, UserSaid("x"), RoomWarned("Room runs short."), turn(1, "a", "{}")]
    request = project(stored(events), model="m")
    assert "Room runs short." in str(request.messages[0])


def test_a_warning_that_was_not_followed_by_a_clearing_is_given_anew() -> None:
    events: list[RecordedEvent] = [START, UserSaid("x")]
    assert steps_since_warning(stored(events)) is None
    events.append(RoomWarned("Room runs short."))
    assert steps_since_warning(stored(events)) == 0
    for number in (1, 2):
        events += [turn(number, "a", "{}"), ToolAnswered(ToolCallId(f"c{number}"), "a", "", is_error=False)]
        assert steps_since_warning(stored(events)) == number


def test_quotes_that_leave_the_view_count_as_room() -> None:
    events: list[RecordedEvent] = [START, UserSaid("x")]
    for number in range(1, 5):
        events += [turn(number, "keep_quote", '{"text": "' + "w" * 1_900 + '"}'), QuoteKept(quote(number, 1_900))]
        events.append(ToolAnswered(ToolCallId(f"c{number}"), "keep_quote", "Kept.", is_error=False))
    fold = plan_clearing(stored(events), room=16_000)
    assert fold is not None
    assert fold.quotes == ("q1", "q2")
    assert fold.characters_before - fold.characters_after > 3_500


def test_a_receipt_is_never_cleared_however_long() -> None:
    receipt = Receipt(ToolCallId("c1"), "filled", "the form", "confirmed", "12 fields")
    events: list[RecordedEvent] = [START, UserSaid("x"), turn(1, "browser_fill_form", "{}")]
    events.append(ToolAnswered(ToolCallId("c1"), "browser_fill_form", "f" * 2_000, is_error=False, receipt=receipt))
    assert plan_clearing(stored(events), room=100_000, kept=0) is None


def test_what_a_fold_makes_the_model_read_again_is_only_what_the_model_reads() -> None:
    events: list[RecordedEvent] = [START, UserSaid("x"), turn(1, "a", "{}")]
    events.append(ToolAnswered(ToolCallId("c1"), "a", "", is_error=False, observation=observation(1, 1, 1, "whole")))
    events += [TurnEnded("done", "e" * 900), TurnRejected("bad", "e" * 900, "m"), UserSaid("y"), turn(2, "a", "{}")]
    events.append(ToolAnswered(ToolCallId("c2"), "a", "", is_error=False, observation=observation(2, 1, 2, "whole")))
    fold = plan_fold(stored(events), "chain")
    assert fold is not None
    sent = blocks(project(stored([*events, fold]), model="m").messages)
    assert fold.resent <= len(str(sent)) < 900 * 2


def test_reasoning_that_followed_a_marked_quote_is_not_replayed_once_the_quote_left_the_view() -> None:
    events: list[RecordedEvent] = [START, UserSaid("x"), turn(1, "a", "{}"), QuoteKept(quote(1, 50, "person"))]
    events += [ToolAnswered(ToolCallId("c1"), "a", "", is_error=False), turn(2, "a", "{}")]
    events += [ToolAnswered(ToolCallId("c2"), "a", "", is_error=False)]
    with_quote = stored(events)
    assert "[q1]" in str(project(with_quote, model="m").messages)
    left = stored([*events, Folded((), 0, 0, quotes=(QuoteId("q1"),))])
    assert "[q1]" not in str(project(left, model="m").messages)
    assert edits_of(left).bare == {6}
