"""Gathers what an answer may rest on: live pages, what tools said, kept quotes and the words of the person."""

import datetime as dt
from collections.abc import Iterator, Sequence

from app.agent.ports import Record
from app.context.evidence.claims import Known
from app.context.evidence.quotes import kept_quotes
from app.context.request.person import words_of_person
from app.context.request.view import RECORDS, live_ids, observations, out_of_view
from app.domain.events import StoredEvent, ToolAnswered, TurnEnded, UserSaid
from app.domain.observation import Observation

_OWN_WORDS = frozenset({"keep_quote", "task_card", "recall"})
"""Their answers say again what the model itself wrote; what recall brings back is an observation."""


async def what_is_known(events: Sequence[StoredEvent], record: Record) -> Known:
    """For the answer that ends a turn, from the record alone. Raises StoreError."""
    pages = list(_in_view(events))
    readings = dict.fromkeys(page.reading for page in pages if page.shown_as not in RECORDS)
    read = [(await record.blob(name)).decode() for name in readings]
    read += [f"{page.title}\n{page.url}" for page in pages]
    read += [page.shown for page in pages if page.shown_as in RECORDS]
    quoted = [f"{quote.text}\n{quote.title}\n{quote.url}" for quote in kept_quotes(events)]
    at = events[-1].at if events else 0.0
    today = dt.datetime.fromtimestamp(at, tz=dt.UTC).astimezone().date()
    return Known((*read, *_told(events)), tuple(quoted), tuple(words_of_person(events)), today)


def this_turn(events: Sequence[StoredEvent]) -> Sequence[StoredEvent]:
    """Since the message that began the task; one that came while the agent worked began none."""
    began, between = 0, True
    for place, one in enumerate(events):
        if isinstance(one.event, UserSaid) and between:
            began = place
        if isinstance(one.event, UserSaid | TurnEnded):
            between = isinstance(one.event, TurnEnded)
    return events[began:]


def _in_view(events: Sequence[StoredEvent]) -> Iterator[Observation]:
    """Live pages, and those that were recalled or read of a file and are in view still."""
    seen = list(observations(events))
    live, out = live_ids(seen), out_of_view(events)
    for item in seen:
        recalled = item.observation.shown_as in RECORDS and not out.has_page(item)
        if recalled or item.observation.id in live:
            yield item.observation


def _told(events: Sequence[StoredEvent]) -> Iterator[str]:
    """What tools said in this turn; a refusal says again what it was given."""
    for stored in this_turn(events):
        event = stored.event
        if isinstance(event, ToolAnswered) and not event.is_error and event.name not in _OWN_WORDS:
            yield event.text
