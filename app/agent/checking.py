"""Settles a submission of which nobody knew whether it happened, by a quote of the site itself."""

from collections.abc import Sequence

from app.agent.acting import Acting
from app.agent.proving import proven
from app.context.evidence.quotes import kept_quotes, quote_of
from app.context.request.view import observations
from app.domain.events import StoredEvent, SubmissionKept
from app.domain.ids import SubmissionId
from app.domain.records import Quote
from app.domain.submissions import Proof, Submission
from app.guard.classes import is_same_site
from app.guard.ledger import may_become


async def prove(acting: Acting, name: str, text: str) -> str:
    """What becomes of the submission by the quote that was just kept, in words for the model."""
    record = next((one for one in acting.submitting.book.records if one.id == SubmissionId(name)), None)
    if record is None:
        return f"There is no submission {name}."
    events = acting.transcript.events
    quote = quote_of(text, kept_quotes(events))
    if quote is None or not may_become(record, "settled"):
        return f"{record.id} stays as it is."
    wrong = _what_is_wrong(record, quote, events)
    if wrong:
        return f"It proves nothing of {record.id}: {wrong}."
    await acting.submitting.book.keep(proven(record, Proof(quote.text, quote.observation, quote.id)))
    return " ".join(acting.submitting.book.news().records)


def _what_is_wrong(record: Submission, quote: Quote, events: Sequence[StoredEvent]) -> str:
    if not is_same_site(record.url or record.origin, quote.url):
        return "it is of another site"
    began = next(
        one.seq for one in events if isinstance(one.event, SubmissionKept) and one.event.submission.id == record.id
    )
    read = next((one.seq for one in observations(events) if one.observation.id == quote.observation), 0)
    return "that page was read before it was sent" if read < began else ""
