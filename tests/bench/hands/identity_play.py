"""Plays one trial of the identity matrix through a hand and judges it by what the page itself saw."""

import asyncio
import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from tests.bench.hands.hand import Hand, Seen
from tests.bench.hands.identity_site import Site
from tests.bench.hands.identity_trials import Trial
from tests.bench.hands.ours import Ours
from tests.bench.hands.page import Thing
from tests.bench.hands.playwright_mcp import PlaywrightMcp

Verdict = Literal[
    "passed", "passed after a look", "refused rightly", "refused though right", "false done", "wrong", "not played"
]
_AROUND = frozenset({"row", "listitem", "group", "iframe", "page"})
_LATE_S = 0.1  # for what the page saw to be heard
_CHANGE_S = 0.4


class NotSetUp(Exception):
    """The trial could not begin: its page or its target was not shown."""


@dataclass(frozen=True, slots=True)
class Played:
    number: int
    kind: str
    verdict: Verdict
    refused_ms: float | None  # of the first act, when it was refused
    said: str = ""
    done: tuple[str, ...] = ()


async def play(hand: Hand, site: Site, trial: Trial) -> Played:
    """Look, let the page change, act, and act once more after a fresh look if that was refused. Raises NotSetUp."""
    seen = await hand.open(_served(site, trial))
    target = await _shown(hand, seen, trial)
    if trial.other_tab:
        await _other_tab(hand, site.url(f"/tab/{trial.number}"))
    await site.change(trial.number, trial.after_ms or 0)
    if trial.after_ms is None:
        await site.changed(trial.number)
    began = time.perf_counter()
    first = await _act(hand, trial, target)
    took_ms = (time.perf_counter() - began) * 1000
    looked, said = False, first
    done = await _done(site, trial)
    if not done and (first.is_error or not first.says_done) and trial.tries_again:
        await _past_dialog(hand, trial)
        again = found((await hand.look()).page, trial)
        done = site.done(trial.number)
        looked = bool(done)
        if again is not None and not done:
            looked, said = True, await _act(hand, trial, again)
            done = await _done(site, trial)
    if trial.other_tab:
        await _back(hand)
    verdict = judged(trial, done, says_done=said.says_done and not said.is_error, looked=looked)
    return Played(trial.number, trial.kind, verdict, took_ms if first.is_error else None, said.said[:400], tuple(done))


def judged(trial: Trial, done: list[str], *, says_done: bool, looked: bool) -> Verdict:
    if any(one != trial.wanted for one in done) or (len(done) > 1 and trial.act != "type"):
        return "wrong"
    if done:
        return "passed after a look" if looked else "passed"
    if says_done:
        return "false done"
    return "refused though right" if trial.is_still_right else "refused rightly"


def found(page: Thing, trial: Trial) -> Thing | None:
    """The target by role, name and what it stands within, when just one thing is that."""
    fitting = [
        one
        for path, one in _paths(page, ())
        if one.ref and one.role == trial.role and one.name == trial.name and _stands(path, trial.within)
    ]
    return fitting[0] if len(fitting) == 1 else None


def _stands(path: tuple[Thing, ...], within: str) -> bool:
    nearest = next((one for one in reversed(path) if one.role in _AROUND), None)
    return not within or (nearest is not None and within in nearest.words)


def _paths(thing: Thing, path: tuple[Thing, ...]) -> Iterator[tuple[tuple[Thing, ...], Thing]]:
    yield path, thing
    for child in thing.children:
        yield from _paths(child, (*path, thing))


def _served(site: Site, trial: Trial) -> str:
    """Puts the pages of the trial where it finds them; the address to open."""
    page, host = dict(trial.page), "localhost" if trial.other_host else "127.0.0.1"
    if trial.other_host and "frames" in page:
        page["frames"] = [site.url(str(path), host) for path in trial.page["frames"]]  # type: ignore[attr-defined]
    for path, inner in trial.inner.items():
        site.put(trial.number, inner, path)
    start = str(page.get("start", ""))
    path = start if start.startswith("/") else f"/trial/{trial.number}"
    site.put(trial.number, page, path)
    return site.url(path) + (start if start.startswith("#") else "")


async def _shown(hand: Hand, seen: Seen, trial: Trial) -> Thing:
    for _ in range(4):
        target = found(seen.page, trial)
        if target is not None:
            return target
        await asyncio.sleep(0.2)
        seen = await hand.look()
    raise NotSetUp(f"{trial.kind}: {trial.role} {trial.name!r} is not shown once: {seen.page.words[:300]}")


async def _act(hand: Hand, trial: Trial, target: Thing) -> Seen:
    if trial.act == "type":
        return await hand.type(target.ref, trial.value)
    if trial.act == "select":
        return await hand.select(target.ref, (trial.value,))
    return await hand.click(target.ref)


async def _done(site: Site, trial: Trial) -> list[str]:
    """What the page saw, once the change has come too; a page that was left has none to come."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_CHANGE_S):
            await site.changed(trial.number)
    await asyncio.sleep(_LATE_S)
    return site.done(trial.number)


async def _past_dialog(hand: Hand, trial: Trial) -> None:
    if trial.page["change"] == "alert" and isinstance(hand, Ours):
        await hand.tool("browser_handle_dialog", accept=True)


def can_play(hand: Hand, trial: Trial) -> bool:
    """Other tabs and open dialogs are for those that have tools for them."""
    return isinstance(hand, Ours) or (trial.page["change"] != "alert" and not (trial.other_tab and _is_plain(hand)))


def _is_plain(hand: Hand) -> bool:
    return not isinstance(hand, Ours | PlaywrightMcp)


async def _other_tab(hand: Hand, url: str) -> None:
    if isinstance(hand, Ours | PlaywrightMcp):
        await hand.tool("browser_tabs", action="new", url=url)


async def _back(hand: Hand) -> None:
    if isinstance(hand, Ours | PlaywrightMcp):
        await hand.tool("browser_tabs", action="close")
