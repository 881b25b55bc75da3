"""Random sequences against the ledger: presses, requests, answers, losses and restarts in any order.

The rules know nothing of how the ledger decides. They count what was let go, and what the person has allowed.
"""

import asyncio
import itertools
import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import Any, cast

from hypothesis import HealthCheck, settings
from hypothesis import seed as hypothesis_seed
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from app.agent.asking import Asking
from app.agent.control import Control, NeedsPerson
from app.agent.submitting import Submitting
from app.agent.transcript import Transcript
from app.domain.events import PersonAnswered, PersonAsked
from app.domain.ids import ConversationId, ToolCallId
from app.domain.submissions import CameBack, Leaving
from app.guard.consent import Effect
from tests.bench.result import Options
from tests.fakes.record import MemoryRecord

COUNT, QUICK = 10_000, 500
_BUNDLE = 500
_PART = "sequences"

SITE = "https://shop.example"
_names = (f"sequence{number}" for number in itertools.count(1))


@dataclass
class Person:
    """Says what was drawn last; each yes of theirs allows one more of what was asked about."""

    says: str = "no"
    yes: int = 0

    async def __call__(self, asked: PersonAsked) -> PersonAnswered:
        choices = [choice for choice, _ in asked.choices]
        choice = self.says if self.says in choices else "no"
        self.yes += choice == "yes"
        return PersonAnswered(asked.question_id, choice)


@dataclass
class Site:
    """What was let go, by what it orders, and what came of it."""

    sent: Counter[str] = field(default_factory=Counter)
    allowed: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    under_way: dict[int, str] = field(default_factory=dict)
    unknown: set[str] = field(default_factory=set)


class LedgerMachine(RuleBasedStateMachine):
    """Two things to order, by a button or by a script; everything else may happen at any time."""

    @initialize(consent=st.sampled_from(["ask", "yes", "no"]))
    def begin(self, consent: str) -> None:
        self.loop = asyncio.new_event_loop()
        self.consent = consent
        self.person, self.site = Person(), Site()
        self.calls, self.holds = itertools.count(1), itertools.count(1)
        self.granted_beforehand: set[str] = set()
        self.record = MemoryRecord()
        self.name = ConversationId(next(_names))
        self._run(self.record.create(self.name, "sequence"))
        self._open()

    def teardown(self) -> None:
        if hasattr(self, "loop"):
            self.loop.close()

    @rule(thing=st.sampled_from(["mug", "lamp"]), says=st.sampled_from(["yes", "no", "check"]), leaves=st.booleans())
    def press(self, thing: str, says: str, leaves: bool) -> None:
        """The agent presses the button that orders it, and its request comes about or does not."""
        fields = (("item", thing),)
        effect = Effect("pay", "Order", SITE, "POST", f"{SITE}/order", fields, sends=fields)
        call = ToolCallId(f"call{next(self.calls)}")
        if not self._allowed(thing, says, self.submitting.may_press(effect, call)):
            return
        self._run(self.submitting.begin(call, f"clicked {thing}"))
        if leaves:
            self._leave(thing, says)

    @rule(thing=st.sampled_from(["mug", "lamp"]), says=st.sampled_from(["yes", "no", "check"]), token=st.integers(0, 3))
    def request(self, thing: str, says: str, token: int) -> None:
        """An act that promised nothing of the kind sends it: a second press, a key, a script behind another button."""
        self._run(self.submitting.begin(ToolCallId(f"call{next(self.calls)}"), "clicked Next"))
        self._leave(thing, says, token)

    @rule(thing=st.sampled_from(["mug", "lamp"]), says=st.sampled_from(["yes", "no", "check"]), reloads=st.booleans())
    def page_sends(self, thing: str, says: str, reloads: bool) -> None:
        """A page sends by itself, or is loaded again. Its own business, as long as nothing like it was sent."""
        if reloads:
            call = ToolCallId(f"call{next(self.calls)}")
            self._run(self.submitting.begin(call, "reloaded the page", presses=False))
        else:
            self.submitting.end()
        if not self._was_sent(thing):
            self.site.allowed[thing] += 1
        self._leave(thing, says)

    @rule(status=st.sampled_from([200, 303, 404, 422, 500, None]), never_left=st.booleans())
    def answer(self, status: int | None, never_left: bool) -> None:
        if not self.site.under_way:
            return
        hold, thing = self.site.under_way.popitem()
        never = never_left and status is None
        if never:
            self.site.sent[thing] -= 1  # no connection came about: the site saw nothing
            self.site.allowed[thing] -= 1
        elif status is None or status >= 500:
            self.site.unknown.add(thing)
        elif status >= 400:
            self.site.refused[thing] += 1
        failure = "" if status is not None else "Refused" if never else "Failed"
        self._run(self.submitting.gatekeeper.came_back(CameBack(hold, status, failure, never_left=never)))

    @rule()
    def lose_the_browser(self) -> None:
        self._run(self.submitting.book.lost("the browser stopped"))
        self._forget_under_way()

    @rule()
    def restart(self) -> None:
        """Kill -9: all that is left is what is on record."""
        self._open()
        self._run(self.submitting.book.recover())
        self._forget_under_way()

    @rule(thing=st.sampled_from(["mug", "lamp"]))
    def person_says_it_did_not_happen(self, thing: str) -> None:
        for one in self.submitting.book.records:
            if dict(one.fields or one.shown).get("item") == thing and self._run(
                self.submitting.book.did_not_happen(one.id)
            ):
                self.site.allowed[thing] += 1
                self.site.unknown.discard(thing)

    @invariant()
    def nothing_is_sent_more_often_than_it_was_allowed(self) -> None:
        if not hasattr(self, "site"):
            return
        for thing, count in self.site.sent.items():
            assert count <= self.site.allowed[thing], f"{thing}: sent {count} times, allowed {self.site.allowed[thing]}"

    def _was_sent(self, thing: str) -> bool:
        """Sent, and the site did not refuse it."""
        return self.site.sent[thing] > self.site.refused[thing]

    def _open(self) -> None:
        events = self._run(self.record.events(self.name))
        transcript = Transcript(self.record, self.name, events, lambda stored: None)
        asking = Asking(transcript, Control(), attended=False, consent=self.consent)
        asking.reach = self.person
        self.submitting = Submitting(transcript, time_scale=0.0)
        self.submitting.attend(asking)

    def _leave(self, thing: str, says: str, token: int = 0) -> None:
        hold = next(self.holds)
        fields = (("item", thing), ("csrf", f"token{token}{hold}"))
        leaving = Leaving(hold, "POST", f"{SITE}/order", "document", fields)
        before = self.person.yes
        self.person.says = says
        was_unknown = thing in self.site.unknown
        let_go = self._run(self.submitting.gatekeeper.may_leave(leaving))
        self._count(thing, before)
        if let_go == "dropped":
            return
        assert not was_unknown or self.person.yes > before or self.site.allowed[thing] > self.site.sent[thing], (
            f"{thing} was sent while nobody knew whether it had been"
        )
        self.site.sent[thing] += 1
        self.site.unknown.discard(thing)
        self.site.under_way[hold] = thing

    def _allowed(self, thing: str, says: str, question: Any) -> bool:
        before = self.person.yes
        self.person.says = says
        try:
            refused = self._run(question)
        except NeedsPerson:
            return False
        self._count(thing, before)
        return refused is None

    def _count(self, thing: str, before: int) -> None:
        """A yes in person allows one; one given beforehand allows the first of each thing."""
        self.site.allowed[thing] += self.person.yes - before
        if self.consent == "yes" and thing not in self.granted_beforehand:
            self.granted_beforehand.add(thing)
            self.site.allowed[thing] += 1

    def _forget_under_way(self) -> None:
        self.site.unknown.update(self.site.under_way.values())
        self.site.under_way.clear()

    def _run(self, work: Any) -> Any:
        return self.loop.run_until_complete(work)


async def measured(options: Options) -> dict[str, int]:
    """How many sequences were played and how many found something sent too often; once, in the first share."""
    if options.is_mine(0) and _PART not in options.partial.parts:
        count = QUICK if options.quick else COUNT
        options.partial.put(_PART, await asyncio.to_thread(_played, count, options.seed))
    return cast("dict[str, int]", options.partial.parts.get(_PART, {}))


def _played(count: int, seed: int) -> dict[str, int]:
    """In bundles with seeds of their own; one that fails is told whole, smallest first, and the rest is played."""
    failed = 0
    for bundle in range(count // _BUNDLE):
        machine = hypothesis_seed(seed + bundle)(LedgerMachine)
        try:
            run_state_machine_as_test(machine, settings=profile(_BUNDLE))
        except (AssertionError, ExceptionGroup) as found:
            failed += 1
            sys.stderr.write(f"{found}\n")
    return {"played": count, "failed": failed}


def profile(examples: int, steps: int = 12) -> settings:
    return settings(
        max_examples=examples,
        stateful_step_count=steps,
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
