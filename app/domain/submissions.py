"""What leaves a browser to change something elsewhere: a request that is held, what became of it, its record."""

from dataclasses import dataclass
from typing import Literal

from app.domain.ids import ObservationId, QuoteId, SubmissionId, ToolCallId

Consequence = Literal["pay", "send", "delete", "account", "upload", "credentials", "other"]
"""What a submission is for; "other" is a change that needs no person."""
Actor = Literal["agent", "person", "page"]
"""Who set it off; "page" is a script that nobody's act called for."""
Fields = tuple[tuple[str, str], ...]
"""Names and values, secrets masked."""
SubmissionState = Literal[
    "intended",  # allowed, written down, and no input was sent yet
    "held",  # its request is there and waits to be decided on
    "denied",
    "not_sent",
    "sent",  # its request was let go
    "answered",  # the site answered; nothing on a page bears it out
    "settled",
    "refused",  # by the site
    "unknown",  # it may have happened, even more than once
]


@dataclass(frozen=True, slots=True)
class Leaving:
    """A request that is held in the browser before it leaves; `hold` names it until it came back.

    `follows` is the held request whose redirect it is. `digest` stands for the whole body, secrets masked, where that
    has no fields; `fields` hold those of the address too.
    """

    hold: int
    method: str
    url: str
    resource: Literal["document", "fetch", "ping", "socket", "other"]
    fields: Fields = ()
    digest: str = ""
    words: str = ""  # the beginning of a body that is text
    files: tuple[str, ...] = ()
    has_secret: bool = False
    page_url: str = ""
    follows: int | None = None


@dataclass(frozen=True, slots=True)
class CameBack:
    """How a request that was let go ended: with a status, or with a failure and without one."""

    hold: int
    status: int | None
    failure: str = ""
    never_left: bool = False  # no connection to the site came about


@dataclass(frozen=True, slots=True)
class Proof:
    """Where it was seen that a submission arrived: words of a page, or a quote of it."""

    words: str
    observation: ObservationId | None = None
    quote: QuoteId | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """The record of one thing that was, or may have been, sent; of several with one id the newest counts, whole.

    `shown` are the fields of the form as they stood when it was allowed, `sends` what the form would have sent then,
    `fields` what its request really held; `origin` is the site that the person was told. `place` is where a control
    without a form stood. `repeats` names the one that the person let happen again. Times are seconds since the epoch,
    0 for what has not come about.
    """

    id: SubmissionId
    state: SubmissionState
    consequence: Consequence
    origin: str
    actor: Actor = "agent"
    call: ToolCallId | None = None
    control: str = ""
    place: str = ""
    method: str = ""
    url: str = ""
    shown: Fields = ()
    sends: Fields = ()
    fields: Fields = ()
    digest: str = ""
    files: tuple[str, ...] = ()
    requests: int = 0
    status: int | None = None
    note: str = ""
    proof: Proof | None = None
    repeats: SubmissionId | None = None
    began_at: float = 0.0
    sent_at: float = 0.0
    ended_at: float = 0.0
    asked: bool = False  # the person was asked and allowed it
