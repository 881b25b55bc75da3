"""Cards that wait for the person: questions with exactly what would leave, and progress warnings with choices."""

from PySide6.QtWidgets import QHBoxLayout, QLineEdit

from app.domain.commands import AnswerPerson, Command, Resume, SendMessage, Stop, TakeOver
from app.domain.events import PersonAnswered, PersonAsked
from app.ui.arming import Arming
from app.ui.card import Card, Hands, time_words
from app.ui.elements import IconMark, TextButton, Words
from app.ui.flow import Flow
from app.ui.leaving_table import leaving_table
from app.ui.rows import QuestionRow, WarningRow
from app.ui.safe_text import shown
from app.ui.state_words import sentence

TRY_ANOTHER_WAY = "Try another way."
_LONGEST_LABEL = 36
_LONGEST_HEADLINE = 200
WAITS = "It waits for you. Go on, and the agent asks again; or write what you want below."
_HEADS = {
    "ask": ("The agent asks", "person"),
    "consent": ("This happens only if you allow it", "lock"),
    "progress": ("The agent is stuck", "warning"),
    "limit": ("A limit was reached", "pause"),
    "takeover": ("The agent asks you to take over", "hand"),
}
_REFUSALS = ("no", "deny", "stop", "cancel", "refuse")
YES = "yes"


def question_card(row: QuestionRow, hands: Hands) -> Card:
    asked = row.asked
    head, icon = _HEADS[asked.question_kind]
    card = Card("plain" if row.state == "over" else "question", f"{head}: {asked.text}")
    card.body.setContentsMargins(16, 12, 16, 14)
    card.head(IconMark(icon, "accent"), Words(head, tone="muted"), time_words(row.at))
    is_short = len(asked.text) <= _LONGEST_HEADLINE
    card.body.addWidget(Words(asked.text, scale=1.08 if is_short else 1.0, bold=is_short))
    if asked.about:
        card.body.addWidget(leaving_table(asked.about, row.earlier))
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
    """The choices as buttons, long ones in words above; a plain question takes words of the person's own as well.

    Nothing can be pressed before it could be read, and where something would leave, yes is never the first.
    """
    choices = (
        sorted(asked.choices, key=lambda one: one[0] == YES) if asked.question_kind == "consent" else asked.choices
    )
    buttons = []
    for place, (choice, label) in enumerate(choices):
        short = _short(label)
        if short != label:
            card.body.addWidget(Words(f"{place + 1}. {label}"))
            short = f"{place + 1}. {short}"
        buttons.append(TextButton(short, "primary" if _is_offered_first(asked, place, choice) else "plain"))
    arming = Arming(card, buttons)
    for button, (choice, _) in zip(buttons, choices, strict=True):
        command = AnswerPerson(asked.question_id, choice)
        button.clicked.connect(lambda _=False, command=command: _answer(card, arming, command, hands))
    if buttons:
        _add_buttons(card, buttons)
    if asked.question_kind == "ask":
        card.body.addLayout(_answer_line(card, arming, asked, hands))


def _is_offered_first(asked: PersonAsked, place: int, choice: str) -> bool:
    return place == 0 and (asked.question_kind == "consent" or choice.lower() not in _REFUSALS)


def _short(label: str) -> str:
    """What a button can hold."""
    plain = " ".join(shown(label).split())
    return plain if len(plain) <= _LONGEST_LABEL else f"{plain[: _LONGEST_LABEL - 4]}…"


def _answer_line(card: Card, arming: Arming, asked: PersonAsked, hands: Hands) -> QHBoxLayout:
    field = QLineEdit()
    field.setPlaceholderText("Your own words" if asked.choices else "Your answer")
    field.setAccessibleName(f"Your answer to: {asked.text}")
    send = TextButton("Answer", "primary", "send")

    def give() -> None:
        if field.text().strip():
            field.setEnabled(False)
            send.setEnabled(False)
            _answer(card, arming, AnswerPerson(asked.question_id, "", field.text().strip()), hands)

    send.clicked.connect(give)
    field.returnPressed.connect(give)
    line = QHBoxLayout()
    line.addWidget(field, 1)
    line.addWidget(send)
    return line


def _answer(card: Card, arming: Arming, command: Command, hands: Hands) -> None:
    """One answer only, however often the button is pressed."""
    arming.spend()
    for field in card.findChildren(QLineEdit):
        field.setEnabled(False)
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


def _answer_words(asked: PersonAsked, answer: PersonAnswered) -> str:
    label = dict(asked.choices).get(answer.choice, "" if answer.text else answer.choice)
    return " — ".join(part for part in (label, answer.text) if part)
