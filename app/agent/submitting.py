"""Asks before a press that sounds consequential, writes down each act before it, and settles what came of it."""

import asyncio
import time
from dataclasses import dataclass, replace

from app.agent.asking import Asking
from app.agent.consenting import Consent, press_wish
from app.agent.gatekeeping import Gatekeeping
from app.agent.observing import Seeing
from app.agent.proving import judged
from app.agent.situation import Act, Situation
from app.agent.submission_book import SubmissionBook
from app.agent.transcript import Transcript
from app.domain.events import ActIntended
from app.domain.ids import ToolCallId
from app.domain.submissions import Submission
from app.guard.consent import Effect
from app.guard.decide import Refused
from app.guard.ledger import FREE, Claim, Verdict, became, verdict


@dataclass(frozen=True, slots=True)
class _Allowed:
    """Allowed by the person, and not begun yet."""

    effect: Effect
    place: str
    consent: Consent
    call: ToolCallId


class Submitting:
    """The submissions of one conversation, as long as it is open. Used from the engine thread only."""

    def __init__(
        self, transcript: Transcript, *, time_scale: float = 1.0, earlier: tuple[Submission, ...] = ()
    ) -> None:
        self._transcript = transcript
        self.book = SubmissionBook(transcript, earlier)
        self.situation = Situation(self.book, time_scale)
        self.gatekeeper = Gatekeeping(self.situation)
        self._allowed: _Allowed | None = None
        self._begun: _Allowed | None = None

    def attend(self, asking: Asking | None) -> None:
        """Whom to ask from here on; without anybody what needs a person is not sent."""
        self.situation.asking = asking
        self.gatekeeper.forget_trouble()

    async def may_press(self, effect: Effect, call: ToolCallId, place: str = "", wish: str = "") -> Refused | None:
        """None when the person allows exactly this effect, once. Raises NeedsPerson."""
        if self._allowed is not None and (self._allowed.effect, self._allowed.place) == (effect, place):
            self._allowed = replace(self._allowed, call=call)
            return None  # it was allowed just now, and nothing was sent
        self._allowed = None
        claim = Claim(
            effect.consequence,
            effect.origin,
            effect.method,
            effect.action,
            effect.fields,
            control=effect.control,
            place=place,
            sends=effect.sends,
        )
        found = await self._found_for_press(claim)
        consent = await self.situation.consenting.allows(
            self.situation.whom(), effect, press_wish(effect, wish), call, found
        )
        if isinstance(consent, Refused):
            return consent
        self._allowed = _Allowed(effect, place, consent, call)
        return None

    async def may_hand_over(self, effect: Effect, call: ToolCallId, wish: str) -> bool:
        """Whether something may be given to a page, which sends nothing yet. Raises NeedsPerson."""
        consent = await self.situation.consenting.allows(
            self.situation.whom(), effect, press_wish(effect, wish), call, FREE
        )
        return isinstance(consent, Consent)

    async def _found_for_press(self, claim: Claim) -> Verdict:
        """What was allowed and of which nothing came for a while was not sent."""
        found = verdict(self.book.records, claim, time.time(), await self.book.elsewhere())
        if found.answer == "wait" and found.record is not None and found.record.state == "intended":
            await asyncio.sleep(self.situation.late_left_s(found.record))
            await self.situation.settle_unsent()
            found = verdict(self.book.records, claim, time.time(), await self.book.elsewhere())
        return found

    async def begin(self, call: ToolCallId, what: str, *, presses: bool = True) -> None:
        """Write down what is about to be done; only then input may be sent. Raises StoreError.

        What a page sends after an act that presses nothing is its own business, unless it was sent before.
        """
        await self.gatekeeper.decided()
        await self.situation.settle_unsent()
        allowed = self._allowed if self._allowed is not None and self._allowed.call == call else None
        self._allowed = None if allowed is not None else self._allowed
        self._begun = allowed
        self.situation.act = Act(call, what, presses)
        if allowed is None:
            await self._transcript.add(ActIntended(call, what))
            return
        record = self._record_of(allowed, call)
        await self.book.keep(record, ActIntended(call, what), tell=False)

    async def withdraw(self) -> None:
        """The input was not sent: what was allowed for it still is. Raises StoreError."""
        act = self.situation.act
        for record in self.situation.unsent():
            if act is not None and record.call == act.call and self._begun is not None:
                note = "the press did not come about"
                await self.book.keep(became(record, "not_sent", note=note, ended_at=time.time()), tell=False)
                self._allowed = self._begun

    def end(self) -> None:
        """From here on it is counted how late something comes."""
        act = self.situation.act
        if act is not None and not act.ended:
            act.ended = time.monotonic()

    async def conclude(self, before: Seeing, after: Seeing) -> None:
        """The act was done and looked at; what comes later is counted against it for a while. Raises StoreError."""
        self.end()
        came, act = self.gatekeeper.came(), self.situation.act
        for record in self.book.records:
            if record.id in came and record.state == "answered" and act is not None and record.call == act.call:
                await self.book.keep(judged(record, before, after))

    def _record_of(self, allowed: _Allowed, call: ToolCallId) -> Submission:
        effect = allowed.effect
        return Submission(
            self.book.next_id(),
            "intended",
            effect.consequence,
            effect.origin,
            call=call,
            control=effect.control,
            place=allowed.place,
            method=effect.method,
            url=effect.action,
            shown=effect.fields,
            sends=effect.sends,
            repeats=allowed.consent.repeats,
            began_at=time.time(),
            asked=allowed.consent.asked,
        )
