from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from app.domain.events import (
    ActIntended,
    PersonAnswered,
    QuoteKept,
    RecordedEvent,
    Resumed,
    ToolAnswered,
    TurnEnded,
    UserSaid,
)
from app.domain.ids import ToolCallId
from app.ui.row_book import RowBook
from app.ui.rows import (
    AnswerRow,
    DayRow,
    EndRow,
    LookRow,
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
    assert (row.title, row.how) == ("Lanterns", "34 nodes of 46, changes")


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


def test_a_question_stays_open_while_nobody_answered() -> None:
    row = rows_of(asked("k1"), TurnEnded("needs_person", "You are needed."))[0]
    assert isinstance(row, QuestionRow)
    assert row.is_open


def test_a_question_closes_when_the_turn_was_stopped() -> None:
    row = rows_of(asked("k1"), TurnEnded("stopped", "Stopped by the person."))[0]
    assert isinstance(row, QuestionRow)
    assert not row.is_open


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
