"""Keeps the ledger of one conversation: what was allowed, what leaves the browser, what came of it.

It is asked before each press that sounds consequential, and by the browser before each request that may change
something; a record is on the disk before the request is let go.
"""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

from app.agent.asking import Asking
from app.agent.consenting import Consent, Consenting, Wish, press_wish
from app.agent.control import Interrupted, NeedsPerson
from app.agent.observing import Seeing
from app.agent.ports import LetGo
from app.agent.proving import judged
from app.agent.transcript import Transcript
from app.context.page.shield import page_words
from app.context.submissions.records import records_of, state_at
from app.context.submissions.wording import MAYBE_MORE, line_of
from app.domain.errors import AppError
from app.domain.events import ActIntended, SubmissionKept
from app.domain.ids import SubmissionId, ToolCallId
from app.domain.submissions import Actor, CameBack, Consequence, Leaving, Submission, SubmissionState
from app.guard.classes import SAFE_METHODS, Class, belongs_to, class_of, is_same_site, is_worth_a_record
from app.guard.consent import Effect
from app.guard.decide import Refused
from app.guard.ledger import (
    FREE,
    UNSURE,
    Claim,
    Verdict,
    after_loss,
    became,
    may_become,
    origin_of,
    reason_of,
    verdict,
)
from app.guard.likeness import is_token, rewritten

WINDOW_S = 10.0
"""So long after an act a request may still come of it."""
LATE_S = 3.0
"""So long it is waited before what was allowed counts as never sent."""
_LINES_OF_DROPPED = 3


@dataclass(slots=True)
class _Act:
    """What the agent does or did last; `allowed` is the record of what the person allowed for it."""

    call: ToolCallId | None
    what: str
    allowed: SubmissionId | None = None
    asked: bool = False
    ended: float = 0.0  # on the monotonic clock, once it ended


@dataclass(frozen=True, slots=True)
class _Allowed:
    """Allowed by the person, and not begun yet."""

    effect: Effect
    place: str
    consent: Consent


@dataclass(frozen=True, slots=True)
class News:
    """Lines for the model: records that changed, and requests that were held back."""

    records: tuple[str, ...] = ()
    held_back: tuple[str, ...] = ()


class Submitting:
    """Implements `Gatekeeper`. Used from the engine thread only, as long as its conversation is open."""

    def __init__(self, transcript: Transcript, *, time_scale: float = 1.0) -> None:
        self._transcript = transcript
        self._scale = time_scale
        self._records = {one.id: one for one in records_of(transcript.events)}
        self._restored = {one.id for one in self._records.values() if one.state in UNSURE}
        self._consenting = Consenting()
        self._asking: Asking | None = None
        self._act: _Act | None = None
        self._allowed: _Allowed | None = None
        self._begun: _Allowed | None = None
        self._of_hold: dict[int, SubmissionId] = {}
        self._told: dict[SubmissionId, SubmissionState] = {one.id: one.state for one in self._records.values()}
        self._dropped: list[str] = []
        self._fresh: set[SubmissionId] = set()  # came back since the last look
        self._typed: list[str] = []
        self._deciding = asyncio.Lock()  # protects the ledger: one request is decided on after the other
        self._undecided = 0
        self._all_decided = asyncio.Event()
        self._all_decided.set()
        self._trouble: NeedsPerson | AppError | None = None
        self.person_drives: Callable[[], bool] = lambda: False

    @property
    def records(self) -> tuple[Submission, ...]:
        """All submissions of the conversation, each as it stands now."""
        return tuple(self._records.values())

    def attend(self, asking: Asking | None) -> None:
        """Whom to ask from here on; without anybody what needs a person is dropped."""
        self._asking = asking

    def typed(self, text: str) -> None:
        """What the agent typed: a request that holds it carries what somebody entered."""
        self._typed = [*self._typed[-19:], text] if len(text) > 2 else self._typed

    # Before a press

    async def may_press(self, effect: Effect, call: ToolCallId, place: str = "", wish: str = "") -> Refused | None:
        """None when the person allows exactly this effect, once. Raises NeedsPerson."""
        if self._allowed is not None and (self._allowed.effect, self._allowed.place) == (effect, place):
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
        consent = await self._consenting.allows(self._whom(), effect, press_wish(effect, wish), call, found)
        if isinstance(consent, Refused):
            return consent
        self._allowed = _Allowed(effect, place, consent)
        return None

    async def may_hand_over(self, effect: Effect, call: ToolCallId, wish: str) -> bool:
        """Whether something may be given to a page, which sends nothing yet. Raises NeedsPerson."""
        consent = await self._consenting.allows(self._whom(), effect, press_wish(effect, wish), call, FREE)
        return isinstance(consent, Consent)

    async def _found_for_press(self, claim: Claim) -> Verdict:
        """What was allowed and of which nothing came for a while was not sent."""
        found = verdict(self.records, claim, time.time())
        if found.answer == "wait" and found.record is not None and found.record.state == "intended":
            await self._wait_for_late()
            await self._settle_unsent()
            found = verdict(self.records, claim, time.time())
        return found

    async def _wait_for_late(self) -> None:
        if self._act is not None and self._act.ended:
            left = self._act.ended + LATE_S * self._scale - time.monotonic()
            if left > 0:
                await asyncio.sleep(left)

    # Around an act

    async def begin(self, call: ToolCallId, what: str) -> None:
        """Write down what is about to be done; only then input may be sent. Raises StoreError."""
        await self._settle_unsent()
        allowed, self._allowed = self._allowed, None
        self._act = _Act(call, what)
        if allowed is None:
            await self._transcript.add(ActIntended(call, what))
            return
        self._begun = allowed
        record = self._record_of(allowed, call)
        await self._transcript.add(ActIntended(call, what), SubmissionKept(record))
        self._records[record.id] = record
        self._told[record.id] = "intended"
        self._act.allowed, self._act.asked = record.id, allowed.consent.asked

    async def withdraw(self) -> None:
        """The input was not sent: what was allowed for it still is."""
        record = self._allowed_record()
        if record is not None and record.state == "intended":
            await self._keep(became(record, "not_sent", note="the press did not come about", ended_at=time.time()))
            self._allowed = self._begun

    async def decided(self) -> None:
        """Wait until everything that was held is decided on. Raises NeedsPerson, AppError when that stopped it."""
        await self._all_decided.wait()
        trouble, self._trouble = self._trouble, None
        if trouble is not None:
            raise trouble

    async def conclude(self, before: Seeing, after: Seeing) -> None:
        """The act was done and looked at; what comes later is counted against it for a while."""
        if self._act is not None:
            self._act.ended = time.monotonic()
        fresh, self._fresh = self._fresh, set()
        for record in [self._records[name] for name in fresh]:
            if record.state == "answered":
                await self.note(judged(record, before, after))

    async def lost(self, note: str) -> None:
        """Browser or program are gone: nobody knows what became of what was under way."""
        for record in self.records:
            if record.state in UNSURE:
                await self._keep(after_loss(record, note, time.time()))
        self._restored.clear()
        self._of_hold.clear()

    async def recover(self) -> None:
        """After a start of the program: what was under way when it ended."""
        if self._restored:
            await self.lost("Pilotfish ended before its outcome was known")

    @property
    def has_news(self) -> bool:
        now = time.time()
        return bool(self._dropped) or any(self._told.get(one.id) != state_at(one, now) for one in self.records)

    def news(self) -> News:
        """What the model was not told yet."""
        now = time.time()
        changed = [one for one in self.records if self._told.get(one.id) != state_at(one, now)]
        self._told.update({one.id: state_at(one, now) for one in changed})
        dropped, self._dropped = self._dropped[:_LINES_OF_DROPPED], []
        return News(tuple(line_of(one, now) for one in changed), tuple(dropped))

    async def note(self, record: Submission) -> None:
        """Keep a record as it stands now. Raises StoreError."""
        if record != self._records[record.id]:
            await self._keep(record)

    async def did_not_happen(self, name: SubmissionId) -> bool:
        """The person says so of one that nobody knew of, and lets it happen once; False when there is none."""
        record = self._records.get(name)
        if record is None or state_at(record, time.time()) != "unknown":
            return False
        await self._keep(
            became(record, "not_sent", note="the person says that it did not happen", ended_at=time.time())
        )
        return True

    # Requests

    async def may_leave(self, leaving: Leaving) -> LetGo:
        """Decide on a request that is held; what cannot be put on record does not leave."""
        if leaving.method in SAFE_METHODS and self._allowed_for(leaving, "read") is None:
            return "passed"
        self._undecided += 1
        self._all_decided.clear()
        try:
            async with self._deciding:
                return await self._decide(leaving)
        except (NeedsPerson, AppError) as trouble:
            self._trouble = trouble
            return "dropped"
        except Interrupted:
            return "dropped"
        finally:
            self._undecided -= 1
            if not self._undecided:
                self._all_decided.set()

    async def came_back(self, back: CameBack) -> None:
        """Put on record what came of it. Raises StoreError."""
        record = self._records.get(self._of_hold.pop(back.hold, SubmissionId("")))
        if record is None or back.status in (307, 308):
            return  # the redirect is held as well, and tells
        state, note = _outcome(back)
        if may_become(record, state):
            self._fresh.add(record.id)
            await self._keep(became(record, state, status=back.status, note=note, ended_at=time.time()))

    async def _decide(self, leaving: Leaving) -> LetGo:
        before = self._records.get(self._of_hold.get(leaving.follows or 0, SubmissionId("")))
        if before is not None and origin_of(before.url) == origin_of(leaving.url):
            return await self._let_go(leaving, replace(before, requests=before.requests + 1))
        kind = class_of(leaving)
        allowed = self._allowed_for(leaving, kind)
        if allowed is not None:
            return await self._decide_allowed(leaving, allowed)
        if kind == "read" or kind == "upkeep":
            return "passed"
        if self.person_drives():
            return await self._let_go(leaving, self._new(leaving, kind, "person"))
        if not self._is_in_window():
            return await self._decide_of_page(leaving, kind)
        return await (self._decide_plain if kind == "other" else self._decide_consequential)(leaving, kind)

    async def _decide_allowed(self, leaving: Leaving, record: Submission) -> LetGo:
        """What was allowed: the request must hold what the person saw, and nothing like it may have left before."""
        others = [one for one in self.records if one.id != record.id and one.id != record.repeats]
        claim = _claim(leaving, record.consequence)
        found = verdict(others, claim, time.time())
        repeated = found.like == "same" and found.answer != "free"
        changed = rewritten(record.sends, leaving.fields, time.time()) if _shows_its_fields(leaving) else ()
        if repeated or changed:
            note = f" The page changed what you allowed: {page_words(', '.join(changed), 100)}." if changed else ""
            consent = await self._ask_for(leaving, record.consequence, found if repeated else FREE, note, anew=True)
            if isinstance(consent, Refused):
                await self._keep(became(record, "denied", note=consent.reason, ended_at=time.time()))
                return "dropped"
        return await self._let_go(leaving, record)

    async def _decide_consequential(self, leaving: Leaving, kind: Consequence) -> LetGo:
        found = verdict(self.records, _claim(leaving, kind), time.time())
        if found.like != "same" and self._is_part_of_allowed(leaving, kind):
            return await self._let_go(leaving, self._new(leaving, kind, "agent"))
        held = self._new(leaving, kind, "agent", state="held")
        if found.answer in ("free", "ask"):
            await self._keep(held)
        consent = await self._ask_for(leaving, kind, found, "")
        if isinstance(consent, Refused):
            if held.id in self._records:
                await self._keep(became(held, "denied", note=consent.reason, ended_at=time.time()))
            return "dropped"
        return await self._let_go(leaving, replace(held, asked=consent.asked, repeats=consent.repeats))

    async def _decide_plain(self, leaving: Leaving, kind: Consequence) -> LetGo:
        """A change of no known consequence passes; the same once more by the same control is asked for."""
        what = self._act.what if self._act else ""
        site = origin_of(leaving.url)
        newest = [one for one in self.records if one.origin == site][-1:]
        found = verdict([one for one in newest if one.control == what], _claim(leaving, kind), time.time())
        is_same_call = self._act is not None and found.record is not None and found.record.call == self._act.call
        if found.like == "same" and found.answer in ("done", "check", "wait") and not is_same_call:
            consent = await self._ask_for(leaving, kind, found, "")
            if isinstance(consent, Refused):
                return "dropped"
        if not is_worth_a_record(leaving, self._typed):
            return "passed"
        return await self._let_go(leaving, replace(self._new(leaving, kind, "agent"), control=what))

    async def _decide_of_page(self, leaving: Leaving, kind: Consequence) -> LetGo:
        """A page that sends by itself what was sent for the person is a repeat; all else is its own business."""
        if kind == "other":
            return "passed"
        found = verdict(self.records, _claim(leaving, kind), time.time())
        if found.answer in ("done", "check", "wait") and found.like == "same":
            self._drop(leaving, found)
            return "dropped"
        return await self._let_go(leaving, self._new(leaving, kind, "page"))

    async def _ask_for(
        self, leaving: Leaving, consequence: Consequence, found: Verdict, note: str, *, anew: bool = False
    ) -> Consent | Refused:
        """Ask for a request that is there already; what was allowed in other words needs the person in person."""
        site = origin_of(leaving.url)
        fields = tuple((name, value) for name, value in leaving.fields if not is_token(name))
        effect = Effect(consequence, "", site, leaving.method, leaving.url, fields)
        words = (("Text", leaving.words),) if leaving.words and not fields else ()
        what = page_words(self._act.what, 80) if self._act else ""
        about = (("After", what), ("Site", site), ("Request", f"{leaving.method} {leaving.url}"), *fields, *words)
        wish = Wish(f"send this to {site}", about, note)
        asking = self._whom()
        if anew and asking.consent == "yes" and not found.record:
            found = Verdict("ask")
        call = self._act.call if self._act else None
        consent = await asking.beside(self._consenting.allows(asking, effect, wish, call, found))
        if isinstance(consent, Refused):
            self._drop(leaving, found, consent)
        return consent

    async def _let_go(self, leaving: Leaving, record: Submission) -> LetGo:
        """On the disk first. Raises StoreError."""
        now = time.time()
        sent = became(
            record,
            "sent",
            method=leaving.method,
            url=leaving.url,
            fields=leaving.fields,
            digest=leaving.digest,
            files=leaving.files,
            requests=max(record.requests, 1),
            sent_at=record.sent_at or now,
        )
        await self._keep(sent)
        self._of_hold[leaving.hold] = sent.id
        return "followed"

    def _drop(self, leaving: Leaving, found: Verdict, refused: Refused | None = None) -> None:
        reason, way_on = (refused.reason, refused.way_on) if refused else reason_of(found, time.time())
        target = f"{leaving.method} {page_words(leaving.url, 100)}"
        self._dropped.append(f"Held back, not sent: {target}: {reason}. {way_on}".rstrip())

    # Records

    def _allowed_for(self, leaving: Leaving, kind: Class) -> Submission | None:
        """The allowed submission that this request would be, in the same act."""
        record = self._allowed_record()
        if record is None or record.state != "intended" or not self._is_in_window():
            return None
        return record if belongs_to(record, leaving, kind) else None

    def _allowed_record(self) -> Submission | None:
        return self._records.get(self._act.allowed) if self._act and self._act.allowed else None

    def _is_in_window(self) -> bool:
        act = self._act
        if act is None or self._asking is None:
            return False
        return not act.ended or time.monotonic() - act.ended < WINDOW_S * self._scale

    def _is_part_of_allowed(self, leaving: Leaving, kind: Consequence) -> bool:
        """A site may send what was allowed in several requests of the same kind."""
        record = self._allowed_record()
        is_same_kind = record is not None and record.consequence == kind and record.state not in ("denied", "not_sent")
        return record is not None and is_same_kind and is_same_site(record.origin, leaving.url)

    async def _settle_unsent(self) -> None:
        """Nothing came of it for so long that nothing will."""
        record = self._allowed_record()
        act = self._act
        if record is None or act is None or record.state != "intended" or not act.ended:
            return
        if time.monotonic() - act.ended >= LATE_S * self._scale:
            note = "nothing left the browser after it"
            await self._keep(became(record, "not_sent", note=note, ended_at=time.time()))

    def _record_of(self, allowed: _Allowed, call: ToolCallId) -> Submission:
        effect = allowed.effect
        return Submission(
            self._next_id(),
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

    def _new(
        self, leaving: Leaving, kind: Consequence, actor: Actor, state: SubmissionState = "intended"
    ) -> Submission:
        call = self._act.call if self._act and actor == "agent" else None
        site = origin_of(leaving.url)
        return Submission(
            self._next_id(), state, kind, site, actor, call, method=leaving.method, url=leaving.url,
            fields=leaving.fields, digest=leaving.digest, began_at=time.time(),
        )  # fmt: skip

    def _next_id(self) -> SubmissionId:
        return SubmissionId(f"s{len(self._records) + 1}")

    async def _keep(self, record: Submission) -> None:
        await self._transcript.add(SubmissionKept(record))
        self._records[record.id] = record

    def _whom(self) -> Asking:
        if self._asking is None:
            raise Interrupted("stopped")
        return self._asking


def _claim(leaving: Leaving, kind: Consequence) -> Claim:
    site = origin_of(leaving.url)
    return Claim(kind, site, leaving.method, leaving.url, leaving.fields, leaving.digest, is_request=True)


def _shows_its_fields(leaving: Leaving) -> bool:
    """A form sends what its fields show; a script may write it in its own way."""
    return leaving.resource == "document" and leaving.method not in SAFE_METHODS


def _outcome(back: CameBack) -> tuple[SubmissionState, str]:
    if back.status is None:
        if back.never_left:
            return "not_sent", f"no connection to the site came about: {back.failure}"
        failed = f"no answer came ({back.failure}). {MAYBE_MORE}" if back.failure else "it has no answer of its own"
        return ("unknown", failed) if back.failure else ("answered", failed)
    if back.status >= 500:
        return "unknown", f"the site answered {back.status}"
    return ("refused", f"it answered {back.status}") if back.status >= 400 else ("answered", "")
