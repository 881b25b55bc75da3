"""Cards that wait for the person: questions with exactly what would leave, and progress warnings with choices."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLineEdit, QWidget

from app.domain.commands import AnswerPerson, Command, Resume, SendMessage, Stop, TakeOver
from app.domain.events import PersonAnswered, PersonAsked
from app.ui.card import Card, Hands, time_words
from app.ui.elements import IconMark, TextButton, Words
from app.ui.flow import Flow
from app.ui.rows import QuestionRow, WarningRow
from app.ui.safe_text import shown
from app.ui.state_words import sentence

TRY_ANOTHER_WAY = "Try another way."
_LONGEST_LABEL = 36
WAITS = "It waits for you. Go on, and the agent asks again; or write what you want below."
_HEADS = {
    "ask": ("The agent asks", "person"),
    "consent": ("This happens only if you allow it", "lock"),
    "progress": ("The agent is stuck", "warning"),
    "limit": ("A limit was reached", "pause"),
    "takeover": ("The agent asks you to take over", "hand"),
}
_REFUSALS = ("no", "deny", "stop", "cancel", "refuse")


def question_card(row: QuestionRow, hands: Hands) -> Card:
    asked = row.asked
    head, icon = _HEADS[asked.question_kind]
    card = Card("plain" if row.state == "over" else "question", f"{head}: {asked.text}")
    card.body.setContentsMargins(16, 12, 16, 14)
    card.head(IconMark(icon, "accent"), Words(head, tone="muted"), time_words(row.at))
    card.body.addWidget(Words(asked.text, scale=1.08, bold=True))
    if asked.about:
        card.body.addWidget(_table(asked.about))
    if row.answer is not None:
        card.body.addWidget(Words(f"You answered: {_answer_words(asked, row.answer)}", tone="success"))
    elif row.is_open:
        _offer(card, asked, hands)
    elif row.state == "waits":
        card.body.addWidget(Words(WAITS, tone="muted"))
        _add_buttons(card, [TextButton("Go on", "primary", "play", lambda: hands.submit(Resume()))])
    else:
        card.body.addWidget(Words("This was not answered.", tone="muted"))
    return card


def warning_card(row: WarningRow, hands: Hands) -> Card:
    warning = row.warning
    what = sentence(warning.what.removeprefix("No progress: "))
    if warning.rung == "hint":
        card = Card("quiet", f"Hint: {what}", full=f"What the agent was told: {warning.advice}")
        card.body.setContentsMargins(12, 2, 12, 2)
        card.head(IconMark("warning", "warning"), Words(what, tone="muted", scale=0.95), time_words(row.at))
        return card
    title = "No progress: the agent may not do this again" if warning.rung == "blocked" else "No progress"
    card = Card("warning", f"{title}. {what}", full=f"What the agent was told: {warning.advice}")
    card.head(IconMark("warning", "warning"), Words(title, tone="warning", bold=True), time_words(row.at))
    card.body.addWidget(Words(what))
    if row.is_open:
        card.body.addWidget(Words("It goes on by itself. You can help it on its way:", tone="muted"))
        _add_buttons(card, _warning_choices(hands))
    return card


def _offer(card: Card, asked: PersonAsked, hands: Hands) -> None:
    """The choices as buttons, long ones in words above; a plain question takes words of the person's own as well."""
    buttons = []
    for place, (choice, label) in enumerate(asked.choices):
        is_refusal = choice.lower() in _REFUSALS
        short = _short(label)
        if short != label:
            card.body.addWidget(Words(f"{place + 1}. {label}"))
            short = f"{place + 1}. {short}"
        button = TextButton(short, "primary" if place == 0 and not is_refusal else "plain")
        button.clicked.connect(
            lambda _=False, choice=choice: _answer(card, AnswerPerson(asked.question_id, choice), hands)
        )
        buttons.append(button)
    if buttons:
        _add_buttons(card, buttons)
    if asked.question_kind == "ask":
        card.body.addLayout(_answer_line(card, asked, hands))


def _short(label: str) -> str:
    """What a button can hold."""
    plain = " ".join(shown(label).split())
    return plain if len(plain) <= _LONGEST_LABEL else f"{plain[: _LONGEST_LABEL - 4]}…"


def _answer_line(card: Card, asked: PersonAsked, hands: Hands) -> QHBoxLayout:
    field = QLineEdit()
    field.setPlaceholderText("Your own words" if asked.choices else "Your answer")
    field.setAccessibleName(f"Your answer to: {asked.text}")
    send = TextButton("Answer", "primary", "send")

    def give() -> None:
        if field.text().strip():
            field.setEnabled(False)
            _answer(card, AnswerPerson(asked.question_id, "", field.text().strip()), hands)

    send.clicked.connect(give)
    field.returnPressed.connect(give)
    line = QHBoxLayout()
    line.addWidget(field, 1)
    line.addWidget(send)
    return line


def _answer(card: Card, command: Command, hands: Hands) -> None:
    """One answer only, however often the button is pressed."""
    for button in card.findChildren(TextButton):
        button.setEnabled(False)
    hands.submit(command)


def _warning_choices(hands: Hands) -> list[TextButton]:
    return [
        TextButton("Take over", "person", "hand", lambda: hands.submit(TakeOver())),
        TextButton("Try another way", "plain", "refresh", lambda: hands.submit(SendMessage(TRY_ANOTHER_WAY))),
        TextButton("Stop", "plain", "stop", lambda: hands.submit(Stop())),
    ]


def _add_buttons(card: Card, buttons: list[TextButton]) -> None:
    card.body.addSpacing(2)
    card.body.addLayout(Flow(*buttons))


def _table(about: tuple[tuple[str, str], ...]) -> QWidget:
    holder = Card(
        "raised", "What would leave: " + "; ".join(f"{name}: {value}" for name, value in about), can_focus=False
    )
    grid = QGridLayout()
    grid.setColumnStretch(1, 1)
    grid.setHorizontalSpacing(18)
    grid.setVerticalSpacing(6)
    for place, (name, value) in enumerate(about):
        label = Words(name, tone="muted")
        label.setMinimumWidth(90)
        grid.addWidget(label, place, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(Words(value), place, 1)
    holder.body.addLayout(grid)
    return holder


def _answer_words(asked: PersonAsked, answer: PersonAnswered) -> str:
    label = dict(asked.choices).get(answer.choice, "" if answer.text else answer.choice)
    return " — ".join(part for part in (label, answer.text) if part)
