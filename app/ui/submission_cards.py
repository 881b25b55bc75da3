"""The card of one submission, with its proof and, while nobody knows whether it happened, the ways on."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from app.domain.commands import AllowAgain, SendMessage, Stop
from app.domain.submissions import Proof, Submission
from app.ui.arming import Arming
from app.ui.card import Card, Hands
from app.ui.elements import IconMark, Pill, TextButton, Words, column
from app.ui.flow import Flow
from app.ui.submission_words import (
    check_message,
    clock_of,
    facts_of,
    in_full,
    is_unknown,
    note_of,
    spoken,
    title_of,
    values_of,
    words_of,
)

CHECK, ALLOW, STOP = "Check first", "It did not happen: allow one", "Stop here"
ANSWER_BELOW = "The question in the chat is about this: answer it there."
_SOFT = ("success", "danger", "warning", "agent", "accent")
_LONGEST_PROOF = 160


def submission_card(record: Submission, hands: Hands, now: float, *, offers_ways: bool) -> Card:
    """`offers_ways` while no open question offers them already."""
    words, unknown = words_of(record, now), is_unknown(record, now)
    card = Card("warning" if unknown else "plain", spoken(record, now), full=in_full(record, now))
    soft = words.tone if words.tone in _SOFT else ""
    when = Words(clock_of(record), tone="muted", scale=0.88)
    when.setWordWrap(False)
    state = Words(words.text, tone="warning", bold=True) if unknown else _left(Pill(words.text, words.tone))
    below: list[QWidget] = [state, Words(facts_of(record, now), tone="muted", scale=0.95)]
    if held := values_of(record):
        below.append(Words(held, scale=0.95))
    if note := note_of(record, now):
        below.append(Words(note, tone="" if unknown else "muted", scale=0.95))
    mark = IconMark(words.icon, words.tone if soft else "muted_text", "" if unknown or not soft else f"{soft}_soft", 16)
    card.head(mark, Words(f"{record.id}  {title_of(record)}", bold=True), when, below=below)
    if record.proof is not None:
        card.body.addLayout(_proof_lines(record.proof, hands))
    if unknown:
        _add_ways(card, record, hands, offers_ways=offers_ways)
    return card


def _left(pill: Pill) -> QWidget:
    holder = QWidget()
    line = QHBoxLayout(holder)
    line.setContentsMargins(0, 0, 0, 0)
    line.addWidget(pill)
    line.addStretch(1)
    return holder


def _proof_lines(proof: Proof, hands: Hands) -> QVBoxLayout:
    """The words of the page, and the way to where they stand."""
    words = proof.words if len(proof.words) <= _LONGEST_PROOF else f"{proof.words[:_LONGEST_PROOF]}…"
    lines = column(spacing=0)
    lines.setContentsMargins(38, 0, 0, 0)
    lines.addWidget(Words(f"“{words}”", tone="quote", scale=0.95))
    quote, seen = proof.quote, proof.observation
    if quote is not None:
        lines.addLayout(Flow(TextButton(f"Go to quote {quote}", "link", "quote", lambda: hands.show_quote(quote))))
    elif seen is not None:
        lines.addLayout(Flow(TextButton("Go to the page", "link", "globe", lambda: hands.show_observation(seen))))
    return lines


def _add_ways(card: Card, record: Submission, hands: Hands, *, offers_ways: bool) -> None:
    if not offers_ways:
        card.body.addWidget(Words(ANSWER_BELOW, tone="muted", scale=0.95))
        return
    check = TextButton(CHECK, "primary", "search", lambda: hands.submit(SendMessage(check_message(record))))
    allow = TextButton(ALLOW, "plain", "", lambda: hands.submit(AllowAgain(record.id)))
    stop = TextButton(STOP, "plain", "stop", lambda: hands.submit(Stop()))
    buttons = [check, allow, stop]
    arming = Arming(card, buttons)
    for button in buttons:
        button.setAccessibleName(f"{button.text()} ({record.id})")
        button.clicked.connect(arming.rest)
    card.body.addLayout(Flow(*buttons))
    card.setCursor(Qt.CursorShape.ArrowCursor)
