"""What the record says of each submission, and whether that is true of what the server did."""

import re
from collections import Counter
from collections.abc import Sequence

from app.domain.submissions import Submission, SubmissionState
from tests.bench.ledger.books import Books

OPEN: frozenset[SubmissionState] = frozenset({"intended", "held"})
_CLAIMS_NOTHING_LEFT = re.compile(r"nothing (?:of it )?was sent|not sent|nothing left", re.IGNORECASE)


def lies(records: Sequence[Submission], books: Books) -> list[str]:
    """What the record says that the server knows to be otherwise; unknown is never a lie."""
    states = Counter(one.state for one in records)
    done, arrived = books.done(), books.arrived()
    found = [f"untrue: {one.id} is still {one.state}" for one in records if one.state in OPEN]
    if not records and arrived:
        found.append(f"untrue: {arrived} arrived and nothing is on record")
    if states["settled"] > done:
        found.append(f"untrue: {states['settled']} settled, {done} done")
    most = states["settled"] + states["answered"] + states["sent"]
    if done > most and not states["unknown"]:
        found.append(f"untrue: {done} done, and the record is sure of {dict(states)}")
    if arrived and records and set(states) <= {"denied", "not_sent"}:
        found.append(f"untrue: {arrived} arrived, and the record says {dict(states)}")
    return found


def false_words(text: str, books: Books) -> list[str]:
    """Words of the first act's result that the server knows to be untrue."""
    first = text.partition("\n")[0]
    if books.arrived() and _CLAIMS_NOTHING_LEFT.search(first):
        return [f"untrue: it arrived, and the result says: {first[:200]}"]
    return []
