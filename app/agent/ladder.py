"""Watches over the acts of a turn: what they moved, what moves by itself, and when to warn, to block or to ask."""

import asyncio
import hashlib
from dataclasses import dataclass, replace

from app.agent.answers import Answer, not_done
from app.agent.asking import Asking
from app.agent.observing import Observing, Seeing
from app.agent.transcript import Transcript
from app.context.page.header import focus_of, scroll_of
from app.context.progress.fingerprint import Key, Page, digest_of, mark_of
from app.context.progress.moving import moving_parts
from app.context.progress.repeats import Act, Progress, after_act, before_act
from app.context.refs.meaning import frame_path
from app.domain.events import WarningRaised
from app.domain.ids import ToolCallId
from app.domain.pages import ActFault
from app.domain.records import ProgressWarning
from app.domain.snapshot import SnapshotNode

IDLE_S = 1.0
"""Between two looks that tell what moves by itself."""

SCROLLED = "scrolled at "
"""Begins what is told of a scroll that moved: the browser itself says so, whatever moves beside it."""

_WATCH_AFTER = frozenset({2, 5, 8})  # repeats that moved something
_DRAWING_S = 0.15
_DIGESTS_KEPT = 32
_IDLE_SHARES = (0.37, 0.63)  # uneven, so that what swings does not seem to stand


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a call is about to try, and the page right before it."""

    act: Act
    before: Seeing
    page: Page
    by_focus: bool = False  # judged by the focus too, as a key is
    picture: str = ""  # digest of the picture of a page that draws


@dataclass(frozen=True, slots=True)
class Effect:
    """What an attempt came to: whether the page is another one, and if not, whether only what moves by itself moved."""

    moved: bool
    only_by_itself: bool
    warning: ProgressWarning | None = None
    redrawn: bool = False  # the picture changed, the text did not


class Ladder:
    """Of one turn; what moves by itself is kept for each address as long as the turn lasts."""

    def __init__(self, observing: Observing, transcript: Transcript, asking: Asking, *, idle_s: float = IDLE_S) -> None:
        self._observing = observing
        self._transcript = transcript
        self._asking = asking
        self._idle_s = idle_s
        self._progress = Progress()
        self._pages: tuple[tuple[Page, Page], ...] = ()  # before and after each act of the progress
        self._digests: dict[int, tuple[SnapshotNode, frozenset[Key], str]] = {}
        self._moving: dict[tuple[int, str], frozenset[Key]] = {}
        self._seen_once: dict[tuple[int, str], frozenset[Key]] = {}

    async def begin(self, call: ToolCallId, act: Act, *, by_focus: bool = False) -> tuple[Attempt, Answer | None]:
        """Note what is tried; an answer instead when it must not run. `by_focus`: the focus counts."""
        last = self._observing.last or await self._observing.glance()
        if self._is_repeat_that_moved(act, last):
            last = await self._idle_look(last, act)
        picture = await self._picture(last, act)
        page = _page(last, (_focus(last, by_focus), picture))
        late = bool(self._pages) and self._mark(_bare(self._pages[-1][1])) != self._mark(_bare(page))
        attempt = Attempt(replace(act, before=self._mark(page), late=late), last, page, by_focus, picture)
        self._progress, warning = before_act(self._progress, attempt.act)
        if warning is None:
            return attempt, None
        return attempt, await self._stopped(call, warning)

    async def finish(
        self, call: ToolCallId, attempt: Attempt, after: Seeing, *, beside: tuple[str, ...], fault: ActFault | None
    ) -> Effect:
        """Count what was tried. `beside` is what it did that the page does not show; a refused act did nothing."""
        picture = await self._picture_after(attempt, after)
        page = _page(after, (_focus(after, attempt.by_focus), picture, *beside))
        before, sight = self._mark(_bare(attempt.page)), self._mark(_bare(page))
        moved = before != sight or _document(attempt.before) != _document(after)
        if fault is not None and not moved:
            page = attempt.page
        done = replace(attempt.act, before=self._mark(attempt.page), after=self._mark(page), fault=fault, sight=sight)
        by_itself = not moved and attempt.before.fingerprint != after.fingerprint
        warning = await self._count(call, done, (attempt.page, page))
        return Effect(moved, by_itself, warning, redrawn=picture != attempt.picture)

    async def misused(self, call: ToolCallId, tool: str, arguments: str, text: str) -> Answer:
        """The answer to a call that could not even be tried."""
        attempt, stopped = await self.begin(call, Act(tool, "", normal(arguments), "", name="wrong arguments"))
        if stopped is not None:
            return stopped
        done = replace(attempt.act, after=attempt.act.before, fault="bad_arguments")
        warning = await self._count(call, done, (attempt.page, attempt.page))
        if warning is None:
            return Answer(text, is_error=True)
        seen = (await self._observing.see("whole")).observation if warning.rung == "warning" else None
        return Answer(f"{text}\n{warning_line(warning)}", is_error=True, observation=seen)

    async def _picture(self, last: Seeing, act: Act) -> str:
        """Of a page that draws, right before an act; empty where the drawing moves by itself, as a repeat shows."""
        if not last.look.draws:
            return ""
        picture = await self._drawn()
        if any(one.what == act.what for one in self._progress.acts):
            await asyncio.sleep(min(self._idle_s, _DRAWING_S))
            return picture if picture == await self._drawn() else ""
        return picture

    async def _picture_after(self, attempt: Attempt, after: Seeing) -> str:
        """The old one unless it could be all that changed."""
        same_place = scroll_of(attempt.before.look) == scroll_of(after.look)
        if not attempt.picture or not same_place or attempt.before.fingerprint != after.fingerprint:
            return attempt.picture
        return await self._drawn() or attempt.picture

    async def _drawn(self) -> str:
        data = (await self._observing.browser.picture(kind="jpeg", drawings=True)).data
        return hashlib.blake2b(data, digest_size=16).hexdigest() if data else ""

    async def _count(self, call: ToolCallId, done: Act, pages: tuple[Page, Page]) -> ProgressWarning | None:
        self._progress, warning = after_act(self._progress, done)
        self._pages = (*self._pages, pages)[-len(self._progress.acts) :]
        if warning is not None:
            await self._transcript.add(WarningRaised(warning, call))
        return warning

    async def _stopped(self, call: ToolCallId, warning: ProgressWarning) -> Answer:
        await self._transcript.add(WarningRaised(warning, call))
        if warning.rung != "paused":
            return not_done(warning.what, warning.advice)
        self._progress, self._pages = Progress(), ()
        answer = await self._asking.ask(
            "progress",
            f"{warning.what}. How shall the agent go on?",
            (("another", "Try another way"), ("takeover", "Take over"), ("stop", "Stop")),
            call=call,
        )
        said = f" The person says: {answer.text}" if answer.text else ""
        return not_done(warning.what, f"The person asks you to try another way.{said}")

    def _is_repeat_that_moved(self, act: Act, last: Seeing) -> bool:
        """Only then a look can tell more: an act whose like changed this very document before."""
        same = [
            after
            for one, (before, after) in zip(self._progress.acts, self._pages, strict=True)
            if one.what == act.what
            and one.moved
            and not any(said.startswith(SCROLLED) for said in after.also)
            and self._mark(_bare(before)) != one.sight
        ]
        return bool(same) and (same[-1].tab, same[-1].loaded) == (last.look.tab, _document(last))

    async def _idle_look(self, last: Seeing, act: Act) -> Seeing:
        """Look again before the act. What differs twice, or within a second in which nobody did anything, is noise."""
        now = await self._observing.glance()
        if now.at - last.at >= self._idle_s and _document(now) == _document(last):
            await self._note(last, now, is_sure=False)
        repeats = sum(one.what == act.what and one.moved for one in self._progress.acts)
        if repeats not in _WATCH_AFTER or not self._is_repeat_that_moved(act, now):
            return now
        for share in _IDLE_SHARES:
            await asyncio.sleep(self._idle_s * share)
            before, now = now, await self._observing.glance()
            if _document(before) == _document(now):
                await self._note(before, now, is_sure=True)
        return now

    async def _note(self, before: Seeing, now: Seeing, *, is_sure: bool) -> None:
        where = (now.look.tab, frame_path(now.look.url))
        parts = await asyncio.to_thread(moving_parts, before.shown.tree, now.shown.tree, flows=is_sure)
        known, once = self._moving.get(where, frozenset()), self._seen_once.get(where, frozenset())
        self._seen_once[where] = once | parts
        grown = known | (parts if is_sure else parts & once)
        if grown != known:
            self._moving[where] = grown
            await asyncio.to_thread(self._compare_anew)

    def _compare_anew(self) -> None:
        """What was taken for a change before it was known to move by itself is none any more."""
        acts = [
            replace(act, before=self._mark(one), after=self._mark(other), sight=self._mark(_bare(other)))
            for act, (one, other) in zip(self._progress.acts, self._pages, strict=True)
        ]
        self._progress = replace(self._progress, acts=tuple(acts))

    def _mark(self, page: Page) -> str:
        return mark_of(page, self._digest(page.tree, self._moving.get((page.tab, frame_path(page.url)), frozenset())))

    def _digest(self, tree: SnapshotNode, without: frozenset[Key]) -> str:
        """Each tree is compared again and again; its digest is made once for all that is left out by then."""
        kept = self._digests.get(id(tree))
        if kept is None or kept[0] is not tree or kept[1] != without:
            kept = (tree, without, digest_of(tree, without))
            self._digests.pop(id(tree), None)
            self._digests[id(tree)] = kept
            while len(self._digests) > _DIGESTS_KEPT:
                self._digests.pop(next(iter(self._digests)))
        return kept[2]


def warning_line(warning: ProgressWarning) -> str:
    """A warning as the model reads it in a result."""
    return f"Warning: {warning.what}. {warning.advice}"


def normal(arguments: str) -> str:
    """Arguments that differ in nothing that matters are the same."""
    return " ".join(arguments.split())


def _page(seeing: Seeing, also: tuple[str, ...]) -> Page:
    """The page itself counts, not how often it was loaded: its document is left out of the comparison."""
    look = seeing.look
    also = (*_dialog(seeing), scroll_of(look), *also)
    return Page(seeing.shown.tree, look.url, look.tab, also=also, loaded=look.document)


def _bare(page: Page) -> Page:
    return replace(page, also=())


def _dialog(seeing: Seeing) -> tuple[str, ...]:
    dialog = seeing.look.dialog
    return (dialog.kind, dialog.message) if dialog is not None else ()


def _focus(seeing: Seeing, counts: bool) -> str:
    return focus_of(seeing.shown.tree) if counts else ""


def _document(seeing: Seeing) -> str:
    return seeing.look.document
