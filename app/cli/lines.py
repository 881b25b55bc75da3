"""Events as lines: for people, or as JSON with one event a line."""

import dataclasses
import json
import re
from collections.abc import Iterator

from app.context.files.wording import size_words
from app.context.submissions.wording import sentence_of
from app.domain.events import (
    AssistantSaid,
    BrowserNoticed,
    FileKept,
    Folded,
    HandedBack,
    PersonAnswered,
    PersonAsked,
    QuoteKept,
    RecordedEvent,
    StoredEvent,
    SubmissionKept,
    TakenOver,
    TaskCardKept,
    ToolAnswered,
    TurnEnded,
    TurnRejected,
    UserSaid,
    WarningRaised,
)
from app.domain.passing import ErrorShown, Event, TextWithdrawn
from app.domain.records import TaskCard

_STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def json_line(event: Event) -> str:
    """One event as one line of JSON; `type` names it."""
    if isinstance(event, StoredEvent):
        body = {"type": event.event.kind, "conversation": event.conversation, "seq": event.seq, "at": event.at}
        return _json({**body, **dataclasses.asdict(event.event)})
    return _json({"type": _snake(type(event).__name__), **dataclasses.asdict(event)})


def printable(line: str) -> str:
    """The line without the characters by which a page could steer a terminal."""
    return _STEERING.sub("\N{REPLACEMENT CHARACTER}", line)


def event_lines(event: Event) -> Iterator[str]:
    """What a person reads of any event; nothing for most passing ones."""
    told: Iterator[str] = iter(())
    if isinstance(event, StoredEvent):
        told = _text_lines(event.event)
    elif isinstance(event, ErrorShown | TextWithdrawn):
        told = _text_lines(event)
    for text in told:
        yield from map(printable, text.splitlines() or [""])


def _text_lines(event: RecordedEvent | ErrorShown | TextWithdrawn) -> Iterator[str]:
    """What a person reads of an event; nothing for those that need no line."""
    match event:
        case UserSaid(text):
            yield f"You: {text}"
        case AssistantSaid(text=text) if text and event.calls:
            yield f"Pilotfish: {text}"
        case ToolAnswered() | QuoteKept() | TaskCardKept() | WarningRaised() | Folded() | SubmissionKept():
            yield from _work_lines(event)
        case PersonAsked(text=text, about=about, choices=choices):
            yield f"  ? {text}"
            yield from (f"      {name}: {value}" for name, value in about)
            yield f"      {' / '.join(label for _, label in choices)}"
        case PersonAnswered(choice=choice, text=text):
            yield f"  → {choice}{f': {text}' if text else ''}"
        case BrowserNoticed(text=text):
            yield f"  {text}"
        case TakenOver() | HandedBack():
            yield f"  {event.text if isinstance(event, HandedBack) else 'You took over.'}"
        case FileKept(file=file):
            given = "You gave" if file.by == "person" else "Saved"
            facts = "; ".join(one for one in (file.type.words, size_words(file.size_bytes), file.type.danger) if one)
            yield f"  {given} {file.id}: {file.name} ({facts}), {file.path}"
        case TurnRejected(reason) | TextWithdrawn(reason=reason):
            yield f"  ({reason})"
        case TurnEnded():
            yield from _end_lines(event)
        case ErrorShown(what, lost, next_step):
            yield " ".join(part for part in (what, lost, next_step) if part)


def _work_lines(
    event: ToolAnswered | QuoteKept | TaskCardKept | WarningRaised | Folded | SubmissionKept,
) -> Iterator[str]:
    match event:
        case SubmissionKept(record) if record.state not in ("intended", "held"):
            yield f"  {sentence_of(record, record.ended_at or record.sent_at)}"
        case ToolAnswered():
            yield from _tool_lines(event)
        case QuoteKept(quote):
            yield f"  [{quote.id}] “{quote.text}” — {quote.title}, {quote.url}"
        case TaskCardKept(card):
            yield from _card_lines(card)
        case WarningRaised(warning):
            yield f"  ! {warning.what}."
        case Folded():
            yield f"  ({event.what})"


def _tool_lines(event: ToolAnswered) -> Iterator[str]:
    if event.name in ("keep_quote", "task_card") and not event.is_error:
        return  # the quote and the card themselves have lines
    if event.receipt is None:
        yield f"  · {event.text.splitlines()[0] if event.text else event.name}"
        return
    receipt = event.receipt
    sign = {"confirmed": "✓", "failed": "✗", "contradicted": "✗"}.get(receipt.status, "·")
    now = f" (now “{receipt.value_now}”)" if receipt.value_now is not None else ""
    yield f"  {sign} {f'{receipt.verb} {receipt.target}'.rstrip()}: {receipt.effect}{now}"


def _card_lines(card: TaskCard) -> Iterator[str]:
    yield f"  Task: {card.goal}"
    yield from (f"    ✓ {item}" for item in card.done)
    yield from (f"    ○ {item}" for item in card.open)
    yield from (f"    · {fact.text}{f' [{fact.quote}]' if fact.quote else ''}" for fact in card.facts)


def _end_lines(event: TurnEnded) -> Iterator[str]:
    label = {"done": "Done", "partly": "Partly done", "failed": "Failed", "needs_person": "Waiting for you"}
    yield ""
    yield f"{label[event.end]}: {event.text}" if event.end in label else event.text
    yield from (f"  open: {item}" for item in event.open_items)
    for claim in event.claims:
        stands = "not found in a quote, on the newest page or in your words" if not claim.basis else claim.basis
        yield f"  {claim.verdict}: {claim.text} ({stands})"


def _json(value: object) -> str:
    return json.dumps(value, default=_plain)


def _plain(value: object) -> str:
    if isinstance(value, bytes):
        return f"{len(value)} bytes"
    return str(value)


def _snake(name: str) -> str:
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in name).lstrip("_")
