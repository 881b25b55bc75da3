from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.domain.events import (
    ActIntended,
    Folded,
    HandedBack,
    PersonAnswered,
    QuoteKept,
    RecordedEvent,
    Resumed,
    TakenOver,
    ToolAnswered,
    TurnEnded,
    UserSaid,
)
from app.domain.ids import BlobHash, ObservationId, ToolCallId
from app.domain.observation import PictureFacts
from app.ui.row_book import RowBook
from app.ui.rows import (
    AnswerRow,
    DayRow,
    EndRow,
    FoldRow,
    LookRow,
    MarkerRow,
    PendingRow,
    QuestionRow,
    QuoteRow,
    ReceiptRow,
    Row,
    ToolRow,
    UserRow,
    WarningRow,
    searchable,
)
from tests.ui.conversations import (
    NOON,
    acted,
    asked,
    look,
    quote,
    receipt,
    said,
    started,
    stored,
    warning,
    whole_errand,
)


def rows_of(*events: RecordedEvent) -> list[Row]:
    book = RowBook()
    for event in stored(events):
        book.apply(event)
    return [row for row in book.rows if not isinstance(row, DayRow)]


def test_each_event_that_a_person_should_see_has_a_row() -> None:
    kinds = [type(row).__name__ for row in rows_of(*whole_errand())]
    assert kinds == [
        *("UserRow", "MarkerRow", "AnswerRow", "ReceiptRow", "LookRow", "ToolRow", "QuoteRow", "QuoteRow"),
        "TaskCardRow",
        *("ReceiptRow", "ReceiptRow", "WarningRow", "WarningRow", "MarkerRow", "MarkerRow", "WithdrawnRow", "ToolRow"),
        *(
            "FoldRow",
            "MarkerRow",
            "MarkerRow",
            "LookRow",
            "MarkerRow",
            "QuestionRow",
            "ReceiptRow",
            "AnswerRow",
            "EndRow",
        ),
    ]


@given(st.integers(min_value=0, max_value=len(whole_errand())))
def test_rows_are_the_same_wherever_the_record_was_read_in_two_parts(cut: int) -> None:
    events = stored(whole_errand())
    whole, parts = RowBook(), RowBook()
    for event in events:
        whole.apply(event)
    for event in (*events[:cut], *events[:cut], *events[cut:]):
        parts.apply(event)
    assert parts.rows == whole.rows


def test_a_new_day_is_marked_once() -> None:
    book = RowBook()
    for event in (
        *stored([UserSaid("a"), UserSaid("b")]),
        replace(stored([UserSaid("c")], first=3)[0], at=NOON + 200_000),
    ):
        book.apply(event)
    assert [type(row) for row in book.rows] == [DayRow, UserRow, UserRow, DayRow, UserRow]


def test_an_act_under_way_becomes_its_receipt() -> None:
    intended = ActIntended(ToolCallId("t1"), "clicking “Save”")
    assert isinstance(rows_of(intended)[0], PendingRow)
    rows = rows_of(intended, acted("t1", receipt("t1")))
    assert [type(row) for row in rows] == [ReceiptRow]


def test_of_an_act_under_way_nobody_knows_once_nothing_runs() -> None:
    book = RowBook()
    book.apply(stored([ActIntended(ToolCallId("t1"), "clicked “Pay”")])[0])
    book.work_is_over()
    (row,) = [row for row in book.rows if isinstance(row, PendingRow)]
    assert row.is_lost


def test_a_call_that_acts_several_times_has_one_row() -> None:
    first, second = (ActIntended(ToolCallId("t1"), f"filling “{name}”") for name in ("Name", "Town"))
    (row,) = rows_of(first, second)
    assert isinstance(row, PendingRow)
    assert row.what == "filling “Town”"
    assert [type(row) for row in rows_of(first, second, acted("t1", receipt("t1")))] == [ReceiptRow]


def test_a_refused_call_is_shown_as_not_done() -> None:
    (row,) = rows_of(ToolAnswered(ToolCallId("t1"), "browser_click", "e7 is gone.", True))
    assert isinstance(row, ToolRow)
    assert row.is_error


def test_a_look_tells_title_and_extent() -> None:
    (row,) = rows_of(ToolAnswered(ToolCallId("t"), "browser_snapshot", "", False, observation=look(shown_as="changes")))
    assert isinstance(row, LookRow)
    assert (row.title, row.how) == ("Lanterns", "what changed, 34 of 46 elements")


@pytest.mark.parametrize(
    ("name", "report", "asked_model", "said"),
    [
        ("browser_take_screenshot", False, "", "The model looks at it"),
        ("browser_take_screenshot", True, "", "The model cannot see it"),
        ("look", True, "eyes", "eyes reported what is on “Lanterns”."),
    ],
)
def test_a_picture_is_told_with_who_sees_it_and_a_report_can_be_read(
    name: str, report: bool, asked_model: str, said: str
) -> None:
    facts = PictureFacts("viewport", 1280, 800, 1, 0, 0, 0, 0, "digest", report=report)
    seen = replace(look(shown_as="partial"), picture=facts)
    answered = ToolAnswered(
        ToolCallId("t1"), name, "It reports.", False, None, seen, picture=BlobHash("p"), asked_model=asked_model
    )
    (row,) = rows_of(answered)
    assert isinstance(row, MarkerRow)
    assert said in f"{row.text} {row.detail}"
    assert (seen.shown in row.full) == bool(asked_model)


def test_a_kept_quote_stands_once() -> None:
    answered = ToolAnswered(ToolCallId("t1"), "keep_quote", "kept as q1", False)
    assert [type(row) for row in rows_of(QuoteKept(quote()), answered)] == [QuoteRow]


def test_a_refused_quote_is_told() -> None:
    answered = ToolAnswered(ToolCallId("t1"), "keep_quote", "This does not stand on the page.", True)
    assert [type(row) for row in rows_of(answered)] == [ToolRow]


def test_arguments_of_a_call_stand_with_its_result() -> None:
    row = rows_of(
        said("", ("t1", "browser_find", '{"text": "x"}')), ToolAnswered(ToolCallId("t1"), "browser_find", "1", False)
    )[0]
    assert isinstance(row, ToolRow)
    assert row.arguments == '{"text": "x"}'


def test_a_turn_without_words_has_no_answer_row() -> None:
    assert rows_of(said("  ", ("t1", "browser_find", "{}"))) == []


def test_an_answered_question_shows_the_answer_and_takes_no_other() -> None:
    (row,) = rows_of(asked("k1"), PersonAnswered("k1", "no"))
    assert isinstance(row, QuestionRow)
    assert row.answer == PersonAnswered("k1", "no")
    assert not row.is_open


@pytest.mark.parametrize(
    ("after", "state"),
    [
        ((), "open"),
        ((TurnEnded("needs_person", "This needs you: Which?"),), "waits"),
        ((TurnEnded("stopped", "Stopped by you."),), "over"),
        ((TurnEnded("failed", "The model is gone."),), "over"),
        ((TurnEnded("needs_person", ""), said("I ask again.")), "over"),
        ((TurnEnded("needs_person", ""), UserSaid("The red one.")), "over"),
    ],
)
def test_a_question_is_open_only_while_an_answer_would_be_heard(after: tuple[RecordedEvent, ...], state: str) -> None:
    row = rows_of(asked("k1"), *after)[0]
    assert isinstance(row, QuestionRow)
    assert row.state == state


def test_a_question_that_is_open_waits_once_nothing_runs() -> None:
    book = RowBook()
    book.apply(stored([asked("k1")])[0])
    assert not book.has_waiting_question
    book.work_is_over()
    assert book.has_waiting_question
    assert [row.state for row in book.rows if isinstance(row, QuestionRow)] == ["waits"]
    book.apply(stored([PersonAnswered("k1", "yes")], first=2)[0])
    assert not book.has_waiting_question


def test_an_end_that_waits_for_the_person_does_not_ask_the_question_again() -> None:
    end = rows_of(asked("k1"), TurnEnded("needs_person", f"This needs you: {asked().text}"))[-1]
    assert isinstance(end, EndRow)
    assert end.text == ""


def test_an_answer_is_not_said_again_at_the_end_of_its_turn() -> None:
    end = rows_of(said("Two of three."), TurnEnded("partly", "Two of three.", ("the invoice",)))[-1]
    assert isinstance(end, EndRow)
    assert (end.text, end.open_items) == ("", ("the invoice",))


@pytest.mark.parametrize(
    ("events", "is_unfinished"),
    [
        ((started(),), False),
        ((UserSaid("Go"),), True),
        ((UserSaid("Go"), said("Done."), TurnEnded("done", "Done.")), False),
        ((UserSaid("Go"), TurnEnded("stopped", ""), said("", ("t", "browser_click", "{}"))), True),
        ((HandedBack("", "", look(), by_person=False), QuoteKept(quote())), False),
    ],
    ids=["nothing", "asked", "ended", "begun again", "a quote of the person"],
)
def test_work_without_an_end_is_unfinished(events: tuple[RecordedEvent, ...], is_unfinished: bool) -> None:
    book = RowBook()
    for event in stored(events):
        book.apply(event)
    assert book.is_unfinished is is_unfinished


def test_a_page_that_is_only_shown_is_no_hand_back() -> None:
    (row,) = rows_of(HandedBack("The browser shows this page now.", "", look(), by_person=False))
    assert isinstance(row, LookRow)
    assert row.title == "Lanterns"


def test_taking_over_again_before_the_agent_has_looked_is_one_row() -> None:
    assert [type(row) for row in rows_of(TakenOver(), TakenOver(), TakenOver())] == [MarkerRow]


def test_a_fold_right_after_an_act_stands_with_its_receipt() -> None:
    fold = Folded(((ObservationId("o1"), "o1 Lanterns"),), 42_000, 3_100)
    (row,) = rows_of(acted("t", receipt("t")), fold)
    assert isinstance(row, ReceiptRow)
    assert "o1 Lanterns" in searchable(row)
    assert [type(one) for one in rows_of(said("Hm."), fold)] == [AnswerRow, FoldRow]


def test_a_picture_that_the_agent_took_has_a_row() -> None:
    took = ToolAnswered(
        ToolCallId("t"), "browser_take_screenshot", "A picture", False, None, look(), BlobHash("2" * 64), "image/png"
    )
    (row,) = rows_of(took)
    assert isinstance(row, MarkerRow)
    assert row.text == "Took a picture of “Lanterns”."


def test_a_call_that_was_broken_off_after_it_began_may_have_happened() -> None:
    broken = ToolAnswered(
        ToolCallId("t1"), "browser_click", "Uncertain: the program ended while it was under way.", True
    )
    (row,) = rows_of(ActIntended(ToolCallId("t1"), "clicked “Pay”"), broken)
    assert isinstance(row, ToolRow)
    assert row.may_have_happened
    (never,) = rows_of(broken)
    assert isinstance(never, ToolRow)
    assert not never.may_have_happened


def test_an_answer_knows_which_of_its_quotes_were_kept() -> None:
    row = rows_of(QuoteKept(quote("q1")), said("It is cheap [q1] and light [q2], see [q1]."))[-1]
    assert isinstance(row, AnswerRow)
    assert row.cited == (("q1", quote("q1")), ("q2", None))


def test_a_warning_has_choices_only_until_something_follows() -> None:
    def is_open(*more: RecordedEvent) -> bool:
        row = rows_of(warning(), *more)[0]
        assert isinstance(row, WarningRow)
        return row.is_open

    assert is_open()
    assert is_open(acted("t", receipt("t")))
    assert not is_open(asked("k", "progress"))
    assert not is_open(TurnEnded("stopped", ""))
    assert not is_open(UserSaid("Try another way."))


def test_a_hint_is_for_the_model_and_offers_nothing() -> None:
    (row,) = rows_of(warning("hint"))
    assert isinstance(row, WarningRow)
    assert not row.is_open


def test_only_the_last_end_lets_the_agent_go_on() -> None:
    ends = [
        row for row in rows_of(TurnEnded("stopped", ""), Resumed(), TurnEnded("limit", "")) if isinstance(row, EndRow)
    ]
    assert [end.is_last for end in ends] == [False, True]


def test_a_demo_is_known_from_its_first_event() -> None:
    book = RowBook()
    book.apply(stored([started(demo=True)])[0])
    assert book.is_demo


def test_find_looks_through_every_kind_of_row() -> None:
    found = " ".join(searchable(row) for row in rows_of(*whole_errand()))
    for words in ("cheapest lantern", "Sturdy Lantern costs", "Place order", "Ada Example", "cut off", "o1 Lanterns"):
        assert words in found


def test_answers_keep_the_name_of_their_model() -> None:
    (row,) = rows_of(said("Done."))
    assert isinstance(row, AnswerRow)
    assert row.model == "test-model"
