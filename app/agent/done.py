"""The done gate: a turn is called done only when the model answered and the records agree."""

import re
from collections.abc import Sequence

from app.domain.events import QuoteKept, StoredEvent, ToolAnswered, TurnEnded, UserSaid
from app.domain.ids import QuoteId

_CITATION = re.compile(r"\[(q\d+)\]")


def done_gate(events: Sequence[StoredEvent], answer: str) -> TurnEnded:
    """The end of a turn whose model made no more calls: done, or partly done with what is open."""
    open_items = (*_unsure(_this_turn(events)), *_uncited(events, answer))
    if open_items:
        return TurnEnded("partly", answer, open_items)
    return TurnEnded("done", answer)


def _this_turn(events: Sequence[StoredEvent]) -> list[StoredEvent]:
    """Since the message that began the task; one that came while the agent worked began none."""
    began, between = 0, True
    for place, one in enumerate(events):
        if isinstance(one.event, UserSaid) and between:
            began = place
        if isinstance(one.event, UserSaid | TurnEnded):
            between = isinstance(one.event, TurnEnded)
    return list(events[began:])


def _unsure(events: Sequence[StoredEvent]) -> list[str]:
    """Acts whose outcome nobody knows, and the newest act when it failed."""
    answers = [one.event for one in events if isinstance(one.event, ToolAnswered)]
    found = [
        f"It is not known whether this happened: {one.receipt.verb} {one.receipt.target}."
        for one in answers
        if one.receipt is not None and one.receipt.status == "uncertain"
    ]
    acts = [one for one in answers if one.receipt is not None]
    if acts and acts[-1].receipt is not None and acts[-1].receipt.status == "failed":
        found.append(f"The last act failed: {acts[-1].receipt.verb} {acts[-1].receipt.target}.")
    return found


def _uncited(events: Sequence[StoredEvent], answer: str) -> list[str]:
    kept = {one.event.quote.id for one in events if isinstance(one.event, QuoteKept)}
    cited = dict.fromkeys(QuoteId(name) for name in _CITATION.findall(answer))
    return [f"The answer cites [{name}], which was never kept." for name in cited if name not in kept]
