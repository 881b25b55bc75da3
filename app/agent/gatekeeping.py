"""Decides on each request that is held in the browser, by the ledger and by what the person allowed.

A record is on the disk before its request is let go; what cannot be put on record does not leave.
"""

import asyncio
import re
import time
from dataclasses import replace

from app.agent.consenting import Consent, Wish
from app.agent.control import Interrupted, NeedsPerson
from app.agent.ports import LetGo
from app.agent.situation import Situation
from app.context.page.shield import page_words
from app.domain.errors import AppError
from app.domain.ids import SubmissionId
from app.domain.submissions import Actor, CameBack, Consequence, Leaving, Submission, SubmissionState
from app.guard.classes import SAFE_METHODS, Class, class_of, is_same_address, is_same_site, is_worth_a_record
from app.guard.consent import Effect
from app.guard.decide import Refused
from app.guard.ledger import (
    FREE,
    Verdict,
    became,
    claim_of,
    may_become,
    origin_of,
    outcome_of,
    reason_of,
    verdict,
)
from app.guard.likeness import is_token, rewritten, says_more

_QUOTED = re.compile(r"[“\"]([^”\"]+)[”\"]")  # the name of what was pressed, in the words for an act


class Gatekeeping:
    """Implements `Gatekeeper`. Used from the engine thread only."""

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        self._book = situation.book
        self._of_hold: dict[int, SubmissionId] = {}
        self._came: set[SubmissionId] = set()
        self._deciding = asyncio.Lock()  # protects the ledger: one request is decided on after the other
        self._undecided = 0
        self._all_decided = asyncio.Event()
        self._all_decided.set()
        self._trouble: NeedsPerson | AppError | None = None

    async def decided(self) -> None:
        """Wait until everything that was held is decided on. Raises NeedsPerson, AppError when that stopped it."""
        await self._all_decided.wait()
        trouble, self._trouble = self._trouble, None
        if trouble is not None:
            raise trouble

    def forget_trouble(self) -> None:
        """What stood in the way of an act of another turn is no business of this one."""
        self._trouble = None

    def came(self) -> set[SubmissionId]:
        """What came back since this was asked last."""
        came, self._came = self._came, set()
        return came

    async def may_leave(self, leaving: Leaving) -> LetGo:
        """Decide on a request that is held; what cannot be put on record does not leave."""
        is_safe = leaving.method in SAFE_METHODS  # most requests are; for these the page's fields are not gone through
        kind: Class = "read" if is_safe else class_of(leaving, self._situation.entered)
        goes_on = leaving.follows in self._of_hold and not is_safe
        if not goes_on and self._passes_at_once(leaving, kind):
            return "passed"
        self._undecided += 1
        self._all_decided.clear()
        try:
            async with self._deciding:
                return await self._decide(leaving, kind)
        except (NeedsPerson, AppError) as trouble:
            if self._situation.person_drives():
                return "passed"  # nothing of theirs waits for our record
            act = self._situation.act
            self._trouble = trouble if act is not None and not act.ended else None
            return "dropped"
        except Interrupted:
            return "dropped"
        finally:
            self._undecided -= 1
            if not self._undecided:
                self._all_decided.set()

    async def came_back(self, back: CameBack) -> None:
        """Put on record what came of it. Raises StoreError."""
        record = self._book.get(self._of_hold.get(back.hold))
        if record is None or back.status in (307, 308):
            return  # the redirect is held as well, and tells
        state, note = outcome_of(back)
        if may_become(record, state):
            self._came.add(record.id)
            await self._book.keep(became(record, state, status=back.status, note=note, ended_at=time.time()))

    def _passes_at_once(self, leaving: Leaving, kind: Class) -> bool:
        """What asks for something, or is a page's own business, never waits for a person."""
        if self._situation.allowed_for(leaving, kind) is not None:
            return False
        if kind == "read":
            return not self._was_sent_by_address(leaving)
        is_nobodys = not self._situation.person_drives() and not self._situation.is_in_window
        is_form = leaving.resource == "document"
        return kind == "upkeep" or (kind == "other" and is_nobodys and not is_form)

    def _was_sent_by_address(self, leaving: Leaving) -> bool:
        """Whether opening this address was allowed before because it does something."""
        return leaving.resource == "document" and leaving.method == "GET" and self._sent_by(leaving.url) is not None

    def _sent_by(self, url: str) -> Submission | None:
        known = [one for one in self._book.records if one.method == "GET" and one.sent_at]
        return next((one for one in reversed(known) if is_same_address(one.url, url)), None)

    async def _decide(self, leaving: Leaving, kind: Class) -> LetGo:
        before = self._book.get(self._of_hold.get(leaving.follows or 0))
        is_hop = before is not None and leaving.method not in SAFE_METHODS and is_same_site(before.url, leaving.url)
        if before is not None and is_hop:
            return await self._let_go(leaving, replace(before, requests=before.requests + 1))
        allowed = self._situation.allowed_for(leaving, kind)
        if allowed is not None:
            return await self._decide_allowed(leaving, allowed)
        if self._was_sent_by_address(leaving) and (known := self._sent_by(leaving.url)) is not None:
            leaving, kind = replace(leaving, url=known.url, fields=known.fields), known.consequence
        if kind == "read" or kind == "upkeep":
            return "passed"
        if self._situation.person_drives():
            return await self._decide_of_person(leaving, kind)
        if not self._situation.is_in_window:
            return await self._decide_of_page(leaving, kind)
        return await (self._decide_plain if kind == "other" else self._decide_consequential)(leaving, kind)

    async def _decide_allowed(self, leaving: Leaving, record: Submission) -> LetGo:
        """What was allowed: the request must hold what the person saw, and nothing like it may have left before."""
        others = [one for one in self._book.records if one.id != record.id and one.id != record.repeats]
        elsewhere = [one for one in await self._book.elsewhere() if one.id != record.repeats]
        found = verdict(others, claim_of(leaving, record.consequence), time.time(), elsewhere)
        repeated = found.like == "same" and found.answer != "free"
        is_form = leaving.resource == "document" and leaving.method not in SAFE_METHODS
        changed = rewritten(record.sends, leaving.fields, time.time()) if is_form else ()
        if repeated or changed:
            note = f" The page changed what you allowed: {page_words(', '.join(changed), 100)}." if changed else ""
            asked = await self._ask_about(record, leaving, found if repeated else FREE, note, anew=True)
            if asked is None:
                return "dropped"
            record = asked
        return await self._let_go(leaving, record)

    async def _decide_consequential(self, leaving: Leaving, kind: Consequence) -> LetGo:
        found = await self._found(leaving, kind)
        if found.like != "same" and self._situation.is_part_of_allowed(leaving, kind):
            return await self._let_go(leaving, self._new(leaving, kind, "agent"))
        held = self._new(leaving, kind, "agent", state="held")
        if found.answer in ("free", "ask"):
            await self._book.keep(held)
        asked = await self._ask_about(held, leaving, found)
        return "dropped" if asked is None else await self._let_go(leaving, asked)

    async def _decide_plain(self, leaving: Leaving, kind: Consequence) -> LetGo:
        """A change of no known consequence passes; the same once more is asked about."""
        act = self._situation.act
        if not is_worth_a_record(leaving, self._situation.entered):
            return "passed"
        found = await self._found(leaving, kind)
        record = found.record
        if found.like == "same" and record is not None and act is not None and record.call == act.call:
            self._drop(leaving, found)  # the page sends twice by one press
            return "dropped"
        is_repeat = record is not None and (
            found.like == "same" or record.consequence != "other" or not says_more(record.fields, leaving.fields)
        )
        if found.answer != "free" and is_repeat and isinstance(await self._ask_for(leaving, kind, found), Refused):
            return "dropped"
        control = _QUOTED.search(act.what) if act else None
        record = replace(self._new(leaving, kind, "agent"), control=control[1] if control else "")
        return await self._let_go(leaving, record)

    async def _decide_of_person(self, leaving: Leaving, kind: Consequence) -> LetGo:
        """Never held up; kept where something was sent, not where a page only talks to its site."""
        is_chatter = kind == "other" and leaving.resource != "document"
        if is_chatter or not self._book.can_keep:
            return "passed"
        return await self._let_go(leaving, self._new(leaving, kind, "person"))

    async def _decide_of_page(self, leaving: Leaving, kind: Consequence) -> LetGo:
        """A page that sends by itself what was sent for the person is a repeat; of the rest it is asked what counts."""
        found = await self._found(leaving, kind)
        if found.answer != "free" and found.like == "same":
            self._drop(leaving, found)
            return "dropped"
        if kind in ("pay", "delete", "account") and self._situation.asking is not None:
            return await self._decide_consequential(leaving, kind)
        return "passed" if kind == "other" else await self._let_go(leaving, self._new(leaving, kind, "page"))

    async def _found(self, leaving: Leaving, kind: Consequence) -> Verdict:
        elsewhere = await self._book.elsewhere()
        return verdict(self._book.records, claim_of(leaving, kind), time.time(), elsewhere)

    async def _ask_about(
        self, record: Submission, leaving: Leaving, found: Verdict, note: str = "", *, anew: bool = False
    ) -> Submission | None:
        """The record as it was allowed; None when it was not. Raises NeedsPerson, Interrupted."""
        try:
            consent = await self._ask_for(leaving, record.consequence, found, note, anew=anew)
        except (NeedsPerson, Interrupted, asyncio.CancelledError):
            await self._deny(record, "nobody was there to allow it")
            raise
        if isinstance(consent, Consent):
            return replace(record, asked=consent.asked, repeats=consent.repeats or record.repeats)
        await self._deny(record, consent.reason)
        return None

    async def _deny(self, record: Submission, reason: str) -> None:
        """Of what was only tried again there is no record of its own."""
        if self._book.get(record.id) is not None:
            await self._book.keep(became(record, "denied", note=reason, ended_at=time.time()))

    async def _ask_for(
        self, leaving: Leaving, consequence: Consequence, found: Verdict, note: str = "", *, anew: bool = False
    ) -> Consent | Refused:
        """Ask for a request that is there already; `anew` when no answer given beforehand counts."""
        site = origin_of(leaving.url)
        fields = tuple((name, value) for name, value in leaving.fields if not is_token(name))
        effect = Effect(consequence, "", site, leaving.method, leaving.url, fields)
        words = (("Text", leaving.words),) if leaving.words and not fields else ()
        what = page_words(self._situation.act.what, 80) if self._situation.act else ""
        about = (("After", what), ("Site", site), ("Request", f"{leaving.method} {leaving.url}"), *fields, *words)
        wish = Wish(f"send this to {site}", about, note)
        asking = self._situation.whom()
        call = self._situation.act.call if self._situation.act else None
        consent = await asking.beside(self._situation.consenting.allows(asking, effect, wish, call, found, anew=anew))
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
        await self._book.keep(sent)
        self._of_hold[leaving.hold] = sent.id
        return "followed"

    def _drop(self, leaving: Leaving, found: Verdict, refused: Refused | None = None) -> None:
        reason, way_on = (refused.reason, refused.way_on) if refused else reason_of(found, time.time())
        target = f"{leaving.method} {page_words(leaving.url, 100)}"
        self._book.hold_back(f"Held back, not sent: {target}: {reason}. {way_on}".rstrip())

    def _new(
        self, leaving: Leaving, kind: Consequence, actor: Actor, state: SubmissionState = "intended"
    ) -> Submission:
        act = self._situation.act
        return Submission(
            self._book.next_id(),
            state,
            kind,
            origin_of(leaving.url),
            actor,
            act.call if act and actor == "agent" else None,
            method=leaving.method,
            url=leaving.url,
            fields=leaving.fields,
            digest=leaving.digest,
            began_at=time.time(),
        )
