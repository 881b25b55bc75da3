"""The words in which the window tells of a submission: what it was, what became of it, who did it, what to do."""

import time
from dataclasses import dataclass

from app.context.submissions.records import SENT_LIMIT_S, state_at
from app.context.submissions.wording import values
from app.domain.submissions import Consequence, Submission, SubmissionState
from app.ui.safe_text import host_of, shown
from app.ui.state_words import capitalized, sentence

_KINDS: dict[Consequence, str] = {
    "pay": "Payment or order",
    "send": "Message or post",
    "delete": "Deletion",
    "account": "Change of an account",
    "upload": "Upload",
    "credentials": "Sign-in",
    "other": "Change",
}
_LONGEST = 80
MAYBE = "It may have arrived, even more than once."


@dataclass(frozen=True, slots=True)
class StateWords:
    """How a state is said and shown: a few words, their tone, an icon."""

    text: str
    tone: str
    icon: str


_STATES: dict[SubmissionState, StateWords] = {
    "intended": StateWords("allowed, not sent yet", "muted", "circle"),
    "held": StateWords("held back until you answer", "accent", "lock"),
    "denied": StateWords("not allowed, not sent", "muted", "lock"),
    "not_sent": StateWords("not sent", "muted", "cross"),
    "sent": StateWords("sent, no answer yet", "agent", "send"),
    "answered": StateWords("answered, not seen on a page yet", "accent", "check"),
    "settled": StateWords("settled", "success", "check"),
    "refused": StateWords("refused by the site", "danger", "cross"),
    "unknown": StateWords("NOT KNOWN whether it happened", "warning", "warning"),
}


def words_of(record: Submission, now: float) -> StateWords:
    return _STATES[state_at(record, now)]


def is_unknown(record: Submission, now: float) -> bool:
    return state_at(record, now) == "unknown"


def unknown_in_ms(record: Submission, now: float) -> int | None:
    """When a record that waits for its answer will count as unknown; None when it will not."""
    if record.state != "sent" or is_unknown(record, now):
        return None
    return max(1, round((record.sent_at + SENT_LIMIT_S - now) * 1000) + 50)


def title_of(record: Submission) -> str:
    control = f" · “{_short(record.control)}”" if record.control else ""
    return f"{_KINDS[record.consequence]}{control}"


def moment_of(record: Submission) -> float:
    return record.sent_at or record.began_at


def clock_of(record: Submission) -> str:
    """The time of day, with the day when it is another one."""
    at = time.localtime(moment_of(record))
    is_today = time.strftime("%Y-%m-%d", at) == time.strftime("%Y-%m-%d")
    return time.strftime("%H:%M", at) if is_today else f"{at.tm_mday} {time.strftime('%B, %H:%M', at)}"


def facts_of(record: Submission, now: float) -> str:
    """Where, who and how often, in one line."""
    parts = (host_of(record.origin), _who(record), _how_often(record, now), f"again, after {record.repeats}")
    return " · ".join(part for part in parts[: 4 if record.repeats else 3] if part)


def values_of(record: Submission) -> str:
    """What it held, in one line."""
    return " · ".join((*(f"{_short(name)}: {_short(value)}" for name, value in values(record)), *_files(record)))


def note_of(record: Submission, now: float) -> str:
    """Why its state is what it is, as a sentence; empty when there is nothing to add."""
    if not is_unknown(record, now):
        return sentence(record.note) if record.note else ""
    if record.state == "sent":
        return f"It was sent, and the site has not answered for more than a minute. {MAYBE}"
    if record.note.startswith("no answer came"):
        return f"The connection was lost after it was sent. {MAYBE}"
    whether = MAYBE if record.sent_at else "Whether it was sent at all is not known."
    return f"{sentence(record.note)} {whether}".strip()


def in_full(record: Submission, now: float) -> str:
    """Everything there is to know of it."""
    lines = [f"{record.id}: {title_of(record)}", f"state: {words_of(record, now).text}", f"site: {record.origin}"]
    lines += [f"request: {record.method} {record.url}"] if record.url else []
    lines += [f"{name}: {value}" for name, value in values(record)]
    if record.shown and record.fields and record.fields != record.shown:
        lines += ["what its request held:", *(f"  {name}: {value}" for name, value in record.fields)]
    lines += [f"file: {name}" for name in record.files]
    moments = (("allowed", record.began_at), ("sent", record.sent_at), ("ended", record.ended_at))
    lines += [f"{what}: {_moment(at)}" for what, at in moments if at]
    lines += [f"requests: {record.requests}"] if record.requests else []
    lines += [f"answer of the site: {record.status}"] if record.status is not None else []
    lines += [f"note: {record.note}"] if record.note else []
    return "\n".join([*lines, *([f"proof: {record.proof.words}"] if record.proof else [])])


def check_message(*records: Submission) -> str:
    """What the person asks of the agent with "Check first"."""
    named = "; ".join(f"{one.id}: {title_of(one)}, {one.origin}, {clock_of(one)}" for one in records)
    return (
        f"Check first, without sending anything, whether this happened: {named}. Look where it would be listed, and "
        "keep the line that proves it as a quote. If it is not there, tell me; do not send it again."
    )


def summary_of(records: tuple[Submission, ...], now: float) -> tuple[str, ...]:
    """How many of what; what the person should know of first."""
    states = [state_at(one, now) for one in records]
    counts = (
        (states.count("unknown"), "not known"),
        (states.count("held"), "held back"),
        (sum(state in ("answered", "settled", "sent") for state in states), "submitted"),
        (states.count("refused"), "refused by the site"),
        (states.count("not_sent") + states.count("denied"), "not sent"),
        (states.count("intended"), "not sent yet"),
    )
    return tuple(f"{count} {words}" for count, words in counts if count)


def _who(record: Submission) -> str:
    match record.actor:
        case "person":
            return "by you"
        case "page":
            return "by the page itself"
    return "by the agent, allowed by you" if record.asked else "by the agent"


def _how_often(record: Submission, now: float) -> str:
    if is_unknown(record, now) and record.sent_at:
        return "perhaps more than once"
    if not record.sent_at or record.state == "not_sent":
        return ""
    return "once" if record.requests <= 1 else f"once, in {record.requests} requests"


def _files(record: Submission) -> tuple[str, ...]:
    return tuple(f"file: {_short(name)}" for name in record.files)


def _short(text: str) -> str:
    plain = " ".join(shown(text).split())
    return plain if len(plain) <= _LONGEST else f"{plain[:_LONGEST]}…"


def _moment(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at))


def spoken(record: Submission, now: float) -> str:
    """One sentence for a screen reader."""
    parts = (title_of(record), host_of(record.origin), clock_of(record), note_of(record, now))
    return f"Submission {record.id}, {words_of(record, now).text}. {capitalized('. '.join(filter(None, parts)))}"
