"""Cards of what was said and kept: messages, answers, withdrawn turns, quotes, markers, ends of turns."""

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.domain.commands import Command, PinQuote, Resume, SendMessage
from app.domain.ids import QuoteId, SubmissionId
from app.domain.records import Quote
from app.domain.submissions import Submission
from app.ui.card import Card, Hands, clock, date, time_words
from app.ui.claim_marks import UNVERIFIED, claims_note
from app.ui.elements import IconButton, IconMark, Line, Pill, TextButton, Words, column
from app.ui.flow import Flow
from app.ui.markdown import Citation
from app.ui.rows import AnswerRow, DayRow, EndRow, MarkerRow, QuoteRow, UserRow, WithdrawnRow
from app.ui.safe_text import host_of, plain_tip, shown
from app.ui.submission_words import clock_of, title_of
from app.ui.text_view import TextView

_ENDS = {
    "done": ("Done", "check", "success"),
    "partly": ("Partly done", "warning", "warning"),
    "stopped": ("Stopped", "stop", "muted"),
    "failed": ("This did not work", "cross", "danger"),
    "limit": ("A limit was reached", "pause", "warning"),
    "needs_person": ("You are needed", "person", "person"),
}
_CAN_GO_ON = ("partly", "stopped", "failed", "limit")
WHAT_IS_OPEN = "Go on with what is still open."
_TIP_WORDS = 160
_PIN_TIP = "a pinned quote always stays in the model’s view"
_SOFT_TONES = ("success", "warning", "danger", "person")


class UserCard(QWidget):
    """The person's message, at the right, as wide as its words."""

    def __init__(self, row: UserRow) -> None:
        super().__init__()
        self._view = TextView()
        self._view.show_plain(row.text)
        self._view.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.bubble = Card("user", f"You, {clock(row.at)}: {shown(row.text)}")
        self.bubble.body.setContentsMargins(16, 10, 16, 10)
        self.bubble.body.addWidget(self._view)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 8, 0, 8)
        line.addStretch(1)
        line.addWidget(self.bubble)

    def resizeEvent(self, event: QResizeEvent) -> None:
        room = max(120, round(event.size().width() * 0.82))
        self.bubble.setFixedWidth(min(room, self._view.natural_width() + 34))
        super().resizeEvent(event)


def answer_card(row: AnswerRow, hands: Hands) -> Card:
    card = Card("answer", f"Answer: {shown(row.text)}", can_focus=False)
    card.body.setContentsMargins(2, 4, 2, 4)
    view = TextView()
    quotes = {str(name): _citation(name, quote) for name, quote in row.cited}
    view.show_markdown(row.text, quotes | {name: _naming(name, one) for name, one in row.named}, row.claims)
    view.setAccessibleName(f"Answer, {clock(row.at)}")
    view.link_wanted.connect(hands.open_link)
    view.quote_wanted.connect(lambda name: hands.show_quote(QuoteId(name)))
    view.submission_wanted.connect(lambda name: hands.show_submission(SubmissionId(name)))
    view.keyboard_here.connect(card.show_ring)
    card.body.addWidget(view)
    if note := claims_note(row.claims):
        view.setAccessibleDescription(note)
        card.body.addLayout(_claims_line(row, note))
    return card


def withdrawn_card(row: WithdrawnRow) -> Card:
    card = Card("plain", f"An answer was withdrawn. {row.reason}")
    card.head(IconMark("cross", "danger"), Words(f"Withdrawn: {row.reason}", tone="danger"), time_words(row.at))
    if row.text.strip():
        view = TextView()
        view.show_plain(row.text)
        view.strike()
        card.body.addWidget(view)
    return card


def quote_card(row: QuoteRow, hands: Hands) -> Card:
    quote = row.quote
    taken = f"{date(quote.taken_at)}, {clock(quote.taken_at)}"
    full = f"address: {quote.url}\nkept: {taken}, by {quote.by}\nSHA-256: {quote.digest}"
    card = Card("quote", f"Quote {quote.id} from {quote.title or host_of(quote.url)}: {shown(quote.text)}", full=full)
    view = TextView()
    view.show_plain(f"“{quote.text}”")
    view.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
    card.head(IconMark("quote", "quote"), view, Pill(str(quote.id), "muted"), _pin_button(row, hands))
    if quote.why:
        card.body.addWidget(Words(quote.why, tone="muted", scale=0.95))
    source = TextButton(f"{_short(quote.title) or host_of(quote.url)} · {host_of(quote.url)}", "link", "globe")
    source.setToolTip(plain_tip(quote.url))
    source.clicked.connect(lambda: hands.open_link(quote.url))
    when = Words(taken, tone="muted", scale=0.9)
    when.setWordWrap(False)
    card.body.addLayout(Flow(source, when))
    return card


def marker_card(row: MarkerRow) -> Card:
    card = Card("quiet" if row.tone == "muted" else row.tone, f"{row.text} {row.detail}".strip(), full=row.full)
    card.body.setContentsMargins(12, 2 if row.tone == "muted" else 8, 12, 2 if row.tone == "muted" else 8)
    colour = "muted_text" if row.tone == "muted" else row.tone
    words = QWidget()
    lines = column(spacing=2)
    words.setLayout(lines)
    lines.addWidget(Words(row.text, tone=row.tone))
    if row.detail:
        lines.addWidget(Words(row.detail, tone="muted", scale=0.95))
    card.head(IconMark(row.icon, colour), words, time_words(row.at))
    return card


def end_card(row: EndRow, hands: Hands) -> Card:
    title, icon, tone = _ENDS[row.end]
    if row.text.startswith(title):
        title, row = row.text, replace(row, text="")
    card = Card(tone if tone in _SOFT_TONES and row.end != "done" else "quiet", f"{title}. {row.text}")
    colour = "muted_text" if tone == "muted" else tone
    card.head(IconMark(icon, colour), Words(title, tone=tone, bold=True), time_words(row.at))
    if row.text and row.end != "done":
        card.body.addWidget(Words(row.text))
    for item in row.open_items:
        card.body.addWidget(Words(f"•  Open: {item}"))
    if row.is_last and row.end in _CAN_GO_ON:
        line = QHBoxLayout()
        command: Command = SendMessage(WHAT_IS_OPEN) if row.end == "partly" else Resume()
        line.addWidget(TextButton("Go on", "plain", "play", lambda: hands.submit(command)))
        line.addStretch(1)
        card.body.addLayout(line)
    return card


class DayCard(QWidget):
    """A new day begins here."""

    def __init__(self, row: DayRow) -> None:
        super().__init__()
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 8, 0, 4)
        words = Words(date(row.at), tone="muted", scale=0.88)
        words.setWordWrap(False)
        line.addWidget(Line(), 1)
        line.addWidget(words)
        line.addWidget(Line(), 1)


def _claims_line(row: AnswerRow, note: str) -> QHBoxLayout:
    is_wrong = any(claim.verdict == "unverified" for claim in row.claims)
    words = Words(note, tone="muted", scale=0.9)
    words.setToolTip(plain_tip(UNVERIFIED) if is_wrong else "")
    line = QHBoxLayout()
    line.setSpacing(8)
    line.addWidget(IconMark("warning", "warning") if is_wrong else IconMark("check"), 0, Qt.AlignmentFlag.AlignTop)
    line.addWidget(words, 1)
    return line


def _pin_button(row: QuoteRow, hands: Hands) -> IconButton:
    name = row.quote.id
    label = f"Let quote {name} go" if row.is_pinned else f"Pin quote {name}"
    button = IconButton("pin", label, hint=_PIN_TIP, colour="quote" if row.is_pinned else "muted_text", size=16)
    button.setProperty("look", "small")
    button.setCheckable(True)
    button.setChecked(row.is_pinned)
    button.clicked.connect(lambda: hands.submit(PinQuote(name, not row.is_pinned)))
    return button


def _citation(name: QuoteId, quote: Quote | None) -> Citation:
    if quote is None:
        return Citation(f"No quote {name} was kept in this conversation, so nothing shows that this is true.", False)
    taken = f"{date(quote.taken_at)}, {clock(quote.taken_at)}"
    words = quote.text if len(quote.text) <= _TIP_WORDS else f"{quote.text[:_TIP_WORDS]}…"
    return Citation(f"“{words}”\n{_short(quote.title)} · {host_of(quote.url)}\n{taken}", True)


def _naming(name: SubmissionId, record: Submission | None) -> Citation:
    if record is None:
        return Citation(f"No submission {name} is on record in this conversation.", False)
    where = f"{title_of(record)}\n{host_of(record.origin)} · {clock_of(record)}"
    return Citation(f"{where}\nOpens what is known of it.", True)


def _short(text: str) -> str:
    plain = shown(text)
    return plain if len(plain) <= 40 else f"{plain[:40]}…"
