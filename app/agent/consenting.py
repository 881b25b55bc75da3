"""Asks the person for what would be sent: once for each effect, with exactly what will leave."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from app.agent.asking import AFTER_A_NO, PERSON_SAYS_YES, Asking
from app.context.submissions.wording import state_line, values
from app.domain.events import PersonAnswered
from app.domain.ids import SubmissionId, ToolCallId
from app.domain.submissions import Consequence, Submission
from app.guard.consent import Effect
from app.guard.decide import Refused
from app.guard.ledger import Verdict, reason_of

PERSON_SAID_NO = Refused("person", "the person did not allow it", AFTER_A_NO)

_CONSEQUENCES: dict[Consequence, str] = {
    "pay": "This pays or orders something.",
    "send": "This sends something to others.",
    "delete": "This deletes something.",
    "account": "This changes an account or its rights.",
    "upload": "This sends a file to the site.",
    "credentials": "This signs in with what was typed into the page.",
    "other": "This changes something at the site.",
}
_ALLOW = ((PERSON_SAYS_YES, "Allow once"), ("no", "Do not"), ("takeover", "I do it myself"))
_AGAIN = ((PERSON_SAYS_YES, "Send it again"), ("no", "Do not"), ("takeover", "I do it myself"))
_AGAIN_HARMLESS = (*_AGAIN[:1], ("site", "Allow for this task on this site"), *_AGAIN[1:])
_UNKNOWN = (("check", "Check first"), (PERSON_SAYS_YES, "It did not happen: allow one"), ("stop", "Stop here"))
_WANTS_CHECK = Refused(
    "submitted",
    "the person wants it checked first",
    "Look, without sending anything, whether it is there; keep_quote what proves it with proves set to its id. If it "
    "is not there, tell them.",
)


@dataclass(frozen=True, slots=True)
class Consent:
    """What the person allowed: once, exactly this; `asked` unless they did so beforehand."""

    asked: bool
    repeats: SubmissionId | None = None


@dataclass(frozen=True, slots=True)
class Wish:
    """What is to be sent, in the words of the question: `sentence` begins with what the agent would do."""

    sentence: str
    about: tuple[tuple[str, str], ...]
    note: str = ""


def press_wish(effect: Effect, wish: str = "") -> Wish:
    """The wish to press something; `wish` says it where nothing is pressed."""
    said = (("The page says", effect.words),) if effect.words else ()
    button = () if wish else (("Button", effect.control),)
    about = (*button, ("Site", effect.origin), *said, *effect.fields)
    return Wish(wish or f"press “{effect.control}” on {effect.origin}", about)


class Consenting:
    """The person's answers to what would be sent, in one conversation."""

    def __init__(self) -> None:
        self._blocked: set[SubmissionId] = set()
        self.entered: tuple[tuple[str, float], ...] = ()  # what the agent typed, and when
        self._free: set[tuple[str, str]] = set()  # sites and addresses at which harmless repeats are free

    async def allows(
        self,
        asking: Asking,
        effect: Effect,
        wish: Wish,
        call: ToolCallId | None,
        found: Verdict,
        *,
        anew: bool = False,
    ) -> Consent | Refused:
        """Whether this may be sent; `found` is what the ledger says. Raises NeedsPerson.

        With `anew` an answer that was given beforehand does not count: it was for something else.
        """
        record = found.record
        if effect.consequence == "other" and (effect.origin, effect.action) in self._free:
            return Consent(asked=True, repeats=record.id if record else None)
        if found.answer == "wait":
            return Refused("submitted", *reason_of(found, time.time()))
        if found.answer == "check" and record is not None:
            return await self._ask_unknown(asking, wish, call, found, record)
        if found.answer == "done" and record is not None and not self._may_ask_again(asking, effect, record):
            self._blocked.add(record.id)
            return Refused("submitted", *reason_of(found, time.time()))
        if record is None:
            return await self._ask_new(asking, effect, wish, call, "ask" if anew else asking.consent)
        return await self._ask_repeat(asking, effect, wish, call, record)

    def _may_ask_again(self, asking: Asking, effect: Effect, record: Submission) -> bool:
        """Most repeats are mistakes, and nobody is asked about one before it is tried again after it was refused.

        What changes little is asked about at once, and so is what was entered anew since: it is meant.
        """
        if record.id in self._blocked:
            return True
        return asking.can_ask and (effect.consequence == "other" or self._is_entered_since(effect, record))

    def _is_entered_since(self, effect: Effect, record: Submission) -> bool:
        values = [value for _, value in (*effect.fields, *effect.sends)]
        return any(at > record.ended_at > 0 and text in values for text, at in self.entered)

    async def _ask_new(
        self, asking: Asking, effect: Effect, wish: Wish, call: ToolCallId | None, beforehand: str
    ) -> Consent | Refused:
        text = f"{_CONSEQUENCES[effect.consequence]}{wish.note} Shall the agent {wish.sentence}?"
        answer = await asking.ask("consent", text, _ALLOW, about=wish.about, call=call, beforehand=beforehand)
        return _consent(answer, asked=beforehand not in ("yes", "no"))

    async def _ask_repeat(
        self, asking: Asking, effect: Effect, wish: Wish, call: ToolCallId | None, record: Submission
    ) -> Consent | Refused:
        """The person sees both side by side."""
        text = (
            f"{_CONSEQUENCES[effect.consequence]}{wish.note} Something like it was submitted before: {record.id}, "
            f"{state_line(record, time.time())}. Shall the agent {wish.sentence} all the same?"
        )
        choices = _AGAIN_HARMLESS if effect.consequence == "other" else _AGAIN
        answer = await asking.ask("consent", text, choices, about=(*wish.about, *_before((record,))), call=call)
        if answer.choice == "site":
            self._free.add((effect.origin, effect.action))
            return Consent(asked=True, repeats=record.id)
        return _consent(answer, asked=True, repeats=record.id)

    async def _ask_unknown(
        self, asking: Asking, wish: Wish, call: ToolCallId | None, found: Verdict, record: Submission
    ) -> Consent | Refused:
        reason, way_on = reason_of(found, time.time())
        if not asking.can_ask:
            return Refused("submitted", reason, way_on)
        text = f"{reason[0].upper()}{reason[1:]}. The agent would {wish.sentence}. What now?"
        answer = await asking.ask("consent", text, _UNKNOWN, about=(*wish.about, *_before((record,))), call=call)
        if answer.choice == "check":
            return _WANTS_CHECK
        return _consent(answer, asked=True, repeats=record.id)


def _consent(answer: PersonAnswered, *, asked: bool, repeats: SubmissionId | None = None) -> Consent | Refused:
    return Consent(asked, repeats) if answer.choice == PERSON_SAYS_YES else PERSON_SAID_NO


def _before(records: Sequence[Submission]) -> tuple[tuple[str, str], ...]:
    """What was sent then, marked as of then."""
    return tuple((f"{one.id} had {name}", value) for one in records for name, value in values(one))
