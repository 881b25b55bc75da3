"""The words in which a submission is told: one line for the model, one sentence for the person's answer."""

import time
from collections.abc import Sequence

from app.context.page.shield import page_words
from app.context.submissions.records import state_at
from app.domain.submissions import Consequence, Submission

_FOR: dict[Consequence, str] = {
    "pay": "payment or order",
    "send": "message or post",
    "delete": "deletion",
    "account": "change of an account",
    "upload": "upload",
    "credentials": "sign-in",
    "other": "change",
}
_VALUE = 60  # characters of a value in a line
_VALUES = 4
MAYBE_MORE = "the browser itself may have sent it more than once"


def what(record: Submission) -> str:
    """What it was, without its state: kind, control, site, the first values."""
    control = f" “{page_words(record.control, 60)}”" if record.control else ""
    by = {"person": " by the person", "page": " by the page itself"}.get(record.actor, "")
    told = ", ".join(f"{page_words(name, 30)}: {page_words(value, _VALUE)}" for name, value in values(record)[:_VALUES])
    return f"{_FOR[record.consequence]}{control} to {page_words(record.origin, 80)}{by}{f' ({told})' if told else ''}"


def values(record: Submission) -> tuple[tuple[str, str], ...]:
    """What a person would know it by: the fields as they stood, else what was really sent."""
    return tuple((name, value) for name, value in record.shown or record.fields if value)


def state_line(record: Submission, now: float) -> str:
    """What is known of it, with when, for whoever reads it."""
    sent = f"sent at {clock(record.sent_at)}" if record.sent_at else ""
    sent_so = ", ".join(filter(None, [sent or "sent", f"the site answered {record.status}" if record.status else ""]))
    match state_at(record, now):
        case "intended":
            return "allowed; nothing of it has left so far"
        case "held":
            return "held back until the person answers"
        case "denied":
            return f"not allowed; nothing was sent{because(record)}"
        case "not_sent":
            return f"not sent{because(record)}"
        case "sent":
            return f"{sent}; no answer yet"
        case "answered":
            return f"{sent_so}; {page_words(record.note, 160) or 'nothing on the page says so yet'}"
        case "settled":
            proof = f"; proof: “{page_words(record.proof.words, 120)}”" if record.proof else ""
            place = f" [{record.proof.quote or record.proof.observation}]" if record.proof else ""
            return f"{sent_so}{proof}{place}"
        case "refused":
            return f"{sent}, the site refused it{because(record)}"
    return f"{sent or 'it may have been sent'}; it is NOT KNOWN whether it happened{because(record)}"


def line_of(record: Submission, now: float) -> str:
    """The one line that the model keeps of it, with what is allowed next."""
    way_on = _NEXT.get(state_at(record, now), "").replace("{id}", record.id)
    return f"Submission {record.id}, {what(record)}: {state_line(record, now)}. {way_on}".rstrip()


def sentence_of(record: Submission, now: float) -> str:
    """What the person reads of it under an answer."""
    return f"[{record.id}] {what(record)}: {state_line(record, now)}."


def clock(at: float) -> str:
    """The time of day, as on the person's wall."""
    return time.strftime("%H:%M:%S", time.localtime(at))


def unsaid(records: Sequence[Submission], answer: str) -> list[Submission]:
    """The submissions that an answer does not name, and those whose outcome it cannot be trusted with."""
    return [one for one in records if f"[{one.id}]" not in answer or one.state not in ("settled", "answered")]


def because(record: Submission) -> str:
    """The reason of its state; empty when none is known."""
    return f": {page_words(record.note, 160)}" if record.note else ""


CHECK_FIRST = (
    "Nothing like it is sent before that was checked: look, without sending anything, whether it is there (orders, "
    "outbox, list), and keep_quote the line that proves it with proves set to its id. If it is not there, tell the "
    "person: only they can allow another try."
)
DONE_ALREADY = (
    "Do not send it again: read the result. Only if the person wants it twice, try once more; they are asked."
)
_NEXT = {
    "sent": "Wait for it; do not send it again.",
    "answered": "Do not send it again; look for what proves it.",
    "settled": "Do not send it again. Name it in your answer as [{id}].",
    "unknown": CHECK_FIRST,
}
