"""What stands below the newest row when nothing runs and the work was not brought to its end."""

import time

from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.domain.commands import Resume, SendMessage
from app.domain.submissions import Submission, SubmissionState
from app.ui.card import Card, Hands
from app.ui.course import LeftOpen
from app.ui.elements import IconMark, TextButton, Words, column, marked_line
from app.ui.flow import Flow
from app.ui.submission_cards import CHECK
from app.ui.submission_words import check_message, is_unknown, title_of, words_of

UNFINISHED = "The agent has not finished here. Everything up to this point is kept."
NOTHING_RUNS = "Nothing runs until you say so."
_DONE: tuple[SubmissionState, ...] = ("answered", "settled")
_NOT_DONE: tuple[SubmissionState, ...] = ("denied", "not_sent", "refused")


class UnfinishedLine(Card):
    """Hidden unless it is needed; says what is done, what is not, and what nobody knows."""

    def __init__(self, hands: Hands) -> None:
        super().__init__("warning", UNFINISHED, can_focus=False)
        self._hands = hands
        self.head(IconMark("pause", "warning"), Words(UNFINISHED, bold=True))
        self._told: QWidget | None = None
        self._left: LeftOpen | None = None
        self.hide()

    def show_left(self, left: LeftOpen) -> None:
        """Where the work broke off."""
        if left == self._left and self._told is not None:
            return
        self._left = left
        if self._told is not None:
            self.body.removeWidget(self._told)
            self._told.hide()
            self._told.deleteLater()
        self._told = self._tell(left)
        self.body.addWidget(self._told)

    def _tell(self, left: LeftOpen) -> QWidget:
        now = time.time()
        done = [one for one in left.submitted if one.state in _DONE]
        not_done = [one for one in left.submitted if one.state in _NOT_DONE]
        unsure = [one for one in left.submitted if one not in done and one not in not_done]
        holder = QWidget()
        lines = column(spacing=6)
        holder.setLayout(lines)
        for icon, tone, words, records in (
            ("warning", "warning", left.unknown, unsure),
            ("check", "success", left.done, done),
            ("circle", "muted_text", left.not_done, not_done),
        ):
            for text in words:
                lines.addLayout(marked_line(IconMark(icon, tone), Words(text)))
            for record in records:
                lines.addLayout(self._line_of(IconMark(icon, tone), record, now))
        lines.addWidget(Words(NOTHING_RUNS, tone="muted", scale=0.95))
        lines.addLayout(Flow(*self._buttons([one for one in unsure if is_unknown(one, now)])))
        names = [label.text() for label in holder.findChildren(Words)]
        self.setAccessibleName(" ".join((UNFINISHED, *names)))
        return holder

    def _line_of(self, mark: IconMark, record: Submission, now: float) -> QHBoxLayout:
        words = Words(f"{title_of(record)}: {words_of(record, now).text}.")
        chip = TextButton(str(record.id), "inline", "", lambda: self._hands.show_submission(record.id))
        chip.setAccessibleName(f"Show submission {record.id}")
        return marked_line(mark, words, chip)

    def _buttons(self, unknown: list[Submission]) -> list[QWidget]:
        """What nobody knows is checked first; the other ways on stand where all of it is told."""
        go_on = TextButton("Go on", "plain" if unknown else "primary", "play", lambda: self._hands.submit(Resume()))
        if not unknown:
            return [go_on]
        message = SendMessage(check_message(*unknown))
        return [TextButton(CHECK, "primary", "search", lambda: self._hands.submit(message)), go_on]
