"""The done gate: a turn is called done only when the model answered and the records agree."""

import asyncio
import re
from collections.abc import Sequence

from app.agent.knowing import this_turn, what_is_known
from app.agent.transcript import Transcript
from app.context.evidence.card import newest_card
from app.context.evidence.claims import Known, unsupported
from app.context.submissions.records import records_of
from app.context.submissions.wording import sentence_of, unsaid, what
from app.domain.events import (
    PersonAnswered,
    PersonAsked,
    QuoteKept,
    StoredEvent,
    SubmissionKept,
    ToolAnswered,
    TurnEnded,
)
from app.domain.ids import QuoteId, ToolCallId
from app.domain.submissions import Submission

_CITATION = re.compile(r"\[(q\d+)\]")


async def end_of(transcript: Transcript, answer: str) -> TurnEnded:
    """The end of a turn whose model made no more calls. Raises StoreError."""
    events = tuple(transcript.events)
    return await asyncio.to_thread(done_gate, events, answer, await what_is_known(events, transcript.record))


def done_gate(events: Sequence[StoredEvent], answer: str, known: Known) -> TurnEnded:
    """Done, or partly done with what is open; with the claims of the answer that nothing bears out."""
    turn = this_turn(events)
    card = newest_card(turn)
    submitted = _submitted(events, turn)
    open_items = (*_unsure(turn), *_unsettled(submitted), *_uncited(events, answer), *(card.open if card else ()))
    text = answer + _left_out(submitted, answer, events[-1].at if events else 0.0)
    return TurnEnded("partly" if open_items else "done", text, open_items, unsupported(answer, known))


def _submitted(events: Sequence[StoredEvent], turn: Sequence[StoredEvent]) -> list[Submission]:
    """What this turn submitted, and whatever nobody knows the outcome of."""
    now = {one.event.submission.id for one in turn if isinstance(one.event, SubmissionKept)}
    return [one for one in records_of(events) if one.id in now or one.state == "unknown"]


def _unsettled(submitted: Sequence[Submission]) -> list[str]:
    """A submission without a known outcome is open, and so is the newest one when the site refused it."""
    found = [f"It is not known whether {one.id} happened: {what(one)}." for one in submitted if one.state == "unknown"]
    found += [f"There is no answer yet to {one.id}: {what(one)}." for one in submitted if one.state == "sent"]
    if submitted and submitted[-1].state == "refused":
        found.append(f"The site refused {submitted[-1].id}: {what(submitted[-1])}.")
    return found


def _left_out(submitted: Sequence[Submission], answer: str, now: float) -> str:
    """What the answer does not say of the submissions, said by the program."""
    lines = [f"- {sentence_of(one, now)}" for one in unsaid(submitted, answer)]
    return "\n".join(["\n\nSubmissions, as the program recorded them:", *lines]) if lines else ""


def _unsure(events: Sequence[StoredEvent]) -> list[str]:
    """Acts whose outcome nobody knows, and the newest act when it failed; what the person declined is no failure."""
    answers = [one.event for one in events if isinstance(one.event, ToolAnswered)]
    found = [
        f"It is not known whether this happened: {one.receipt.verb} {one.receipt.target}."
        for one in answers
        if one.receipt is not None and one.receipt.status == "uncertain"
    ]
    receipts = [one.receipt for one in answers if one.receipt is not None]
    if receipts and receipts[-1].status == "failed" and receipts[-1].tool_call_id not in _declined(events):
        found.append(f"The last act failed: {receipts[-1].verb} {receipts[-1].target}.")
    return found


def _declined(events: Sequence[StoredEvent]) -> set[ToolCallId | None]:
    """The calls whose consequence the person did not allow."""
    answers = [one.event for one in events if isinstance(one.event, PersonAnswered)]
    refused = {one.question_id for one in answers if one.choice == "no"}
    asked = [one.event for one in events if isinstance(one.event, PersonAsked)]
    return {one.call for one in asked if one.question_kind == "consent" and one.question_id in refused}


def _uncited(events: Sequence[StoredEvent], answer: str) -> list[str]:
    kept = {one.event.quote.id for one in events if isinstance(one.event, QuoteKept)}
    cited = dict.fromkeys(QuoteId(name) for name in _CITATION.findall(answer))
    return [f"The answer cites [{name}], which was never kept." for name in cited if name not in kept]
