"""Which card shows which row."""

from PySide6.QtWidgets import QWidget

from app.ui.card import Hands
from app.ui.file_card import file_card
from app.ui.question_cards import question_card, warning_card
from app.ui.rows import (
    AnswerRow,
    DayRow,
    EndRow,
    FileRow,
    FoldRow,
    LookRow,
    MarkerRow,
    PendingRow,
    QuestionRow,
    QuoteRow,
    ReceiptRow,
    Row,
    StillRow,
    TaskCardRow,
    ToolRow,
    UserRow,
    WarningRow,
    WithdrawnRow,
)
from app.ui.step_cards import fold_card, look_card, pending_card, receipt_card, tool_card
from app.ui.talk_cards import (
    DayCard,
    UserCard,
    answer_card,
    end_card,
    marker_card,
    quote_card,
    withdrawn_card,
)
from app.ui.task_card import task_card_card


def card_for(row: Row, hands: Hands) -> QWidget:
    match row:
        case AnswerRow():
            return answer_card(row, hands)
        case QuoteRow():
            return quote_card(row, hands)
        case FileRow():
            return file_card(row, hands)
        case TaskCardRow():
            return task_card_card(row)
        case WarningRow():
            return warning_card(row, hands)
        case QuestionRow():
            return question_card(row, hands)
        case EndRow():
            return end_card(row, hands)
        case _:
            return _step_or_shown(row, hands)


def _step_or_shown(row: StillRow, hands: Hands) -> QWidget:
    match row:
        case PendingRow():
            return pending_card(row, hands)
        case ReceiptRow():
            return receipt_card(row, hands)
        case ToolRow():
            return tool_card(row, hands)
        case DayRow():
            return DayCard(row)
        case UserRow():
            return UserCard(row)
        case WithdrawnRow():
            return withdrawn_card(row)
        case LookRow():
            return look_card(row)
        case MarkerRow():
            return marker_card(row)
        case FoldRow():
            return fold_card(row)
