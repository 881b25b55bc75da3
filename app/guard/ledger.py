"""The ledger of submissions, as pure rules: what a record may become, and what anything like it gets afterwards."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal
from urllib.parse import urlsplit

from app.context.submissions.records import state_at
from app.context.submissions.wording import CHECK_FIRST, DONE_ALREADY, MAYBE_MORE, because, state_line, what
from app.domain.submissions import CameBack, Consequence, Fields, Leaving, Submission, SubmissionState
from app.guard.likeness import Likeness, likeness

_MAY_BECOME: dict[SubmissionState, frozenset[SubmissionState]] = {
    "intended": frozenset({"sent", "denied", "not_sent", "unknown"}),
    "held": frozenset({"sent", "denied", "not_sent", "unknown"}),
    "denied": frozenset(),
    "not_sent": frozenset(),
    "sent": frozenset({"sent", "answered", "refused", "unknown", "not_sent"}),
    "answered": frozenset({"answered", "settled", "refused", "unknown"}),
    "settled": frozenset({"settled"}),
    "refused": frozenset({"settled", "unknown"}),
    "unknown": frozenset({"unknown", "answered", "settled", "refused", "not_sent"}),
}
UNSURE: frozenset[SubmissionState] = frozenset({"intended", "held", "sent"})
"""States that nobody can vouch for once the browser or the program is gone."""

_FAILURES = {
    "Failed": "the connection broke",
    "Aborted": "it was broken off",
    "TimedOut": "the site took too long",
    "ConnectionReset": "the connection broke",
    "ConnectionClosed": "the connection broke",
    "ConnectionAborted": "the connection broke",
    "ConnectionFailed": "the connection broke",
}

Answer = Literal["free", "wait", "done", "check", "ask"]
"""Done again: freely, not before it is answered, not at all, not before it was checked; or as a person says."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Something that would be sent: pressed, as a person sees it, or a request as it would leave.

    `sends` is what the form that is pressed would send; it has none when a script does that.
    """

    consequence: Consequence
    origin: str
    method: str
    url: str
    fields: Fields
    digest: str = ""
    control: str = ""
    place: str = ""
    sends: Fields = ()
    is_request: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to a claim, with the record it rests on and how like that is."""

    answer: Answer
    record: Submission | None = None
    like: Likeness = "different"


FREE = Verdict("free")
_CLOSEST: tuple[Likeness, ...] = ("same", "alike", "different")


def claim_of(leaving: Leaving, kind: Consequence) -> Claim:
    """The claim of a request as it would leave."""
    site = origin_of(leaving.url)
    return Claim(kind, site, leaving.method, leaving.url, leaving.fields, leaving.digest, is_request=True)


def outcome_of(back: CameBack) -> tuple[SubmissionState, str]:
    """What the end of a request says of its submission, and why."""
    if back.status is None:
        if back.never_left:
            return "not_sent", f"no connection to the site came about: {back.failure}"
        why = _FAILURES.get(back.failure, back.failure)
        failed = f"no answer came, {why}; {MAYBE_MORE}" if back.failure else "it has no answer of its own"
        return ("unknown", failed) if back.failure else ("answered", "")
    if back.status >= 500:
        return "unknown", f"the site answered {back.status}"
    return ("refused", f"it answered {back.status}") if back.status >= 400 else ("answered", "")


def became(record: Submission, state: SubmissionState, **more: Any) -> Submission:
    """The record in its next state. Raises ValueError for a step that no submission takes."""
    if state not in _MAY_BECOME[record.state]:
        raise ValueError(f"a submission that is {record.state} does not become {state}")
    return replace(record, state=state, **more)


def may_become(record: Submission, state: SubmissionState) -> bool:
    """Whether a submission in the record's state takes that step."""
    return state in _MAY_BECOME[record.state]


def after_loss(record: Submission, note: str, at: float) -> Submission:
    """The record once the browser or the program that watched it is gone."""
    return became(record, "unknown", note=note, ended_at=at) if record.state in UNSURE else record


def verdict(records: Sequence[Submission], claim: Claim, now: float, elsewhere: Sequence[Submission] = ()) -> Verdict:
    """What the claim gets: by the newest record of the same, else of one much like it.

    `elsewhere` are records of other conversations, older than any of this one.
    """
    known = (*elsewhere, *records)
    same, alike = _newest_like(known, claim, now, "same"), _newest_like(known, claim, now, "alike")
    if same is not None:
        return Verdict(_after_same(same, now), same, "same")
    if alike is not None:
        return Verdict(_after_alike(alike, now), alike, "alike")
    unsure = [one for one in records if _is_unsure_beside(one, claim, now)]
    return Verdict("ask", unsure[-1]) if unsure else FREE


def reason_of(found: Verdict, now: float) -> tuple[str, str]:
    """Why something is not sent again, and the way on."""
    record = found.record
    if record is None:
        return "", ""
    name = f"{record.id}, {what(record)}"
    match found.answer:
        case "wait":
            return f"{name}, is still under way", "Wait, then look at the page."
        case "check":
            return f"it is not known whether {record.id} happened ({what(record)}){because(record)}", CHECK_FIRST
    return f"this was submitted already as {name}: {state_line(record, now)}", DONE_ALREADY


def _after_same(record: Submission, now: float) -> Answer:
    match state_at(record, now):
        case "intended" | "held" | "sent":
            return "wait"
        case "denied" | "not_sent":
            return "free"
        case "answered" if record.note:
            return "ask"  # the page speaks of a failure
        case "answered" | "settled":
            return "done"
        case "refused":
            return "ask"
    return "check"


def _after_alike(record: Submission, now: float) -> Answer:
    match state_at(record, now):
        case "intended" | "held" | "sent":
            return "wait"
        case "unknown":
            return "check"
        case "answered" | "settled":
            return "ask"
    return "free"


def _newest_like(records: Sequence[Submission], claim: Claim, now: float, wanted: Likeness) -> Submission | None:
    return next((one for one in reversed(records) if _like(one, claim, now) == wanted), None)


def _like(record: Submission, claim: Claim, now: float) -> Likeness:
    """A press is known again by what is pressed, or by what its form would send."""
    if claim.is_request:
        return _like_request(record, claim, claim.fields, now)
    found = {_like_press(record, claim, now)}
    if claim.method and claim.method != "GET":
        found.add(_like_request(record, claim, claim.sends, now))
    return next(one for one in _CLOSEST if one in found)


def _like_request(record: Submission, claim: Claim, fields: Fields, now: float) -> Likeness:
    """One that was never seen to leave holds no request that could be compared."""
    place = (record.method, origin_of(record.url), _path(record.url))
    if not record.sent_at or place != (claim.method, claim.origin, _path(claim.url)):
        return "different"
    return likeness(record.fields, fields, now) if record.digest == claim.digest else "different"


def _like_press(record: Submission, claim: Claim, now: float) -> Likeness:
    known = (record.origin, record.consequence, record.control, record.place)
    if known != (claim.origin, claim.consequence, claim.control, claim.place):
        return "different"
    return likeness((*record.shown, *record.sends), (*claim.fields, *claim.sends), now)


def _is_unsure_beside(record: Submission, claim: Claim, now: float) -> bool:
    """Whether something of the same kind may have happened at the same site."""
    is_same_kind = (record.origin, record.consequence) == (claim.origin, claim.consequence)
    return is_same_kind and claim.consequence != "other" and state_at(record, now) == "unknown"


def origin_of(url: str) -> str:
    """Scheme, host and port of an address, in small letters."""
    match = re.match(r"[a-z][a-z0-9+.-]*://[^/?#]*", url, re.IGNORECASE)
    return match.group(0).lower() if match else url


def _path(url: str) -> str:
    return urlsplit(url).path
