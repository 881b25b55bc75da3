"""A conversation as a person reads it afterwards: who said what, what was done and sent, and on what it rests."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from app.cli.lines import event_lines
from app.domain.events import AssistantSaid, QuoteKept, StoredEvent, SubmissionKept, ToolAnswered, UserSaid
from app.domain.ids import BlobHash
from app.domain.records import Quote, Receipt
from app.domain.submissions import Submission

Kind = Literal["person", "agent", "act", "quote", "submission", "note"]
_SILENT = ("keep_quote", "task_card")  # what they kept tells itself
_STATES = {
    "intended": "intended, not sent yet",
    "held": "held, not sent yet",
    "denied": "not allowed, not sent",
    "not_sent": "not sent",
    "sent": "sent; no answer yet",
    "answered": "sent and answered; nothing on a page bears it out",
    "settled": "done",
    "refused": "refused by the site",
    "unknown": "UNKNOWN: it may have happened, even more than once",
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that happened. `page` is what the model read of the page; `source` is the address of a quotation."""

    kind: Kind
    at: float
    title: str
    text: str = ""
    facts: tuple[tuple[str, str], ...] = ()
    source: str = ""
    page: str = ""
    picture: BlobHash | None = None
    picture_mime: str = ""


def story(events: Iterable[StoredEvent]) -> Iterator[Entry]:
    """The entries in their order; a submission stands where it was last heard of."""
    held = tuple(events)
    newest = {one.event.submission.id: one.seq for one in held if isinstance(one.event, SubmissionKept)}
    for stored in held:
        match stored.event:
            case UserSaid(text):
                yield Entry("person", stored.at, "You", text)
            case AssistantSaid(text=text) if text.strip() and stored.event.calls:
                yield Entry("agent", stored.at, "Pilotfish", text)
            case AssistantSaid():
                pass  # the end of the turn says it
            case ToolAnswered() as answer:
                yield from _act(stored.at, answer)
            case QuoteKept(quote):
                yield _quotation(stored.at, quote)
            case SubmissionKept(submission):
                if newest[submission.id] == stored.seq:
                    yield _submission(stored.at, submission)
            case _:
                yield from _note(stored)


def _act(at: float, answer: ToolAnswered) -> Iterator[Entry]:
    if answer.name in _SILENT and not answer.is_error:
        return
    seen = answer.observation
    page = seen.shown if seen is not None else ""
    receipt = answer.receipt
    title = f"{receipt.verb} {receipt.target}".rstrip() if receipt else answer.name
    text = receipt.effect if receipt else next(iter(answer.text.splitlines()), "")
    where = (("page", f"{seen.title} — {seen.url}"),) if seen is not None else ()
    facts = (*(_receipt_facts(receipt) if receipt else ()), *where)
    yield Entry("act", at, title, text, facts, page=page, picture=answer.picture, picture_mime=answer.picture_mime)


def _receipt_facts(receipt: Receipt) -> tuple[tuple[str, str], ...]:
    now = (("value now", receipt.value_now),) if receipt.value_now is not None else ()
    sent = (("sent", f"{one.method} {one.url} — {one.status or one.failure or 'no answer'}") for one in receipt.writes)
    saved = (("downloaded", one.suggested_name) for one in receipt.downloads)
    return (
        ("receipt", receipt.status.replace("_", " ")),
        *now,
        *sent,
        *saved,
        *(("said", one) for one in receipt.dialogs),
    )


def _quotation(at: float, quote: Quote) -> Entry:
    facts = (("kept for", quote.why), ("page", quote.title), ("seen in", quote.observation))
    return Entry("quote", at, f"Evidence {quote.id}", quote.text, facts, source=quote.url)


def _submission(at: float, one: Submission) -> Entry:
    proof = (("seen", one.proof.words),) if one.proof is not None else ()
    answer = (("answer", str(one.status)),) if one.status is not None else ()
    note = (("note", one.note),) if one.note else ()
    what = (
        ("to", one.origin),
        ("with", one.control),
        *(one.fields or one.shown),
        *(("file", name) for name in one.files),
    )
    facts = tuple((name, value) for name, value in (*what, *answer, *proof, *note) if value)
    return Entry("submission", at, f"Submission {one.id}", _STATES[one.state], facts)


def _note(stored: StoredEvent) -> Iterator[Entry]:
    lines = [line for line in event_lines(stored) if line.strip()]
    if lines:
        kind: Kind = "agent" if stored.event.kind == "turn_ended" else "note"
        yield Entry(kind, stored.at, "Pilotfish" if kind == "agent" else "", "\n".join(lines))
