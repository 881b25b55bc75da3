"""The only way to a page: check the target, decide, write the intent, act once, look, tell what happened."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from app.agent.answers import Answer, not_done, together
from app.agent.asking import Asking
from app.agent.control import Control
from app.agent.filing import Files
from app.agent.ladder import IDLE_S, Attempt, Ladder, normal
from app.agent.observing import Observing
from app.agent.ports import Browser
from app.agent.receipts import Applied, Several, beside_the_page, fault_of, is_new, receipt_of, result_text
from app.agent.submitting import Submitting
from app.agent.transcript import Transcript
from app.context.page.shield import page_words
from app.context.progress.repeats import Act
from app.context.refs.identity import describe
from app.domain.acts import (
    AnswerDialog,
    Click,
    CloseTab,
    DropAt,
    GoBack,
    GoForward,
    Navigate,
    OpenTab,
    PageAct,
    PressKey,
    Reload,
    Resize,
    SelectTab,
    TargetAct,
    Type,
    Wheel,
)
from app.domain.ids import Ref, ToolCallId
from app.domain.observation import RefRecord
from app.domain.pages import Happenings, NodeAddress, Outcome, Prepared
from app.guard.consent import Effect, effect_of, effect_of_dialog, place_of
from app.guard.decide import AskPerson, Refused, decide


@dataclass(slots=True)
class Acting:
    """Acts of one turn; used from the engine thread only."""

    browser: Browser
    transcript: Transcript
    observing: Observing
    asking: Asking
    control: Control
    submitting: Submitting
    idle_s: float = IDLE_S
    ladder: Ladder = field(init=False)
    restarts: int = 0  # of the browser, in this turn

    @property
    def files(self) -> Files:
        return Files(self.transcript)

    def __post_init__(self) -> None:
        self.submitting.situation.in_fields = self.observing.in_fields
        self.begin_anew()

    def begin_anew(self) -> None:
        """Forget what was tried: whoever acts from here on has another errand."""
        self.ladder = Ladder(self.observing, self.transcript, self.asking, idle_s=self.idle_s)

    async def on_target(
        self, call: ToolCallId, tool: str, ref: Ref, act: TargetAct, verb: str, wanted: str | None = None
    ) -> Answer:
        """One act on one target, with its receipt and the page after it."""
        tried, stopped = await self.start(call, tool, self.name_of(ref), repr(act), self.meaning_of(ref))
        if stopped is not None:
            return stopped
        applied = await self.apply(call, ref, act, verb, wanted)
        return await self.conclude(call, tried, (applied,))

    async def on_page(self, call: ToolCallId, tool: str, act: PageAct, verb: str, target: str = "") -> Answer:
        """One act on the page or the tabs as a whole, with its receipt and the page after it."""
        tried, stopped = await self.start(call, tool, target, repr(act))
        if stopped is not None:
            return stopped
        applied = await self.apply_page(call, act, verb, target)
        return await self.conclude(call, tried, (applied,))

    async def noticed(self) -> Happenings:
        """What the browser noticed since it was last asked, each saved file on record with its handle."""
        return await self.files.keep_noticed(self.browser.happenings())

    def name_of(self, ref: Ref) -> str:
        """A ref as people know it; what the page calls it can imitate no words of ours."""
        record = self.observing.record(ref)
        if record is None:
            return str(ref)
        words = "" if record.meaning.name else self.observing.text_of(ref)
        return page_words(describe(record.meaning) + (f" “{words}”" if words else ""))

    def meaning_of(self, ref: Ref) -> str:
        """What a ref means, whatever its number; one that is dead means nothing but itself."""
        record = self.observing.record(ref)
        return repr(record.meaning) if record is not None and record.alive else f"dead {ref}"

    async def apply(self, call: ToolCallId, ref: Ref, act: TargetAct, verb: str, wanted: str | None = None) -> Applied:
        """The act alone, without the look after it; a target that went away meanwhile is looked for a few times."""
        applied = await self._apply_once(call, ref, act, verb, wanted)
        until = time.monotonic() + _FINDING_S
        for _ in range(_FOUND_AGAIN):
            if applied.outcome is None or not applied.outcome.target_lost or time.monotonic() > until:
                break
            await self.observing.glance()
            applied = await self._apply_once(call, ref, act, verb, wanted)
        return applied

    async def _apply_once(self, call: ToolCallId, ref: Ref, act: TargetAct, verb: str, wanted: str | None) -> Applied:
        ready = await self.check(call, ref, act)
        name = self.name_of(ref)
        if isinstance(ready, Refused):
            return Applied(verb, name, refused=ready)
        outcome = await self._dispatch(call, ready, act, f"{verb} {name}")
        if outcome.status == "failed":
            await self.submitting.withdraw()
        return Applied(verb, name, outcome=outcome, wanted=wanted, ref=ref)

    async def check(self, call: ToolCallId, ref: Ref, act: TargetAct) -> Prepared | Refused:
        """The target, prepared, decided on and allowed, or why the act must not go out to it; nothing is sent.

        After any wait for the person it is prepared again.
        """
        allowed: Effect | None = None
        looks, until = 0, time.monotonic() + _FINDING_S
        while True:
            record = self.observing.record(ref)
            if record is None or not record.alive:
                return self._dead(ref, record)
            prepared = await self.browser.prepare(_address(record))
            decision = decide(record, prepared.probe, act, allowed)
            if isinstance(decision, AskPerson):
                refused = await self.submitting.may_press(decision.effect, call, place_of(prepared.probe))
                if refused is not None:
                    return refused
                allowed = decision.effect
            elif not isinstance(decision, Refused):
                return prepared
            elif decision.kind in ("gone", "changed") and looks < _FOUND_AGAIN and time.monotonic() < until:
                looks += 1
                await self.observing.glance()
            elif _is_fading(prepared) and time.monotonic() < until - _FINDING_S + _FADING_S:
                await asyncio.sleep(_FADING_POLL_S)
            else:
                return self._past_cover(decision, prepared)

    def _past_cover(self, refused: Refused, prepared: Prepared) -> Refused:
        """What covers a target can often be taken away by a press on one of its controls, which is named."""
        cover = prepared.probe.cover
        if refused.kind != "covered" or cover is None:
            return refused
        refs = (cover.way_past, cover.driver_ref)
        found = (self.observing.ref_in(prepared.address.tab, one) for one in refs if one)
        ref = next((one for one in found if one is not None), None)
        return replace(refused, way_on=f"Deal with that first; in it: {ref} {self.name_of(ref)}.") if ref else refused

    async def drag(self, call: ToolCallId, tool: str, start: Ref, end: Ref, at: DropAt = "on") -> Answer:
        """Drag one target onto another, or to before or after it."""
        name = f"{self.name_of(start)} {'to' if at == 'on' else at} {self.name_of(end)}"
        ends_mean = f"{self.meaning_of(start)} {self.meaning_of(end)}"
        tried, stopped = await self.start(call, tool, name, "", ends_mean)
        if stopped is not None:
            return stopped
        ends: list[Prepared] = []
        for ref in (start, end):
            ready = await self.check(call, ref, Click())  # a drag onto itself is a click
            if isinstance(ready, Refused):
                return await self.conclude(call, tried, (Applied("dragged", name, refused=ready),))
            ends.append(ready)
        await self.submitting.begin(call, f"dragged {name}")
        outcome = await self.browser.drag(ends[0], ends[1], at)
        return await self.conclude(call, tried, (Applied("dragged", name, outcome=outcome),))

    async def press(self, call: ToolCallId, tool: str, key: str) -> Answer:
        """A key goes to whatever has the focus."""
        tried, stopped = await self.start(call, tool, key, key, by_focus=True)
        if stopped is not None:
            return stopped
        return await self.conclude(call, tried, (await self.apply_key(call, key),))

    async def apply_key(self, call: ToolCallId, key: str) -> Applied:
        """The key alone, without the look after it; Enter and Space are judged by what they would press."""
        if len(key) == 1 and await self._focus_is_secret():
            secret = Refused("secret", "the focus is in a field for a secret", "Use ask_user with takeOver.")
            return Applied("pressed", key, refused=secret)
        if _may_press(key):
            ready = await self.ready(call, self.browser.prepare_focus, _acts_of(key))
            if isinstance(ready, Refused):
                return Applied("pressed", key, refused=ready)
            return await self.apply_page(call, PressKey(key, ready.token), "pressed", key)
        return await self.apply_page(call, PressKey(key), "pressed", key)

    async def _focus_is_secret(self) -> bool:
        node = (await self.browser.prepare_focus()).probe.node
        return node is not None and "password" in node.marks

    async def answer_dialog(self, call: ToolCallId, tool: str, act: AnswerDialog) -> Answer:
        """Accepting is judged by the words of the question, and put to the person when those are consequential."""
        verb = "accepted" if act.accept else "dismissed"
        tried, stopped = await self.start(call, tool, "the dialog", repr(act))
        if stopped is not None:
            return stopped
        look = (await self.observing.glance()).look
        effect = effect_of_dialog(look.dialog, look.url) if act.accept and look.dialog is not None else None
        refused = await self.submitting.may_press(effect, call) if effect is not None else None
        if refused is not None:
            return await self.conclude(call, tried, (Applied(verb, "the dialog", refused=refused),))
        return await self.conclude(call, tried, (await self.apply_page(call, act, verb, "the dialog"),))

    async def prepared(self, ref: Ref) -> Prepared | Answer:
        """A target for a picture; the refusal when it is not there."""
        record = self.observing.record(ref)
        if record is None or not record.alive:
            dead = self._dead(ref, record)
            return not_done(dead.reason, dead.way_on)
        prepared = await self.browser.prepare(_address(record))
        if prepared.probe.state != "ok":
            return not_done(f"{ref} is no longer on the page", "Look again.")
        return prepared

    async def start(
        self, call: ToolCallId, tool: str, name: str, arguments: str, meaning: str = "", *, by_focus: bool = False
    ) -> tuple[Attempt, Answer | None]:
        """Note what is tried; an answer instead when the ladder of no progress says that it must not run."""
        act = Act(tool, meaning or normal(name), normal(arguments), before="", name=name)
        return await self.ladder.begin(call, act, by_focus=by_focus)

    async def conclude(
        self, call: ToolCallId, tried: Attempt, applied: tuple[Applied, ...], several: Several | None = None
    ) -> Answer:
        """Settle, look once, and make the receipt of what was applied."""
        several = several or Several()
        acted = any(one.outcome is not None for one in applied)
        settled = await self.settle() if acted else True
        used = [one.ref for one in applied if one.outcome is not None]
        seeing = await self.observing.see(acted_on=used[-1] if used else None)
        noticed = together(several.noticed, await self.noticed())
        beside = beside_the_page(seeing, applied, noticed)
        await self.submitting.conclude(tried.before, seeing)
        effect = await self.ladder.finish(call, tried, seeing, beside=beside, fault=fault_of(applied))
        receipt = receipt_of(call, applied, tried.before, seeing, noticed, effect, several.unit)
        news = self.submitting.book.news()
        text = result_text(
            applied,
            receipt,
            noticed,
            new_page=is_new(tried.before, seeing),
            settled=settled,
            requests=seeing.look.requests_running,
            warning=effect.warning,
            surprise=several.surprise,
            submissions=(*news.held_back, *news.records),
        )
        if effect.warning is not None and effect.warning.rung == "warning":
            seeing = await self.observing.see("whole")
        return Answer(
            text,
            is_error=receipt.status == "failed" or bool(news.held_back),
            receipt=receipt,
            observation=seeing.observation,
        )

    async def settle(self) -> bool:
        """Wait for what was held to be decided on, then for the page. Raises NeedsPerson."""
        await self.submitting.gatekeeper.decided()
        settled = await self.browser.settle()
        await self.submitting.gatekeeper.decided()
        return settled

    async def apply_page(self, call: ToolCallId, act: PageAct, verb: str, target: str) -> Applied:
        """The act alone, without the look after it."""
        await self.submitting.begin(call, f"{verb} {target}".strip(), presses=not isinstance(act, _PRESSES_NOTHING))
        return Applied(verb, target, outcome=await self.browser.perform(act))

    async def _dispatch(self, call: ToolCallId, prepared: Prepared, act: TargetAct, what: str) -> Outcome:
        await self.browser.outline(prepared, what)
        if isinstance(act, Type):
            self.submitting.situation.note_typed(act.text)
        await self.submitting.begin(call, what)
        return await self.browser.dispatch(prepared, act)

    async def ready(
        self, call: ToolCallId, prepare: Callable[[], Awaitable[Prepared]], acts: tuple[TargetAct, ...]
    ) -> Prepared | Refused:
        """Whatever is there, or why an act on it must not go out; after any wait for the person it is read again."""
        allowed: Effect | None = None
        while True:
            prepared = await prepare()
            probe = prepared.probe
            if probe.state == "unresponsive":
                return Refused("unresponsive", "the page does not say what would be pressed", "Use a ref instead.")
            effect = next((found for act in acts if (found := effect_of(probe, act)) is not None), None)
            if effect is None or effect == allowed:
                return prepared
            refused = await self.submitting.may_press(effect, call, place_of(probe))
            if refused is not None:
                return refused
            allowed = effect

    def _dead(self, ref: Ref, record: RefRecord | None) -> Refused:
        if record is None and not self.observing.was_given(ref):
            return Refused("unknown", f"there is no ref {ref}", "Use a ref of the newest page.")
        if record is None:
            return Refused("dead", f"{ref} is from before a restart of the browser", _FIND_AGAIN)
        way_on = f"It is {record.successor} now." if record.successor else _FIND_AGAIN
        return Refused("dead", f"{ref} {self.name_of(ref)} is dead: {page_words(record.fate)}", way_on)


def _is_fading(prepared: Prepared) -> bool:
    cover = prepared.probe.cover
    return cover is not None and cover.fades


def _may_press(key: str) -> bool:
    """Whether a key or a chord can set off what has the focus."""
    return _named_key(key) in ("Enter", "NumpadEnter", "Space", " ", "\n", "\r")


def _acts_of(key: str) -> tuple[TargetAct, ...]:
    """What the key would do: press the control, and with Enter also send the form."""
    enters = _named_key(key) in ("Enter", "NumpadEnter", "\n", "\r")
    return (Click(), Type("", submit=True)) if enters else (Click(),)


def _named_key(key: str) -> str:
    return key.rpartition("+")[2]


_PRESSES_NOTHING = (Navigate, GoBack, GoForward, Reload, OpenTab, SelectTab, CloseTab, Wheel, Resize)
_FOUND_AGAIN = 5  # times that a target is looked for which the page drew anew since it was read
_FINDING_S = 5.0  # and for how long
_FADING_S = 0.8  # scripts let what they close fade for about half of that
_FADING_POLL_S = 0.06
_FIND_AGAIN = "Find it again on the newest page."


def _address(record: RefRecord) -> NodeAddress:
    return NodeAddress(record.tab, record.frame_prefix, record.document, record.driver_ref)
